/// @file
/// @brief Modules whose names are resolved and whose variables have addresses: what the decoder starts from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "execution.hpp"
#include "line_attribution.hpp"
#include "symbol_table.hpp"

namespace lanes::emulator {

/// A pointer to the n-th function of an image is this plus (n + 1) times `function_spacing`. No host address looks so.
inline constexpr std::uint64_t function_window = 0xfffd'0000'0000'0000ull;
inline constexpr std::uint64_t function_spacing = 16;

/// Several modules as one. Does not move once linked.
struct LinkedModules {
    std::vector<ptx::Module> modules;
    SymbolTable symbols;
    std::vector<LineAttribution> lines;                          ///< by module
    std::vector<std::vector<std::uint64_t>> variable_addresses;  ///< by module and variable; 0: not in device memory
    std::vector<std::vector<std::uint64_t>> function_addresses;  ///< by module and function; 0: not defined there
    std::vector<Definition> address_taken;                       ///< functions that initial values point to
    std::vector<DeviceVariable> variables;

    const ptx::Function& function(const Definition& definition) const {
        return modules[definition.module].functions[definition.index];
    }
    const ptx::Variable& variable(const Definition& definition) const {
        return modules[definition.module].variables[definition.index];
    }
};

/// Places the modules' variables in device memory with their initial values, and gives functions their addresses.
/// @return what is wrong, or nothing
std::string place_symbols(LinkedModules& linked, DeviceMemory& memory);

/// Gives variables that are placed their initial values again, managed ones aside.
void reset_symbols(const LinkedModules& linked);

}  // namespace lanes::emulator
