#include "loading.hpp"

#include "process.hpp"

#include <cuda_runtime_api.h>

namespace lanes::runtime {

namespace {

// Managed variables are known to cudaPointerGetAttributes as managed memory.
void note_managed_variables(const Module& module) {
    for (const auto& variable : module.variables)
        if (variable->managed_pointer != nullptr && variable->address != 0)
            process().shared_memory.add(variable->address, {SharedKind::managed, cudaMemAttachGlobal});
}

void report_load_error(const LoadError& error) {
    emulator::Fault fault;
    fault.kind = emulator::FaultKind::unsupported;
    fault.message = error.message;
    process().faults.add(fault);
}

}  // namespace

cudaError_t load(Module& module) {
    Process& state = process();
    bool first = false;
    const auto& error = module.load(state.memory, state.profile().compute_capability, state.options.module, first);
    if (error) {
        if (first) report_load_error(*error);
        return error->code;
    }
    if (first) note_managed_variables(module);
    return cudaSuccess;
}

cudaError_t find_loaded_kernel(const void* function, KernelEntry*& entry) {
    constexpr cudaError_t unknown_handle =
        CUDART_VERSION >= 13000 ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
    entry = process().modules.find_kernel(function);
    if (entry == nullptr) return function == nullptr ? cudaErrorInvalidDeviceFunction : unknown_handle;
    if (const cudaError_t error = load(*entry->module); error != cudaSuccess) return error;
    entry->module->bind(*entry);
    return entry->kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

cudaError_t find_loaded_variable(const void* symbol, VariableEntry*& entry) {
    entry = process().modules.find_variable(symbol);
    if (entry == nullptr) return cudaErrorInvalidSymbol;
    if (const cudaError_t error = load(*entry->module); error != cudaSuccess) return error;
    return entry->address == 0 ? cudaErrorInvalidSymbol : cudaSuccess;
}

}  // namespace lanes::runtime
