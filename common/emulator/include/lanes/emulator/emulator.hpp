/// @file
/// @brief The emulator's front door: PTX modules in, launches with counts and faults out.
///
/// It knows nothing of cudart, files or processes. See common/runtime for the libcudart built on it.
#pragma once

#include <lanes/emulator/checks.hpp>
#include <lanes/emulator/counters.hpp>
#include <lanes/emulator/fault.hpp>
#include <lanes/emulator/host_threads.hpp>
#include <lanes/emulator/memory.hpp>
#include <lanes/emulator/ptx.hpp>
#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::emulator {

/// A parameter of a kernel, as laid out in the parameter buffer.
struct KernelParameter {
    std::uint32_t offset = 0;          ///< in the buffer
    std::uint32_t bytes = 0;           ///< size
    ptx::Type type = ptx::Type::none;  ///< b8 for structures
};

struct Program;  // decoded operations: private to the emulator

/// A kernel that is ready to launch.
struct Kernel {
    std::string name;                               ///< as in PTX: mangled for C++
    std::vector<KernelParameter> parameters;        ///< in order
    std::uint32_t parameter_bytes = 0;              ///< size of the parameter buffer
    std::uint32_t static_shared_bytes = 0;          ///< of a block, with those of all functions it can call
    std::uint32_t local_bytes = 0;                  ///< a thread's local memory, the stack of recursive calls aside
    std::uint32_t required_threads[3] = {0, 0, 0};  ///< the only block extent allowed; 0: any
    std::uint32_t maximum_threads[3] = {0, 0, 0};   ///< their product is the largest block allowed; 0: any
    std::shared_ptr<const Program> program;         ///< the decoded kernel
};

/// A module-scope variable with its place in device memory.
struct DeviceVariable {
    std::string name;                       ///< as in PTX
    std::uint64_t address = 0;              ///< in device memory, which is the host address too
    std::uint64_t bytes = 0;                ///< size
    ptx::Space space = ptx::Space::global;  ///< global or constant
    bool managed = false;                   ///< __managed__
};

/// Modules linked together: kernels decoded, variables placed and initialised.
class Image {
public:
    /// Links modules. Kernels that use an unsupported instruction still decode; reaching the instruction is a fault.
    /// @param modules  parsed modules; a name that one declares extern may be defined in another
    /// @param memory  where module variables are placed; must outlive the image
    /// @return the image, or an error: a name defined twice, no memory, an initial value that names nothing
    static Result<std::unique_ptr<Image>> link(std::vector<ptx::Module> modules, DeviceMemory& memory);
    /// Frees the variables' device memory.
    ~Image();
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    /// Gives variables their initial values again; managed ones, which the host may be using, keep theirs. Not while a
    /// kernel runs.
    void reset_variables();

    /// A kernel by its PTX name, nullptr if there is none. Decodes it when first asked for. Any thread may ask.
    const Kernel* find_kernel(std::string_view name) const;
    /// A variable by its PTX name, nullptr if there is none.
    const DeviceVariable* find_variable(std::string_view name) const;
    /// All kernels, by name. Decodes those that nobody has asked for yet.
    std::vector<const Kernel*> kernels() const;

private:
    struct State;
    explicit Image(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// The device that is emulated: what special registers and launch checks need to know.
struct Device {
    std::string name = "emulator, as an sm_89";                      ///< for people
    std::uint32_t compute_capability = 89;                           ///< 89 is 8.9
    std::uint32_t multiprocessors = 4;                               ///< for %nsmid and %smid
    std::uint32_t maximum_threads_per_block = 1024;                  ///< in all three extents together
    std::uint32_t maximum_shared_bytes_per_block = 48 * 1024;        ///< static; and dynamic without the opt-in
    std::uint32_t maximum_shared_bytes_per_block_optin = 99 * 1024;  ///< static and dynamic
};

/// How the warps of a block take turns.
struct Schedule {
    bool lockstep = true;    ///< warps in order, each as far as it can go
    std::uint64_t seed = 0;  ///< if not lockstep: a pseudo-random order, repeatable by its seed
};

/// One launch.
struct LaunchConfig {
    Dim3 grid;                               ///< blocks
    Dim3 block;                              ///< threads of a block
    std::uint32_t dynamic_shared_bytes = 0;  ///< beside the static ones
    std::span<const std::byte> parameters;   ///< Kernel::parameter_bytes of them
    Device device;                           ///< whose limits hold
    Schedule schedule;                       ///< order of a block's warps
    Checks checks = Checks::all();           ///< what is watched beside what always is
    /// Thread instructions a warp may issue; each of its instructions counts for 32, however many lanes execute it.
    std::uint64_t instruction_budget = 20'000'000'000;
    /// All blocks are there at once, so that they may wait for each other: grid.sync(). They then take turns on one
    /// host thread. Whether the device could hold them is for the caller to know.
    bool cooperative = false;
    std::function<void(std::string_view)> print;  ///< device printf; called from worker threads, one at a time
};

/// How a launch ended, for a runtime to turn into an error code.
enum class LaunchStatus : std::uint8_t {
    success,             ///< ran to its end; there may be warnings, races and reads of unset memory
    illegal_address,     ///< out of bounds, use after free, stack overflow
    misaligned_address,  ///< misaligned access
    assertion,           ///< assert() failed
    trap,                ///< __trap()
    unsupported,         ///< PTX that the emulator does not know
    launch_failure,      ///< barrier, mask, deadlock or budget faults
    invalid_launch       ///< refused before anything ran
};

/// What a launch did and cost.
struct LaunchReport {
    LaunchStatus status = LaunchStatus::success;  ///< how it ended
    CounterSet totals;                            ///< of the whole grid
    std::vector<LineCounters> lines;              ///< in order of file and line
    std::vector<Fault> faults;                    ///< errors first, in order of blocks and threads
};

/// Runs a kernel to its end or to its first error. Counts are the same for any number of host threads.
/// @param kernel  of an Image that still lives
/// @param config  shape, parameters and limits
/// @param memory  the table that bounds are checked against
/// @param threads  workers, each of which runs one block after the other
/// @return counts and faults; with status invalid_launch nothing has run
LaunchReport launch(const Kernel& kernel, const LaunchConfig& config, DeviceMemory& memory, HostThreads& threads);

}  // namespace lanes::emulator
