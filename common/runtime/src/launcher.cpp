#include "launcher.hpp"

#include "kernel_name.hpp"
#include "loading.hpp"
#include "process.hpp"
#include "stream_work.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::runtime {

namespace {

// PTX leaves out trailing ones; 0 means that nothing is said.
emulator::Dim3 extent_of(const std::uint32_t (&threads)[3]) {
    if (threads[0] == 0) return {0, 0, 0};
    return {threads[0], std::max(threads[1], 1U), std::max(threads[2], 1U)};
}

emulator::Dim3 to_dim3(const dim3& value) {
    return {value.x, value.y, value.z};
}

cudaError_t refuse(const KernelEntry& entry, const Refusal& refusal) {
    emulator::Fault fault;
    fault.kind = emulator::FaultKind::invalid_launch;
    fault.kernel = entry.name;
    fault.message = short_name(demangle(entry.name)) + " was not launched: " + refusal.message;
    process().faults.add(fault);
    return refusal.error;
}

// Arguments in the layout of the kernel's parameters.
std::vector<std::byte> copy_arguments(const emulator::Kernel& kernel, void** arguments) {
    std::vector<std::byte> buffer(kernel.parameter_bytes);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
        std::memcpy(buffer.data() + kernel.parameters[i].offset, arguments[i], kernel.parameters[i].bytes);
    return buffer;
}

// A kernel's printf shares the host's buffer, so that lines come out in the order in which they were printed.
void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

emulator::Device device_of(const Process& state, const KernelEntry& entry) {
    emulator::Device device;
    device.name = state.profile().name();
    device.compute_capability = state.profile().compute_capability;
    device.multiprocessors = state.profile().multiprocessors;
    device.maximum_threads_per_block = state.limits.threads_per_block;
    device.maximum_shared_bytes_per_block_optin = state.limits.shared_bytes_per_block;
    device.maximum_shared_bytes_per_block = entry.maximum_dynamic_shared ? state.limits.shared_bytes_per_block
                                                                         : state.limits.default_shared_bytes_per_block;
    return device;
}

emulator::LaunchReport run(const KernelEntry& entry, const PackedLaunch& packed) {
    Process& state = process();
    emulator::LaunchConfig config;
    config.grid = packed.shape.grid;
    config.block = packed.shape.block;
    config.dynamic_shared_bytes = static_cast<std::uint32_t>(packed.shape.dynamic_shared_bytes);
    config.parameters = packed.parameters;
    config.cooperative = packed.cooperative;
    config.device = device_of(state, entry);
    config.schedule = state.options.schedule;
    config.checks = state.options.checks;
    config.instruction_budget = state.options.budget;
    config.print = print;
    std::cout.flush();  // what the host has printed comes first
    emulator::LaunchReport report = emulator::launch(*entry.kernel, config, state.memory, state.pool);
    std::fflush(stdout);
    return report;
}

bool has_fault(const emulator::LaunchReport& report, emulator::FaultKind kind) {
    return std::any_of(report.faults.begin(), report.faults.end(),
                       [kind](const emulator::Fault& fault) { return fault.kind == kind; });
}

// The error a GPU would leave behind. It has none for an instruction that the emulator lacks.
cudaError_t device_error_of(const emulator::LaunchReport& report) {
    switch (report.status) {
        case emulator::LaunchStatus::success:
        case emulator::LaunchStatus::invalid_launch:
            return cudaSuccess;
        case emulator::LaunchStatus::illegal_address:
            return cudaErrorIllegalAddress;
        case emulator::LaunchStatus::misaligned_address:
            return cudaErrorMisalignedAddress;
        case emulator::LaunchStatus::assertion:
            return cudaErrorAssert;
        case emulator::LaunchStatus::unsupported:
            return cudaErrorNotSupported;
        case emulator::LaunchStatus::trap:
            return cudaErrorLaunchFailure;
        case emulator::LaunchStatus::launch_failure:
            return has_fault(report, emulator::FaultKind::instruction_budget) ? cudaErrorLaunchTimeout
                                                                              : cudaErrorLaunchFailure;
    }
    return cudaErrorUnknown;
}

void finish(const KernelEntry& entry, const LaunchShape& shape, const emulator::LaunchReport& report) {
    Process& state = process();
    if (state.report.enabled())
        state.report.append(launch_line(
            {entry.name, shape.grid, shape.block, shape.static_shared_bytes, shape.dynamic_shared_bytes}, report));
    for (const emulator::Fault& fault : report.faults) state.faults.add(fault);
    state.last_launch.set(report.totals);
    if (const cudaError_t error = device_error_of(report); error != cudaSuccess) state.device_error = error;
}

}  // namespace

LaunchShape shape_of(const KernelEntry& entry) {
    LaunchShape shape;
    shape.static_shared_bytes = entry.kernel->static_shared_bytes;
    shape.registers = entry.resources ? entry.resources->registers : 0;
    shape.maximum_threads = extent_of(entry.kernel->maximum_threads);
    shape.required_threads = extent_of(entry.kernel->required_threads);
    shape.maximum_dynamic_shared = entry.maximum_dynamic_shared;
    return shape;
}

cudaError_t pack(const LaunchRequest& request, PackedLaunch& packed) {
    KernelEntry* entry = nullptr;
    if (const cudaError_t error = find_loaded_kernel(request.function, entry); error != cudaSuccess) return error;
    Process& state = process();
    const std::lock_guard no_launch(state.launch_mutex);
    packed.function = request.function;
    packed.shape = shape_of(*entry);
    packed.shape.grid = to_dim3(request.grid);
    packed.shape.block = to_dim3(request.block);
    packed.shape.dynamic_shared_bytes = request.shared_bytes;
    packed.cooperative = request.cooperative;
    if (const auto refusal = check_launch(packed.shape, state.limits)) return refuse(*entry, *refusal);
    if (request.cooperative)
        if (const auto refusal = check_cooperative(packed.shape, state.limits, state.profile().multiprocessors))
            return refuse(*entry, *refusal);
    if (request.arguments == nullptr && !entry->kernel->parameters.empty()) return cudaErrorInvalidValue;
    packed.parameters = copy_arguments(*entry->kernel, request.arguments);
    return cudaSuccess;
}

cudaError_t launch(const PackedLaunch& packed) {
    KernelEntry* entry = nullptr;
    if (const cudaError_t error = find_loaded_kernel(packed.function, entry); error != cudaSuccess) return error;
    const std::lock_guard one_at_a_time(process().launch_mutex);
    // Another thread's kernel may have failed while this one waited for its turn.
    if (const cudaError_t error = process().device_error; error != cudaSuccess) return error;
    const emulator::LaunchReport report = run(*entry, packed);
    finish(*entry, packed.shape, report);
    return report.status == emulator::LaunchStatus::invalid_launch ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t launch(const LaunchRequest& request) {
    if (!is_stream(request.stream)) return cudaErrorInvalidResourceHandle;
    PackedLaunch packed;
    if (const cudaError_t error = pack(request, packed); error != cudaSuccess) {
        process().captures.invalidate(request.stream);
        return error;
    }
    const auto captured = capture(request.stream, {cudaGraphNodeTypeKernel, [packed] { return launch(packed); }});
    return captured ? *captured : launch(packed);
}

}  // namespace lanes::runtime
