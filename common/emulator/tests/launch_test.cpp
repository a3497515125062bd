#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

const char* const store_number = "mov.u32 %r1, %r0;\n";

/// A kernel with a barrier, divergence, shared and global accesses and atomics.
const std::string mixed = R"(
    mov.u32 %r3, words;
    shl.b32 %r4, %r22, 2;
    add.u32 %r4, %r3, %r4;
    st.shared.u32 [%r4], %r0;
    bar.sync 0;
    and.b32 %r5, %r0, 7;
LOOP:
    add.u32 %r1, %r1, %r5;
    sub.u32 %r5, %r5, 1;
    setp.gt.s32 %p1, %r5, 0;
    @%p1 bra LOOP;
    xor.b32 %r6, %r22, 1;
    shl.b32 %r6, %r6, 2;
    add.u32 %r6, %r3, %r6;
    ld.shared.u32 %r7, [%r6];
    add.u32 %r1, %r1, %r7;
    red.shared.add.u32 [words], 1;
)";

const char* const shared_words = ".shared .align 4 .b8 words[4096];\n";

LaunchReport launch_with(unsigned workers, const Schedule& schedule, std::vector<std::uint32_t>& values) {
    TestProgram program(kernel_of(mixed, shared_words));
    DeviceArray<std::uint32_t> out(program.memory, 100 * 96, 0);
    program.threads = std::make_unique<StdThreads>(workers);
    program.config.schedule = schedule;
    program.config.checks = Checks::none();  // the kernel races: here it is its counts that matter
    LaunchReport report = program.launch("k", {100, 1, 1}, {96, 1, 1}, out.address());
    values = out.values();
    return report;
}

LaunchReport launch_shape(const Dim3& grid, const Dim3& block, const std::string& directives = "",
                          std::uint32_t dynamic_bytes = 0, const std::string& before = "") {
    std::string text = kernel_of(store_number, before);
    text.replace(text.find("\n{"), 1, "\n" + directives + "\n");
    TestProgram program(text);
    DeviceArray<std::uint32_t> out(program.memory, 4096, 7);
    program.config.dynamic_shared_bytes = dynamic_bytes;
    LaunchReport report = program.launch("k", grid, block, out.address());
    if (report.status == LaunchStatus::invalid_launch) {
        for (const std::uint32_t value : out.values()) REQUIRE(value == 7);
    }
    return report;
}

void check_refused(const LaunchReport& report, const std::string& words) {
    CHECK(report.status == LaunchStatus::invalid_launch);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::invalid_launch);
    CAPTURE(report.faults[0].message);
    CHECK(report.faults[0].message.find(words) != std::string::npos);
    CHECK(report.totals == CounterSet{});
}

}  // namespace

TEST_CASE("counts and results are the same for any number of workers") {
    std::vector<std::uint32_t> reference_values;
    const LaunchReport reference = launch_with(1, {}, reference_values);
    CHECK(reference.faults.empty());
    CHECK(reference.totals[Counter::inst_executed] > 0);
    CHECK(reference.totals[Counter::shared_atomic_inst] == 300);
    CHECK(reference.totals[Counter::barriers] == 300);
    for (const unsigned workers : {2u, 3u, 8u}) {
        std::vector<std::uint32_t> values;
        const LaunchReport report = launch_with(workers, {}, values);
        CHECK(report.totals == reference.totals);
        CHECK(values == reference_values);
        REQUIRE(report.lines.size() == reference.lines.size());
        for (std::size_t i = 0; i < report.lines.size(); ++i) {
            CHECK(report.lines[i].counters == reference.lines[i].counters);
        }
    }
}

TEST_CASE("what a block leaves in the carry, no later block finds") {
    const auto carries = run_threads(R"(
        addc.u32 %r1, 0, 0;
        add.cc.u32 %r3, 0xffffffff, 1;
    )",
                                     32, nullptr, 2);
    CHECK(carries.size() == 64);
    CHECK(carries == std::vector<std::uint32_t>(64, 0));
}

TEST_CASE("a random schedule is repeatable by its seed, with any number of workers") {
    std::vector<std::uint32_t> one;
    std::vector<std::uint32_t> several;
    const LaunchReport first = launch_with(1, {false, 5}, one);
    const LaunchReport second = launch_with(4, {false, 5}, several);
    CHECK(first.totals == second.totals);
    CHECK(one == several);
}

TEST_CASE("grids and blocks of three dimensions cover every position once") {
    TestProgram program(module_of(R"(
.visible .entry k(.param .u64 k_param_0)
{
    .reg .b32 %r<20>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd0, [k_param_0];
    mov.u32 %r0, %ctaid.z;
    mov.u32 %r1, %nctaid.y;
    mov.u32 %r2, %ctaid.y;
    mad.lo.u32 %r0, %r0, %r1, %r2;
    mov.u32 %r1, %nctaid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.u32 %r0, %r0, %r1, %r2;
    mov.u32 %r1, %ntid.z;
    mov.u32 %r2, %tid.z;
    mad.lo.u32 %r0, %r0, %r1, %r2;
    mov.u32 %r1, %ntid.y;
    mov.u32 %r2, %tid.y;
    mad.lo.u32 %r0, %r0, %r1, %r2;
    mov.u32 %r1, %ntid.x;
    mov.u32 %r2, %tid.x;
    mad.lo.u32 %r0, %r0, %r1, %r2;
    mul.wide.u32 %rd1, %r0, 4;
    add.s64 %rd1, %rd0, %rd1;
    mov.u32 %r3, %warpid;
    shl.b32 %r3, %r3, 8;
    mov.u32 %r4, %laneid;
    or.b32 %r3, %r3, %r4;
    atom.global.add.u32 %r5, [%rd1], %r3;
    ret;
}
)"));
    const Dim3 grid{3, 2, 5};
    const Dim3 block{7, 5, 3};
    DeviceArray<std::uint32_t> out(program.memory, grid.count() * block.count(), 1'000'000);
    const LaunchReport report = program.launch("k", grid, block, out.address());
    CHECK(report.faults.empty());
    for (std::size_t i = 0; i < grid.count() * block.count(); ++i) {
        const std::size_t thread = i % block.count();
        CHECK(out[i] == 1'000'000 + (thread / 32 << 8 | thread % 32));
    }
}

TEST_CASE("launches that no device takes are refused before anything runs") {
    check_refused(launch_shape({0, 1, 1}, {32, 1, 1}), "at least 1");
    check_refused(launch_shape({1, 1, 1}, {32, 0, 1}), "at least 1");
    check_refused(launch_shape({1, 65536, 1}, {32, 1, 1}), "65535");
    check_refused(launch_shape({0x80000000u, 1, 1}, {32, 1, 1}), "2147483647");
    check_refused(launch_shape({1, 1, 1}, {1025, 1, 1}), "1024");
    check_refused(launch_shape({1, 1, 1}, {33, 32, 1}), "1056 threads");
    check_refused(launch_shape({1, 1, 1}, {1, 1, 65}), "64");
    check_refused(launch_shape({1, 1, 1}, {64, 1, 1}, ".reqntid 32, 1, 1"), "compiled for blocks of (32,1,1)");
    check_refused(launch_shape({1, 1, 1}, {64, 1, 1}, ".maxntid 32, 1, 1"), "__launch_bounds__");
    CHECK(launch_shape({1, 1, 1}, {32, 1, 1}, ".reqntid 32, 1, 1").status == LaunchStatus::success);
    CHECK(launch_shape({1, 1, 1}, {32, 1, 1}, ".maxntid 64, 1, 1").status == LaunchStatus::success);
}

TEST_CASE("shared memory has limits, static and in total") {
    const std::string user =
        ".shared .align 4 .b8 big[49156];\n.func f() { .reg .b32 %r<2>; mov.u32 %r1, big; ret; }\n";
    std::string text = kernel_of("call.uni f;\n", user);
    TestProgram program(text);
    DeviceArray<std::uint32_t> out(program.memory, 32, 7);
    check_refused(program.launch("k", {1, 1, 1}, {32, 1, 1}, out.address()), "49156 bytes of static");
    CHECK(launch_shape({1, 1, 1}, {32, 1, 1}, "", 99 * 1024).status == LaunchStatus::success);
    check_refused(launch_shape({1, 1, 1}, {32, 1, 1}, "", 99 * 1024 + 1), "101377 dynamic");
}

TEST_CASE("impossible amounts of shared and local memory are refused") {
    for (const std::string variable :
         {".shared .align 4 .b8 big[8589934596];", ".local .align 4 .b8 big[8589934596];"}) {
        TestProgram program(kernel_of(variable + "\nmov.u32 %r1, big;\n"));
        DeviceArray<std::uint32_t> out(program.memory, 32, 7);
        check_refused(program.launch("k", {1, 1, 1}, {32, 1, 1}, out.address()), "memory");
    }
}

TEST_CASE("parameters of the wrong size") {
    TestProgram program(kernel_of(store_number));
    const Kernel* const kernel = program.image->find_kernel("k");
    REQUIRE(kernel != nullptr);
    LaunchConfig config;
    check_refused(launch(*kernel, config, program.memory, *program.threads), "0 bytes of parameters");
}

TEST_CASE("an unsupported instruction is a fault that names it, if a thread gets there") {
    const std::string body = R"(
        setp.eq.u32 %p1, %r0, 99;
        @!%p1 bra STORE;
    .loc 1 33 0
        wgmma.fence.sync.aligned;
    )";
    CHECK(run_threads(body, 32)[0] == 0);
    TestProgram program(kernel_of(body) + ".file 1 \"new.cu\"\n");
    DeviceArray<std::uint32_t> out(program.memory, 128, 0);
    const LaunchReport report = program.launch("k", {1, 1, 1}, {128, 1, 1}, out.address());
    CHECK(report.status == LaunchStatus::unsupported);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::unsupported);
    CHECK(report.faults[0].line == 33);
    CHECK(report.faults[0].thread == Dim3{99, 0, 0});
    CHECK(report.faults[0].message.find("wgmma.fence.sync.aligned") != std::string::npos);
}

TEST_CASE("a trap") {
    TestProgram program(kernel_of("trap;\n"));
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    const LaunchReport report = program.launch("k", {1, 1, 1}, {32, 1, 1}, out.address());
    CHECK(report.status == LaunchStatus::trap);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::trap);
}

TEST_CASE("the error reported is that of the lowest block that has one, whatever the workers do") {
    for (const unsigned workers : {1u, 2u, 7u}) {
        TestProgram program(kernel_of(R"(
            rem.u32 %r3, %r20, 10;
            setp.ne.u32 %p1, %r3, 9;
            @%p1 bra STORE;
            trap;
        )"));
        program.threads = std::make_unique<StdThreads>(workers);
        DeviceArray<std::uint32_t> out(program.memory, 64 * 100, 0);
        const LaunchReport report = program.launch("k", {100, 1, 1}, {64, 1, 1}, out.address());
        REQUIRE(report.faults.size() == 1);
        CHECK(report.faults[0].block == Dim3{9, 0, 0});
        CHECK(report.faults[0].thread == Dim3{0, 0, 0});
    }
}

TEST_CASE("an out-of-bounds store is named with block, thread and line") {
    TestProgram program(kernel_of(".loc 1 12 0\n" + std::string(store_number)) + ".file 1 \"bounds.cu\"\n");
    DeviceArray<std::uint32_t> out(program.memory, 100, 0);
    const LaunchReport report = program.launch("k", {4, 1, 1}, {32, 1, 1}, out.address());
    CHECK(report.status == LaunchStatus::illegal_address);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::out_of_bounds);
    CHECK(report.faults[0].block == Dim3{3, 0, 0});
    CHECK(report.faults[0].thread == Dim3{4, 0, 0});
    CHECK(report.faults[0].message.starts_with("k, block (3,0,0), thread (4,0,0), bounds.cu:12: "));
}

TEST_CASE("every counter has a name of its own") {
    for (std::size_t a = 0; a < counter_count; ++a) {
        const CounterInfo& first = info(static_cast<Counter>(a));
        CHECK(!first.name.empty());
        CHECK(!first.description.empty());
        for (std::size_t b = a + 1; b < counter_count; ++b) CHECK(first.name != info(static_cast<Counter>(b)).name);
    }
    CHECK(info(Counter::inst_executed).name == "smsp__inst_executed");
    CHECK(info(Counter::shared_st_conflicts).name == "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st");
    CHECK(info(Counter::branch_divergent).name == "smsp__sass_branch_targets_threads_divergent");
}
