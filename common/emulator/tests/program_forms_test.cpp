/// Every form that programs use decodes; textures and tensor cores are refused by name.

#include "program_forms.hpp"

#include <array>
#include <map>
#include <set>

#include "execution.hpp"
#include "form_instance.hpp"
#include "ptx_launch.hpp"

using namespace lanes::emulator;

namespace {

/// A kernel with one instruction, and the registers and variables that it may name.
std::string kernel_with(const std::string& declarations, const std::string& instruction) {
    return tests::module_of(R"(
.const .align 16 .b8 constant[64];
.visible .entry k(.param .align 16 .b8 parameter[64])
{
    .shared .align 16 .b8 shared[64];
    .local .align 16 .b8 local[64];
    .param .align 8 .b8 argument[8];
    .reg .pred %p;
    .reg .pred %q;
    .reg .b64 %global;
    .reg .b16 %u8_<9>, %s8_<9>, %u16_<9>, %s16_<9>;
    .reg .b32 %u32_<9>, %s32_<9>, %b32_<9>;
    .reg .b64 %u64_<9>, %b64_<9>;
    .reg .f32 %f32_<9>;
    .reg .f64 %f64_<9>;
)" + declarations + "    ld.param.u64 %global, [parameter];\n    " +
                            instruction + ";\nEND:\n    ret;\n}\n");
}

/// What the emulator says of the instruction: "" if it knows it.
std::string problem_of(const std::string& declarations, const std::string& instruction) {
    const Result<ptx::Module> module = ptx::parse(kernel_with(declarations, instruction));
    if (!module) return module.error().message;
    const tests::TestProgram program(kernel_with(declarations, instruction));
    const Kernel* const kernel = program.image->find_kernel("k");
    REQUIRE(kernel != nullptr);
    const std::vector<std::string>& messages = kernel->program->messages;
    return messages.empty() ? "" : messages.front();
}

std::vector<std::string> names_of(std::string_view pattern) {
    std::vector<std::string> names;
    expand_pattern("", pattern, names);
    return names;
}

/// The operands with registers of the form's last type in place of "@".
std::string instruction_of(const std::string& name, std::string_view operands) {
    const std::string type = name.substr(name.rfind('.') + 1);
    const std::string register_name = "%" + type + "_";
    std::string text = name + " ";
    for (const char letter : operands) text += letter == '@' ? register_name : std::string(1, letter);
    const std::size_t address = text.find("[global]");
    if (address != std::string::npos) text.replace(address, 8, "[%global]");
    return text;
}

/// The forms of the list of supported ones by name; of several with one name the first.
std::map<std::string, SupportedForm> supported_by_name() {
    std::map<std::string, SupportedForm> forms;
    for (const SupportedForm& form : supported_forms()) forms.emplace(form.name, form);
    return forms;
}

std::string declarations_of(const FormInstance& instance) {
    std::string text;
    for (std::size_t i = 0; i + 1 < instance.registers().size(); ++i) {
        text += "    .reg ." + instance.types()[i] + " " + instance.registers()[i] + ";\n";
    }
    return text;
}

}  // namespace

TEST_CASE("arithmetic forms that programs use are supported") {
    const std::map<std::string, SupportedForm> supported = supported_by_name();
    std::size_t count = 0;
    for (const std::string_view pattern : arithmetic_program_forms) {
        for (const std::string& name : names_of(pattern)) {
            ++count;
            const auto form = supported.find(name);
            if (form == supported.end()) {
                FAIL_CHECK(name << " is not in arithmetic_forms.hpp");
                continue;
            }
            const FormInstance instance(form->second);
            const std::string problem = problem_of(declarations_of(instance), instance.text());
            CHECK_MESSAGE(problem.empty(), instance.text() << ": " << problem);
        }
    }
    CHECK(count == 213);
}

TEST_CASE("other forms that programs use are supported") {
    std::size_t count = 0;
    for (const ProgramForm& form : other_program_forms) {
        for (const std::string& name : names_of(form.pattern)) {
            ++count;
            const std::string instruction = instruction_of(name, form.operands);
            const std::string problem = problem_of("", instruction);
            CHECK_MESSAGE(problem.empty(), instruction << ": " << problem);
        }
    }
    CHECK(count == 139);
}

TEST_CASE("textures and tensor cores are refused by the instruction's name, when it is reached") {
    std::size_t count = 0;
    for (const ProgramForm& form : refused_program_forms) {
        for (const std::string& name : names_of(form.pattern)) {
            ++count;
            const std::string instruction = instruction_of(name, form.operands);
            CHECK(problem_of("", instruction) == "PTX instruction " + name);
            tests::TestProgram program(kernel_with("", instruction));
            const LaunchReport report = program.launch("k", {1, 1, 1}, {32, 1, 1}, std::array<std::byte, 64>{});
            CHECK(report.status == LaunchStatus::unsupported);
            REQUIRE(report.faults.size() == 1);
            CHECK(report.faults[0].kind == FaultKind::unsupported);
            const std::string message = "PTX instruction " + name + " is not supported by the emulator";
            CHECK(report.faults[0].message.ends_with(": " + message));
        }
    }
    CHECK(count == 6);
}

TEST_CASE("no form is listed twice") {
    std::set<std::string> names;
    std::size_t count = 0;
    const auto add = [&](std::string_view pattern) {
        for (const std::string& name : names_of(pattern)) {
            CHECK_MESSAGE(names.insert(name).second, name << " is listed twice");
            ++count;
        }
    };
    for (const std::string_view pattern : arithmetic_program_forms) add(pattern);
    for (const ProgramForm& form : other_program_forms) add(form.pattern);
    for (const ProgramForm& form : refused_program_forms) add(form.pattern);
    CHECK(count == 358);
}
