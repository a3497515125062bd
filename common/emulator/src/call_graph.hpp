/// @file
/// @brief Which functions a kernel can reach, and which of them can be in one lane twice.
#pragma once

#include <cstdint>
#include <vector>

#include "linked_modules.hpp"

namespace lanes::emulator {

/// A function that a kernel can reach.
struct ReachedFunction {
    Definition definition;
    std::vector<std::uint32_t> callees;        ///< indices into the list
    std::vector<Definition> shared_variables;  ///< module-scope shared variables it names
    bool calls_pointers = false;               ///< it has a call by address
    bool recursive = false;
};

/// The kernel and all functions it can reach, the kernel first. A function whose address is taken can be reached from
/// every call by address.
std::vector<ReachedFunction> reach_functions(const LinkedModules& linked, const Definition& kernel);

}  // namespace lanes::emulator
