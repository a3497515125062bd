/// @file
/// @brief Programs that are wrong on purpose. Each test case must fail: CTest expects exit status 1 and the message.
#include <lanes/main.hpp>

#include <string>
#include <vector>

/// Takes the root of a negative number where it should copy. Launch: 1-D, one thread an element.
__global__ void copy_nan(const float* in, float* out) {
    out[threadIdx.x] = sqrtf(-in[threadIdx.x]);
}

/// Forgets the last element. Launch: one block of `n` threads.
__global__ void copy_all_but_last(const float* in, float* out, unsigned n) {
    if (threadIdx.x + 1 < n) out[threadIdx.x] = in[threadIdx.x];
}

/// Reads one element to the right. Launch: one block of as many threads as there are elements.
__global__ void copy_shifted(const float* in, float* out) {
    out[threadIdx.x] = in[threadIdx.x + 1];
}

/// Copies every element. Launch: one block of as many threads as there are elements.
__global__ void copy(const float* in, float* out) {
    out[threadIdx.x] = in[threadIdx.x];
}

/// Sums 256 products in one thread, and forgets the last one. Launch: one thread.
__global__ void dot_all_but_last(const float* a, const float* b, float* sum) {
    *sum = 0.0F;
    for (unsigned k = 0; k + 1 < 256; ++k) *sum += a[k] * b[k];
}

namespace {

constexpr unsigned elements = 64;

std::vector<float> input() {
    return lanes::Random().whole_numbers(elements, 1, 9);
}

}  // namespace

TEST_CASE("nan") {
    const lanes::DeviceArray<float> in(input());
    lanes::DeviceArray<float> out(elements);
    copy_nan<<<1, elements>>>(in.data(), out.data());
    lanes::check_launch("copy_nan");
    CHECK(lanes::equal(out.to_host(), input()));
}

TEST_CASE("nan within a bound") {
    const lanes::DeviceArray<float> in(input());
    lanes::DeviceArray<float> out(elements);
    copy_nan<<<1, elements>>>(in.data(), out.data());
    lanes::check_launch("copy_nan");
    CHECK(lanes::within_bound(out.to_host(), std::vector<double>(elements, 1.0), std::vector<double>(elements, 1e30)));
}

TEST_CASE("stale output") {
    const lanes::DeviceArray<float> in(input());
    lanes::DeviceArray<float> out(elements);
    copy<<<1, elements>>>(in.data(), out.data());
    lanes::check_launch("copy");
    CHECK(lanes::equal(out.to_host(), input()));
    out.poison();
    copy_all_but_last<<<1, elements>>>(in.data(), out.data(), elements);
    lanes::check_launch("copy_all_but_last");
    CHECK(lanes::equal(out.to_host(), input()));
}

TEST_CASE("out of bounds") {
    const lanes::DeviceArray<float> in(input());
    lanes::DeviceArray<float> out(elements);
    copy_shifted<<<1, elements>>>(in.data(), out.data());
    lanes::check_launch("copy_shifted");
    CHECK(lanes::equal(out.to_host(), input()));
}

TEST_CASE("lost term") {
    const auto a = lanes::Random(1).uniform(256);
    const auto b = std::vector<float>(256, 1.0F);
    lanes::ReferenceSum expected;
    for (unsigned k = 0; k < 256; ++k) expected.add(static_cast<double>(a[k]) * static_cast<double>(b[k]));
    const lanes::DeviceArray<float> device_a(a);
    const lanes::DeviceArray<float> device_b(b);
    lanes::DeviceArray<float> sum(1);
    dot_all_but_last<<<1, 1>>>(device_a.data(), device_b.data(), sum.data());
    lanes::check_launch("dot_all_but_last");
    CHECK(lanes::within_bound(sum.to_host(), std::vector<lanes::ReferenceSum>{expected}));
}

TEST_CASE("unchecked launch") {
    copy<<<1, 2048>>>(nullptr, nullptr);  // nobody looks; the end of the program has to
    CHECK(true);
}

TEST_CASE("wrong prediction") {
    lanes::check_cases({{.name = "copy",
                         .kernel = "copy",
                         .predicted = {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 7}},
                         .launch = [] {
                             const lanes::DeviceArray<float> in(input());
                             lanes::DeviceArray<float> out(elements);
                             copy<<<1, elements>>>(in.data(), out.data());
                         }}});
}

TEST_CASE("unknown counter") {
    lanes::check_cases({{.name = "copy", .kernel = "copy", .predicted = {{"no_such_counter", 7}}, .launch = [] {
                             const lanes::DeviceArray<float> in(input());
                             lanes::DeviceArray<float> out(elements);
                             copy<<<1, elements>>>(in.data(), out.data());
                         }}});
}

int main(int argc, char** argv) {
    const auto measure_wrong = [](lanes::Benchmark& benchmark) {
        const lanes::DeviceArray<float> in(input());
        lanes::DeviceArray<float> out(elements);
        benchmark.group("Wrong", {{.name = "copy_nan",
                                   .launch = [&] { copy_nan<<<1, elements>>>(in.data(), out.data()); },
                                   .poison = [&] { out.poison(); },
                                   .verify = [&] { return lanes::equal(out.to_host(), input()); }}});
    };
    return lanes::run({.name = "harness_broken_kernels", .source = __FILE__, .measure = measure_wrong}, argc, argv);
}
