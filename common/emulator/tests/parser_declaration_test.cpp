/// @file
/// @brief Variables: space, type, size, alignment, linkage, initial values.
#include "parser_fixture.hpp"

using namespace lanes::emulator::ptx;

namespace {

Variable declared(std::string_view declaration) {
    Module module = parsed(module_text(declaration));
    REQUIRE(module.variables.size() == 1);
    return std::move(module.variables.front());
}

}  // namespace

TEST_CASE("parser declarations: space, type, size and alignment") {
    Variable v = declared(".global .u32 x;");
    CHECK(v.name == "x");
    CHECK(v.space == Space::global);
    CHECK(v.element == Type::u32);
    CHECK(v.bytes == 4);
    CHECK(v.alignment == 4);
    CHECK(v.initial.empty());
    CHECK_FALSE(v.external);
    CHECK_FALSE(v.visible);

    v = declared(".const .align 16 .b8 _$x[3][5];");
    CHECK(v.space == Space::constant);
    CHECK(v.bytes == 15);
    CHECK(v.alignment == 16);

    v = declared(".shared .v4 .f32 x[2];");
    CHECK(v.space == Space::shared);
    CHECK(v.bytes == 32);
    CHECK(v.alignment == 16);

    v = declared(".extern .shared .align 16 .b8 dynamic[];");
    CHECK(v.external);
    CHECK(v.bytes == 0);

    v = declared(".shared::cta .b64 x[WARP_SZ * 2];");
    CHECK(v.space == Space::shared);
    CHECK(v.bytes == 512);
}

TEST_CASE("parser declarations: linkage and attributes") {
    CHECK(declared(".visible .global .u32 x;").visible);
    CHECK(declared(".weak .global .u32 x;").weak);
    CHECK(declared(".common .global .u32 x;").weak);
    CHECK(declared(".extern .global .u32 x[];").external);
    CHECK(declared(".visible .global .attribute(.managed) .align 4 .u32 x = 7;").managed);
    CHECK_FALSE(declared(".global .attribute(.unified(1, 2)) .u32 x;").managed);
    CHECK(declared(".global .texref x;").bytes == 8);
    CHECK(declared(".global .samplerref x = { addr_mode_0 = wrap, filter_mode = nearest };").initial.empty());
}

TEST_CASE("parser declarations: several in one statement") {
    const Module module = parsed(module_text(".global .s16 a = -2, b, c[2] = {3};"));
    REQUIRE(module.variables.size() == 3);
    CHECK(initial<std::int16_t>(module.variables[0], 0) == -2);
    CHECK(module.variables[1].initial.empty());
    CHECK(initial<std::int16_t>(module.variables[2], 0) == 3);
    CHECK(initial<std::int16_t>(module.variables[2], 1) == 0);
}

TEST_CASE("parser declarations: a definition takes the place of a declaration") {
    Module module =
        parsed(module_text(".extern .global .u32 x[];\n.global .u32 y;\n.visible .global .u32 x[2] = {1, 2};"));
    REQUIRE(module.variables.size() == 2);
    CHECK(module.variables[0].name == "x");
    CHECK_FALSE(module.variables[0].external);
    CHECK(module.variables[0].bytes == 8);
    module = parsed(module_text(".visible .global .u32 x = 1;\n.extern .global .u32 x;"));
    REQUIRE(module.variables.size() == 1);
    CHECK(module.variables[0].initial.size() == 4);
}

TEST_CASE("parser declarations: initial numbers") {
    CHECK(initial<std::uint32_t>(declared(".global .u32 x = (3 + 4) * 2;"), 0) == 14);
    CHECK(initial<std::int8_t>(declared(".global .s8 x = -3;"), 0) == -3);
    CHECK(initial<std::uint64_t>(declared(".global .u64 x = 0xFFFFFFFFFFFFFFFF;"), 0) == ~std::uint64_t{0});
    CHECK(initial<std::uint8_t>(declared(".global .u8 x = 300;"), 0) == 44);
    CHECK(initial<float>(declared(".global .f32 x = 0f3FC00000;"), 0) == 1.5F);
    CHECK(initial<float>(declared(".global .f32 x = 1.5;"), 0) == 1.5F);
    CHECK(initial<float>(declared(".global .f32 x = 3;"), 0) == 3.0F);
    CHECK(initial<float>(declared(".global .f32 x = 0d3FF8000000000000;"), 0) == 1.5F);
    CHECK(initial<double>(declared(".global .f64 x = 0d3FF8000000000000;"), 0) == 1.5);
    CHECK(initial<double>(declared(".global .f64 x = -2;"), 0) == -2.0);
    CHECK(initial<std::uint32_t>(declared(".global .b32 x = 0f3F800000;"), 0) == 0x3F800000);
    CHECK(initial<std::uint64_t>(declared(".global .b64 x = 1.0;"), 0) == 0x3FF0000000000000);
    CHECK(initial<std::uint8_t>(declared(".global .b128 x = 5;"), 0) == 5);
    CHECK(declared(".global .b128 x = 5;").initial.size() == 16);
}

TEST_CASE("parser declarations: nested lists fill rows and leave zeros") {
    Variable v = declared(".global .u16 x[2][3] = {{1, 2}, {3}};");
    REQUIRE(v.initial.size() == 12);
    const std::uint16_t expected[] = {1, 2, 0, 3, 0, 0};
    for (std::size_t i = 0; i < 6; ++i) CHECK(initial<std::uint16_t>(v, i) == expected[i]);
    v = declared(".global .u16 x[2][3] = {1, {2, 3}};");
    CHECK(initial<std::uint16_t>(v, 0) == 1);
    CHECK(initial<std::uint16_t>(v, 3) == 2);
    v = declared(".global .v2 .u16 x[2] = {{1, 2}, {3, 4}};");
    CHECK(v.bytes == 8);
    CHECK(initial<std::uint16_t>(v, 3) == 4);
    v = declared(".global .u16 x[3] = {1, 2,};");
    CHECK(initial<std::uint16_t>(v, 1) == 2);
    CHECK(declared(".global .u16 x[3] = {};").initial.size() == 6);
}

TEST_CASE("parser declarations: an unspecified dimension is what the value needs") {
    CHECK(declared(".global .u32 x[] = {1, 2, 3};").bytes == 12);
    const Variable v = declared(".global .u32 x[][2] = {{1}, {2, 3}, {}};");
    CHECK(v.bytes == 24);
    CHECK(initial<std::uint32_t>(v, 0) == 1);
    CHECK(initial<std::uint32_t>(v, 3) == 3);
    CHECK(initial<std::uint32_t>(v, 4) == 0);
}

TEST_CASE("parser declarations: addresses as initial values") {
    const Module module =
        parsed(module_text(".global .u32 a[4];\n.func f();\n"
                           ".global .u64 x[5] = {0, generic(a) + 8, a, f, generic(a+4) - 2 * 6};\n"
                           ".global .u8 y[3] = {0xff(a), 0xff00(generic(a) + 4), 0xFF0000(a)};\n"
                           ".global .u32 z = a;"));
    const Variable& x = variable(module, "x");
    CHECK(x.initial.size() == 40);
    REQUIRE(x.references.size() == 4);
    CHECK(x.references[0].offset == 8);
    CHECK(x.references[0].symbol == "a");
    CHECK(x.references[0].addend == 8);
    CHECK(x.references[0].generic);
    CHECK(x.references[0].bytes == 8);
    CHECK(x.references[0].shift == 0);
    CHECK_FALSE(x.references[1].generic);
    CHECK(x.references[2].symbol == "f");
    CHECK(x.references[2].offset == 24);
    CHECK(x.references[3].addend == -8);
    const Variable& y = variable(module, "y");
    REQUIRE(y.references.size() == 3);
    CHECK(y.references[0].bytes == 1);
    CHECK(y.references[1].shift == 8);
    CHECK(y.references[1].addend == 4);
    CHECK(y.references[1].offset == 1);
    CHECK(y.references[2].shift == 16);
    CHECK(variable(module, "z").references[0].bytes == 4);
}
