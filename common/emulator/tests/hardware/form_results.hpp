/// @file
/// @brief What a machine computed, as a text file.
///
/// A line "KEY COUNT FINGERPRINT" begins each form: FormCase::key, the number of its results and the fingerprint of its
/// operands. Lines that begin with a space hold the results, in hexadecimal: those of the first combination of source
/// values, then those of the next; "7fff*3" is the same one three times. "= KEY" stands for the results of an earlier
/// form. Lines that begin with # are comments.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "form_operands.hpp"

namespace lanes::emulator::hardware {

/// The results of one form.
struct FormResults {
    std::string key;                    ///< FormCase::key
    std::uint32_t fingerprint = 0;      ///< FormCase::fingerprint()
    std::vector<std::uint64_t> values;  ///< FormCase::results values for each of FormCase::count combinations
};

/// Takes from a kernel's result buffer what belongs to the form: the padding of warps is dropped.
FormResults results_of(const FormCase& form, std::span<const std::uint64_t> buffer);

/// Writes results as a file; `comment` is its first line.
void write_results(std::ostream& stream, const std::string& comment, const std::vector<FormResults>& results);

/// Reads a file.
/// @param problem  set to what is wrong with the file, with the line's number; empty if nothing is
std::vector<FormResults> read_results(std::istream& stream, std::string& problem);

}  // namespace lanes::emulator::hardware
