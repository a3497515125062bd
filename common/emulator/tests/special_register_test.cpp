#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

/// What `mov.u32 %r1, NAME` gives each of 40 threads of 2 blocks.
std::vector<std::uint32_t> read(const std::string& name) {
    return run_threads("mov.u32 %r1, " + name + ";\n", 40, nullptr, 2);
}

std::uint32_t lane_of(std::size_t i) {
    return static_cast<std::uint32_t>(i % 40 % 32);
}

}  // namespace

TEST_CASE("positions and sizes") {
    const auto tid = read("%tid.x");
    const auto tid_y = read("%tid.y");
    const auto ntid = read("%ntid.x");
    const auto ctaid = read("%ctaid.x");
    const auto nctaid = read("%nctaid.x");
    const auto lane = read("%laneid");
    const auto warp = read("%warpid");
    for (std::size_t i = 0; i < 80; ++i) {
        CHECK(tid[i] == i % 40);
        CHECK(tid_y[i] == 0);
        CHECK(ntid[i] == 40);
        CHECK(ctaid[i] == i / 40);
        CHECK(nctaid[i] == 2);
        CHECK(lane[i] == lane_of(i));
        CHECK(warp[i] == i % 40 / 32);
    }
}

TEST_CASE("lane masks") {
    const auto equal = read("%lanemask_eq");
    const auto less = read("%lanemask_lt");
    const auto less_equal = read("%lanemask_le");
    const auto greater = read("%lanemask_gt");
    const auto greater_equal = read("%lanemask_ge");
    for (std::size_t i = 0; i < 80; ++i) {
        const std::uint64_t bit = std::uint64_t{1} << lane_of(i);
        CHECK(equal[i] == bit);
        CHECK(less[i] == bit - 1);
        CHECK(less_equal[i] == (bit | (bit - 1)));
        CHECK(greater[i] == (0xffffffff & ~(bit | (bit - 1))));
        CHECK(greater_equal[i] == (0xffffffff & ~(bit - 1)));
    }
}

TEST_CASE("a clock goes on, and is the same in every run") {
    const auto ticks = [](const std::string& reads) { return run_threads(reads + "\nsub.u32 %r1, %r4, %r3;\n", 32); };
    const auto run = [&] { return ticks("mov.u32 %r3, %clock;\nadd.u32 %r5, %r0, 1;\nmov.u32 %r4, %clock;"); };
    CHECK(run()[0] == 2);
    CHECK(run() == run());
    const auto wide = run_threads(R"(
        mov.u64 %rd3, %clock64;
        mov.u64 %rd4, %globaltimer;
        setp.gt.u64 %p1, %rd4, %rd3;
        selp.u32 %r1, 1, 0, %p1;
    )",
                                  32);
    CHECK(wide[31] == 1);
}

TEST_CASE("numbers of the environment are 0, and unknown registers are named when they are read") {
    CHECK(read("%envreg3")[7] == 0);
    TestProgram program(kernel_of("mov.u32 %r1, %pm0;\n"));
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    const LaunchReport report = program.launch("k", {}, {32, 1, 1}, out.address());
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].message.find("%pm0") != std::string::npos);
}

TEST_CASE("a kernel's parameters: structures, small types, addresses") {
    struct Pair {
        std::uint32_t first;
        std::uint32_t second;
    };
    TestProgram program(module_of(R"(
.visible .entry k(.param .u64 k_param_0, .param .u8 k_param_1, .param .align 8 .b8 k_param_2[8], .param .f64 k_param_3)
{
    .reg .b16 %rs<2>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<10>;
    .reg .f64 %fd<3>;
    ld.param.u64 %rd1, [k_param_0];
    ld.param.u8 %rs1, [k_param_1];
    cvt.u32.u16 %r1, %rs1;
    ld.param.v2.u32 {%r2, %r3}, [k_param_2];
    ld.param.f64 %fd1, [k_param_3];
    cvt.rzi.u32.f64 %r4, %fd1;
    mov.b64 %rd2, k_param_2;
    ld.param.u32 %r5, [%rd2+4];
    st.global.u32 [%rd1], %r1;
    st.global.u32 [%rd1+4], %r2;
    st.global.u32 [%rd1+8], %r3;
    st.global.u32 [%rd1+12], %r4;
    st.global.u32 [%rd1+16], %r5;
    ret;
}
)"));
    DeviceArray<std::uint32_t> out(program.memory, 5, 0);
    const LaunchReport report = program.launch("k", {}, {1, 1, 1}, out.address(), std::uint8_t{200}, Pair{3, 4}, 17.5);
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    CHECK(out.values() == std::vector<std::uint32_t>{200, 3, 4, 17, 4});
}

TEST_CASE("immediates become values of the operation's type") {
    const auto values = run_threads(R"(
        .reg .f32 %f<4>;
        .reg .f64 %fd<4>;
        mov.f32 %f1, 0f40000000;
        add.f32 %f1, %f1, 1.5;
        mov.f64 %fd1, 0d4008000000000000;
        add.f64 %fd1, %fd1, 0.5;
        cvt.rn.f32.f64 %f2, %fd1;
        add.f32 %f1, %f1, %f2;
        cvt.rzi.s32.f32 %r1, %f1;
        add.s32 %r1, %r1, -3;
        mov.pred %p1, 1;
        @%p1 add.s32 %r1, %r1, 100;
    )",
                                    32);
    CHECK(values[0] == 104);
}
