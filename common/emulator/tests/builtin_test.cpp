#include <algorithm>

#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

/// A module-scope string.
std::string string_variable(const std::string& name, const std::string& text) {
    std::string bytes;
    for (const char character : text) bytes += std::to_string(static_cast<int>(character)) + ", ";
    return ".global .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {" + bytes + "0};\n";
}

const char* const declarations = R"(
.extern .func (.param .b32 func_retval0) vprintf(.param .b64 vprintf_param_0, .param .b64 vprintf_param_1);
.extern .func __assertfail(.param .b64 __assertfail_param_0, .param .b64 __assertfail_param_1,
    .param .b32 __assertfail_param_2, .param .b64 __assertfail_param_3, .param .b64 __assertfail_param_4);
.extern .func (.param .b64 func_retval0) malloc(.param .b64 malloc_param_0);
.extern .func free(.param .b64 free_param_0);
)";

/// printf(format, arguments in a buffer that `fill` writes to [%rd3...]), the result in %r1.
std::string print(const std::string& fill) {
    return R"(
        .local .align 8 .b8 buffer[64];
        mov.u64 %rd3, buffer;
        cvta.local.u64 %rd4, %rd3;
    )" + fill +
           R"(
        mov.u64 %rd5, format;
        cvta.global.u64 %rd5, %rd5;
        {
            .param .b64 param0;
            st.param.b64 [param0], %rd5;
            .param .b64 param1;
            st.param.b64 [param1], %rd4;
            .param .b32 retval0;
            call.uni (retval0), vprintf, (param0, param1);
            ld.param.b32 %r1, [retval0];
        }
    )";
}

std::string printed(const std::string& format, const std::string& fill, std::uint32_t threads,
                    std::uint32_t arguments) {
    TestProgram program(
        kernel_of(print(fill), declarations + string_variable("format", format) + string_variable("word", "shared")));
    std::string text;
    program.config.print = [&](std::string_view piece) { text += piece; };
    DeviceArray<std::uint32_t> out(program.memory, threads, 99);
    const LaunchReport report = program.launch("k", {1, 1, 1}, {threads, 1, 1}, out.address());
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    CHECK(out[0] == arguments);
    return text;
}

}  // namespace

TEST_CASE("printf: each lane its own line, in order") {
    CHECK(printed("lane %d\n", "st.local.u32 [%rd3], %r2;\n", 3, 1) == "lane 0\nlane 1\nlane 2\n");
}

TEST_CASE("printf: all kinds of arguments at their places") {
    const std::string fill = R"(
        mov.u32 %r3, -7;
        st.local.u32 [%rd3], %r3;
        mov.f64 %rd6, 0d3FF8000000000000;
        st.local.u64 [%rd3+8], %rd6;
        mov.u32 %r3, 88;
        st.local.u32 [%rd3+16], %r3;
        mov.u64 %rd6, word;
        cvta.global.u64 %rd6, %rd6;
        st.local.u64 [%rd3+24], %rd6;
        mov.u64 %rd6, -1;
        st.local.u64 [%rd3+32], %rd6;
        mov.u32 %r3, 255;
        st.local.u32 [%rd3+40], %r3;
        mov.u32 %r3, 6;
        st.local.u32 [%rd3+44], %r3;
        mov.u32 %r3, 42;
        st.local.u32 [%rd3+48], %r3;
    )";
    CHECK(printed("%d %.2f %c %s %llu %#x [%*d] 100%%", fill, 1, 8) ==
          "-7 1.50 X shared 18446744073709551615 0xff [    42] 100%");
}

TEST_CASE("printf: a conversion that C does not have is printed as it stands, and %n writes nothing") {
    CHECK(printed("%y|%n|%", "", 1, 0) == "%y|%n|");
}

TEST_CASE("printf from several workers comes one call at a time") {
    TestProgram program(
        kernel_of(print("st.local.u32 [%rd3], %r0;\n"), declarations + string_variable("format", "%u\n")));
    program.threads = std::make_unique<StdThreads>(4);
    std::string text;
    program.config.print = [&](std::string_view piece) { text += piece; };
    DeviceArray<std::uint32_t> out(program.memory, 50 * 32, 0);
    program.launch("k", {50, 1, 1}, {32, 1, 1}, out.address());
    CHECK(std::count(text.begin(), text.end(), '\n') == 50 * 32);
}

TEST_CASE("printf with a format outside of memory") {
    TestProgram program(kernel_of(R"(
        {
            .param .b64 param0;
            st.param.b64 [param0], 4096;
            .param .b64 param1;
            st.param.b64 [param1], 0;
            .param .b32 retval0;
            call.uni (retval0), vprintf, (param0, param1);
        }
    )",
                                  declarations));
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    const LaunchReport report = program.launch("k", {}, {32, 1, 1}, out.address());
    REQUIRE(report.faults.size() == 1);
    CHECK(report.status == LaunchStatus::illegal_address);
}

TEST_CASE("a failed assertion says what failed, where, and for which thread") {
    TestProgram program(kernel_of(R"(
        setp.ne.u32 %p1, %r0, 35;
        @%p1 bra STORE;
        mov.u64 %rd3, condition;
        cvta.global.u64 %rd3, %rd3;
        mov.u64 %rd4, file;
        cvta.global.u64 %rd4, %rd4;
        mov.u64 %rd5, function;
        cvta.global.u64 %rd5, %rd5;
        {
            .param .b64 param0;
            st.param.b64 [param0], %rd3;
            .param .b64 param1;
            st.param.b64 [param1], %rd4;
            .param .b32 param2;
            st.param.b32 [param2], 17;
            .param .b64 param3;
            st.param.b64 [param3], %rd5;
            .param .b64 param4;
            st.param.b64 [param4], 1;
            call.uni __assertfail, (param0, param1, param2, param3, param4);
        }
    )",
                                  declarations + string_variable("condition", "x > 0") +
                                      string_variable("file", "a.cu") + string_variable("function", "void k(int *)")));
    DeviceArray<std::uint32_t> out(program.memory, 64, 0);
    const LaunchReport report = program.launch("k", {}, {64, 1, 1}, out.address());
    CHECK(report.status == LaunchStatus::assertion);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::assertion);
    CHECK(report.faults[0].thread == Dim3{35, 0, 0});
    CHECK(report.faults[0].message.find("a.cu:17: void k(int *): Assertion `x > 0` failed") != std::string::npos);
}

TEST_CASE("malloc and free on the device") {
    const auto values = run_threads(R"(
        {
            .param .b64 param0;
            st.param.b64 [param0], 16;
            .param .b64 retval0;
            call.uni (retval0), malloc, (param0);
            ld.param.b64 %rd3, [retval0];
        }
        st.u32 [%rd3+12], %r0;
        ld.u32 %r1, [%rd3+12];
        {
            .param .b64 param0;
            st.param.b64 [param0], %rd3;
            call.uni free, (param0);
        }
    )",
                                    64, nullptr, 1, declarations);
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == i);
}
