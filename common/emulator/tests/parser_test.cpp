/// @file
/// @brief Modules, functions, scopes, labels and source positions.
#include "parser_fixture.hpp"

#include <vector>

using namespace lanes::emulator::ptx;

TEST_CASE("parser: types have names and sizes") {
    CHECK(size_of(Type::none) == 0);
    CHECK(size_of(Type::pred) == 0);
    CHECK(size_of(Type::b8) == 1);
    CHECK(size_of(Type::bf16) == 2);
    CHECK(size_of(Type::f16x2) == 4);
    CHECK(size_of(Type::b128) == 16);
    CHECK(type_from_name("bf16x2") == Type::bf16x2);
    CHECK(type_from_name("pred") == Type::pred);
    CHECK(type_from_name("tf32") == Type::none);
    CHECK(type_from_name("") == Type::none);
    for (int i = 1; i <= static_cast<int>(Type::f64); ++i) {
        const auto type = static_cast<Type>(i);
        CHECK(type_from_name(name_of(type)) == type);
    }
}

TEST_CASE("parser: version, target, trailing NULs") {
    using namespace std::string_literals;
    const Module module = parsed(".version 12.34\n.target sm_90a, debug\n.address_size 64\n\0\0"s);
    CHECK(module.version_major == 12);
    CHECK(module.version_minor == 34);
    CHECK(module.target == 90);
    CHECK(parsed("\n\n\n\n\n\n\n\n" + prologue).target == 89);
    CHECK(parsed(".version 9.0 .target sm_120f, texmode_independent .address_size 64").target == 120);
}

TEST_CASE("parser: comments, blank lines and DWARF lines are no text") {
    const Function f = kernel("/* ret; \n */ // ret;\n@@DWARF ret;\n\t ret /**/ ; \r\n// end");
    REQUIRE(f.body.size() == 1);
    CHECK(f.body[0].text_line == first_body_line + 3);
}

TEST_CASE("parser: the header of a kernel") {
    const Module module = parsed(module_text(
        ".visible .entry first(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 b[24], .param .f32 c)\n"
        ".maxntid 128, 2 .minnctapersm 3 .maxnreg 40 .noreturn .pragma \"nounroll\"; .pragma \"a\", \"b\"; { ret; }\n"
        ".entry second .reqntid 7 .reqnctapercluster 2, 1, 1 .explicitcluster .maxclusterrank 8 { ret; }\n"
        ".weak .entry third() { ret; }"));
    REQUIRE(module.functions.size() == 3);
    const Function& first = module.functions[0];
    CHECK(first.name == "first");
    CHECK(first.kernel);
    CHECK(first.visible);
    CHECK_FALSE(first.external);
    REQUIRE(first.parameters.size() == 3);
    CHECK(first.parameters[0].name == "a");
    CHECK(first.parameters[0].space == Space::param);
    CHECK(first.parameters[0].element == Type::u64);
    CHECK(first.parameters[0].bytes == 8);
    CHECK(first.parameters[0].alignment == 8);
    CHECK(first.parameters[1].bytes == 24);
    CHECK(first.parameters[1].alignment == 8);
    CHECK(first.parameters[2].alignment == 4);
    CHECK(first.maximum_threads[0] == 128);
    CHECK(first.maximum_threads[1] == 2);
    CHECK(first.maximum_threads[2] == 1);
    CHECK(first.required_threads[0] == 0);
    CHECK(first.minimum_blocks == 3);
    CHECK(module.functions[1].required_threads[0] == 7);
    CHECK(module.functions[1].required_threads[1] == 1);
    CHECK(module.functions[1].required_cluster[0] == 2);
    CHECK_FALSE(module.functions[1].visible);
    CHECK(module.functions[2].weak);
    CHECK(module.functions[2].parameters.empty());
}

TEST_CASE("parser: a function that is declared and then defined is there once") {
    const Module module = parsed(
        module_text(".visible .func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 b[16]);\n"
                    ".func g();\n.extern .func (.param .b32 _) vprintf(.param .b64 _, .param .b64 _);\n"
                    ".func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 b[16]) { st.param.b32 [r], 1; ret; }\n"
                    ".func (.param .b32 r) f(.param .b32 a, .param .align 8 .b8 b[16]);\n"));
    REQUIRE(module.functions.size() == 3);
    const Function& f = module.functions[0];
    CHECK_FALSE(f.external);
    CHECK_FALSE(f.kernel);
    CHECK(f.visible);
    CHECK(f.body.size() == 2);
    REQUIRE(f.returns.size() == 1);
    CHECK(f.returns[0].bytes == 4);
    CHECK(f.parameters[1].bytes == 16);
    CHECK(module.functions[1].external);
    CHECK(module.functions[2].parameters.size() == 2);
    CHECK(module.functions[2].returns.size() == 1);
}

TEST_CASE("parser: an alias does what its original does") {
    const Module module = parsed(module_text(".visible .func f() { trap; ret; }\n.visible .func g();\n.alias g, f;\n"));
    REQUIRE(module.functions.size() == 2);
    CHECK(module.functions[1].name == "g");
    CHECK_FALSE(module.functions[1].external);
    CHECK(module.functions[1].body.size() == 2);
}

TEST_CASE("parser: parameters in registers are copied from and to memory") {
    const Module module =
        parsed(module_text(".func (.reg .b32 sum) add(.reg .b32 a, .reg .f64 b) {\n"
                           ".reg .pred p;\nadd.s32 sum, a, a;\n@!p ret;\nret;\n}\n"));
    const Function& f = module.functions[0];
    REQUIRE(f.parameters.size() == 2);
    CHECK(f.parameters[1].name == "b");
    CHECK(f.parameters[1].bytes == 8);
    CHECK(f.parameters[1].space == Space::param);
    CHECK(f.returns.size() == 1);
    REQUIRE(f.body.size() == 7);
    CHECK(f.body[0].opcode == "ld");
    CHECK(f.body[0].has("param"));
    CHECK(register_name(f, f.body[0].operands[0]) == "a");
    CHECK(f.body[1].type() == Type::f64);
    CHECK(f.body[1].operands[1].name == "b");
    CHECK(f.body[3].opcode == "st");
    CHECK(f.body[3].guard_negated);
    CHECK(f.body[3].guard == f.body[4].guard);
    CHECK(f.body[3].operands[0].name == "sum");
    CHECK(f.body[4].opcode == "ret");
    CHECK(f.body[5].guard == -1);
    CHECK(register_name(f, f.body[5].operands[1]) == "sum");
}

TEST_CASE("parser: registers, ranges and vectors of them") {
    const Function f = kernel(
        ".reg .b32 t, u; .reg .v4 .f32 v; .reg .pred q; .reg .b16 h1<3>; .reg .b128 wide;\n"
        "mov.b32 t, %r9; mov.f32 v.w, v.g; mov.b16 h10, h12; mov.b64 %rd0, v;");
    CHECK(register_name(f, f.body[0].operands[0]) == "t");
    CHECK(register_name(f, f.body[0].operands[1]) == "%r9");
    CHECK(register_name(f, f.body[1].operands[0]) == "v.w");
    CHECK(register_name(f, f.body[1].operands[1]) == "v.y");
    CHECK(register_name(f, f.body[2].operands[0]) == "h10");
    CHECK(register_name(f, f.body[2].operands[1]) == "h12");
    REQUIRE(f.body[3].operands[1].kind == OperandKind::vector);
    REQUIRE(f.body[3].operands[1].elements.size() == 4);
    CHECK(register_name(f, f.body[3].operands[1].elements[2]) == "v.z");
    CHECK(f.registers[static_cast<std::size_t>(f.body[1].operands[0].index)].type == Type::f32);
}

TEST_CASE("parser: a scope's registers hide those around it, and end with it") {
    const Function f = kernel(
        "mov.b32 %r1, 1;\n{ .reg .b32 %r1; mov.b32 %r1, 2; { .reg .b64 %r<3>; mov.b64 %r1, 3; mov.b32 %r5, 4; } "
        "mov.b32 %r1, 5; }\n"
        "mov.b32 %r1, 6;");
    REQUIRE(f.body.size() == 6);
    const auto index = [&](std::size_t i) { return f.body[i].operands[0].index; };
    CHECK(index(0) == index(5));
    CHECK(index(1) == index(4));
    CHECK(index(0) != index(1));
    CHECK(index(2) != index(0));
    CHECK(index(2) != index(1));
    CHECK(f.registers[static_cast<std::size_t>(index(2))].type == Type::b64);
    CHECK(register_name(f, f.body[3].operands[0]) == "%r5");
}

TEST_CASE("parser: variables of a function have names of their own") {
    const Module module = parsed(
        kernel_text("{ .param .b32 x; st.param.b32 [x], 1; }\n{ .param .align 8 .b8 x[16]; st.param.b64 [x+8], 2; }\n"
                    ".shared .f32 s[32]; st.shared.f32 [s], 0f00000000;\n"
                    "{ .shared .f64 taken; st.shared.f64 [taken], 0; }\nst.shared.u32 [taken], 0;\n"
                    "{ .local .b32 parameter; st.local.u32 [parameter], 0; }\nld.param.u64 %rd1, [parameter];\n",
                    ".shared .u32 taken;\n"));
    const Function& f = module.functions[0];
    REQUIRE(f.variables.size() == 5);
    CHECK(f.variables[0].name == "x");
    CHECK(f.variables[0].bytes == 4);
    CHECK(f.variables[1].name == "x.2");
    CHECK(f.variables[1].bytes == 16);
    CHECK(f.variables[2].name == "s");
    CHECK(f.variables[2].space == Space::shared);
    CHECK(f.variables[3].name == "taken.2");
    CHECK(f.variables[4].name == "parameter.2");
    CHECK(f.body[0].operands[0].name == "x");
    CHECK(f.body[1].operands[0].name == "x.2");
    CHECK(f.body[1].operands[0].offset == 8);
    CHECK(f.body[2].operands[0].name == "s");
    CHECK(f.body[3].operands[0].name == "taken.2");
    CHECK(f.body[4].operands[0].name == "taken");
    CHECK(f.body[5].operands[0].name == "parameter.2");
    CHECK(f.body[6].operands[1].name == "parameter");
}

TEST_CASE("parser: a global of a function joins the module's variables") {
    const Module module =
        parsed(kernel_text(".global .u32 count = 5; { .const .u32 count = 6; ld.const.u32 %r1, [count]; }\n"
                           "ld.global.u32 %r1, [count]; ld.global.u32 %r2, [elsewhere];",
                           ".extern .global .u32 elsewhere;\n"));
    REQUIRE(module.variables.size() == 3);
    CHECK(module.functions[0].variables.empty());
    CHECK(initial<std::uint32_t>(variable(module, "k.count"), 0) == 5);
    CHECK(initial<std::uint32_t>(variable(module, "k.count.2"), 0) == 6);
    CHECK(module.functions[0].body[0].operands[1].name == "k.count.2");
    CHECK(module.functions[0].body[1].operands[1].name == "k.count");
    CHECK(module.functions[0].body[2].operands[1].name == "elsewhere");
}

TEST_CASE("parser: labels may come after their use and belong to a scope") {
    const Function f = kernel(
        "bra end;\nloop: add.s32 %r1, %r1, 1;\n@%p1 bra loop;\n"
        "{ bra loop; loop: bra.uni loop; { bra end; bra loop; } }\nend:");
    REQUIRE(f.body.size() == 7);
    const auto target = [&](std::size_t i) {
        REQUIRE(f.body[i].operands[0].kind == OperandKind::label);
        return f.body[i].operands[0].index;
    };
    CHECK(target(0) == 7);
    CHECK(target(2) == 1);
    CHECK(target(3) == 4);
    CHECK(target(4) == 4);
    CHECK(target(5) == 7);
    CHECK(target(6) == 4);
    CHECK(f.body[0].operands[0].name == "end");
}

TEST_CASE("parser: a label may have the name of a variable or a function") {
    const Function f = kernel("bra taken; taken: bra k; k: mov.u64 %rd1, taken;", ".shared .u32 taken;\n");
    CHECK(f.body[0].operands[0].index == 1);
    CHECK(f.body[1].operands[0].index == 2);
    CHECK(f.body[2].operands[1].kind == OperandKind::symbol);
}

TEST_CASE("parser: tables of branch targets") {
    const Function f =
        kernel("t: .branchtargets b, a, b;\nbrx.idx %r1, u;\na: brx.idx.uni %r1, t;\nu: .branchtargets a;\nb: ret;");
    REQUIRE(f.branch_targets.size() == 2);
    CHECK(f.branch_targets[0] == std::vector<std::int32_t>{2, 1, 2});
    CHECK(f.branch_targets[1] == std::vector<std::int32_t>{1});
    CHECK(f.body[0].operands[1].kind == OperandKind::label);
    CHECK(f.body[0].operands[1].index == 1);
    CHECK(f.body[1].operands[1].index == 0);
}

TEST_CASE("parser: calls in all their forms") {
    const Function f = kernel(
        "{ .param .b32 a; .param .b32 r;\n"
        "call.uni (r), f, (a, %r1, 3, 0f3F800000);\ncall g;\ncall g, ();\ncall (%r1), f, (a);\n"
        "p : .callprototype (.param .b32 _) _ (.param .b32 _);\nc: .calltargets f, g;\n"
        "call (r), %rd1, (a), p;\ncall %rd1, c;\n@%p1 call g, (a);\n}",
        ".extern .func (.param .b32 r) f(.param .b32 a);\n.extern .func g;\n");
    REQUIRE(f.body.size() == 7);
    for (const Instruction& call : f.body) {
        REQUIRE(call.operands.size() == 3);
        CHECK(call.operands[0].kind == OperandKind::vector);
        CHECK(call.operands[2].kind == OperandKind::vector);
    }
    const Instruction& first = f.body[0];
    CHECK(first.has("uni"));
    REQUIRE(first.operands[0].elements.size() == 1);
    CHECK(first.operands[0].elements[0].name == "r");
    CHECK(first.operands[1].kind == OperandKind::symbol);
    CHECK(first.operands[1].name == "f");
    REQUIRE(first.operands[2].elements.size() == 4);
    CHECK(first.operands[2].elements[0].kind == OperandKind::symbol);
    CHECK(first.operands[2].elements[1].kind == OperandKind::reg);
    CHECK(first.operands[2].elements[2].bits == 3);
    CHECK(first.operands[2].elements[3].literal_type == Type::f32);
    CHECK(f.body[1].operands[0].elements.empty());
    CHECK(f.body[1].operands[2].elements.empty());
    CHECK(f.body[3].operands[0].elements[0].kind == OperandKind::reg);
    CHECK(f.body[4].operands[1].kind == OperandKind::reg);
    CHECK(f.body[4].operands[2].elements.size() == 1);
    CHECK(f.body[5].operands[1].kind == OperandKind::reg);
    CHECK(f.body[6].guard >= 0);
}

TEST_CASE("parser: a function may use itself and those declared before") {
    const Module module = parsed(
        module_text(".func h();\n.func f() { call f; ret; }\n.entry e() { .reg .b64 x; mov.u64 x, h; call f; ret; }"));
    CHECK(function(module, "f").body[0].operands[1].name == "f");
    const Function& e = function(module, "e");
    CHECK(e.body[0].operands[1].kind == OperandKind::symbol);
    CHECK(e.body[0].operands[1].name == "h");
}

TEST_CASE("parser: guards") {
    const Function f = kernel(".reg .pred q; @%p1 ret; @!%p1 ret; @q ret; @ ! q ret;");
    CHECK(f.body[0].guard == f.body[1].guard);
    CHECK_FALSE(f.body[0].guard_negated);
    CHECK(f.body[1].guard_negated);
    CHECK(f.registers[static_cast<std::size_t>(f.body[2].guard)].name == "q");
    CHECK(f.body[3].guard_negated);
}

TEST_CASE("parser: statements that change nothing are passed over") {
    const Function f =
        kernel(".pragma \"nounroll\";;;\n.file 3 \"x.cu\"\n.section .debug_x { .b8 1, 2 }\n{ { } }\nret;;");
    CHECK(f.body.size() == 1);
    CHECK(
        parsed(module_text(".pragma \"x\"; ; .section .debug_info { .b32 .debug_abbrev // }\n.b8 1 { } }\n")).target ==
        89);
}

TEST_CASE("parser: files are ordered by number") {
    const Module module = parsed(module_text(".file 7 \"seven\", 12, 13\n.file 2 \"two\"\n.file 7 \"again\"\n"));
    REQUIRE(module.files.size() == 2);
    CHECK(module.files[0].number == 2);
    REQUIRE(module.file_name(7) != nullptr);
    CHECK(*module.file_name(7) == "seven");
    CHECK(*module.file_name(2) == "two");
    CHECK(module.file_name(1) == nullptr);
    CHECK(module.file_name(8) == nullptr);
}

TEST_CASE("parser: instructions know their source position") {
    const Module module =
        parsed(kernel_text("ret;\n.loc 1 10 5\nret;\nret;\n.loc 1 0 3\nret;\n.loc 2 11 0\nret;\n.loc 1 10 5\nret;"));
    const std::vector<Instruction>& body = module.functions[0].body;
    CHECK(body[0].location == -1);
    REQUIRE(body[1].location >= 0);
    const Location& location = module.locations[static_cast<std::size_t>(body[1].location)];
    CHECK(location.file == 1);
    CHECK(location.line == 10);
    CHECK(location.column == 5);
    CHECK(location.inlined_at == -1);
    CHECK(body[2].location == body[1].location);
    CHECK(body[3].location == body[1].location);
    CHECK(module.locations[static_cast<std::size_t>(body[4].location)].file == 2);
    CHECK(body[5].location == body[1].location);
    CHECK(body[1].text_line == first_body_line + 2);
}

TEST_CASE("parser: inlined calls make a chain of positions") {
    const Module module =
        parsed(kernel_text(".loc 1 10 1\nret;\n.loc 2 20 2, function_name $L__s0, inlined_at 1 10 1\nret;\n"
                           ".loc 3 30 3, function_name $L__s1+4, inlined_at 2 20 2\nret;\n"
                           ".loc 2 20 2, function_name .debug_str+8, inlined_at 1 99 1\nret;\n"
                           ".loc 3 30 3, function_name $L__s1, inlined_at 2 20 2\nret;\n"));
    const auto chain = [&](std::size_t i) {
        std::vector<std::uint32_t> lines;
        for (std::int32_t at = module.functions[0].body[i].location; at >= 0;) {
            const Location& location = module.locations.at(static_cast<std::size_t>(at));
            lines.push_back(location.line);
            CHECK(location.inlined_at < at);
            at = location.inlined_at;
        }
        return lines;
    };
    CHECK(chain(0) == std::vector<std::uint32_t>{10});
    CHECK(chain(1) == std::vector<std::uint32_t>{20, 10});
    CHECK(chain(2) == std::vector<std::uint32_t>{30, 20, 10});
    CHECK(chain(3) == std::vector<std::uint32_t>{20, 99});
    CHECK(chain(4) == std::vector<std::uint32_t>{30, 20, 99});
}

TEST_CASE("parser: positions do not reach from one function into the next") {
    const Module module =
        parsed(module_text(".entry a() {\n.loc 1 5 5\nret;\n}\n.entry b() {\nret;\n"
                           ".loc 2 6 6, function_name f, inlined_at 1 5 5\nret;\n}\n"));
    CHECK(module.functions[0].body[0].location >= 0);
    CHECK(module.functions[1].body[0].location == -1);
    REQUIRE(module.functions[1].body[1].location >= 0);
    const Location& inlined = module.locations[static_cast<std::size_t>(module.functions[1].body[1].location)];
    CHECK(module.locations[static_cast<std::size_t>(inlined.inlined_at)].inlined_at == -1);
}

TEST_CASE("parser: inlined_at means the last position of its own function") {
    const Module module =
        parsed(module_text(".entry a() {\n.loc 2 6 6, function_name f, inlined_at 1 5 5\nret;\n}\n"
                           ".entry b() {\n.loc 3 7 7, function_name f, inlined_at 2 6 6\nret;\n}\n"));
    const Location& inner = module.locations[static_cast<std::size_t>(module.functions[1].body[0].location)];
    REQUIRE(inner.inlined_at >= 0);
    const Location& outer = module.locations[static_cast<std::size_t>(inner.inlined_at)];
    CHECK(outer.line == 6);
    CHECK(outer.inlined_at == -1);
}
