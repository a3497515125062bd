/// @file
/// @brief What the emulated device says of itself.
#pragma once

#include "profiles.hpp"

#include <lanes/model/occupancy.hpp>

#include <cuda_runtime_api.h>

#include <optional>

namespace lanes::runtime {

/// The value of a device attribute.
/// @param attribute  which
/// @param profile    the card that is imitated
/// @param limits     of its multiprocessors
/// @return the value, or nothing if there is no such attribute
std::optional<int> device_attribute(int attribute, const DeviceProfile& profile,
                                    const model::MultiprocessorLimits& limits);

/// The properties of the emulated device.
/// @param profile  the card that is imitated
/// @param limits   of its multiprocessors
cudaDeviceProp device_properties(const DeviceProfile& profile, const model::MultiprocessorLimits& limits);

}  // namespace lanes::runtime
