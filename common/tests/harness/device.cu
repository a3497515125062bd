/// @file
/// @brief The harness on a device: arrays and their poison, errors and their text, timing, cases, demonstrations.
#include <lanes/main.hpp>

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Writes twice `in` to `out`, one element a thread; leaves the rest of `out` alone. Launch: 1-D, any block.
// [twice]
__global__ void twice(const float* in, float* out, std::size_t n) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0F * in[i];
}
// [/twice]

/// Reads `in` at an address that no array has. Launch: one thread.
__global__ void read_nowhere(const float* in, float* out) {
    *out = in[std::size_t{1} << 40U];
}

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

void launch_twice(const lanes::DeviceArray<float>& in, lanes::DeviceArray<float>& out) {
    twice<<<lanes::blocks_for(in.size(), 64), 64>>>(in.data(), out.data(), in.size());
}

/// One request of 32 floats: 4 sectors in, 4 sectors out.
lanes::CountedCases counted_cases() {
    return {{.name = "one_warp",
             .snippets = {"twice"},
             .kernel = "twice",
             .parameters = {{"elements", 32}},
             .predicted = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 4},
                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 4}},
             .launch = [] {
                 const lanes::DeviceArray<float> in(lanes::Random().uniform(32));
                 lanes::DeviceArray<float> out(32);
                 twice<<<1, 32>>>(in.data(), out.data(), 32);
                 lanes::check_launch("twice");
             }}};
}

void show_read_nowhere() {
    const lanes::DeviceArray<float> in(1);
    lanes::DeviceArray<float> out(1);
    read_nowhere<<<1, 1>>>(in.data(), out.data());
    lanes::check_launch("read_nowhere");
}

void measure(lanes::Benchmark& benchmark) {
    const std::size_t n = benchmark.elements_beyond_l2(sizeof(float), 2);
    const lanes::DeviceArray<float> in(lanes::Random().whole_numbers(n));
    lanes::DeviceArray<float> out(n);
    benchmark.group(
        "Twice",
        {{.name = "memcpy",
          .bytes = 2 * out.bytes(),
          .launch =
              [&] { lanes::check(cudaMemcpyAsync(out.data(), in.data(), out.bytes(), cudaMemcpyDeviceToDevice)); }},
         {.name = "twice",
          .snippets = {"twice"},
          .parameters = {{"elements", n}},
          .bytes = 2 * out.bytes(),
          .ceiling = "memcpy",
          .launch = [&] { launch_twice(in, out); },
          .poison = [&] { out.poison(); },
          .verify =
              [&] {
                  auto expected = in.to_host();
                  for (float& number : expected) number *= 2.0F;
                  return lanes::equal(out.to_host(), expected);
              }}});
}

}  // namespace

TEST_CASE("a new array is poisoned, and can be poisoned again") {
    lanes::DeviceArray<float> floats(33);
    for (const float number : floats.to_host()) CHECK(lanes::is_poison(number));
    floats.from_host(std::vector<float>(33, 1.0F));
    CHECK(lanes::equal(floats.to_host(), std::vector<float>(33, 1.0F)));
    floats.poison();
    for (const float number : floats.to_host()) CHECK(std::isnan(number));
    for (const int number : lanes::DeviceArray<int>(5).to_host()) CHECK(number == -1515870811);
}

TEST_CASE("an array takes a host vector there and back") {
    const auto numbers = lanes::Random().whole_numbers<int>(1000, -100, 100);
    const lanes::DeviceArray<int> array(numbers);
    CHECK(array.size() == 1000);
    CHECK(array.bytes() == 4000);
    CHECK(lanes::equal(array.to_host(), numbers));
}

TEST_CASE("an empty array is a null pointer that can be poisoned, copied and moved") {
    lanes::DeviceArray<float> empty(0);
    CHECK(empty.data() == nullptr);
    empty.poison();
    empty.from_host({});
    CHECK(empty.to_host().empty());
    CHECK(lanes::DeviceArray<float>(std::vector<float>{}).size() == 0);
}

TEST_CASE("moving an array moves its memory") {
    lanes::DeviceArray<int> first(std::vector<int>{1, 2, 3});
    const int* const memory = first.data();
    lanes::DeviceArray<int> second(std::move(first));
    CHECK(second.data() == memory);
    lanes::DeviceArray<int> third(0);
    third = std::move(second);
    CHECK(lanes::equal(third.to_host(), {1, 2, 3}));
}

TEST_CASE("sizes that do not fit are errors") {
    lanes::DeviceArray<float> array(3);
    CHECK_THROWS_AS(array.from_host({1.0F, 2.0F}), std::invalid_argument);
    CHECK_THROWS_AS(lanes::DeviceArray<double>(~std::size_t{0} / 4), std::length_error);
    CHECK_THROWS_AS(lanes::DeviceArray<char>(std::size_t{1} << 60U), lanes::CudaError);
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("a failed call says where, what, and what to do") {
    try {
        lanes::check(cudaMemcpy(nullptr, nullptr, 1, static_cast<cudaMemcpyKind>(77)));
        FAIL("no error");
    } catch (const lanes::CudaError& error) {
        const std::string text = error.what();
        CAPTURE(text);
        CHECK(error.code() == cudaErrorInvalidMemcpyDirection);
        CHECK(contains(text, "device.cu:"));
        CHECK(contains(text, "`lanes::check(cudaMemcpy("));
        CHECK(contains(text, "cudaErrorInvalidMemcpyDirection"));
    }
    static_cast<void>(cudaGetLastError());
}

TEST_CASE("a refused launch names the kernel and what a launch may be") {
    const lanes::ExpectedFaults faults;
    try {
        twice<<<1, 1025>>>(nullptr, nullptr, 0);
        lanes::check_launch("twice");
        FAIL("no error");
    } catch (const lanes::CudaError& error) {
        const std::string text = error.what();
        CAPTURE(text);
        CHECK(contains(text, "the launch of twice"));
        CHECK(contains(text, "1024 threads"));
    }
}

TEST_CASE("a kernel's result arrives, and what it did not write is named") {
    const lanes::DeviceArray<float> in(lanes::Random().whole_numbers(100));
    lanes::DeviceArray<float> out(101);
    launch_twice(in, out);
    lanes::check_launch("twice");
    auto expected = in.to_host();
    for (float& number : expected) number *= 2.0F;
    expected.push_back(0.0F);
    const auto comparison = lanes::equal(out.to_host(), expected);
    CHECK(contains(comparison.message(), "1 of 101 elements"));
    CHECK(contains(comparison.message(), "[100]: never written"));
}

TEST_CASE("every predicted count is the emulator's") {
    lanes::check_cases(counted_cases());
}

TEST_CASE("counters exist on the emulator only, and only by their names") {
    lanes::check_cases(counted_cases());
    CHECK(lanes::counted("l1tex__t_sectors_pipe_lsu_mem_global_op_ld").has_value() == lanes::on_emulator());
    CHECK_FALSE(lanes::counted("no_such_counter").has_value());
}

TEST_CASE("the device describes itself") {
    const auto device = lanes::current_device();
    CHECK_FALSE(device.name.empty());
    CHECK(device.multiprocessors > 0);
    CHECK(contains(device.compute_capability, "."));
    CHECK(contains(device.description, lanes::on_emulator() ? "emulator" : device.name));
    CHECK(lanes::detail::first_version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.03  Tue") ==
          "580.159.03");
    CHECK(lanes::detail::first_version_in("").empty());
}

TEST_CASE("a timer measures launches, alternates between them and repeats short ones") {
    std::string order;
    const lanes::TimingPlan plan{.warm_ups = 1, .samples = 2, .shortest_ms = 0.0, .most_repeats = 1};
    const auto timings = lanes::time_in_turns({{"a", [&] { order += 'a'; }}, {"b", [&] { order += 'b'; }}}, plan);
    CHECK(order == "ababab");
    REQUIRE(timings.size() == 2);
    CHECK(timings[0].milliseconds.samples == 2);
    CHECK(timings[0].milliseconds.minimum >= 0.0);
    CHECK(lanes::repeats_for(0.0, {}) == 1000);
    CHECK(lanes::repeats_for(0.05, {.shortest_ms = 0.2}) == 4);
    CHECK(lanes::repeats_for(7.0, {}) == 1);
}

TEST_CASE("sizes beyond the L2 cache, and within half of the free memory") {
    constexpr std::size_t mebibyte = std::size_t{1} << 20U;
    CHECK(lanes::elements_beyond(60 * mebibyte, 16, 4, 2, mebibyte << 20U) == std::size_t{1} << 28U);
    CHECK(lanes::elements_beyond(60 * mebibyte, 16, 4, 2, 1024 * mebibyte) == std::size_t{1} << 26U);
    CHECK(lanes::elements_beyond(60 * mebibyte, 16, 4, 2, 0) == 1);
    CHECK_THROWS_AS(lanes::elements_beyond(1, 1, 0, 1, 1), std::invalid_argument);
}

TEST_CASE("a benchmark refuses names it has seen, and results that are wrong") {
    std::ostringstream out;
    lanes::Benchmark benchmark(lanes::current_device(), lanes::Effort::emulated, out);
    const lanes::Variant nothing{.name = "nothing", .launch = [] {}};
    benchmark.group("First", {nothing});
    CHECK(contains(out.str(), "First"));
    CHECK(benchmark.measurements().size() == 1);
    CHECK_THROWS_AS(benchmark.group("Second", {nothing}), std::invalid_argument);
    lanes::DeviceArray<float> array(4);
    const lanes::Variant unwritten{.name = "unwritten",
                                   .launch = [] {},
                                   .poison = [&] { array.poison(); },
                                   .verify =
                                       [&] {
                                           return lanes::equal(array.to_host(), {1, 2, 3, 4});
                                       }};
    CHECK_THROWS_AS(benchmark.group("Third", {unwritten}), std::runtime_error);
    CHECK(benchmark.measurements().size() == 1);
}

TEST_CASE("faults in a scope that expects them are counted, and fail nothing outside") {
    const auto before = lanes::unexpected_errors();
    {
        const lanes::ExpectedFaults faults;
        CHECK(faults.errors() == 0);
        twice<<<1, 1025>>>(nullptr, nullptr, 0);
        CHECK(cudaGetLastError() != cudaSuccess);
        CHECK(faults.errors() == (lanes::on_emulator() ? 1 : 0));
    }
    CHECK(lanes::unexpected_errors() == before);
}

TEST_CASE("a demonstration runs in a process of its own: its exit code and text come back") {
    const auto shown = lanes::demonstrate("read_nowhere");
    CAPTURE(shown.output);
    CHECK(shown.exit_code == 1);
    CHECK(contains(shown.output, "kernel read_nowhere failed with"));
    CHECK(lanes::demonstrate("quiet").exit_code == 0);
    CHECK(lanes::demonstrate("no_such_name").exit_code == 2);
}

TEST_CASE("a demonstration that hangs is ended") {
    CHECK(lanes::demonstrate("endless", std::chrono::milliseconds(1500)).exit_code == 124);
}

int main(int argc, char** argv) {
    return lanes::run({.name = "harness_device",
                       .source = __FILE__,
                       .cases = counted_cases,
                       .measure = measure,
                       .demonstrations = {{"read_nowhere", show_read_nowhere},
                                          {"quiet", [] {}},
                                          {"endless",
                                           [] {
                                               for (;;) sleep(1);
                                           }}}},
                      argc, argv);
}
