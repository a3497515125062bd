/// @file
/// @brief One warp of one block with memory around it, for tests that drive memory handlers directly.
#pragma once

#include "execution.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanes::emulator {

/// A register of the warp in the fixture.
struct TestRegister {
    std::int32_t index = -1;
};

/// "[register + offset]"
inline ptx::Operand address_of(TestRegister base, std::int64_t offset = 0) {
    ptx::Operand operand;
    operand.kind = ptx::OperandKind::address;
    operand.index = base.index;
    operand.offset = offset;
    return operand;
}

/// "[offset]"
inline ptx::Operand address_of(std::int64_t offset) {
    return address_of(TestRegister{}, offset);
}

/// A register operand.
inline ptx::Operand operand_of(TestRegister value) {
    ptx::Operand operand;
    operand.kind = ptx::OperandKind::reg;
    operand.index = value.index;
    return operand;
}

/// An immediate operand.
inline ptx::Operand immediate_of(std::uint64_t bits) {
    ptx::Operand operand;
    operand.kind = ptx::OperandKind::immediate;
    operand.bits = bits;
    operand.literal_type = ptx::Type::s64;
    return operand;
}

/// "{a, b, ...}"
inline ptx::Operand vector_of(std::vector<ptx::Operand> elements) {
    ptx::Operand operand;
    operand.kind = ptx::OperandKind::vector;
    operand.elements = std::move(elements);
    return operand;
}

/// "{%r1, %r2, ...}"
inline ptx::Operand vector_of(const std::vector<TestRegister>& registers) {
    std::vector<ptx::Operand> elements;
    for (const TestRegister value : registers) elements.push_back(operand_of(value));
    return vector_of(std::move(elements));
}

/// An instruction from its name with modifiers, such as "ld.global.v4.u32", and its operands.
inline ptx::Instruction instruction_of(const std::string& name, std::vector<ptx::Operand> operands) {
    ptx::Instruction instruction;
    std::size_t begin = 0;
    while (begin <= name.size()) {
        const std::size_t dot = std::min(name.find('.', begin), name.size());
        const std::string part = name.substr(begin, dot - begin);
        if (begin == 0) instruction.opcode = part;
        if (begin != 0) instruction.modifiers.push_back(part);
        begin = dot + 1;
    }
    instruction.operands = std::move(operands);
    return instruction;
}

/// A warp that executes memory instructions given as PTX says them.
class MemoryFixture {
public:
    explicit MemoryFixture(std::uint32_t shared_bytes = 4096, std::uint32_t local_bytes = 64)
        : MemoryFixture(nullptr, shared_bytes, local_bytes) {}
    /// A block of a launch on memory that others use too.
    explicit MemoryFixture(DeviceMemory& common) : MemoryFixture(&common, 4096, 64) {}

private:
    DeviceMemory own_memory_;

    MemoryFixture(DeviceMemory* common, std::uint32_t shared_bytes, std::uint32_t local_bytes)
        : memory(common == nullptr ? own_memory_ : *common),
          shared_(shared_bytes / sizeof(Aligned) + 1),
          local_(warp_size * local_bytes / sizeof(Aligned) + 1) {
        program.lines.push_back({});
        kernel.name = "kernel";
        config.parameters = parameters;
        config.block = {warp_size, 1, 1};
        launch = std::make_unique<LaunchState>(kernel, program, config, memory);
        block.launch = launch.get();
        block.shared = shared_.front().bytes;
        block.shared_bytes = shared_bytes;
        warp.registers = registers_.front().bytes;
        warp.block = &block;
        warp.live = all_lanes;
        warp.counters = &counters;
        warp.local = local_.front().bytes;
        warp.local_stride = local_bytes;
        warp.local_bytes = local_bytes;
    }

public:
    MemoryFixture(const MemoryFixture&) = delete;
    MemoryFixture& operator=(const MemoryFixture&) = delete;

    /// A new register.
    TestRegister add(ptx::Type type) {
        types_.push_back({"%r" + std::to_string(types_.size()), type});
        slots_.push_back(new_row(ptx::size_of(type)));
        return {static_cast<std::int32_t>(types_.size()) - 1};
    }

    /// A new register with lane i holding value(i).
    template <typename T, typename Value>
    TestRegister add(ptx::Type type, const Value& value) {
        const TestRegister added = add(type);
        REQUIRE(sizeof(T) == ptx::size_of(type));
        for (unsigned lane = 0; lane < warp_size; ++lane) row<T>(added)[lane] = static_cast<T>(value(lane));
        return added;
    }

    /// A new predicate register.
    TestRegister add_predicate(LaneMask lanes) {
        types_.push_back({"%p" + std::to_string(types_.size()), ptx::Type::pred});
        slots_.push_back(new_row(0));
        const TestRegister added{static_cast<std::int32_t>(types_.size()) - 1};
        *row<LaneMask>(added) = lanes;
        return added;
    }

    /// A register's row.
    template <typename T>
    T* row(TestRegister value) {
        return warp.row<T>(slots_[static_cast<std::size_t>(value.index)]);
    }

    Result<Selection> select(const std::string& name, std::vector<ptx::Operand> operands) const {
        return select_memory(instruction_of(name, std::move(operands)), types_);
    }

    /// Decodes as the emulator does: see select_memory.
    Operation decode(const std::string& name, const std::vector<ptx::Operand>& operands) {
        const ptx::Instruction instruction = instruction_of(name, operands);
        const Result<Selection> selection = select_memory(instruction, types_);
        REQUIRE_MESSAGE(bool(selection), name << " was not selected");
        Operation operation;
        operation.execute = selection->execute;
        operation.order = selection->order;
        operation.index = next_index_++;
        operation.width = static_cast<std::uint8_t>(ptx::size_of(instruction.type()));
        std::size_t sources = 0;
        bool has_address = false;
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const ptx::Operand& operand = operands[i];
            if (operand.kind == ptx::OperandKind::vector) {
                operation.extra = static_cast<std::uint32_t>(program.vectors.size());
                operation.elements = static_cast<std::uint8_t>(operand.elements.size());
                std::vector<Slot> slots;
                const ptx::Type type = i == 0 ? selection->destination : selection->source[sources];
                for (const ptx::Operand& element : operand.elements) slots.push_back(slot_of(element, type));
                program.vectors.push_back(slots);
            } else if (operand.kind == ptx::OperandKind::address) {
                if (has_address) operation.target = static_cast<std::uint32_t>(operand.offset);
                if (!has_address) operation.immediate = operand.offset;
                has_address = true;
                operation.source[sources++] = slot_of(operand, ptx::Type::u64);
            } else if (i == 0 && selection->destination != ptx::Type::none) {
                operation.destination = slot_of(operand, selection->destination);
            } else {
                const ptx::Type type = selection->source[sources];
                operation.source[sources++] = slot_of(operand, type);
            }
        }
        return operation;
    }

    /// Decodes and executes.
    void execute(const std::string& name, const std::vector<ptx::Operand>& operands, LaneMask lanes = all_lanes) {
        const Operation operation = decode(name, operands);
        operation.execute(warp, operation, lanes);
    }

    /// Device memory for `count` values, the i-th being value(i).
    template <typename T, typename Value>
    std::uint64_t allocate(std::size_t count, const Value& value) {
        const Result<std::uint64_t> address = memory.allocate(count * sizeof(T));
        REQUIRE(bool(address));
        for (std::size_t i = 0; i < count; ++i) at<T>(*address)[i] = static_cast<T>(value(i));
        return *address;
    }

    template <typename T>
    static T* at(std::uint64_t address) {
        return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address));
    }
    template <typename T>
    T* shared() {
        return reinterpret_cast<T*>(block.shared);
    }

    /// A register of addresses: lane i at begin + i * step.
    TestRegister addresses(std::uint64_t begin, std::uint64_t step) {
        return add<std::uint64_t>(ptx::Type::u64, [=](unsigned lane) { return begin + lane * step; });
    }

    /// The only fault so far.
    const Fault& fault() const {
        REQUIRE(launch->faults.size() == 1);
        return launch->faults.front();
    }
    bool has_fault() const { return !launch->faults.empty(); }
    void forget_faults() { launch->faults.clear(); }

    DeviceMemory& memory;
    Kernel kernel;
    Program program;
    LaunchConfig config;
    std::vector<std::byte> parameters = std::vector<std::byte>(64);
    std::unique_ptr<LaunchState> launch;
    CounterSet counters;
    Block block;
    Warp warp;

private:
    struct Aligned {
        alignas(64) std::byte bytes[64];
    };

    Slot new_row(std::uint32_t lane_bytes) {
        const Slot slot = next_slot_;
        next_slot_ += warp_size * std::max(lane_bytes, 2U);
        REQUIRE(next_slot_ <= registers_.size() * sizeof(Aligned));
        return slot;
    }

    Slot slot_of(const ptx::Operand& operand, ptx::Type type) {
        if (operand.index >= 0) return slots_[static_cast<std::size_t>(operand.index)];
        if (operand.kind != ptx::OperandKind::immediate) return no_slot;
        const std::uint32_t bytes = ptx::size_of(type);
        const Slot slot = new_row(bytes);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            std::memcpy(warp.registers + slot + lane * bytes, &operand.bits, std::min<std::size_t>(bytes, 8));
        return slot;
    }

    std::vector<Aligned> registers_ = std::vector<Aligned>(512);
    std::vector<Aligned> shared_;
    std::vector<Aligned> local_;
    std::vector<ptx::Register> types_;
    std::vector<Slot> slots_;
    Slot next_slot_ = 0;
    std::uint32_t next_index_ = 0;
};

}  // namespace lanes::emulator
