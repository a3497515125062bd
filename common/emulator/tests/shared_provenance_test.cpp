/// Accesses that leave the shared variable they were made from, and land in another one.

#include "check_fixture.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

/// `first` has the bytes 0 to 255 of shared memory, `second` those from 256 to 4351.
const std::set<Place> outside{{FaultKind::out_of_bounds, 10, 0}};

/// `address` computes this thread's address in %r10; the word `offset` bytes behind it is written.
std::set<Place> write_at(const std::string& address, const std::string& offset) {
    return faults_of(address + "LINE 10\nst.shared.u32 [%r10+" + offset + "], %r0;\n");
}

std::string message_of(const std::string& body) {
    const LaunchReport report = run_checked(body);
    REQUIRE(report.faults.size() == 1);
    return report.faults[0].message;
}

bool says(const std::string& message, const char* text) {
    INFO(message);
    return message.find(text) != std::string::npos;
}

const std::string in_first = "add.s32 %r10, %r4, %r3;\n";
const std::string in_second = "mov.u32 %r11, second;\nadd.s32 %r10, %r11, %r3;\n";

/// A module with a kernel `k` of one thread and shared variables outside of it.
LaunchReport run_module(const std::string& variables, const std::string& body, std::uint32_t dynamic_bytes = 0) {
    TestProgram program(module_of(variables + ".visible .entry k()\n{\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n" + body +
                                  "\nret;\n}\n"));
    program.config.dynamic_shared_bytes = dynamic_bytes;
    return program.launch("k", {1, 1, 1}, {1, 1, 1});
}

}  // namespace

TEST_CASE("the end of a variable is a bound, though another one lies behind") {
    CHECK(write_at(in_first, "0") == nothing);
    CHECK(write_at(in_first, "4") == outside);
    CHECK(write_at(in_second, "3840") == nothing);
    CHECK(write_at(in_second, "3844") == outside);
}

TEST_CASE("the begin of a variable is a bound") {
    CHECK(write_at(in_second, "-4") == outside);
    CHECK(write_at(in_second + "sub.s32 %r10, %r10, 4;\n", "0") == outside);
}

TEST_CASE("an address outside is no fault as long as the bytes accessed are inside") {
    CHECK(write_at(in_second + "add.s32 %r10, %r10, -256;\n", "256") == nothing);
    CHECK(write_at(in_first + "add.s32 %r10, %r10, 4096;\n", "-4096") == nothing);
}

TEST_CASE("a fault names the variable that was left, and the one that was hit") {
    CHECK(says(message_of("st.shared.u32 [first+256], 1;\n"),
               "shared offset 256 is just past the end of the 256-byte variable first, in second"));
    CHECK(says(message_of("ld.shared.v2.u32 {%r10, %r11}, [second+-8];\n"),
               "shared offset 248 is 8 bytes before the start of the 4096-byte variable second, in first"));
}

TEST_CASE("addresses are followed through the arithmetic that makes them") {
    const auto in_first_by = [](const std::string& address) { return write_at(address, "256"); };
    CHECK(in_first_by("mad.lo.s32 %r10, %r0, 4, %r4;\n") == outside);
    CHECK(in_first_by("xor.b32 %r10, %r5, 4;\n") == outside);
    CHECK(in_first_by("and.b32 %r10, %r5, -4;\n") == outside);
    CHECK(in_first_by("cvt.u64.u32 %rd10, %r5;\ncvt.u32.u64 %r10, %rd10;\n") == outside);
    CHECK(in_first_by("setp.eq.u32 %p1, %r0, 3;\nselp.b32 %r10, %r4, %r5, %p1;\n") == outside);
}

TEST_CASE("a pointer that a loop moves on stays in its variable") {
    const auto steps = [](const std::string& count) {
        return faults_of(R"(
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra END;
    mov.u32 %r10, first;
    mov.u32 %r11, 0;
LOOP:
LINE 10
    st.shared.u32 [%r10], %r11;
    add.s32 %r10, %r10, 4;
    add.s32 %r11, %r11, 1;
    setp.lt.u32 %p1, %r11, )" +
                         count + R"(;
    @%p1 bra LOOP;
END:
)");
    };
    CHECK(steps("64") == nothing);
    CHECK(steps("65") == outside);
}

TEST_CASE("a generic address made of a shared one has the same bounds") {
    const std::string generic = R"(
    mov.u64 %rd10, first;
    cvta.shared.u64 %rd11, %rd10;
    cvt.u64.u32 %rd12, %r3;
    add.s64 %rd13, %rd11, %rd12;
LINE 10
)";
    CHECK(faults_of(generic + "st.u32 [%rd13], %r0;\n") == nothing);
    CHECK(faults_of(generic + "st.u32 [%rd13+4], %r0;\n") == outside);
}

TEST_CASE("where the variable is not certain, only the block's shared memory is a bound") {
    // One of two variables, a number that is no address here, and arithmetic that is not followed.
    CHECK(write_at("setp.ge.u32 %p1, %r0, 0;\nmov.u32 %r11, second;\nselp.b32 %r12, %r4, %r11, %p1;\n"
                   "add.s32 %r10, %r12, %r3;\n",
                   "256") == nothing);
    CHECK(write_at("mov.u32 %r10, %r5;\nsetp.eq.u32 %p1, %r0, 99;\n@%p1 mov.u32 %r10, 0;\n", "256") == nothing);
    CHECK(write_at("shr.u32 %r11, %r5, 2;\nshl.b32 %r10, %r11, 2;\n", "256") == nothing);
    CHECK(write_at("mov.u32 %r11, second;\nsub.s32 %r11, %r11, %r4;\nadd.s32 %r10, %r5, %r11;\n", "0") == nothing);
}

TEST_CASE("a pointer handed to a function, or loaded from memory, is not certain") {
    const std::string function = R"(
.func (.param .b32 result) next(.param .b32 address)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r0, [address];
    add.s32 %r1, %r0, 8;
    st.shared.u32 [%r1], 1;
    st.param.b32 [result], %r1;
    ret;
}
)";
    const std::string call = R"(
    .param .b32 argument;
    .param .b32 value;
    mov.u32 %r0, a;
    mov.u32 %r2, b;
    st.param.b32 [argument], %r0;
    call (value), next, (argument);
    ld.param.b32 %r1, [value];
    st.shared.u32 [%r1+4], 1;
)";
    const LaunchReport report = run_module(".shared .align 4 .b8 a[8];\n.shared .align 4 .b8 b[8];\n" + function, call);
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
}

TEST_CASE("variables of a scope inside of the kernel") {
    const auto inner = [](const std::string& offset) {
        return faults_of(
            "{\n.shared .align 4 .b8 inner[256];\n.shared .align 4 .b8 behind[256];\nmov.u32 %r11, behind;\n"
            "st.shared.u32 [%r11], 1;\nmov.u32 %r10, inner;\nadd.s32 %r10, %r10, %r3;\nLINE 10\n"
            "st.shared.u32 [%r10+" +
            offset + "], %r0;\n}\n");
    };
    CHECK(inner("4").count({FaultKind::out_of_bounds, 10, 0}) == 1);
    CHECK(inner("0").count({FaultKind::out_of_bounds, 10, 0}) == 0);
}

TEST_CASE("dynamic shared memory begins behind the static part and ends where the launch says") {
    const std::string variables = ".shared .align 4 .b8 a[16];\n.extern .shared .align 4 .b8 tail[];\n";
    const auto store_at = [&](const std::string& offset) {
        return run_module(variables, "mov.u32 %r1, a;\nmov.u32 %r0, tail;\nst.shared.u32 [%r0+" + offset + "], 1;\n",
                          64);
    };
    CHECK(places_of(store_at("0")) == nothing);
    CHECK(places_of(store_at("60")) == nothing);
    const LaunchReport before = store_at("-4");
    REQUIRE(before.faults.size() == 1);
    CHECK(says(before.faults[0].message, "is 4 bytes before the start of the 64-byte variable tail, in a"));
    const LaunchReport behind = store_at("64");
    REQUIRE(behind.faults.size() == 1);
    CHECK(says(behind.faults[0].message, "is just past the end of the 64-byte variable tail"));
}
