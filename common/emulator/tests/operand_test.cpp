/// Instructions whose operands are missing, too many or of the wrong width are refused when they are reached, and no
/// row is read that is not there. Arithmetic has the same test in arithmetic_test.cpp.

#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

/// The fault of a kernel that reaches an instruction; empty if there is none.
std::string refusal(const std::string& instruction, const std::string& before = "") {
    TestProgram program(kernel_of(instruction, before));
    DeviceArray<std::uint32_t> out(program.memory, 32);
    const LaunchReport report = program.launch("k", {1, 1, 1}, {32, 1, 1}, out.address());
    if (report.faults.empty()) return {};
    CHECK(report.status == LaunchStatus::unsupported);
    return report.faults[0].message;
}

void check_refusal(const std::string& instruction, const std::string& expected) {
    CAPTURE(instruction);
    const std::string message = refusal(instruction);
    CAPTURE(message);
    CHECK(message.find(expected) != std::string::npos);
}

}  // namespace

TEST_CASE("barriers with operands missing, too many or of the wrong width") {
    check_refusal("bar.sync;", "bar.sync with 0 operands");
    check_refusal("bar.sync 0, 32, 5;", "bar.sync with 3 operands");
    check_refusal("bar.sync %rd3;", "bar.sync whose operand 1 is a register of another width");
    check_refusal("bar.arrive 0;", "bar.arrive with 1 operands");
    check_refusal("bar.red.popc.u32 %r3, 0;", "bar.red.popc.u32 with 2 operands");
    check_refusal("bar.red.popc.u32 %p3, 0, %p1;", "whose operand 1 is a register of another width");
    check_refusal("bar.red.and.pred %p3, 0, %r3;", "whose operand 3 is a register of another width");
    check_refusal("bar.warp.sync;", "bar.warp.sync with 0 operands");
    check_refusal("bar.warp.sync %p1;", "bar.warp.sync whose operand 1 is a register of another width");
    CHECK(refusal("bar.sync 0, 32; bar.red.popc.u32 %r3, 0, %p1; bar.red.and.pred %p2, 0, 32, %p1;").empty());
}

TEST_CASE("modifiers that control flow does not have are refused, not ignored") {
    check_refusal("bar.red.xor.pred %p3, 0, %p1;", "PTX instruction bar.red.xor.pred is not supported");
    check_refusal("bar.sync.aligned 0;", "PTX instruction bar.sync.aligned is not supported");
    check_refusal("barrier.cluster.arrive;", "PTX instruction barrier.cluster.arrive is not supported");
    check_refusal("barrier.warp.sync 0;", "PTX instruction barrier.warp.sync is not supported");
    check_refusal("bra.cta STORE;", "PTX instruction bra.cta is not supported");
    check_refusal("ret.uni 5;", "PTX instruction ret.uni with 1 operands");
    check_refusal("exit.sync;", "PTX instruction exit.sync is not supported");
    check_refusal("trap 5;", "PTX instruction trap with 1 operands");
    check_refusal("nanosleep.u64 5;", "PTX instruction nanosleep.u64 is not supported");
    check_refusal("nanosleep.u32 %p1;", "nanosleep.u32 whose operand 1 is a register of another width");
    check_refusal("mov.u32 %p1, %clock;", "mov.u32 whose operand 1 is a register of type .pred");
    CHECK(refusal("nanosleep.u32 %r3; barrier.cta.sync.aligned 0; bar.cta.sync 0; bra.uni STORE;").empty());
}

TEST_CASE("branches without a label, calls of what is no address") {
    check_refusal("bra;", "bra without one label");
    check_refusal("bra 5;", "bra without one label");
    check_refusal("brx.idx %r3;", "brx.idx with 1 operands");
    check_refusal("brx.idx %rd3, T; T: .branchtargets STORE;",
                  "brx.idx whose operand 1 is a register of another width");
    check_refusal("call %r3, P; P: .callprototype _ ();", "address is not a register of 64 bits");
}

TEST_CASE("memory instructions with operands missing or of the wrong width") {
    check_refusal("ld.global.u32;", "ld.global.u32");
    check_refusal("ld.global.L2::cache_hint.u32;", "ld.global.L2::cache_hint.u32");
    check_refusal("st.global.u32 [%rd0];", "st.global.u32");
    check_refusal("atom.global.add.u32 %r3, [%rd0];", "atom.global.add.u32");
    check_refusal("cp.async.wait_group %rd3;", "cp.async.wait_group of a register of another width");
    check_refusal("mbarrier.test_wait.shared.b64 %r3, [0], %rd3;", "mbarrier.test_wait.shared.b64");
    check_refusal("mbarrier.init.shared.b64;", "mbarrier.init.shared.b64");
}

TEST_CASE("more modifiers than any instruction has") {
    std::string name = "add";
    for (int i = 0; i < 70; ++i) name += ".s32";
    check_refusal(name + " %r3, %r3, %r3;", "add.s32.s32");
}

TEST_CASE("a launch that an mbarrier stops has not succeeded") {
    TestProgram program(
        kernel_of("mbarrier.test_wait.shared.b64 %p1, [cells], %rd3;", ".shared .align 8 .b8 cells[8];"));
    DeviceArray<std::uint32_t> out(program.memory, 32);
    const LaunchReport report = program.launch("k", {1, 1, 1}, {32, 1, 1}, out.address());
    CHECK(report.status == LaunchStatus::launch_failure);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].kind == FaultKind::uninitialized_read);
}

TEST_CASE("sizes that no device has are refused at the launch") {
    const auto complaint = [](const std::string& text) {
        TestProgram program(module_of(text));
        const Kernel* const kernel = program.image->find_kernel("k");
        REQUIRE(kernel != nullptr);
        LaunchConfig config;
        config.dynamic_shared_bytes = 4;
        std::vector<std::byte> parameters(kernel->parameter_bytes);
        config.parameters = parameters;
        const LaunchReport report = launch(*kernel, config, program.memory, *program.threads);
        CHECK(report.status == LaunchStatus::invalid_launch);
        return report.faults.empty() ? std::string() : report.faults[0].message;
    };
    const auto says = [&](const std::string& text, const std::string& expected) {
        const std::string message = complaint(text);
        CAPTURE(message);
        CHECK(message.find(expected) != std::string::npos);
    };
    says(".entry k(.param .b8 p[40000]) { ret; }", "40000 bytes of parameters; the device allows 32764");
    says(".entry k(.param .b8 p[4294967298], .param .b8 q[4294967298]) { ret; }", "1073741824 bytes of parameters");
    says(
        ".extern .shared .align 1048576 .b8 x[]; .shared .b8 y[4]; .entry k { .reg .b32 %r; mov.u32 %r, x; "
        "mov.u32 %r, y; ret; }",
        "1048580 bytes of shared memory");
}

TEST_CASE("a destination is a register or _, never a constant or a special register") {
    for (const char* const instruction : {"add.u32 5, %r1, 1;", "add.u32 %tid.x, %r1, 1;", "ld.global.u32 5, [%rd1];",
                                          "ld.global.v2.u32 {5, %r3}, [%rd1];", "mov.b64 %tid, %rd1;",
                                          "mov.b64 {%tid.x, %r3}, %rd1;", "bar.red.popc.u32 %tid, 0, %p1;"})
        check_refusal(instruction, "a destination that is neither a register nor _ is not supported");
}

TEST_CASE("a vector where none can be, such as %tid without a component") {
    for (const std::string operands : {"{%r1, %r3}, %r3, 1", "%ctaid, %r3, 1", "%r3, {%r1, %r2}, 1", "%r3, %tid, 1"})
        check_refusal("and.b32 " + operands + ";", "and.b32 of a vector");
    check_refusal("setp.eq.u32 %p1|%tid, %r1, 1;", "setp.eq.u32 of a vector");
    check_refusal("shfl.sync.idx.b32 %r3|%ctaid, %r1, 0, 31, -1;", "shfl.sync.idx.b32 of a vector");
    check_refusal("vote.sync.ballot.b32 %ctaid, %p1, -1;", "vote.sync.ballot.b32 of a vector");
    check_refusal("activemask.b32 %tid;", "activemask.b32 of a vector");
    CHECK(refusal("mov.b64 %rd3, {%r1, %r2}; mov.b64 {%r3, %r4}, %rd3;").empty());
}

TEST_CASE("shuffles and selections without operands, which are looked at before they are reached") {
    check_refusal("shfl.sync.idx.b32;", "shfl.sync.idx.b32 with 0 operands");
    check_refusal("shfl.sync.idx.b32 %r3, %r1, 0, 31, -1; selp.b32;", "selp.b32 with 0 operands");
}
