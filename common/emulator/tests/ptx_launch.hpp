/// @file
/// @brief For tests: PTX text in, a launch's results and report out.
#pragma once

#include <doctest/doctest.h>
#include <lanes/emulator/emulator.hpp>

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace lanes::emulator::tests {

/// Really several host threads.
class StdThreads final : public HostThreads {
public:
    explicit StdThreads(unsigned count) : count_(count) {}
    unsigned count() const override { return count_; }
    void run(const std::function<void(unsigned)>& work) override {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < count_; ++i) threads.emplace_back(work, i);
        for (std::thread& thread : threads) thread.join();
    }

private:
    unsigned count_;
};

/// The value of a Result that must be one.
template <typename T>
T value_of(Result<T> result) {
    if (!result) FAIL(result.error().message);
    return std::move(*result);
}

/// An array in device memory, filled with one value.
template <typename T>
class DeviceArray {
public:
    DeviceArray(DeviceMemory& memory, std::size_t count, T fill = T{}) : memory_(memory), count_(count) {
        address_ = value_of(memory.allocate(count * sizeof(T)));
        for (std::size_t i = 0; i < count; ++i) (*this)[i] = fill;
    }
    ~DeviceArray() { memory_.release(address_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T& operator[](std::size_t index) { return reinterpret_cast<T*>(address_)[index]; }
    std::uint64_t address() const { return address_; }
    std::vector<T> values() const {
        const T* const begin = reinterpret_cast<const T*>(address_);
        return {begin, begin + count_};
    }

private:
    DeviceMemory& memory_;
    std::size_t count_;
    std::uint64_t address_ = 0;
};

/// One or several modules, linked and ready to launch.
class TestProgram {
public:
    explicit TestProgram(const std::string& text) : TestProgram(std::vector<std::string>{text}) {}
    explicit TestProgram(const std::vector<std::string>& texts) {
        std::vector<ptx::Module> modules;
        for (const std::string& text : texts) modules.push_back(value_of(ptx::parse(text)));
        image = value_of(Image::link(std::move(modules), memory));
    }

    /// Launches with the given parameters, in order.
    template <typename... Values>
    LaunchReport launch(const std::string& name, const Dim3& grid, const Dim3& block, Values... values) {
        const Kernel* const kernel = image->find_kernel(name);
        REQUIRE(kernel != nullptr);
        std::vector<std::byte> bytes(kernel->parameter_bytes);
        std::size_t next = 0;
        (put(bytes, kernel->parameters.at(next++), values), ...);
        config.grid = grid;
        config.block = block;
        config.parameters = bytes;
        return emulator::launch(*kernel, config, memory, *threads);
    }

    DeviceMemory memory;
    std::unique_ptr<Image> image;
    LaunchConfig config;
    std::unique_ptr<HostThreads> threads = std::make_unique<SingleThread>();

private:
    template <typename T>
    static void put(std::vector<std::byte>& bytes, const KernelParameter& parameter, const T& value) {
        REQUIRE(sizeof value == parameter.bytes);
        std::memcpy(bytes.data() + parameter.offset, &value, sizeof value);
    }
};

/// The header of every module.
inline std::string module_of(const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n" + body;
}

/// A kernel `k(out)` that computes %r1 for each thread and stores it at out[global thread number]. `body` sees the
/// thread number in %r0 and the lane in %r2; it may use %r3 to %r19, %p0 to %p9, %rd3 to %rd9.
inline std::string kernel_of(const std::string& body, const std::string& before = "") {
    return module_of(before + R"(
.visible .entry k(.param .u64 k_param_0)
{
    .reg .pred %p<10>;
    .reg .b32 %r<30>;
    .reg .b64 %rd<10>;
    ld.param.u64 %rd0, [k_param_0];
    cvta.to.global.u64 %rd0, %rd0;
    mov.u32 %r20, %ctaid.x;
    mov.u32 %r21, %ntid.x;
    mov.u32 %r22, %tid.x;
    mad.lo.s32 %r0, %r20, %r21, %r22;
    mov.u32 %r2, %laneid;
    mov.u32 %r1, 0;
)" + body + R"(
STORE:
    mul.wide.u32 %rd1, %r0, 4;
    add.s64 %rd1, %rd0, %rd1;
    st.global.u32 [%rd1], %r1;
    ret;
}
)");
}

/// Runs `kernel_of(body)` and gives its output; fails on any fault.
inline std::vector<std::uint32_t> run_threads(const std::string& body, std::uint32_t threads,
                                              LaunchReport* report = nullptr, std::uint32_t blocks = 1,
                                              const std::string& before = "") {
    TestProgram program(kernel_of(body, before));
    DeviceArray<std::uint32_t> out(program.memory, std::size_t{threads} * blocks, 0xdeadu);
    const LaunchReport result = program.launch("k", {blocks, 1, 1}, {threads, 1, 1}, out.address());
    for (const Fault& fault : result.faults) FAIL_CHECK(fault.message);
    CHECK(result.status == LaunchStatus::success);
    if (report != nullptr) *report = result;
    return out.values();
}

}  // namespace lanes::emulator::tests
