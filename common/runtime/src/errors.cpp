// Errors: the last one of each host thread, and their names.
#include "call.hpp"
#include "enum_number.hpp"
#include "error_names.hpp"

#include <cuda_runtime_api.h>

using namespace lanes::runtime;

LANES_EXPORT cudaError_t cudaGetLastError() {
    return last_error(true);
}

LANES_EXPORT cudaError_t cudaPeekAtLastError() {
    return last_error(false);
}

LANES_EXPORT const char* cudaGetErrorName(cudaError_t error) {
    return error_name(enum_number(error));
}

LANES_EXPORT const char* cudaGetErrorString(cudaError_t error) {
    return error_description(enum_number(error));
}
