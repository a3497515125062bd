#include "kernel_run.hpp"

#include "entry.hpp"

#include <array>
#include <cstring>
#include <string_view>
#include <utility>

namespace lanes::fuzz {

namespace {

using namespace emulator;

// Enough for every loop that ends, and little enough for thousands of kernels a minute.
constexpr std::uint64_t warp_instructions = 2000;

std::byte* host(std::uint64_t address) {
    return reinterpret_cast<std::byte*>(address);
}

std::vector<std::byte> copy_of(std::uint64_t address, std::uint64_t bytes) {
    return {host(address), host(address) + bytes};
}

// Small numbers, as indices are, with a large one now and then.
void fill(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i)
        host(address)[i] = static_cast<std::byte>(i % 4 == 0 ? i / 4 * 37 : (i % 64 == 63 ? 0xff : 0));
}

}  // namespace

KernelRun::KernelRun(const GeneratedKernel& kernel) : kernel_(kernel) {
    memory_.set_capacity(std::uint64_t{1} << 20);
    auto module = ptx::parse(kernel.text);
    require(bool(module), module ? std::string_view() : module.error().message);
    std::vector<ptx::Module> modules;
    modules.push_back(std::move(*module));
    auto image = Image::link(std::move(modules), memory_);
    require(bool(image), image ? std::string_view() : image.error().message);
    image_ = std::move(*image);
    data_bytes_ = kernel.grid.count() * block_data_bytes;
    results_bytes_ = kernel.grid.count() * kernel.block.count() * thread_result_bytes;
    data_ = allocate(data_bytes_);
    results_ = allocate(results_bytes_);
    input_ = allocate(input_bytes);
}

std::uint64_t KernelRun::allocate(std::uint64_t bytes) {
    const auto address = memory_.allocate(bytes);
    require(bool(address), "there is memory for small buffers");
    return *address;
}

void KernelRun::reset() {
    fill(data_, data_bytes_);
    fill(input_, input_bytes);
    std::memset(host(results_), 0xa5, results_bytes_);
    mark_unset(memory_, results_);
    const DeviceVariable* const variable = image_->find_variable("variable");
    require(variable != nullptr, "the variable is there");
    std::memset(host(variable->address), 0, variable->bytes);
}

Outcome KernelRun::run(const Variant& variant) {
    reset();
    const Kernel* const kernel = image_->find_kernel("k");
    require(kernel != nullptr, "the kernel is there");
    const std::array<std::uint64_t, 3> parameters{data_, results_, input_};
    Outcome outcome;
    LaunchConfig config;
    config.grid = kernel_.grid;
    config.block = kernel_.block;
    config.dynamic_shared_bytes = kernel_.dynamic_shared_bytes;
    config.parameters = std::as_bytes(std::span(parameters));
    config.schedule.lockstep = variant.lockstep;
    config.schedule.seed = kernel_.seed;
    config.checks = variant.checks;
    config.instruction_budget = 32 * warp_instructions;
    config.print = [&outcome](std::string_view text) { outcome.printed += text; };
    outcome.report = launch(*kernel, config, memory_, *variant.threads);
    outcome.data = copy_of(data_, data_bytes_);
    outcome.results = copy_of(results_, results_bytes_);
    return outcome;
}

}  // namespace lanes::fuzz
