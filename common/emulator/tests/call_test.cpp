#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

/// A call of a function of one 32-bit argument and result: %RESULT = NAME(%ARGUMENT).
std::string call(const std::string& name, const std::string& result, const std::string& argument) {
    return R"(
    {
        .param .b32 param0;
        st.param.b32 [param0+0], )" +
           argument + R"(;
        .param .b32 retval0;
        call.uni (retval0), )" +
           name + R"(, (param0);
        ld.param.b32 )" +
           result + R"(, [retval0+0];
    })";
}

const std::string twice = R"(
.func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [twice_param_0];
    shl.b32 %r2, %r1, 1;
    st.param.b32 [func_retval0+0], %r2;
    ret;
}
)";

const std::string thrice = R"(
.func (.param .b32 func_retval0) thrice(.param .b32 thrice_param_0)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [thrice_param_0];
    mul.lo.u32 %r2, %r1, 3;
    st.param.b32 [func_retval0+0], %r2;
    ret;
}
)";

/// int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
const std::string fibonacci = R"(
.func (.param .b32 func_retval0) fib(.param .b32 fib_param_0)
{
    .reg .pred %p<2>;
    .reg .b32 %r<10>;
    ld.param.u32 %r1, [fib_param_0];
    setp.lt.s32 %p1, %r1, 2;
    mov.u32 %r2, %r1;
    @%p1 bra DONE;
    sub.u32 %r3, %r1, 1;
)" + call("fib", "%r4", "%r3") +
                              R"(
    sub.u32 %r5, %r1, 2;
)" + call("fib", "%r6", "%r5") +
                              R"(
    add.u32 %r2, %r4, %r6;
DONE:
    st.param.b32 [func_retval0+0], %r2;
    ret;
}
)";

std::uint32_t reference_fibonacci(std::uint32_t n) {
    return n < 2 ? n : reference_fibonacci(n - 1) + reference_fibonacci(n - 2);
}

LaunchReport run_one(TestProgram& program, std::uint32_t threads) {
    DeviceArray<std::uint32_t> out(program.memory, threads, 0);
    return program.launch("k", {1, 1, 1}, {threads, 1, 1}, out.address());
}

}  // namespace

TEST_CASE("a call hands over its argument and gets the result") {
    const auto values = run_threads("add.u32 %r3, %r0, 1;\n" + call("twice", "%r1", "%r3"), 64, nullptr, 1, twice);
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == 2 * (i + 1));
}

TEST_CASE("the arms of a branch call the same function") {
    const auto values = run_threads(R"(
        setp.lt.u32 %p1, %r2, 9;
        @%p1 bra LOW;
    )" + call("twice", "%r1", "%r0") + R"(
        bra.uni STORE;
    LOW:
        add.u32 %r3, %r0, 1000;
    )" + call("twice", "%r1", "%r3"),
                                    32, nullptr, 1, twice);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(values[i] == (i < 9 ? 2 * (i + 1000) : 2 * i));
}

TEST_CASE("recursion with a depth that differs by lane") {
    LaunchReport report;
    const auto values = run_threads("and.b32 %r3, %r2, 15;\n" + call("fib", "%r1", "%r3"), 64, &report, 1, fibonacci);
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == reference_fibonacci(i & 15));
}

TEST_CASE("recursion under random schedules") {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        TestProgram program(kernel_of("and.b32 %r3, %r2, 7;\n" + call("fib", "%r1", "%r3"), fibonacci));
        DeviceArray<std::uint32_t> out(program.memory, 96, 0);
        program.config.schedule = {false, seed};
        CHECK(program.launch("k", {1, 1, 1}, {96, 1, 1}, out.address()).faults.empty());
        for (std::uint32_t i = 0; i < 96; ++i) CHECK(out[i] == reference_fibonacci(i & 7));
    }
}

TEST_CASE("lanes return early from a function, at different depths") {
    // count(n): n == 0 ? 0 : (n is odd ? 1 + count(n - 1) : count(n / 2)), with a return in the middle
    const std::string count = R"(
.func (.param .b32 func_retval0) count(.param .b32 count_param_0)
{
    .reg .pred %p<3>;
    .reg .b32 %r<10>;
    ld.param.u32 %r1, [count_param_0];
    mov.u32 %r2, 0;
    st.param.b32 [func_retval0+0], %r2;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 ret;
    and.b32 %r3, %r1, 1;
    setp.eq.u32 %p2, %r3, 0;
    @%p2 bra EVEN;
    sub.u32 %r4, %r1, 1;
)" + call("count", "%r5", "%r4") +
                              R"(
    add.u32 %r5, %r5, 1;
    st.param.b32 [func_retval0+0], %r5;
    ret;
EVEN:
    shr.u32 %r4, %r1, 1;
)" + call("count", "%r5", "%r4") +
                              R"(
    st.param.b32 [func_retval0+0], %r5;
    ret;
}
)";
    const auto values = run_threads(call("count", "%r1", "%r0"), 256, nullptr, 1, count);
    for (std::uint32_t i = 0; i < 256; ++i) CHECK(values[i] == static_cast<std::uint32_t>(__builtin_popcount(i)));
}

TEST_CASE("a recursive function's local variables are its own in every activation, and may be pointed to") {
    // sum(pointer, n): adds n to *pointer; with n > 0 hands a pointer to its own variable on
    const std::string sum = R"(
.func sum(.param .b64 sum_param_0, .param .b32 sum_param_1)
{
    .local .align 8 .b8 depot[8];
    .reg .pred %p<2>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<10>;
    mov.u64 %rd1, depot;
    cvta.local.u64 %rd2, %rd1;
    ld.param.u64 %rd3, [sum_param_0];
    ld.param.u32 %r1, [sum_param_1];
    mov.u32 %r2, 0;
    st.local.u32 [%rd1], %r2;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra DONE;
    sub.u32 %r3, %r1, 1;
    {
        .param .b64 param0;
        st.param.b64 [param0], %rd2;
        .param .b32 param1;
        st.param.b32 [param1], %r3;
        call.uni sum, (param0, param1);
    }
DONE:
    ld.local.u32 %r4, [depot];
    add.u32 %r4, %r4, %r1;
    ld.u32 %r5, [%rd3];
    add.u32 %r5, %r5, %r4;
    st.u32 [%rd3], %r5;
    ret;
}
)";
    const auto values = run_threads(R"(
        .local .align 4 .b8 total[4];
        mov.u64 %rd3, total;
        mov.u32 %r3, 0;
        st.local.u32 [%rd3], %r3;
        cvta.local.u64 %rd4, %rd3;
        and.b32 %r4, %r2, 7;
        {
            .param .b64 param0;
            st.param.b64 [param0], %rd4;
            .param .b32 param1;
            st.param.b32 [param1], %r4;
            call.uni sum, (param0, param1);
        }
        ld.local.u32 %r1, [%rd3];
    )",
                                    64, nullptr, 1, sum);
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == (i & 7) * ((i & 7) + 1) / 2);
}

TEST_CASE("calls by pointer go to the function of each lane") {
    LaunchReport report;
    const auto values = run_threads(R"(
        setp.lt.u32 %p1, %r2, 12;
        mov.u64 %rd3, twice;
        mov.u64 %rd4, thrice;
        selp.b64 %rd5, %rd3, %rd4, %p1;
        {
            .param .b32 param0;
            st.param.b32 [param0], %r0;
            .param .b32 retval0;
            PROTOTYPE: .callprototype (.param .b32 _) _ (.param .b32 _);
            call (retval0), %rd5, (param0), PROTOTYPE;
            ld.param.b32 %r1, [retval0];
        }
        add.u32 %r1, %r1, 1;
    )",
                                    32, &report, 1, twice + thrice);
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(values[i] == (i < 12 ? 2 : 3) * i + 1);
    // both functions once, the call twice, all else together
    CHECK(report.totals[Counter::inst_executed] == 8 + 5 + 2 + 2 * 4 + 2 + 4);
}

TEST_CASE("calls by a table of functions in constant memory") {
    const auto values =
        run_threads(R"(
        and.b32 %r3, %r2, 1;
        mul.wide.u32 %rd3, %r3, 8;
        mov.u64 %rd4, table;
        add.s64 %rd3, %rd4, %rd3;
        ld.const.u64 %rd5, [%rd3];
        {
            .param .b32 param0;
            st.param.b32 [param0], %r0;
            .param .b32 retval0;
            PROTOTYPE: .callprototype (.param .b32 _) _ (.param .b32 _);
            call (retval0), %rd5, (param0), PROTOTYPE;
            ld.param.b32 %r1, [retval0];
        }
    )",
                    32, nullptr, 1, twice + thrice + ".const .align 8 .u64 table[2] = {twice, thrice};\n");
    for (std::uint32_t i = 0; i < 32; ++i) CHECK(values[i] == ((i & 1) == 0 ? 2 : 3) * i);
}

TEST_CASE("a call by a pointer to nothing") {
    TestProgram program(kernel_of(R"(
        mov.u64 %rd5, 64;
        PROTOTYPE: .callprototype _ ();
        call %rd5, (), PROTOTYPE;
    )"));
    const LaunchReport report = run_one(program, 32);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.status == LaunchStatus::illegal_address);
    CHECK(report.faults[0].message.find("0x00000040") != std::string::npos);
}

TEST_CASE("recursion without end is a fault") {
    TestProgram program(kernel_of("call.uni forever;\n", R"(
.func forever()
{
    call.uni forever;
    ret;
}
)"));
    const LaunchReport report = run_one(program, 64);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.status == LaunchStatus::illegal_address);
    CHECK(report.faults[0].message.find("recursion") != std::string::npos);
}

TEST_CASE("lanes exit inside of a function") {
    const auto values = run_threads(R"(
        call.uni leave;
        mov.u32 %r1, 1;
    )",
                                    64, nullptr, 1, R"(
.func leave()
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    mov.u32 %r1, %laneid;
    setp.lt.u32 %p1, %r1, 3;
    @%p1 exit;
    ret;
}
)");
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == (i % 32 < 3 ? 0xdead : 1));
}

TEST_CASE("a function that no module defines is a fault when it is called, not before") {
    const std::string declaration = ".extern .func missing();\n";
    const auto values = run_threads(R"(
        setp.eq.u32 %p1, %r2, 99;
        @!%p1 bra STORE;
        call.uni missing;
    )",
                                    32, nullptr, 1, declaration);
    CHECK(values[0] == 0);
    TestProgram program(kernel_of("call.uni missing;\n", declaration));
    const LaunchReport report = run_one(program, 32);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::unsupported);
    CHECK(report.faults[0].message.find("missing") != std::string::npos);
}

TEST_CASE("a block barrier inside of a function") {
    const auto values = run_threads(R"(
        mov.u32 %r4, words;
        shl.b32 %r5, %r0, 2;
        add.u32 %r5, %r4, %r5;
        st.shared.u32 [%r5], %r0;
        call.uni meet;
        xor.b32 %r6, %r0, 63;
        shl.b32 %r6, %r6, 2;
        add.u32 %r6, %r4, %r6;
        ld.shared.u32 %r1, [%r6];
    )",
                                    64, nullptr, 1, R"(
.shared .align 4 .b8 words[256];
.func meet()
{
    bar.sync 0;
    ret;
}
)");
    for (std::uint32_t i = 0; i < 64; ++i) CHECK(values[i] == (i ^ 63));
}
