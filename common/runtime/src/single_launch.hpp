/// @file
/// @brief One launch of a kernel of some PTX, without a program around it: what `lanes launch` and the book's pages do.
#pragma once

#include "options.hpp"

#include <lanes/emulator/emulator.hpp>
#include <lanes/emulator/result.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanes::runtime {

/// One argument of the kernel.
struct LaunchArgument {
    emulator::ptx::Type type = emulator::ptx::Type::none;  ///< of the number, or of an element
    bool is_array = false;                                 ///< the kernel gets a pointer to `values`
    std::vector<std::byte> values;  ///< of the type, one after the other; of an unset array, none
    std::uint64_t count = 1;        ///< elements of the array
    std::string text;               ///< what to call it in messages: as it was asked for
};

/// Where an array of the arguments lies.
struct PlacedArray {
    emulator::ptx::Type type = emulator::ptx::Type::none;  ///< of an element
    std::uint64_t address = 0;                             ///< in device memory
    std::uint64_t bytes = 0;                               ///< size
    std::size_t position = 0;                              ///< among the arguments
};

/// The arguments as the launch takes them.
struct PlacedArguments {
    std::vector<std::byte> buffer;    ///< the kernel's parameters
    std::vector<PlacedArray> arrays;  ///< in order of the arguments
};

/// The shape that was asked for.
struct LaunchExtents {
    emulator::Dim3 grid;                     ///< blocks
    emulator::Dim3 block;                    ///< threads of a block
    std::uint32_t dynamic_shared_bytes = 0;  ///< of a block
    bool cooperative = false;                ///< all blocks at once, so that they may wait for each other
};

/// A kernel by its name.
/// @param image  has the kernels
/// @param name  in PTX or in the source; empty if there is only one
/// @return the kernel, or an error that lists those there are
emulator::Result<const emulator::Kernel*> choose_kernel(const emulator::Image& image, const std::string& name);

/// Puts arrays into device memory, and numbers and addresses into the kernel's parameters.
/// @param kernel  whose parameters they are
/// @param arguments  in order
/// @param memory  gets the arrays; those without values are unset
/// @return both, or an error: the wrong number of arguments, one of the wrong size, no memory
emulator::Result<PlacedArguments> place_arguments(const emulator::Kernel& kernel,
                                                  const std::vector<LaunchArgument>& arguments,
                                                  emulator::DeviceMemory& memory);

/// The launch, without its parameters and without a place for printf's text; or what the runtime would refuse. Nobody
/// is there to opt in to more shared memory, so that is taken as given.
/// @param kernel  to launch
/// @param extents  shape
/// @param options  device, schedule, checks and budget
emulator::Result<emulator::LaunchConfig> configure_launch(const emulator::Kernel& kernel, const LaunchExtents& extents,
                                                          const Options& options);

/// A finished launch in JSON, each part as report.hpp has it.
struct DescribedLaunch {
    nlohmann::json device;               ///< of `device_line`
    nlohmann::json launch;               ///< of `launch_line`
    std::vector<nlohmann::json> faults;  ///< of `fault_line`
};

/// Describes a finished launch.
/// @param options  the device
/// @param kernel  that was launched
/// @param config  with which
/// @param report  what it did
DescribedLaunch describe_launch(const Options& options, const emulator::Kernel& kernel,
                                const emulator::LaunchConfig& config, const emulator::LaunchReport& report);

}  // namespace lanes::runtime
