/// @file
/// @brief One warp whose registers a test fills, and instructions given as PTX text.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "execution.hpp"

namespace lanes::emulator {

/// A warp with named registers. Declare them, fill their rows, then execute instructions that name them. The carry of
/// add.cc and its kin is the predicate "carry".
class ArithmeticFixture {
public:
    ArithmeticFixture() {
        program_.lines.push_back({});
        kernel_.name = "kernel";
        config_.block = {warp_size, 1, 1};
        // Not make_unique: clang 14 cannot initialise an aggregate in parentheses.
        launch_.reset(new LaunchState{kernel_, program_, config_, memory_});
        block_.launch = launch_.get();
        warp_.registers = storage_.front().bytes;
        warp_.block = &block_;
        warp_.live = all_lanes;
        warp_.counters = &counters_;
        slots_["carry"] = new_row();
    }
    ArithmeticFixture(const ArithmeticFixture&) = delete;
    ArithmeticFixture& operator=(const ArithmeticFixture&) = delete;

    /// Declares a register such as "%a" of a type such as "b32", if it is not declared yet.
    void declare(const std::string& name, const std::string& type) {
        if (slots_.contains(name)) return;
        declarations_ += ".reg ." + type + " " + name + ";\n";
        slots_[name] = new_row();
    }

    template <typename T>
    T* row(const std::string& name) {
        REQUIRE(slots_.contains(name));
        return warp_.row<T>(slots_.at(name));
    }

    /// Fills a row: lane i gets value(i).
    template <typename T, typename Value>
    void fill(const std::string& name, const Value& value) {
        for (unsigned lane = 0; lane < warp_size; ++lane) row<T>(name)[lane] = static_cast<T>(value(lane));
    }

    LaneMask& predicate(const std::string& name) { return *row<LaneMask>(name); }

    /// The 256 bytes that hold a register, whatever its type.
    std::array<std::byte, 256> bytes(const std::string& name) {
        std::array<std::byte, 256> copy{};
        std::memcpy(copy.data(), row<std::byte>(name), copy.size());
        return copy;
    }
    void set_bytes(const std::string& name, const std::array<std::byte, 256>& bytes) {
        std::memcpy(row<std::byte>(name), bytes.data(), bytes.size());
    }

    /// What the emulator says to an instruction.
    Result<Selection> select(const std::string& text) {
        parse(text);
        return select_arithmetic(instruction(), function().registers);
    }

    /// Decodes an instruction as the emulator does.
    Operation decode(const std::string& text) {
        const Result<Selection> selection = select(text);
        REQUIRE_MESSAGE(bool(selection), text << " was refused");
        return place_operands(*selection);
    }

    void execute(const Operation& operation, LaneMask lanes = all_lanes) { operation.execute(warp_, operation, lanes); }
    void execute(const std::string& text, LaneMask lanes = all_lanes) { execute(decode(text), lanes); }

    const std::vector<Fault>& faults() const { return launch_->faults; }

private:
    struct Aligned {
        alignas(64) std::byte bytes[64];
    };

    Slot new_row() {
        const Slot slot = next_slot_;
        next_slot_ += warp_size * 8;
        REQUIRE(next_slot_ <= storage_.size() * sizeof(Aligned));
        return slot;
    }

    void parse(const std::string& text) {
        Result<ptx::Module> module = ptx::parse(".version 8.6\n.target sm_100\n.address_size 64\n.entry kernel()\n{\n" +
                                                declarations_ + text + ";\nret;\n}\n");
        REQUIRE_MESSAGE(bool(module), text << ": " << (module ? "" : module.error().message));
        module_ = std::move(*module);
    }
    const ptx::Function& function() const { return module_.functions.front(); }
    const ptx::Instruction& instruction() const { return function().body.front(); }

    Slot slot_of(const ptx::Operand& operand, ptx::Type type) {
        if (operand.kind == ptx::OperandKind::reg) {
            return slots_.at(function().registers[static_cast<std::size_t>(operand.index)].name);
        }
        REQUIRE(operand.kind == ptx::OperandKind::immediate);
        const Slot slot = new_row();
        const std::size_t width = type == ptx::Type::pred ? 4 : ptx::size_of(type);
        const std::uint64_t bits = type == ptx::Type::pred && operand.bits != 0 ? all_lanes : operand.bits;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            std::memcpy(warp_.registers + slot + lane * width, &bits, width);
        }
        return slot;
    }

    std::uint32_t vector_of(const ptx::Operand& operand, ptx::Type type) {
        std::vector<Slot> slots;
        for (const ptx::Operand& element : operand.elements) {
            slots.push_back(element.kind == ptx::OperandKind::discard ? no_slot : slot_of(element, type));
        }
        program_.vectors.push_back(slots);
        return static_cast<std::uint32_t>(program_.vectors.size() - 1);
    }

    Operation place_operands(const Selection& selection) {
        Operation operation;
        operation.execute = selection.execute;
        operation.flow = selection.flow;
        operation.immediate = selection.immediate;
        std::size_t source = 0;
        for (std::size_t i = 0; i < instruction().operands.size(); ++i) {
            const ptx::Operand& operand = instruction().operands[i];
            const bool is_destination = i == 0 || (i == 1 && instruction().dual);
            if (operand.kind == ptx::OperandKind::vector) {
                operation.extra = vector_of(operand, i == 0 ? selection.destination : selection.source[0]);
            } else if (is_destination) {
                const bool discarded = operand.kind == ptx::OperandKind::discard;
                (i == 0 ? operation.destination : operation.destination2) =
                    discarded ? no_slot : slot_of(operand, ptx::Type::none);
            } else {
                operation.source.at(source) = slot_of(operand, selection.source.at(source));
                ++source;
            }
        }
        if (selection.writes_carry) operation.destination2 = slots_.at("carry");
        if (selection.reads_carry) operation.source.at(source) = slots_.at("carry");
        return operation;
    }

    std::vector<Aligned> storage_ = std::vector<Aligned>(4096);
    std::string declarations_;
    std::map<std::string, Slot> slots_;
    Slot next_slot_ = 0;
    ptx::Module module_;
    DeviceMemory memory_;
    Kernel kernel_;
    Program program_;
    LaunchConfig config_;
    std::unique_ptr<LaunchState> launch_;
    CounterSet counters_;
    Block block_;
    Warp warp_;
};

}  // namespace lanes::emulator
