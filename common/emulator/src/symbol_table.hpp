/// @file
/// @brief Names of several modules: who defines what another one declares.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "execution.hpp"

namespace lanes::emulator {

/// A function or variable that has a definition.
struct Definition {
    std::uint32_t module = 0;
    std::uint32_t index = 0;  ///< into Module::functions or Module::variables
    bool is_function = false;
    bool visible = false;  ///< to other modules

    bool operator==(const Definition&) const = default;
};

/// Finds definitions by name. A name that is not `.visible` is known in its own module only. Dynamic shared memory
/// (`.extern .shared`) counts as a definition: every module means the same memory by it.
class SymbolTable {
public:
    /// @param modules  must outlive the table and not move
    /// @return the table, or an error if two modules define the same name and neither definition is weak
    static Result<SymbolTable> build(const std::vector<ptx::Module>& modules);

    /// What `name` means in a module; nullptr if it is defined nowhere.
    const Definition* find(std::uint32_t module, std::string_view name) const;
    /// What `name` means to the host: a visible definition, or else the first one in any module.
    const Definition* find(std::string_view name) const;

private:
    using Names = std::unordered_map<std::string_view, Definition>;

    std::string add_module(const ptx::Module& module, std::uint32_t number);
    std::string add(std::string_view name, const Definition& definition, bool weak);

    Names visible_;
    std::unordered_map<std::string_view, bool> weak_;  // of the visible ones
    std::vector<Names> own_;                           // by module
};

}  // namespace lanes::emulator
