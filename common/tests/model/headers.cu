// The model inside a CUDA source, for the host and for the device.
#include "headline_values.hpp"

namespace {

// Device code may read constants that the model computed, but not call it: its functions are for the host.
constexpr unsigned shifted_sectors = lanes::model::count_sectors(lanes::model::strided_addresses(4, 4), 4);
constexpr unsigned column_degree = lanes::model::stride_conflict_degree(32);

/// Writes compile-time results of the model from device code.
/// @param results two values, on the device
__global__ void write_model_values(unsigned* results) {
    results[0] = shifted_sectors;
    results[1] = column_degree;
}

}  // namespace

/// Address of the kernel, so that it is compiled.
/// @return the kernel
const void* model_kernel() {
    return reinterpret_cast<const void*>(&write_model_values);
}
