#include "control_form.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace lanes::emulator {

namespace {

/// The forms, less the modifiers that is_optional() knows; those of `barrier` are as those of `bar`.
constexpr std::array<std::string_view, 13> forms{"bra",
                                                 "brx.idx",
                                                 "call",
                                                 "ret",
                                                 "exit",
                                                 "trap",
                                                 "brkpt",
                                                 "bar.sync",
                                                 "bar.arrive",
                                                 "bar.red.popc.u32",
                                                 "bar.red.and.pred",
                                                 "bar.red.or.pred",
                                                 "bar.warp.sync"};

bool is_optional(const std::string& opcode, const std::string& modifier) {
    if (modifier == "uni") return opcode == "bra" || opcode == "brx" || opcode == "call" || opcode == "ret";
    if (modifier == "cta") return opcode == "bar" || opcode == "barrier";
    return modifier == "aligned" && opcode == "barrier";
}

}  // namespace

bool is_control_form(const ptx::Instruction& instruction) {
    std::string form = instruction.opcode == "barrier" ? "bar" : instruction.opcode;
    for (const std::string& modifier : instruction.modifiers) {
        if (!is_optional(instruction.opcode, modifier)) form += "." + modifier;
    }
    if (instruction.opcode == "barrier" && instruction.has("warp")) return false;
    return std::find(forms.begin(), forms.end(), form) != forms.end();
}

}  // namespace lanes::emulator
