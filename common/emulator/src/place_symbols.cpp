/// Variables of modules get their places in device memory and their initial values.

#include <cstring>
#include <string>
#include <utility>

#include "linked_modules.hpp"

namespace lanes::emulator {

namespace {

bool lives_in_device_memory(const ptx::Variable& variable) {
    return !variable.external && variable.bytes != 0 &&
           (variable.space == ptx::Space::global || variable.space == ptx::Space::constant);
}

void number_functions(LinkedModules& linked) {
    std::uint64_t address = function_window;
    for (const ptx::Module& module : linked.modules) {
        std::vector<std::uint64_t>& addresses = linked.function_addresses.emplace_back();
        for (const ptx::Function& function : module.functions) {
            address += function_spacing;
            addresses.push_back(function.external ? 0 : address);
        }
    }
}

std::string place_variables(LinkedModules& linked, std::uint32_t module, DeviceMemory& memory) {
    const std::vector<ptx::Variable>& variables = linked.modules[module].variables;
    std::vector<std::uint64_t>& addresses = linked.variable_addresses[module];
    addresses.resize(variables.size(), 0);
    for (std::uint32_t i = 0; i < variables.size(); ++i) {
        const ptx::Variable& variable = variables[i];
        if (!lives_in_device_memory(variable)) continue;
        const Definition* const winner = linked.symbols.find(module, variable.name);
        if (winner->module != module || winner->index != i) continue;
        const Result<std::uint64_t> address = memory.allocate(variable.bytes, variable.name, variable.alignment);
        if (!address) return "no room for the variable '" + variable.name + "': " + address.error().message;
        addresses[i] = *address;
        linked.variables.push_back({variable.name, *address, variable.bytes, variable.space, variable.managed});
    }
    return {};
}

/// Address of a symbol that an initial value names; 0 if it has none.
std::uint64_t address_of(const LinkedModules& linked, std::uint32_t module, const std::string& symbol) {
    const Definition* const definition = linked.symbols.find(module, symbol);
    if (definition == nullptr) return 0;
    const auto& addresses = definition->is_function ? linked.function_addresses : linked.variable_addresses;
    return addresses[definition->module][definition->index];
}

std::string initialise(const LinkedModules& linked, std::uint32_t module, const ptx::Variable& variable,
                       std::uint64_t address) {
    auto* const bytes = reinterpret_cast<std::byte*>(address);
    std::memset(bytes, 0, variable.bytes);
    if (!variable.initial.empty()) std::memcpy(bytes, variable.initial.data(), variable.initial.size());
    for (const ptx::SymbolReference& reference : variable.references) {
        const std::uint64_t target = address_of(linked, module, reference.symbol);
        if (target == 0) {
            return "the initial value of '" + variable.name + "' is the address of '" + reference.symbol +
                   "', which is no function and no variable in device memory";
        }
        const std::uint64_t value = (target + static_cast<std::uint64_t>(reference.addend)) >> reference.shift;
        std::memcpy(bytes + reference.offset, &value, reference.bytes);
    }
    return {};
}

/// Functions whose address is in a variable may be called by it.
void note_functions(LinkedModules& linked, std::uint32_t module, const ptx::Variable& variable) {
    for (const ptx::SymbolReference& reference : variable.references) {
        const Definition* const definition = linked.symbols.find(module, reference.symbol);
        if (definition->is_function) linked.address_taken.push_back(*definition);
    }
}

/// Calls visit(module, variable, address) for each variable that has a place.
template <typename Visit>
void for_each_placed(const LinkedModules& linked, Visit visit) {
    for (std::uint32_t module = 0; module < linked.modules.size(); ++module) {
        const std::vector<ptx::Variable>& variables = linked.modules[module].variables;
        for (std::size_t i = 0; i < variables.size(); ++i) {
            const std::uint64_t address = linked.variable_addresses[module][i];
            if (address != 0) visit(module, variables[i], address);
        }
    }
}

}  // namespace

std::string place_symbols(LinkedModules& linked, DeviceMemory& memory) {
    number_functions(linked);
    linked.variable_addresses.resize(linked.modules.size());
    for (std::uint32_t module = 0; module < linked.modules.size(); ++module) {
        std::string error = place_variables(linked, module, memory);
        if (!error.empty()) return error;
    }
    std::string first_error;
    for_each_placed(linked, [&](std::uint32_t module, const ptx::Variable& variable, std::uint64_t address) {
        std::string error = initialise(linked, module, variable, address);
        if (error.empty()) {
            note_functions(linked, module, variable);
        } else if (first_error.empty()) {
            first_error = std::move(error);
        }
    });
    return first_error;
}

void reset_symbols(const LinkedModules& linked) {
    for_each_placed(linked, [&](std::uint32_t module, const ptx::Variable& variable, std::uint64_t address) {
        if (!variable.managed) initialise(linked, module, variable, address);
    });
}

}  // namespace lanes::emulator
