/// Vectors that a block writes while another reads them: a flag and its value in one vector must arrive together.

#include "memory_values.hpp"
#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

/// A kernel(vector, torn) in which block 0 writes the vector {i, i, ...} for i = 1 to `last`, and block 1 reads until
/// it sees `last` and counts in `torn` how often two elements differed.
/// @param type     of an element: u32 or u64
/// @param elements  2 or 4
std::string one_writes_one_reads(const std::string& order, const std::string& type, unsigned elements, unsigned last) {
    const std::string bits = type.substr(1);
    const std::string writes = elements == 2 ? "{%w0, %w0}" : "{%w0, %w0, %w0, %w0}";
    const std::string reads = elements == 2 ? "{%w1, %w2}" : "{%w1, %w3, %w4, %w2}";
    return module_of(R"(
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)
{
    .reg .pred %p<4>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<4>;
    .reg .b)" + bits +
                     R"( %w<6>;
    ld.param.u64 %rd0, [k_param_0];
    ld.param.u64 %rd1, [k_param_1];
    mov.)" + type + R"( %w0, 0;
    mov.u32 %r0, 0;
    mov.u32 %r1, %ctaid.x;
    setp.ne.u32 %p0, %r1, 0;
    @%p0 bra READ;
WRITE:
    add.)" + type + R"( %w0, %w0, 1;
    st.)" + order + ".global.v" +
                     std::to_string(elements) + "." + type + " [%rd0], " + writes + R"(;
    setp.lt.)" + type +
                     " %p1, %w0, " + std::to_string(last) + R"(;
    @%p1 bra WRITE;
    ret;
READ:
    ld.)" + order + ".global.v" +
                     std::to_string(elements) + "." + type + " " + reads + R"(, [%rd0];
    setp.ne.)" + type +
                     R"( %p2, %w1, %w2;
    @%p2 add.u32 %r0, %r0, 1;
    setp.lt.)" + type +
                     " %p1, %w1, " + std::to_string(last) + R"(;
    @%p1 bra READ;
    st.global.u32 [%rd1], %r0;
    ret;
}
)");
}

void check_whole(const std::string& order, const std::string& type, unsigned elements) {
    CAPTURE(order);
    CAPTURE(type);
    CAPTURE(elements);
    constexpr unsigned last = 300'000;
    TestProgram program(one_writes_one_reads(order, type, elements, last));
    const std::size_t words = elements * (type == "u64" ? 2 : 1);
    DeviceArray<std::uint32_t> vector(program.memory, words, 0);
    DeviceArray<std::uint32_t> torn(program.memory, 1, 0xFFFFFFFF);
    program.threads = std::make_unique<StdThreads>(2);
    const LaunchReport report = program.launch("k", {2, 1, 1}, {1, 1, 1}, vector.address(), torn.address());
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    CHECK(vector[0] == last);
    CHECK(torn[0] == 0);
}

}  // namespace

TEST_CASE("a vector of 8 bytes is never seen half written") {
    check_whole("relaxed.gpu", "u32", 2);
    check_whole("volatile", "u32", 2);
}

// The thread sanitizer sees atomics of 8 bytes at most, and gets two of them: see read_16_bytes.
#ifndef LANES_THREAD_SANITIZER
TEST_CASE("a vector of 16 bytes is never seen half written") {
    check_whole("relaxed.gpu", "u32", 4);
    check_whole("relaxed.gpu", "u64", 2);
    check_whole("volatile", "u64", 2);
}
#endif
