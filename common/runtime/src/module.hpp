/// @file
/// @brief A registered fat binary: its kernels and variables as the host knows them, loaded when first needed.
#pragma once

#include "cubin.hpp"
#include "fatbin.hpp"

#include <lanes/emulator/emulator.hpp>

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanes::runtime {

class Module;

/// A `__global__` function as registered, and what a program has set for it.
struct KernelEntry {
    Module* module = nullptr;                             ///< whose kernel it is
    const void* host_function = nullptr;                  ///< what stands for it on the host
    std::string name;                                     ///< in PTX
    const emulator::Kernel* kernel = nullptr;             ///< set by Module::bind; null if its PTX lacks it
    std::optional<KernelResources> resources;             ///< from the cubin, if there is one that fits
    std::uint32_t ptx_version = 0;                        ///< architecture of the PTX that was chosen
    std::optional<std::uint32_t> maximum_dynamic_shared;  ///< cudaFuncAttributeMaxDynamicSharedMemorySize
    int carve_out = -1;                                   ///< cudaFuncAttributePreferredSharedMemoryCarveout
};

/// A `__device__`, `__constant__` or `__managed__` variable as registered.
struct VariableEntry {
    Module* module = nullptr;             ///< whose variable it is
    const void* host_variable = nullptr;  ///< what stands for it on the host
    void** managed_pointer = nullptr;     ///< where the host expects the address of a managed variable
    std::string name;                     ///< in PTX
    std::uint64_t address = 0;            ///< set when the module is loaded; 0 if its PTX lacks it
    std::uint64_t bytes = 0;              ///< set with the address
};

/// Why a module cannot be used.
struct LoadError {
    cudaError_t code = cudaSuccess;  ///< what calls return
    std::string message;             ///< what stood in the way, and what to do
};

/// One fat binary of the program.
class Module {
public:
    /// @param wrapper  the structure that `__cudaRegisterFatBinary` was given; it and what it points to must live
    explicit Module(const void* wrapper) : wrapper_(wrapper) {}

    /// Reads the PTX, links it and fills in the entries; later calls return what the first one did.
    /// @param memory              where variables go
    /// @param compute_capability  of the emulated device: 89 for 8.9
    /// @param replacement         file of PTX to load instead of the program's own, or empty: see misfit
    /// @param first               set to whether this call did it
    /// @return nothing, or why it failed
    const std::optional<LoadError>& load(emulator::DeviceMemory& memory, std::uint32_t compute_capability,
                                         const std::string& replacement, bool& first);

    /// Decodes a kernel of this module, once, after `load`; its entry stays unbound if the PTX lacks it.
    void bind(KernelEntry& entry);

    /// Gives variables their initial values again and forgets what was set for kernels, as a reset of the device does.
    /// Managed variables keep theirs.
    void reset();

    /// Size of the module's constant variables, 0 before `load`.
    std::uint64_t constant_bytes() const { return constant_bytes_; }

    std::vector<std::unique_ptr<KernelEntry>> kernels;      ///< filled by the registration calls
    std::vector<std::unique_ptr<VariableEntry>> variables;  ///< filled by the registration calls

private:
    std::optional<LoadError> load_now(emulator::DeviceMemory& memory, std::uint32_t compute_capability,
                                      const std::string& replacement);
    std::optional<LoadError> replace(std::vector<emulator::ptx::Module>& modules, const std::string& file);
    void bind_variables();
    void read_resources(const std::vector<std::vector<FatbinEntry>>& containers, std::uint32_t compute_capability);

    const void* wrapper_;
    std::mutex mutex_;
    bool attempted_ = false;
    std::optional<LoadError> error_;
    std::unique_ptr<emulator::Image> image_;
    std::uint32_t ptx_version_ = 0;
    std::uint64_t constant_bytes_ = 0;
    std::map<std::string, KernelResources> resources_;
};

}  // namespace lanes::runtime
