/// What names mean inside a function.

#include "decode_function.hpp"

namespace lanes::emulator {

SymbolValue FunctionDecoder::symbol(std::string_view name) const {
    const auto own = own_.find(name);
    return own != own_.end() ? own->second : module_symbol(name);
}

SymbolValue FunctionDecoder::module_symbol(std::string_view name) const {
    const LinkedModules& linked = context_.linked;
    const Definition* const definition = linked.symbols.find(module_, name);
    if (definition == nullptr) return {};
    if (definition->is_function) {
        return {true, linked.function_addresses[definition->module][definition->index], no_slot};
    }
    if (linked.variable(*definition).space == ptx::Space::shared) {
        const ptx::Variable& variable = linked.variable(*definition);
        const std::uint32_t* const offset = context_.shared.find(&variable);
        return offset == nullptr ? SymbolValue{} : SymbolValue{true, *offset, no_slot, 0, false, &variable};
    }
    const std::uint64_t address = linked.variable_addresses[definition->module][definition->index];
    return {address != 0, address, no_slot};
}

/// Where a shared variable lies; nothing if the name means something else. An `extern` one ends where shared memory
/// does.
std::optional<SharedRange> FunctionDecoder::shared_range(std::string_view name) const {
    const SymbolValue value = symbol(name);
    if (value.shared == nullptr) return std::nullopt;
    SharedRange range;
    range.begin = static_cast<std::uint32_t>(value.value);
    if (!value.shared->external) range.end = range.begin + static_cast<std::uint32_t>(value.shared->bytes);
    return range;
}

/// Index of a function into Program::functions; -1 if it has no definition.
std::int32_t FunctionDecoder::function_index(std::string_view name) const {
    const Definition* const definition = context_.linked.symbols.find(module_, name);
    if (definition == nullptr) return -1;
    for (std::size_t i = 0; i < context_.reached.size(); ++i) {
        if (context_.reached[i].definition == *definition) return static_cast<std::int32_t>(i);
    }
    return -1;
}

}  // namespace lanes::emulator
