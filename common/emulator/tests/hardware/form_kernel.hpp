/// @file
/// @brief The PTX that runs a form on its operands: the same text for the GPU and for the emulator.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "form_operands.hpp"

namespace lanes::emulator::hardware {

/// The name of the kernel of case `index` of form_cases().
std::string kernel_name(std::size_t index);

/// A kernel NAME(sources, results): thread i reads its values from 8-byte words sources[i * form.sources ...] and
/// writes its results, extended by zeros, to results[i * form.results ...]. Blocks of 32 threads, one-dimensional.
std::string kernel_text(const FormCase& form, const std::string& name);

/// A module with the kernels of `cases`, which are the cases of form_cases() from `first` on.
std::string module_text(std::span<const FormCase> cases, std::size_t first);

}  // namespace lanes::emulator::hardware
