/// @file
/// @brief The operands on which a form is compared with the hardware.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "form_instance.hpp"

namespace lanes::emulator::hardware {

/// One kernel's work: an instruction and a table of source values.
struct FormCase {
    std::string key;      ///< the form and its operands: "add.s32 rrr"; an immediate after them: "lop3.b32 rrrri 0x96"
    FormInstance form;    ///< the instruction
    bool takes_carry;     ///< its last source is the carry that it takes in: 0 or 1
    bool gives_carry;     ///< its last result is the carry that it leaves
    bool takes_borrow;    ///< the carry is one of subtraction
    std::size_t sources;  ///< values a thread reads
    std::size_t results;  ///< values a thread writes
    std::size_t count;    ///< combinations of source values: threads whose results count
    std::vector<std::uint64_t> operands;  ///< `sources` values for each thread; as many threads as fill whole warps

    /// Threads, a multiple of the warp size.
    std::size_t threads() const { return sources == 0 ? warp_threads : operands.size() / sources; }
    /// Bytes of a result: 1 for a predicate, which is 0 or 1.
    std::size_t result_bytes(std::size_t result) const;
    /// Tells whether results of an older run belong to the same operands.
    std::uint32_t fingerprint() const;

    static constexpr std::size_t warp_threads = 32;
};

/// A form of the list whose results cannot be compared, and why.
struct IncomparableForm {
    std::string_view opcode;    ///< its name is this,
    std::string_view modifier;  ///< and has this in it
    std::string_view reason;    ///< what is different on the hardware
};

/// All forms that have no case.
const std::vector<IncomparableForm>& incomparable_forms();
/// The entry of incomparable_forms() that names the form, or nullptr.
const IncomparableForm* find_incomparable(const SupportedForm& form);

/// One case for each form of supported_forms() that can be compared, more for a form with an immediate.
std::vector<FormCase> form_cases();

}  // namespace lanes::emulator::hardware
