#include "workload.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace lanes::benchmark {

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned few_blocks = 64;

std::string read_kernels() {
    std::ifstream stream(LANES_BENCHMARK_PTX, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot read " LANES_BENCHMARK_PTX ": build lanes-bench again");
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

template <typename T>
T value_of(emulator::Result<T> result) {
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(*result);
}

std::unique_ptr<emulator::Image> load_kernels(emulator::DeviceMemory& memory) {
    std::vector<emulator::ptx::Module> modules;
    modules.push_back(value_of(emulator::ptx::parse(read_kernels())));
    return value_of(emulator::Image::link(std::move(modules), memory));
}

const emulator::Kernel& find_kernel(const emulator::Image& image, const std::string& name) {
    const emulator::Kernel* const kernel = image.find_kernel(name);
    if (kernel == nullptr) throw std::runtime_error("no kernel " + name + " in " LANES_BENCHMARK_PTX);
    return *kernel;
}

/// CPU time of this process so far, of all of its threads.
double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

float* floats_at(std::uint64_t address) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a device address is the host's
    return reinterpret_cast<float*>(static_cast<std::uintptr_t>(address));
}

/// What a thread of fma_loop computes.
float chain(std::size_t thread, unsigned turns) {
    float x = std::fma(static_cast<float>(thread), 0.001f, 1.0f);
    float y = 0.5f;
    for (unsigned turn = 0; turn < turns; ++turn) {
        x = std::fma(x, 0.999f, y);
        y = std::fma(y, 0.5f, x);
        x = std::fma(x, 0.25f, y);
        y = std::fma(y, 0.125f, x);
    }
    return x + y;
}

}  // namespace

Workload::Workload(Kernel kernel) : kernel_(std::move(kernel)), image_(load_kernels(memory_)) {
    output_ = allocate(kernel_.initial, kernel_.outputs);
    for (const std::vector<float>& input : kernel_.inputs) inputs_.push_back(allocate(input, input.size()));
    const emulator::Kernel& launched = find_kernel(*image_, kernel_.name);
    parameters_.resize(launched.parameter_bytes);
    std::size_t next = 0;
    const auto pass = [&](const auto& value) {
        std::memcpy(parameters_.data() + launched.parameters.at(next++).offset, &value, sizeof value);
    };
    pass(output_);
    for (const std::uint64_t input : inputs_) pass(input);
    pass(kernel_.size);
}

/// An array that begins with values of the host.
std::uint64_t Workload::allocate(const std::vector<float>& values, std::size_t elements) {
    const std::uint64_t address = value_of(memory_.allocate((elements + kernel_.untouched) * sizeof(float)));
    emulator::mark_unset(memory_, address);
    if (values.empty()) return address;
    std::memcpy(floats_at(address), values.data(), values.size() * sizeof(float));
    emulator::mark_written(memory_, address, values.size() * sizeof(float));
    return address;
}

std::uint64_t Workload::Kernel::bytes() const {
    std::size_t elements = outputs;
    for (const std::vector<float>& input : inputs) elements += input.size();
    return elements * sizeof(float);
}

Workload::Run Workload::run(emulator::Checks checks, emulator::HostThreads& threads) {
    if (kernel_.initial.empty()) {
        std::fill_n(floats_at(output_), kernel_.outputs, std::nanf(""));
    } else {
        std::copy(kernel_.initial.begin(), kernel_.initial.end(), floats_at(output_));
    }
    emulator::LaunchConfig config;
    config.grid = kernel_.grid;
    config.block = kernel_.block;
    config.parameters = parameters_;
    config.checks = checks;
    config.instruction_budget = ~std::uint64_t{0};
    const emulator::Kernel& launched = find_kernel(*image_, kernel_.name);
    const double cpu_begin = cpu_seconds();
    const auto begin = std::chrono::steady_clock::now();
    Run run;
    run.report = emulator::launch(launched, config, memory_, threads);
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    run.cpu_seconds = cpu_seconds() - cpu_begin;
    verify(run.report);
    return run;
}

void Workload::verify(const emulator::LaunchReport& report) const {
    if (!report.faults.empty()) throw std::runtime_error(report.faults.front().message);
    const float* const output = floats_at(output_);
    for (std::size_t i = 0; i < kernel_.outputs; ++i) {
        const float expected = kernel_.expected(i);
        if (!(output[i] == expected))
            throw std::runtime_error(kernel_.name + ": element " + std::to_string(i) + " is " +
                                     std::to_string(output[i]) + ", not " + std::to_string(expected));
    }
}

Workload::Kernel matmul(unsigned tile, unsigned n) {
    const std::size_t elements = std::size_t{n} * n;
    std::vector<float> columns(elements);
    for (std::size_t i = 0; i < elements; ++i) columns[i] = static_cast<float>(i % n % 8);
    return {.name = "matmul_" + std::to_string(tile),
            .grid = {n / tile, n / tile, 1},
            .block = {tile, tile, 1},
            .outputs = elements,
            .initial = {},
            .inputs = {std::vector<float>(elements, 1.0f), std::move(columns)},
            .size = static_cast<int>(n),
            .expected = [n](std::size_t i) { return static_cast<float>(i % n % 8 * n); }};
}

Workload::Kernel reduction(unsigned n) {
    return {.name = "reduce",
            .grid = {few_blocks, 1, 1},
            .block = {block_threads, 1, 1},
            .outputs = few_blocks,
            .initial = {},
            .inputs = {std::vector<float>(n, 1.0f)},
            .size = static_cast<int>(n),
            .expected = [sum = n / few_blocks](std::size_t) { return static_cast<float>(sum); }};
}

Workload::Kernel copy(unsigned n) {
    std::vector<float> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<float>(i % 1000);
    return {.name = "copy",
            .grid = {n / block_threads, 1, 1},
            .block = {block_threads, 1, 1},
            .outputs = n,
            .initial = {},
            .inputs = {std::move(numbers)},
            .size = static_cast<int>(n),
            .expected = [](std::size_t i) { return static_cast<float>(i % 1000); }};
}

Workload::Kernel increment(unsigned n) {
    return {.name = "increment",
            .grid = {n / block_threads, 1, 1},
            .block = {block_threads, 1, 1},
            .outputs = n,
            .initial = std::vector<float>(n, 1.0f),
            .inputs = {},
            .size = static_cast<int>(n),
            .expected = [](std::size_t) { return 2.0f; }};
}

Workload::Kernel fma_loop(unsigned turns) {
    std::vector<float> sums(block_threads);
    for (std::size_t thread = 0; thread < block_threads; ++thread) sums[thread] = chain(thread, turns);
    return {.name = "fma_loop",
            .grid = {few_blocks, 1, 1},
            .block = {block_threads, 1, 1},
            .outputs = std::size_t{few_blocks} * block_threads,
            .initial = {},
            .inputs = {},
            .size = static_cast<int>(turns),
            .expected = [sums = std::move(sums)](std::size_t i) { return sums[i % block_threads]; }};
}

}  // namespace lanes::benchmark
