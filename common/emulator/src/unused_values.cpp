#include "unused_values.hpp"

#include <algorithm>
#include <vector>

namespace lanes::emulator {

namespace {

using Slots = std::vector<Slot>;

bool holds(const Slots& slots, Slot slot) {
    return slot != no_slot && std::find(slots.begin(), slots.end(), slot) != slots.end();
}

bool holds_any(const Slots& slots, const Slots& others) {
    return std::any_of(others.begin(), others.end(), [&](Slot slot) { return holds(slots, slot); });
}

bool is_store(const Operation& operation) {
    return operation.value_bytes != 0;
}

/// The slots of a vector that a memory access loads or stores; none if it has no vector.
Slots vector_of(const Program& program, const Operation& access) {
    return access.elements == 1 ? Slots{} : program.vectors[access.extra];
}

/// The slots that a move packs or unpacks, if the operation may be one.
Slots packed_by(const Program& program, const Operation& operation) {
    const bool is_access = operation.width != 0;
    const bool may_pack = operation.source[0] == no_slot || operation.destination == no_slot;
    return is_access || !may_pack || operation.extra >= program.vectors.size() ? Slots{}
                                                                               : program.vectors[operation.extra];
}

/// True if the operation does with the values anything but store them.
bool looks_at(const Program& program, const Operation& operation, const Slots& values) {
    if (holds(values, operation.guard) || holds(values, operation.source[0])) return true;
    if (is_store(operation)) return false;
    return std::any_of(operation.source.begin() + 1, operation.source.end(),
                       [&](Slot slot) { return holds(values, slot); }) ||
           holds_any(values, packed_by(program, operation));
}

bool stores(const Program& program, const Operation& operation, const Slots& values) {
    if (!is_store(operation)) return false;
    return operation.elements == 1 ? holds(values, operation.source[1])
                                   : holds_any(values, vector_of(program, operation));
}

}  // namespace

bool is_discarded(const Program& program, const Operation& load, std::uint64_t offset) {
    if (load.elements == 1) return false;
    const Slots slots = vector_of(program, load);
    const std::uint64_t element = offset / load.width;
    return element < slots.size() && slots[element] == no_slot;
}

bool is_only_copied(const Program& program, const Operation& load) {
    Slots values = load.elements == 1 ? Slots{load.destination} : vector_of(program, load);
    bool stored = false;
    for (std::size_t i = load.index + 1; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        if (operation.flow == Flow::exit) return stored;
        if (operation.flow != Flow::data || looks_at(program, operation, values)) return false;
        stored = stored || stores(program, operation, values);
        if (operation.guard == no_slot) std::erase(values, operation.destination);
        if (values.empty()) return stored;
    }
    return false;
}

}  // namespace lanes::emulator
