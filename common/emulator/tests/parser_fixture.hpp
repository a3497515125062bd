/// @file
/// @brief Short ways to write PTX in a test and to look at what was parsed.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <lanes/emulator/ptx.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace lanes::emulator::ptx {

/// What every module starts with: three lines.
inline const std::string prologue = ".version 8.7\n.target sm_89\n.address_size 64\n";

/// A module with these declarations after the prologue.
inline std::string module_text(std::string_view declarations) {
    return prologue + std::string(declarations);
}

/// A module with a kernel `k` that has a few registers and one parameter, and this body. The body starts at line
/// `first_body_line`, if there are no declarations.
inline std::string kernel_text(std::string_view body, std::string_view declarations = {}) {
    return module_text(std::string(declarations) +
                       ".visible .entry k(.param .u64 parameter) {\n"
                       ".reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<10>; .reg .pred %p<10>;\n" +
                       std::string(body) + "\n}\n");
}
inline constexpr int first_body_line = 6;

/// Parses text that must be accepted.
inline Module parsed(std::string_view text) {
    Result<Module> result = parse(text);
    REQUIRE_MESSAGE(bool(result), result.error().message);
    return std::move(*result);
}

/// The kernel of `kernel_text(body, declarations)`.
inline Function kernel(std::string_view body, std::string_view declarations = {}) {
    return parsed(kernel_text(body, declarations)).functions.back();
}

/// The only instruction of a kernel with this body.
inline Instruction instruction(std::string_view body, std::string_view declarations = {}) {
    Function function = kernel(body, declarations);
    REQUIRE(function.body.size() == 1);
    return std::move(function.body.front());
}

/// The message with which text is refused.
inline std::string refusal(std::string_view text) {
    const Result<Module> result = parse(text);
    REQUIRE_MESSAGE(!result, "accepted: " << std::string(text));
    return result.error().message;
}

/// Name of the register that an operand is.
inline std::string register_name(const Function& function, const Operand& operand) {
    REQUIRE(operand.kind == OperandKind::reg);
    return function.registers.at(static_cast<std::size_t>(operand.index)).name;
}

/// The variable of this name.
inline const Variable& variable(const Module& module, std::string_view name) {
    for (const Variable& candidate : module.variables)
        if (candidate.name == name) return candidate;
    FAIL("no variable " << std::string(name));
    return module.variables.front();
}

/// The function of this name.
inline const Function& function(const Module& module, std::string_view name) {
    for (const Function& candidate : module.functions)
        if (candidate.name == name) return candidate;
    FAIL("no function " << std::string(name));
    return module.functions.front();
}

/// An element of a variable's initial value.
template <typename T>
T initial(const Variable& variable, std::size_t index) {
    T value{};
    REQUIRE(variable.initial.size() >= (index + 1) * sizeof value);
    std::memcpy(&value, variable.initial.data() + index * sizeof value, sizeof value);
    return value;
}

/// Text of a file in the folder ptx beside the tests.
inline std::string sample(std::string_view name) {
    std::string path = __FILE__;
    path.resize(path.find_last_of('/') + 1);
    std::ifstream file(path + "ptx/" + std::string(name));
    REQUIRE_MESSAGE(file.good(), "cannot read " << path << "ptx/" << std::string(name));
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace lanes::emulator::ptx
