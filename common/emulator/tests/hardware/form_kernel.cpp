#include "form_kernel.hpp"

namespace lanes::emulator::hardware {
namespace {

/// The beginning of every kernel: %rd0 and %rd1 are the addresses of this thread's sources and results.
std::string prologue(const FormCase& form, const std::string& name) {
    const std::string source_bytes = std::to_string(8 * form.sources);
    const std::string result_bytes = std::to_string(8 * form.results);
    return ".visible .entry " + name + "(.param .u64 sources, .param .u64 results)\n{\n" +
           "    .reg .b64 %rd<3>;\n    .reg .b32 %index<4>;\n    .reg .b32 %carry<3>;\n" +
           "    ld.param.u64 %rd0, [sources];\n    ld.param.u64 %rd1, [results];\n" +
           "    cvta.to.global.u64 %rd0, %rd0;\n    cvta.to.global.u64 %rd1, %rd1;\n" +
           "    mov.u32 %index0, %ctaid.x;\n    mov.u32 %index1, %tid.x;\n" +
           "    mad.lo.u32 %index2, %index0, 32, %index1;\n" +  //
           "    mad.wide.u32 %rd0, %index2, " + source_bytes + ", %rd0;\n" + "    mad.wide.u32 %rd1, %index2, " +
           result_bytes + ", %rd1;\n";
}

std::string declaration(const std::string& name, const std::string& type) {
    return "    .reg ." + type + " " + name + ";\n";
}

std::string load(const std::string& name, const std::string& type, std::size_t source) {
    const std::string address = "[%rd0+" + std::to_string(8 * source) + "]";
    if (type != "pred") return "    ld.global." + type + " " + name + ", " + address + ";\n";
    return "    ld.global.u32 %index3, " + address + ";\n    setp.ne.u32 " + name + ", %index3, 0;\n";
}

std::string store(const std::string& name, const std::string& type, std::size_t result) {
    const std::string address = "[%rd1+" + std::to_string(8 * result) + "]";
    if (type != "pred") return "    st.global." + type + " " + address + ", " + name + ";\n";
    return "    selp.u32 %index3, 1, 0, " + name + ";\n    st.global.u8 " + address + ", %index3;\n";
}

/// Makes the carry (or borrow) that the source says: adding all ones to 1 carries, and so does 0 - 1 borrow.
std::string set_carry(const FormCase& form) {
    const std::string text = load("%carry0", "b32", form.sources - 1);
    return text + (form.takes_borrow ? "    sub.cc.u32 %carry1, 0, %carry0;\n"
                                     : "    add.cc.u32 %carry1, %carry0, 0xffffffff;\n");
}

std::string get_carry(const FormCase& form) {
    return std::string(form.takes_borrow ? "    subc.u32 %carry2, 0, 0;\n" : "    addc.u32 %carry2, 0, 0;\n") +
           store("%carry2", "b32", form.results - 1);
}

}  // namespace

std::string kernel_name(std::size_t index) {
    return "form_" + std::to_string(index);
}

std::string kernel_text(const FormCase& form, const std::string& name) {
    const std::vector<std::string>& registers = form.form.registers();
    const std::vector<std::string>& types = form.form.types();
    const std::size_t destinations = form.form.destinations();
    const std::size_t operands = registers.size() - 1;  // without the fixture's carry
    std::string declarations;
    std::string loads;
    std::string stores;
    for (std::size_t i = 0; i < operands; ++i) {
        declarations += declaration(registers[i], types[i]);
        if (i < destinations) {
            stores += store(registers[i], types[i], i);
        } else {
            loads += load(registers[i], types[i], i - destinations);
        }
    }
    const std::size_t begin = std::string(".visible .entry ").size();
    std::string text = prologue(form, name);
    text.insert(text.find("{\n", begin) + 2, declarations);
    text += loads;
    if (form.takes_carry) text += set_carry(form);
    text += "    " + form.form.text() + ";\n";
    if (form.gives_carry) text += get_carry(form);
    return "// " + form.key + "\n" + text + stores + "    ret;\n}\n";
}

std::string module_text(std::span<const FormCase> cases, std::size_t first) {
    std::string text = ".version 8.3\n.target sm_90\n.address_size 64\n";
    for (std::size_t i = 0; i < cases.size(); ++i) text += kernel_text(cases[i], kernel_name(first + i));
    return text;
}

}  // namespace lanes::emulator::hardware
