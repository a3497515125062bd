#include "symbol_table.hpp"

#include <string>

namespace lanes::emulator {

namespace {

bool is_dynamic_shared(const ptx::Variable& variable) {
    return variable.external && variable.space == ptx::Space::shared;
}

}  // namespace

Result<SymbolTable> SymbolTable::build(const std::vector<ptx::Module>& modules) {
    SymbolTable table;
    table.own_.resize(modules.size());
    for (std::uint32_t module = 0; module < modules.size(); ++module) {
        const std::string error = table.add_module(modules[module], module);
        if (!error.empty()) return Error{error};
    }
    return table;
}

/// @return what is wrong, or nothing
std::string SymbolTable::add_module(const ptx::Module& module, std::uint32_t number) {
    std::string error;
    for (std::uint32_t i = 0; i < module.functions.size() && error.empty(); ++i) {
        const ptx::Function& function = module.functions[i];
        if (function.external) continue;
        error = add(function.name, {number, i, true, function.visible || function.weak}, function.weak);
    }
    for (std::uint32_t i = 0; i < module.variables.size() && error.empty(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        const bool dynamic = is_dynamic_shared(variable);
        if (variable.external && !dynamic) continue;
        const bool visible = !dynamic && (variable.visible || variable.weak);
        error = add(variable.name, {number, i, false, visible}, variable.weak);
    }
    return error;
}

/// @return what is wrong, or nothing
std::string SymbolTable::add(std::string_view name, const Definition& definition, bool weak) {
    const bool first_here = own_[definition.module].emplace(name, definition).second;
    if (!first_here) return "'" + std::string(name) + "' is defined twice in one PTX module; rename one of the two";
    if (!definition.visible) return {};
    const auto [known, is_new] = visible_.emplace(name, definition);
    if (is_new) {
        weak_[name] = weak;
        return {};
    }
    if (!weak && !weak_[name]) {
        return "'" + std::string(name) + "' is defined in PTX modules " + std::to_string(known->second.module) +
               " and " + std::to_string(definition.module) +
               " of this program; define it once and declare it extern elsewhere, or make it static";
    }
    if (weak_[name] && !weak) {
        known->second = definition;
        weak_[name] = false;
    }
    return {};
}

const Definition* SymbolTable::find(std::uint32_t module, std::string_view name) const {
    const auto own = own_[module].find(name);
    if (own != own_[module].end() && !own->second.visible) return &own->second;
    const auto shared = visible_.find(name);
    return shared != visible_.end() ? &shared->second : nullptr;
}

const Definition* SymbolTable::find(std::string_view name) const {
    const auto shared = visible_.find(name);
    if (shared != visible_.end()) return &shared->second;
    for (const Names& names : own_) {
        const auto own = names.find(name);
        if (own != names.end()) return &own->second;
    }
    return nullptr;
}

}  // namespace lanes::emulator
