/// Kernels as a course has them, from nvcc's PTX: results against references, counts against those of an H200.

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <sstream>

#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

const std::string& course() {
    static const std::string text = [] {
        std::ifstream file(LANES_COURSE_PTX);
        REQUIRE_MESSAGE(file.good(), "no such file: " LANES_COURSE_PTX);
        std::ostringstream content;
        content << file.rdbuf();
        return content.str();
    }();
    return text;
}

void check_success(const LaunchReport& report) {
    for (const Fault& fault : report.faults) FAIL_CHECK(fault.message);
    CHECK(report.status == LaunchStatus::success);
}

void check_counts(const LaunchReport& report, const std::vector<std::pair<Counter, std::uint64_t>>& expected) {
    for (const auto& [counter, value] : expected) {
        CAPTURE(info(counter).name);
        CHECK(report.totals[counter] == value);
    }
}

/// Small whole numbers, whose sums are exact as float.
template <typename T>
void fill_random(DeviceArray<T>& array, std::size_t count, unsigned seed, unsigned bound) {
    std::minstd_rand random(seed);
    for (std::size_t i = 0; i < count; ++i) array[i] = static_cast<T>(random() % bound);
}

LaunchReport copy(int offset) {
    constexpr int n = 1'047'552;
    TestProgram program(course());
    DeviceArray<float> in(program.memory, n + 32);
    DeviceArray<float> out(program.memory, n, -1.0f);
    fill_random(in, n + 32, 1, 1000);
    const LaunchReport report =
        program.launch("copy_shifted", {n / 256, 1, 1}, {256, 1, 1}, out.address(), in.address(), n, offset);
    check_success(report);
    bool equal = true;
    for (int i = 0; i < n; ++i)
        equal = equal && out[static_cast<std::size_t>(i)] == in[static_cast<std::size_t>(i + offset)];
    CHECK(equal);
    return report;
}

LaunchReport transpose(const std::string& kernel) {
    constexpr std::size_t n = 512;
    TestProgram program(course());
    DeviceArray<float> in(program.memory, n * n);
    DeviceArray<float> out(program.memory, n * n, -1.0f);
    std::iota(reinterpret_cast<float*>(in.address()), reinterpret_cast<float*>(in.address()) + n * n, 0.0f);
    const LaunchReport report =
        program.launch(kernel, {n / 32, n / 32, 1}, {32, 8, 1}, out.address(), in.address(), static_cast<int>(n));
    check_success(report);
    bool equal = true;
    for (std::size_t y = 0; y < n; ++y) {
        for (std::size_t x = 0; x < n; ++x) equal = equal && out[x * n + y] == in[y * n + x];
    }
    CHECK(equal);
    return report;
}

LaunchReport reduce_blocks(const std::string& kernel) {
    constexpr std::uint32_t blocks = 1024;
    TestProgram program(course());
    DeviceArray<float> in(program.memory, blocks * 256);
    DeviceArray<float> out(program.memory, blocks, -1.0f);
    fill_random(in, blocks * 256, 2, 100);
    program.config.dynamic_shared_bytes = 256 * sizeof(float);
    const LaunchReport report = program.launch(kernel, {blocks, 1, 1}, {256, 1, 1}, out.address(), in.address());
    check_success(report);
    for (std::uint32_t block = 0; block < blocks; ++block) {
        float sum = 0;
        for (std::size_t i = 0; i < 256; ++i) sum += in[block * 256 + i];
        REQUIRE(out[block] == sum);
    }
    return report;
}

}  // namespace

TEST_CASE("copies cost what they cost on an H200") {
    check_counts(copy(0), {{Counter::global_ld_requests, 32'736},
                           {Counter::global_ld_sectors, 130'944},
                           {Counter::global_st_requests, 32'736},
                           {Counter::global_st_sectors, 130'944}});
    check_counts(copy(1), {{Counter::global_ld_requests, 32'736},
                           {Counter::global_ld_sectors, 163'680},
                           {Counter::global_ld_sectors_ideal, 130'944},
                           {Counter::global_st_sectors, 130'944}});
}

TEST_CASE("transposes cost what they cost on an H200") {
    check_counts(transpose("transpose_naive"), {{Counter::global_ld_requests, 8'192},
                                                {Counter::global_ld_sectors, 32'768},
                                                {Counter::global_st_requests, 8'192},
                                                {Counter::global_st_sectors, 262'144}});
    check_counts(transpose("transpose_tiled"), {{Counter::global_ld_sectors, 32'768},
                                                {Counter::global_st_sectors, 32'768},
                                                {Counter::shared_ld_wavefronts, 262'144},
                                                {Counter::shared_ld_conflicts, 253'952},
                                                {Counter::shared_st_wavefronts, 8'192},
                                                {Counter::shared_st_conflicts, 0}});
    check_counts(transpose("transpose_padded"), {{Counter::shared_ld_wavefronts, 8'192},
                                                 {Counter::shared_ld_conflicts, 0},
                                                 {Counter::shared_st_wavefronts, 8'192},
                                                 {Counter::shared_st_conflicts, 0}});
}

TEST_CASE("reductions cost what they cost on an H200") {
    check_counts(reduce_blocks("reduce_v0"), {{Counter::global_ld_requests, 8'192},
                                              {Counter::global_ld_sectors, 32'768},
                                              {Counter::global_st_requests, 1'024},
                                              {Counter::global_st_sectors, 1'024},
                                              {Counter::shared_ld_wavefronts, 97'280},
                                              {Counter::shared_ld_conflicts, 0},
                                              {Counter::shared_st_wavefronts, 56'320},
                                              {Counter::shared_st_conflicts, 0}});
    check_counts(reduce_blocks("reduce_v1"), {{Counter::global_ld_requests, 8'192},
                                              {Counter::global_st_sectors, 1'024},
                                              {Counter::shared_ld_wavefronts, 25'600},
                                              {Counter::shared_st_wavefronts, 20'480}});
}

TEST_CASE("sums with shuffles and with cooperative groups, of sizes that fit nothing") {
    for (const int n : {0, 1, 31, 32, 1000, 65'537}) {
        TestProgram program(course());
        DeviceArray<float> in(program.memory, static_cast<std::size_t>(n) + 1);
        DeviceArray<int> numbers(program.memory, static_cast<std::size_t>(n) + 1);
        fill_random(in, static_cast<std::size_t>(n), 3, 50);
        fill_random(numbers, static_cast<std::size_t>(n), 4, 50);
        DeviceArray<float> total(program.memory, 1, 0.0f);
        DeviceArray<int> total_of_numbers(program.memory, 1, 0);
        check_success(program.launch("reduce_shuffle", {7, 1, 1}, {160, 1, 1}, total.address(), in.address(), n));
        check_success(
            program.launch("reduce_groups", {3, 1, 1}, {96, 1, 1}, total_of_numbers.address(), numbers.address(), n));
        float sum = 0;
        int sum_of_numbers = 0;
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            sum += in[i];
            sum_of_numbers += numbers[i];
        }
        CHECK(total[0] == sum);
        CHECK(total_of_numbers[0] == sum_of_numbers);
    }
}

TEST_CASE("a tiled matrix product whose sizes are no multiples of the tile") {
    constexpr int m = 37;
    constexpr int n = 53;
    constexpr int k = 41;
    TestProgram program(course());
    DeviceArray<float> a(program.memory, m * k);
    DeviceArray<float> b(program.memory, k * n);
    DeviceArray<float> c(program.memory, m * n, -1.0f);
    fill_random(a, m * k, 5, 10);
    fill_random(b, k * n, 6, 10);
    check_success(program.launch("matmul_tiled", {(n + 15) / 16, (m + 15) / 16, 1}, {16, 16, 1}, c.address(),
                                 a.address(), b.address(), m, n, k));
    for (std::size_t row = 0; row < m; ++row) {
        for (std::size_t column = 0; column < n; ++column) {
            float sum = 0;
            for (std::size_t i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
            REQUIRE(c[row * n + column] == sum);
        }
    }
}

TEST_CASE("a histogram by shared and global atomics") {
    constexpr int n = 10'000;
    TestProgram program(course());
    DeviceArray<std::uint8_t> data(program.memory, n);
    DeviceArray<std::uint32_t> bins(program.memory, 256, 0);
    fill_random(data, n, 7, 256);
    program.threads = std::make_unique<StdThreads>(3);
    check_success(program.launch("histogram", {5, 1, 1}, {128, 1, 1}, bins.address(), data.address(), n));
    std::vector<std::uint32_t> expected(256, 0);
    for (std::size_t i = 0; i < n; ++i) ++expected[data[i]];
    CHECK(bins.values() == expected);
}

TEST_CASE("a spin lock in the form that lock step would never leave") {
    TestProgram program(course());
    DeviceArray<int> lock(program.memory, 1, 0);
    DeviceArray<int> count(program.memory, 1, 0);
    program.config.checks = Checks::none();
    check_success(program.launch("locked_count", {3, 1, 1}, {64, 1, 1}, lock.address(), count.address()));
    CHECK(count[0] == 192);
}

TEST_CASE("a switch with fall-through, a loop with a break, and a return") {
    TestProgram program(course());
    DeviceArray<int> in(program.memory, 256);
    DeviceArray<int> out(program.memory, 256, 0);
    for (int i = 0; i < 256; ++i) in[static_cast<std::size_t>(i)] = i;
    check_success(program.launch("choose", {2, 1, 1}, {128, 1, 1}, out.address(), in.address()));
    for (int i = 0; i < 256; ++i) {
        int expected = 0;
        switch (i & 7) {
            case 0:
                expected = 7;
                break;
            case 1:
                expected = i * 3;
                break;
            case 2:
                expected = i - 6;
                break;
            case 3:
                expected = i - 11;
                break;
            case 4:
                for (int j = 0; j < i && j * j <= i; ++j) expected += j;
                break;
            case 5:
                break;
            default:
                expected = -i;
        }
        CHECK(out[static_cast<std::size_t>(i)] == expected);
    }
}

TEST_CASE("virtual functions and recursion") {
    TestProgram program(course());
    DeviceArray<int> out(program.memory, 64, -1);
    check_success(program.launch("areas", {1, 1, 1}, {64, 1, 1}, out.address()));
    for (int i = 0; i < 64; ++i) CHECK(out[static_cast<std::size_t>(i)] == ((i & 1) != 0 ? i * i : 3 * i));
    check_success(program.launch("fibonaccis", {1, 1, 1}, {64, 1, 1}, out.address()));
    constexpr int numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (std::size_t i = 0; i < 64; ++i) CHECK(out[i] == numbers[i % 12]);
}

TEST_CASE("printf and assert as nvcc compiles them") {
    TestProgram program(course());
    std::string text;
    program.config.print = [&](std::string_view piece) { text += piece; };
    check_success(program.launch("say", {1, 1, 1}, {32, 1, 1}, 32));
    CHECK(text == "block 0 thread  0: 0.0 ok\nblock 0 thread 16: 8.0 ok\n");
    const LaunchReport report = program.launch("say", {1, 1, 1}, {32, 1, 1}, 20);
    CHECK(report.status == LaunchStatus::assertion);
    REQUIRE(report.faults.size() == 1);
    CHECK(report.faults[0].thread == Dim3{20, 0, 0});
    CHECK(report.faults[0].occurrences == 12);
    CHECK(report.faults[0].file.ends_with("course.cu"));
    CHECK(report.faults[0].message.find("Assertion `static_cast<int>(threadIdx.x) < limit` failed") !=
          std::string::npos);
}

TEST_CASE("barriers that count, and votes") {
    TestProgram program(course());
    DeviceArray<int> in(program.memory, 96);
    DeviceArray<int> out(program.memory, 96, -1);
    for (int i = 0; i < 96; ++i) in[static_cast<std::size_t>(i)] = i;
    check_success(program.launch("count_true", {1, 1, 1}, {96, 1, 1}, out.address(), in.address()));
    for (std::size_t i = 0; i < 96; ++i) CHECK(out[i] == 92 + 1000 + 1'600'000);
}

TEST_CASE("every line of the course's counts is a line of the course") {
    const LaunchReport report = reduce_blocks("reduce_v0");
    CHECK(report.lines.size() > 4);
    for (const LineCounters& line : report.lines) {
        CHECK(line.file.ends_with("course.cu"));
        CHECK(line.line > 40);
        CHECK(line.line < 54);
    }
}
