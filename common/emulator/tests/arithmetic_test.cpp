/// Properties that every arithmetic form has: it is supported, it leaves other lanes alone, and its destination may be
/// one of its sources. What each form computes is tested in arithmetic_*_test.cpp.

#include <cctype>
#include <random>

#include "arithmetic_fixture.hpp"
#include "arithmetic_forms.hpp"
#include "form_instance.hpp"

using namespace lanes::emulator;

namespace {

using Bytes = std::array<std::byte, 256>;

/// Random bits, and here and there a value at an edge.
Bytes random_bytes(std::mt19937_64& random, const std::string& type) {
    Bytes bytes{};
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        std::uint64_t word = random();
        if (random() % 4 == 0) word &= 0x0000003f0000001fu;
        if (random() % 8 == 0) word = 0x7f800000ff800000u;
        if (random() % 8 == 0 && type == "f64") word = random() % 2 == 0 ? 0x7ff0000000000000u : 0;
        std::memcpy(bytes.data() + i, &word, sizeof word);
    }
    return bytes;
}

/// Bytes of `changed` in the lanes of the mask, of `before` elsewhere.
Bytes blend(const std::string& type, const Bytes& before, const Bytes& changed, LaneMask lanes) {
    Bytes blended = before;
    if (type == "pred") {
        LaneMask old = 0;
        LaneMask fresh = 0;
        std::memcpy(&old, before.data(), sizeof old);
        std::memcpy(&fresh, changed.data(), sizeof fresh);
        const LaneMask mixed = (old & ~lanes) | (fresh & lanes);
        std::memcpy(blended.data(), &mixed, sizeof mixed);
        return blended;
    }
    const std::size_t width = width_of(type);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        if ((lanes >> lane & 1u) != 0) std::memcpy(&blended[lane * width], &changed[lane * width], width);
    }
    return blended;
}

bool exchanges_lanes(const std::string& name) {
    for (const char* opcode : {"shfl", "vote", "match", "redux", "activemask", "elect"}) {
        if (name.starts_with(opcode)) return true;
    }
    return false;
}

void fill_registers(ArithmeticFixture& warp, const FormInstance& instance, std::mt19937_64& random) {
    for (std::size_t i = 0; i < instance.registers().size(); ++i) {
        warp.set_bytes(instance.registers()[i], random_bytes(random, instance.types()[i]));
    }
}

void declare_registers(ArithmeticFixture& warp, const FormInstance& instance) {
    for (std::size_t i = 0; i < instance.registers().size(); ++i) {
        warp.declare(instance.registers()[i], instance.types()[i]);
    }
}

std::vector<Bytes> values_of(ArithmeticFixture& warp, const FormInstance& instance) {
    std::vector<Bytes> values;
    for (const std::string& name : instance.registers()) values.push_back(warp.bytes(name));
    return values;
}

void restore(ArithmeticFixture& warp, const FormInstance& instance, const std::vector<Bytes>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) warp.set_bytes(instance.registers()[i], values[i]);
}

std::string replaced(std::string text, const std::string& old, const std::string& fresh) {
    return text.replace(text.find(old), old.size(), fresh);
}

}  // namespace

TEST_CASE("every form of the list is supported") {
    std::size_t count = 0;
    for (const SupportedForm& form : supported_forms()) {
        const FormInstance instance(form);
        ArithmeticFixture warp;
        declare_registers(warp, instance);
        const Result<Selection> selection = warp.select(instance.text());
        CHECK_MESSAGE(bool(selection), instance.text()
                                           << " is refused as " << (selection ? "" : selection.error().message));
        ++count;
    }
    CHECK(count > 1500);
}

TEST_CASE("lanes that are not active keep their values, whatever the form") {
    std::mt19937_64 random(20251129);
    for (const SupportedForm& form : supported_forms()) {
        if (exchanges_lanes(form.name)) continue;
        const FormInstance instance(form);
        ArithmeticFixture warp;
        declare_registers(warp, instance);
        const Operation operation = warp.decode(instance.text());
        for (const LaneMask lanes :
             {LaneMask{1}, LaneMask{0x80000000u}, LaneMask{0x5a3c0ff1u}, LaneMask{0xfffffffeu}}) {
            fill_registers(warp, instance, random);
            const std::vector<Bytes> before = values_of(warp, instance);
            warp.execute(operation);
            const std::vector<Bytes> all = values_of(warp, instance);
            restore(warp, instance, before);
            warp.execute(operation, lanes);
            const std::vector<Bytes> some = values_of(warp, instance);
            for (std::size_t i = 0; i < some.size(); ++i) {
                const Bytes expected =
                    instance.writes(i) ? blend(instance.types()[i], before[i], all[i], lanes) : before[i];
                CHECK_MESSAGE(some[i] == expected, instance.text() << ", operand " << i << ", lanes " << lanes);
            }
        }
    }
}

TEST_CASE("the destination may be any source of its type, whatever the form") {
    std::mt19937_64 random(20251130);
    for (const SupportedForm& form : supported_forms()) {
        const FormInstance instance(form);
        if (instance.text().find('{') != std::string::npos) continue;
        ArithmeticFixture warp;
        declare_registers(warp, instance);
        for (std::size_t i = instance.destinations(); i < instance.registers().size(); ++i) {
            if (instance.types()[i] != instance.types()[0] || instance.registers()[i] == "carry") continue;
            fill_registers(warp, instance, random);
            const std::vector<Bytes> before = values_of(warp, instance);
            warp.execute(instance.text());
            const Bytes expected = warp.bytes(instance.registers()[0]);
            restore(warp, instance, before);
            warp.execute(replaced(instance.text(), instance.registers()[0], instance.registers()[i]));
            const Bytes actual = warp.bytes(instance.registers()[i]);
            const Bytes wanted = blend(instance.types()[0], before[i], expected, all_lanes);
            CHECK_MESSAGE(actual == wanted, instance.text() << " into operand " << i);
        }
    }
}

TEST_CASE("forms that are not PTX, or not supported, are refused by name") {
    ArithmeticFixture warp;
    for (const char* name : {"%h", "%h1", "%h2"}) warp.declare(name, "b16");
    for (const char* name : {"%r", "%r1", "%r2", "%r3", "%r4"}) warp.declare(name, "b32");
    for (const char* name : {"%l", "%l1", "%l2"}) warp.declare(name, "b64");
    for (const char* name : {"%f", "%f1"}) warp.declare(name, "f32");
    for (const char* name : {"%p", "%p1"}) warp.declare(name, "pred");
    const auto refusal = [&](const std::string& text) {
        const Result<Selection> selection = warp.select(text);
        return selection ? std::string("supported") : selection.error().message;
    };
    CHECK(refusal("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 %r, %r1") ==
          "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32");
    CHECK(refusal("add.s8 %r, %r1, %r2") == "add.s8");
    CHECK(refusal("add.sat.u32 %r, %r1, %r2") == "add.sat.u32");
    CHECK(refusal("add.rn.s32 %r, %r1, %r2") == "add.rn.s32");
    CHECK(refusal("mul.s32 %r, %r1, %r2") == "mul.s32");
    CHECK(refusal("mul.wide.s64 %l, %l1, %l2") == "mul.wide.s64");
    CHECK(refusal("cvt.f16.f32 %h, %f1") == "cvt.f16.f32");
    CHECK(refusal("cvt.rn.f32.f16 %f, %h1") == "cvt.rn.f32.f16");
    CHECK(refusal("cvt.s32.f32 %r, %f1") == "cvt.s32.f32");
    CHECK(refusal("cvt.sat.u32.u16 %r, %h1") == "cvt.sat.u32.u16");
    CHECK(refusal("cvt.rzi.u8.bf16 %h, %h1") == "cvt.rzi.u8.bf16");
    CHECK(refusal("cvt.rn.bf16.s8 %h, %h1") == "cvt.rn.bf16.s8");
    CHECK(refusal("cvt.rzi.rn.s32.f32 %r, %f1") == "cvt.rzi.rn.s32.f32");
    CHECK(refusal("cvt.rs.f16x2.f32 %r, %f, %f1, %r1") == "cvt.rs.f16x2.f32");
    CHECK(refusal("setp.ltu.s32 %p, %r1, %r2") == "setp.ltu.s32");
    CHECK(refusal("setp.lo.s32 %p, %r1, %r2") == "setp.lo.s32");
    CHECK(refusal("lop3.or.b32 %r|%p, %r1, %r2, %r3, 3, %p1") == "lop3.or.b32");
    CHECK(refusal("vabsdiff4.u32.s32.u32 %r, %r1, %r2, %r3") == "vabsdiff4.u32.s32.u32");
    CHECK(refusal("neg.u32 %r, %r1") == "neg.u32");
    CHECK(refusal("shf.l.b32 %r, %r1, %r2, %r3") == "shf.l.b32");
    CHECK(refusal("cvta.param.u64 %l, %l1") == "cvta.param.u64");
    CHECK(refusal("frobnicate.b32 %r, %r1") == "frobnicate.b32");
}

TEST_CASE("operands of the wrong number or width are refused") {
    ArithmeticFixture warp;
    warp.declare("%h", "b16");
    warp.declare("%r", "b32");
    warp.declare("%l", "b64");
    warp.declare("%p", "pred");
    const auto refusal = [&](const std::string& text) {
        const Result<Selection> selection = warp.select(text);
        return selection ? std::string("supported") : selection.error().message;
    };
    CHECK(refusal("add.s32 %r, %r") == "add.s32 with 2 operands");
    CHECK(refusal("add.s32 %r, %r, %l") == "add.s32 whose operand 3 is a register of type .b64");
    CHECK(refusal("add.s32 %h, %r, %r") == "add.s32 whose operand 1 is a register of type .b16");
    CHECK(refusal("selp.b32 %r, %r, %r, %r") == "selp.b32 whose operand 4 is a register of type .b32");
    CHECK(refusal("and.pred %p, %p, %r") == "and.pred whose operand 3 is a register of type .b32");
    CHECK(refusal("cvt.u32.u64 %r, %r") == "cvt.u32.u64 whose operand 2 is a register of type .b32");
    CHECK(refusal("mov.b64 %l, {%r, %h}") == "mov.b64 whose operand 2 has a register of type .b16");
    CHECK(refusal("mov.b64 {%h, %h}, %l") == "mov.b64 whose operand 1 has a register of type .b16");
    CHECK(refusal("add.s32 %r, %r, !%p") == "add.s32");
    CHECK(refusal("add.s32 _, %r, %r") == "add.s32 whose operand 1 is _");
}
