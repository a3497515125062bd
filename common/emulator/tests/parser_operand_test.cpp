/// @file
/// @brief Operands of instructions, and the constants in them.
#include "parser_fixture.hpp"

#include <cmath>

using namespace lanes::emulator::ptx;

namespace {

/// The operand `text` stands for, as the second one of a mov.
Operand operand(std::string_view text, std::string_view declarations = {}) {
    return instruction("mov.b64 %rd0, " + std::string(text) + ";", declarations).operands.at(1);
}

Operand immediate(std::string_view text) {
    Operand result = operand(text);
    REQUIRE_MESSAGE(result.kind == OperandKind::immediate, std::string(text));
    return result;
}

std::int64_t integer(std::string_view text) {
    const Operand result = immediate(text);
    CHECK_FALSE(result.is_float);
    return static_cast<std::int64_t>(result.bits);
}

double fraction(std::string_view text) {
    const Operand result = immediate(text);
    CHECK(result.is_float);
    REQUIRE(result.literal_type == Type::f64);
    double value = 0.0;
    std::memcpy(&value, &result.bits, sizeof value);
    return value;
}

}  // namespace

TEST_CASE("parser operands: opcode, modifiers and type") {
    const Instruction i = instruction("ld.global .L1::no_allocate.L2::128B.v4.f32 {%f1, %f2, %f3, _}, [%rd1];");
    CHECK(i.opcode == "ld");
    REQUIRE(i.modifiers.size() == 5);
    CHECK(i.modifiers[1] == "L1::no_allocate");
    CHECK(i.modifiers[2] == "L2::128B");
    CHECK(i.has("v4"));
    CHECK_FALSE(i.has("v2"));
    CHECK(i.type() == Type::f32);
    CHECK_FALSE(i.dual);
    CHECK(instruction("cvt.rn.f16.f32 %r1, %f1;").type() == Type::f32);
    CHECK(instruction("bar.sync 0;").type() == Type::none);
    const Instruction bulk =
        instruction("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, [%r2];");
    CHECK(bulk.has("mbarrier::complete_tx::bytes"));
    CHECK(bulk.operands.size() == 4);
    CHECK(instruction("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];").has("2d"));
    CHECK(instruction("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f2};").has("m16n8k4"));
    CHECK(instruction("tcgen05.frobnicate.kind::f8f6f4 %r1;").opcode == "tcgen05");
}

TEST_CASE("parser operands: special registers") {
    CHECK(operand("%tid.x").kind == OperandKind::special);
    CHECK(operand("%tid.x").name == "%tid.x");
    CHECK(operand("%nctaid.z").name == "%nctaid.z");
    CHECK(operand("%clock64").name == "%clock64");
    CHECK(operand("%envreg31").name == "%envreg31");
    CHECK(operand("%pm7").name == "%pm7");
    CHECK(operand("%pm7_64").name == "%pm7_64");
    CHECK(operand("%lanemask_lt").name == "%lanemask_lt");
    CHECK(operand("%cluster_ctarank").name == "%cluster_ctarank");
    const Operand whole = operand("%tid");
    REQUIRE(whole.kind == OperandKind::vector);
    REQUIRE(whole.elements.size() == 4);
    CHECK(whole.elements[3].kind == OperandKind::special);
    CHECK(whole.elements[3].name == "%tid.w");
}

TEST_CASE("parser operands: integers") {
    CHECK(integer("12") == 12);
    CHECK(integer("0") == 0);
    CHECK(integer("0x1F") == 31);
    CHECK(integer("0Xff") == 255);
    CHECK(integer("017") == 15);
    CHECK(integer("0b101") == 5);
    CHECK(integer("0B11U") == 3);
    CHECK(integer("-5") == -5);
    CHECK(integer("+5") == 5);
    CHECK(integer("- -5") == 5);
    CHECK(integer("WARP_SZ") == 32);
    CHECK(integer("-WARP_SZ") == -32);
    CHECK(immediate("7").literal_type == Type::s64);
    CHECK(immediate("7U").literal_type == Type::u64);
    CHECK(immediate("0x8000000000000000").literal_type == Type::u64);
    CHECK(immediate("18446744073709551615").bits == ~std::uint64_t{0});
    CHECK(integer("0x1e5") == 0x1e5);
}

TEST_CASE("parser operands: fractions") {
    CHECK(immediate("0f3F800000").literal_type == Type::f32);
    CHECK(immediate("0f3F800000").bits == 0x3F800000);
    CHECK(immediate("0F7fc00000").bits == 0x7FC00000);
    CHECK(immediate("-0f3F800000").bits == 0xBF800000);
    CHECK(immediate("0d7FF8000000000000").bits == 0x7FF8000000000000);
    CHECK(fraction("0D3FF8000000000000") == 1.5);
    CHECK(fraction("1.5") == 1.5);
    CHECK(fraction(".5") == 0.5);
    CHECK(fraction("5.") == 5.0);
    CHECK(fraction("1.5e3") == 1500.0);
    CHECK(fraction("1e3") == 1000.0);
    CHECK(fraction("2.5E-1") == 0.25);
    CHECK(fraction("1.0e+2") == 100.0);
    CHECK(fraction("-1.5") == -1.5);
    CHECK(fraction("0.1") == 0.1);
    CHECK(fraction("1.7976931348623157e308") == 1.7976931348623157e308);
}

TEST_CASE("parser operands: constant expressions") {
    CHECK(integer("(3+4)*2") == 14);
    CHECK(integer("3+4*2") == 11);
    CHECK(integer("7-2-1") == 4);
    CHECK(integer("17/5") == 3);
    CHECK(integer("-17/5") == -3);
    CHECK(integer("-17 % 5") == -2);
    CHECK(integer("7%3") == 1);
    CHECK(integer("1<<4|1") == 17);
    CHECK(integer("6&3^1") == 3);
    CHECK(integer("~0") == -1);
    CHECK(integer("!5") == 0);
    CHECK(integer("!0") == 1);
    CHECK(integer("3 > 2 ? 7 : 8") == 7);
    CHECK(integer("3 < 2 ? 7 : 1 ? 8 : 9") == 8);
    CHECK(integer("1 == 1 && 2 != 2") == 0);
    CHECK(integer("0 || 4 >= 4") == 1);
    CHECK(integer("-1 < 0") == 1);
    CHECK(integer("-1 < 0U") == 0);
    CHECK(integer("(.u64) -1 < 0") == 0);
    CHECK(integer("(.s64) 0xFFFFFFFFFFFFFFFF < 0") == 1);
    CHECK(integer("-8 >> 1") == -4);
    CHECK(immediate("0x8000000000000000 >> 63").bits == 1);
    CHECK(immediate("-8 >> 70").bits == ~std::uint64_t{0});
    CHECK(integer("1 << 64") == 0);
    CHECK(integer("1 << -1") == 0);
    CHECK(integer("0x8000000000000000 / 1 == 0x8000000000000000") == 1);
    CHECK(integer("(.s64) 0x8000000000000000 % -1") == 0);
    CHECK(immediate("(.s64) 0x8000000000000000 / -1").bits == 0x8000000000000000);
    CHECK(fraction("1.0 + 2 * 3.5") == 8.0);
    CHECK(fraction("1.0 / 4") == 0.25);
    CHECK(integer("1.5 < 2") == 1);
    CHECK(integer("!0.0") == 1);
    CHECK(std::isinf(fraction("1.0 / 0.0")));
}

TEST_CASE("parser operands: addresses") {
    const auto address = [](std::string_view text) {
        Operand result =
            instruction("ld.global.u32 %r1, " + std::string(text) + ";", ".global .u32 a[10];\n").operands[1];
        CHECK(result.kind == OperandKind::address);
        return result;
    };
    Operand a = address("[%rd1]");
    CHECK(a.index >= 0);
    CHECK(a.offset == 0);
    CHECK(address("[ %rd1 + 16 ]").offset == 16);
    CHECK(address("[%rd1+-4]").offset == -4);
    CHECK(address("[%rd1-4]").offset == -4);
    CHECK(address("[%rd1+0x10]").offset == 16);
    CHECK(address("[%rd1+2*(3+1)]").offset == 8);
    a = address("[a]");
    CHECK(a.index == -1);
    CHECK(a.name == "a");
    CHECK(address("[a+12]").offset == 12);
    CHECK(address("[a+-12]").offset == -12);
    CHECK(address("a[3]").offset == 12);
    CHECK(address("a[3]").name == "a");
    a = address("[64]");
    CHECK(a.index == -1);
    CHECK(a.name.empty());
    CHECK(a.offset == 64);
    CHECK(address("[WARP_SZ*2]").offset == 64);
}

TEST_CASE("parser operands: an address with coordinates") {
    const Instruction i = instruction("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [image, sampler, {%r1, 2}];",
                                      ".global .texref image;\n.global .samplerref sampler;\n");
    REQUIRE(i.operands.size() == 2);
    CHECK(i.operands[1].kind == OperandKind::address);
    CHECK(i.operands[1].name == "image");
    REQUIRE(i.operands[1].elements.size() == 2);
    CHECK(i.operands[1].elements[0].name == "sampler");
    CHECK(i.operands[1].elements[1].elements[1].bits == 2);
}

TEST_CASE("parser operands: the address of a variable or a function") {
    const std::string declarations = ".global .v2 .u32 a[10];\n.func f();\n";
    CHECK(operand("a", declarations).kind == OperandKind::symbol);
    CHECK(operand("a", declarations).offset == 0);
    CHECK(operand("a + 8", declarations).offset == 8);
    CHECK(operand("a-8", declarations).offset == -8);
    CHECK(operand("a[3]", declarations).kind == OperandKind::symbol);
    CHECK(operand("a[3]", declarations).offset == 12);
    CHECK(operand("f", declarations).kind == OperandKind::symbol);
    CHECK(operand("parameter", declarations).name == "parameter");
}

TEST_CASE("parser operands: vectors, discards, parts and negation") {
    const Instruction move = instruction("mov.b64 {%r1, _}, %rd1;");
    REQUIRE(move.operands[0].kind == OperandKind::vector);
    CHECK(move.operands[0].elements[0].kind == OperandKind::reg);
    CHECK(move.operands[0].elements[1].kind == OperandKind::discard);
    const Instruction store = instruction("st.global.v2.u32 [%rd1], {7, %r2};");
    CHECK(store.operands[1].elements[0].bits == 7);
    const Instruction video = instruction("vadd.s32.u32.s32 %r1, %r2.b3, -%r3.h1, %r4;");
    CHECK(video.operands[1].name == "b3");
    CHECK(video.operands[2].name == "h1");
    CHECK(video.operands[2].negated);
    CHECK(video.operands[0].name.empty());
    const Instruction select = instruction("setp.eq.and.s32 %p1, %r1, %r2, !%p2;");
    CHECK(select.operands[3].negated);
    CHECK(select.operands[3].kind == OperandKind::reg);
}

TEST_CASE("parser operands: two destinations") {
    const Instruction both = instruction("setp.gt.s32 %p1|%p2, %r1, 0;");
    CHECK(both.dual);
    CHECK(both.operands.size() == 4);
    const Instruction second = instruction("shfl.sync.up.b32 _ | %p1, %r1, 1, 0, -1;");
    CHECK(second.dual);
    CHECK(second.operands[0].kind == OperandKind::discard);
    CHECK(second.operands[1].kind == OperandKind::reg);
    CHECK(instruction("add.s32 %r1, %r2, 1|2;").operands.size() == 3);
}

TEST_CASE("parser operands: names without a percent sign") {
    const Function f = kernel("{ .reg .u32 t1; .reg .pred p; setp.eq.u32 p, t1, 3; @p mov.u32 t1, 4; }");
    CHECK(register_name(f, f.body[0].operands[0]) == "p");
    CHECK(register_name(f, f.body[1].operands[0]) == "t1");
    CHECK(f.body[1].guard == f.body[0].operands[0].index);
}
