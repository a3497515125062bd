/// @file
/// @brief Text that is refused: the message names the line and quotes it.
#include "parser_fixture.hpp"

#include <array>

using namespace lanes::emulator::ptx;

namespace {

void check_refusal(const std::string& text, std::string_view expected) {
    const std::string message = refusal(text);
    CHECK_MESSAGE(message.find(expected) != std::string::npos,
                  "message: " << message << "\nexpected: " << std::string(expected));
}

struct Case {
    const char* text;
    const char* message;
};

}  // namespace

TEST_CASE("parser errors: a message names the line and quotes it") {
    CHECK(refusal(kernel_text("ret;\n\tadd.s32\t%r1, %nothing, 3;\nret;")) ==
          "PTX line 7: \"%nothing\" is not declared and no special register known here, in: add.s32 %r1, %nothing, 3;");
    CHECK(refusal(kernel_text("add.s32 %r1, %r2, %r3\nret;")) ==
          "PTX line 7: expected ',' or ';', found \"ret\", in: ret;");
}

TEST_CASE("parser errors: a quote is short and printable") {
    const std::string message = refusal(kernel_text("\x01\x7f" + std::string(5000, 'x')));
    CHECK(message.size() < 300);
    for (const char c : message) CHECK((c >= ' ' && c <= '~'));
}

TEST_CASE("parser errors: what is no PTX module") {
    check_refusal("", "expected a PTX module, which starts with .version, found the end of the text");
    check_refusal("hello", "found \"hello\"");
    check_refusal(std::string("\x7f"
                              "ELF\0\x02",
                              6),
                  "PTX line 1: a character that PTX does not use");
    check_refusal(".version 8.7\n", "no .target");
    check_refusal(".version 8\n.target sm_89\n", "a version such as 8.7");
    check_refusal(".version x", "a version such as 8.7");
    check_refusal(".version 8.7\n.target fermi\n", "no .target");
    check_refusal(".version 8.7\n.target sm_89\n.address_size 32\n", "only 64-bit addresses");
    check_refusal(".version 8.7 .target sm_12, map_f64_to_f32", "map_f64_to_f32 is not supported");
}

TEST_CASE("parser errors: at module level") {
    constexpr std::array<Case, 25> cases{{
        {".reg .u32 x;", "registers can only be declared in a function"},
        {".tex .u32 x;", "\".tex\" is no directive known here"},
        {"add.s32 a, b, c;", "expected a directive"},
        {".global .u32 x", "expected ',' or ';', found the end of the text"},
        {".global x;", "expected a type such as .b32"},
        {".global .u32 .f32 x;", "\".f32\" has no place in a declaration"},
        {".global .pred x;", "\".pred\" has no place in a declaration"},
        {".global .u32 x; .global .u32 x;", "\"x\" is declared twice"},
        {".func x; .global .u32 x;", "\"x\" is declared twice"},
        {".global .u32 x; .func x { ret; }", "\"x\" is there twice"},
        {".func x { ret; } .func x { ret; }", "\"x\" is there twice"},
        {".global .align 3 .u32 x;", "an alignment must be a power of two"},
        {".global .u32 x[2] = {1, 2, 3};", "more initial values than elements"},
        {".global .u32 x = {{1}};", "more braces than dimensions"},
        {".global .u32 x = 1.5;", "a fraction cannot initialise a .u32"},
        {".shared .u32 x = 1;", "only .global and .const variables have initial values"},
        {".global .u16 x = 0xff(y);", "the mask of an address does not fit"},
        {".global .u32 x[-1];", "a dimension must be an integer from 0"},
        {".global .u32 x[2][];", "expected a number, found \"]\""},
        {".entry k .blocksareclusters { ret; }", "\".blocksareclusters\" is no directive known here"},
        {".entry k(.param .u32 a, .param .u32 a) { ret; }", "\"a\" is declared twice"},
        {".entry k(.u32 a) { ret; }", "expected a .param"},
        {".func (.reg .pred p) f { ret; }", "a predicate cannot be a parameter"},
        {".alias f, g;", "an .alias needs two functions"},
        {".section .debug_info { .b8 1", "what starts here does not end"},
    }};
    for (const Case& one : cases) check_refusal(module_text(one.text), one.message);
}

TEST_CASE("parser errors: in a function") {
    constexpr std::array<Case, 35> cases{{
        {"add.s32 %r1, %r2+1, %r3;", "a register plus a constant is supported in an address only"},
        {".reg .u32 x; .reg .u32 x;", "\"x\" is declared twice"},
        {".reg .u32 %r3;", "\"%r3\" is declared twice"},
        {".reg .u32 %r<3>;", "registers \"%r<...>\" are declared twice"},
        {".reg .tf32 x;", "\".tf32\" is no type of a register"},
        {".reg x;", "expected the type of a register"},
        {".reg .b32 x<1.5>;", "not a number of registers"},
        {".reg .b32 x<y>;", "expected a number of registers"},
        {".shared .u32 x; .shared .u32 x;", "\"x\" is declared twice"},
        {".foo 3;", "\".foo\" is no directive known here"},
        {"bra nowhere;", "\"nowhere\" is not declared"},
        {"{ L: ret; } bra L;", "\"L\" is not declared"},
        {"L: ret; L: ret;", "label \"L\" is there twice"},
        {"bra t; t: .branchtargets a; a: ret;", "\"t\" does not mark an instruction"},
        {"brx.idx %r1, a; a: ret;", "\"a\" is not a list of .branchtargets"},
        {"mov.u32 %r1, nothing;", "\"nothing\" is not declared"},
        {"mov.u32 %r1, {nothing};", "\"nothing\" is not declared"},
        {"ld.global.u32 %r1, [nothing];", "\"nothing\" is not declared"},
        {"mov.u32 %r1, %r10;", "\"%r10\" is not declared"},
        {"mov.u32 %r1, %tid.q;", "not a component of a special register"},
        {"mov.u32 %r1, %laneid.x;", "this register has no components"},
        {"mov.u32 %r1, %r2.x;", "not a part of a register"},
        {".reg .v2 .f32 v; mov.f32 %f1, v.z;", "not a component of this vector register"},
        {"ld.global.u32 %r1, [%rd1;", "expected ']', found \";\""},
        {"ld.global.u32 %r1, [%tid.x];", "the base of an address must be a register or a variable"},
        {"ld.global.u32 %r1, parameter[%r2];", "expected a constant index"},
        {"@%r1 ret;", "\"%r1\" is no predicate register"},
        {"@nothing ret;", "\"nothing\" is no predicate register"},
        {"@%p1;", "expected an instruction"},
        {"add.s32 %r1, %r2, 09;", "not a number: \"09\""},
        {"add.s32 %r1, %r2, 0f3F80;", "not a number: \"0f3F80\""},
        {"add.s32 %r1, %r2, 99999999999999999999;", "not a number"},
        {"add.s32 %r1, %r2, 1/0;", "a constant expression divides by zero"},
        {"add.s32 %r1, %r2, 1.5%2;", "an operator that needs integers has a fraction"},
        {"call missing, (%r1);", "\"missing\" is not declared"},
    }};
    for (const Case& one : cases) check_refusal(kernel_text(one.text), one.message);
}

TEST_CASE("parser errors: what does not end") {
    check_refusal(module_text(".entry k() { ret;"),
                  "expected an instruction, a label, a directive or '}', found the end");
    check_refusal(module_text("/* no end"), "a comment that does not end");
    check_refusal(module_text(".file 1 \"no end\n"), "a string that does not end");
    check_refusal(module_text(".file 1 \"no end\\"), "a string that does not end");
    check_refusal(module_text(".global .attribute(.managed .u32 x;"), "expected ')' of an attribute");
    check_refusal(kernel_text(".pragma \"x\""), "expected ';', found the end");
}

TEST_CASE("parser errors: positions") {
    check_refusal(kernel_text(".loc 1 2 3, inlined_at 1 2 3"), "expected function_name");
    check_refusal(kernel_text(".loc 1 2 3, function_name f, 1 2 3"), "expected inlined_at");
    check_refusal(kernel_text(".loc 1 -2 3"), "expected a line, found \"-\"");
    check_refusal(kernel_text(".loc 1 5000000000 3"), "expected a line, in: .loc");
    check_refusal(module_text(".file x"), "expected a file number");
    check_refusal(module_text(".file 1 name"), "expected a file name in quotes");
}
