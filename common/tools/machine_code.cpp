#include "machine_code.hpp"

#include "../runtime/src/kernel_name.hpp"  // by its path: these tools have one of that name, too

#include <algorithm>
#include <stdexcept>

namespace lanes::tools {

namespace {

constexpr std::string_view blanks = " \t\r";

/// The next line of a text, which is taken off it.
std::string_view take_line(std::string_view& text) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return line;
}

/// The words of a line with one space between.
std::string with_single_spaces(std::string_view line) {
    std::string text;
    for (auto begin = line.find_first_not_of(blanks); begin < line.size();) {
        const auto end = std::min(line.find_first_of(blanks, begin), line.size());
        if (!text.empty()) text += ' ';
        text += line.substr(begin, end - begin);
        begin = line.find_first_not_of(blanks, end);
    }
    return text;
}

/// What follows a prefix up to the next of some characters; empty if the line does not begin so.
std::string_view word_after(std::string_view line, std::string_view prefix, std::string_view ends) {
    if (!line.starts_with(prefix)) return {};
    return line.substr(prefix.size(), line.find_first_of(ends, prefix.size()) - prefix.size());
}

/// A kernel whose code is still to come.
KernelCode kernel_named(std::string_view mangled) {
    const std::string symbol(mangled);
    return {runtime::short_name(runtime::demangle(symbol)), {}, symbol};
}

const MachineCode& require_kernels(const MachineCode& code, const std::string& path, const char* what) {
    if (code.kernels.empty()) throw std::runtime_error(path + " holds no kernel in " + what);
    return code;
}

/// `/*0120*/ @!P0 BRA 0x220 ; /* encoding */`: the address and the instruction.
struct SassLine {
    std::string_view address;
    std::string instruction;
};

/// An instruction of cuobjdump, or nothing in both parts.
SassLine sass_line(std::string_view line) {
    const auto begin = line.find_first_not_of(blanks);
    if (begin >= line.size() || !line.substr(begin).starts_with("/*")) return {};
    const auto end = line.find("*/", begin);
    const auto semicolon = line.find(';');
    if (end == std::string_view::npos || semicolon == std::string_view::npos || semicolon < end) return {};
    return {line.substr(begin + 2, end - begin - 2), with_single_spaces(line.substr(end + 2, semicolon - end - 2))};
}

/// Kernels are filled up with NOP, and a branch to itself stops what runs past the end.
bool fills_the_end(const SassLine& line) {
    const auto target = word_after(line.instruction, "BRA 0x", " ");
    const auto zeros = std::min(line.address.find_first_not_of('0'), line.address.size());
    return line.instruction == "NOP" || (!target.empty() && target == line.address.substr(zeros));
}

}  // namespace

MachineCode machine_code_of_ptx(std::string_view text, const std::string& path) {
    MachineCode code;
    bool announced = false, inside = false;
    while (!text.empty()) {
        const auto whole = take_line(text);
        const std::string line = with_single_spaces(whole.substr(0, whole.find("//")));
        if (const auto target = word_after(line, ".target ", ", "); !target.empty()) code.target = target;
        const auto entry = line.find(".entry ");
        if (!inside && entry != std::string::npos) {
            code.kernels.push_back(kernel_named(word_after(std::string_view(line).substr(entry), ".entry ", " (")));
            announced = true;
        } else if (announced && line == "{") {
            announced = false;
            inside = true;
        } else if (whole.starts_with("}")) {
            inside = false;
        } else if (inside && !line.empty() && line.front() != '.') {
            code.kernels.back().code.push_back(line);
        }
    }
    if (inside) throw std::runtime_error(path + ": the kernel " + code.kernels.back().name + " does not end");
    return require_kernels(code, path, "PTX");
}

MachineCode machine_code_of_sass(std::string_view text, const std::string& path) {
    MachineCode code;
    while (!text.empty()) {
        const auto whole = take_line(text);
        const std::string line = with_single_spaces(whole);
        if (const auto target = word_after(line, "code for ", " "); !target.empty()) {
            if (!code.target.empty() && code.target != target)
                throw std::runtime_error(path + " holds code for " + code.target + " and for " + std::string(target) +
                                         ": give cuobjdump an -arch");
            code.target = target;
        }
        if (const auto name = word_after(line, "Function : ", " "); !name.empty())
            code.kernels.push_back(kernel_named(name));
        const SassLine instruction = sass_line(whole);
        if (code.kernels.empty() || instruction.instruction.empty() || fills_the_end(instruction)) continue;
        code.kernels.back().code.push_back(std::string(instruction.address) + ": " + instruction.instruction);
    }
    return require_kernels(code, path, "machine code");
}

}  // namespace lanes::tools
