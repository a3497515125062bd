/// @file
/// @brief Which shared variable an address can point into, found before the program runs.
///
/// An address in a register does not say which variable it was made from. The instructions do: where every definition
/// of a register starts from the same variable and adds numbers to it, an access through the register has to stay
/// inside of that variable. The order of instructions is not looked at, and whatever is not certain is unknown: silence
/// is better than a false alarm.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "execution.hpp"

namespace lanes::emulator {

/// The variables that the registers of one function can point into.
class SharedProvenance {
public:
    /// The range of a shared variable by its name in the function; nothing if the name means something else.
    using Resolve = std::function<std::optional<SharedRange>(std::string_view)>;

    SharedProvenance(const ptx::Function& function, Resolve resolve);

    /// The variable that an access through the operand, an address, must stay in; nothing if that is not known.
    std::optional<SharedRange> of(const ptx::Operand& address) const;

private:
    /// What a register may hold. From 0 on: an address in or around the variable ranges_[origin].
    using Origin = std::int32_t;
    /// No definition has been found yet.
    static constexpr Origin undefined = -1;
    /// A number, or an address that was loaded or handed over: not made here from a shared variable.
    static constexpr Origin number = -2;
    /// One of several, or made in a way that is not followed.
    static constexpr Origin unknown = -3;

    /// How an instruction makes its result from its sources.
    enum class Rule : std::uint8_t {
        number,  ///< never an address
        sum,     ///< at most one source is an address; the result is in the same variable
        choice,  ///< one of the sources
        other    ///< unknown, unless all sources are numbers
    };

    /// A register with index `reg`; or, if that is -1, a constant.
    struct Source {
        std::int32_t reg = -1;
        Origin origin = number;
    };

    /// What one instruction writes to one register. Its sources are sources_[begin, end).
    struct Definition {
        std::int32_t destination;
        Rule rule;
        std::size_t begin;
        std::size_t end;
    };

    static Rule rule_of(const ptx::Instruction& instruction);
    static Origin join(Origin a, Origin b);
    static Origin combine(Rule rule, Origin a, Origin b);
    void add_definitions(const ptx::Function& function, const ptx::Instruction& instruction);
    void add_source(const ptx::Function& function, const ptx::Operand& operand);
    Origin origin_of_symbol(std::string_view name);
    Origin origin_of(const Source& source) const;
    Origin result_of(const Definition& definition) const;
    bool update(const Definition& definition);

    Resolve resolve_;
    std::vector<SharedRange> ranges_;
    std::vector<Definition> definitions_;
    std::vector<Source> sources_;
    std::vector<Origin> origins_;  // by register
};

}  // namespace lanes::emulator
