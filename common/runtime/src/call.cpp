#include "call.hpp"

#include <unistd.h>

namespace lanes::runtime {

namespace {

thread_local cudaError_t thread_error = cudaSuccess;

}  // namespace

cudaError_t record_error(cudaError_t error) noexcept {
    if (error != cudaSuccess) thread_error = error;
    return error;
}

cudaError_t last_error(bool reset) noexcept {
    const cudaError_t error = thread_error;
    if (reset) thread_error = cudaSuccess;
    return error;
}

cudaError_t device_state() noexcept {
    Process& state = process();
    int owner = 0;
    const int self = getpid();
    if (!state.owner.compare_exchange_strong(owner, self) && owner != self) return cudaErrorInitializationError;
    return state.device_error.load();
}

}  // namespace lanes::runtime
