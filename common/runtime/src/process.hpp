/// @file
/// @brief What the runtime knows of this process: the device, its memory, the program's kernels, streams and events.
#pragma once

#include "arrays.hpp"
#include "captures.hpp"
#include "fault_log.hpp"
#include "graphs.hpp"
#include "handles.hpp"
#include "host_memory.hpp"
#include "modules.hpp"
#include "options.hpp"
#include "report.hpp"
#include "thread_pool.hpp"

#include <lanes/emulator/emulator.hpp>
#include <lanes/model/occupancy.hpp>

#include <driver_types.h>

#include <atomic>
#include <mutex>
#include <optional>

namespace lanes::runtime {

/// Counts of the last finished launch.
class LastLaunch {
public:
    /// Stores the counts of a launch.
    void set(const emulator::CounterSet& counters) {
        const std::lock_guard lock(mutex_);
        counters_ = counters;
    }

    /// The counts, or nothing before the first launch has finished.
    std::optional<emulator::CounterSet> get() const {
        const std::lock_guard lock(mutex_);
        return counters_;
    }

private:
    mutable std::mutex mutex_;
    std::optional<emulator::CounterSet> counters_;
};

/// The one of its kind. It is made when the program registers its first kernel or makes its first call, and it is
/// never destroyed: a program may still free memory in its last destructors.
struct Process {
    /// Reads the environment; prints a message and ends the process with status 2 if a LANES_ variable is bad.
    Process();

    Options options;                                             ///< what the person chose
    model::MultiprocessorLimits limits;                          ///< of the emulated device
    ReportFile report;                                           ///< where launches and faults are written down
    FaultLog faults;                                             ///< what kernels did wrong so far
    emulator::DeviceMemory memory;                               ///< all of it, and whose it is
    SharedMemoryTable shared_memory;                             ///< what of it the host can use too
    ThreadPool pool;                                             ///< runs blocks
    Modules modules;                                             ///< fat binaries, with their kernels and variables
    HandleTable<Stream, cudaStream_t> streams;                   ///< that the program made
    HandleTable<Event, cudaEvent_t> events;                      ///< that the program made
    HandleTable<Array, cudaArray_t> arrays;                      ///< that the program made
    NumberedTable<Texture> textures;                             ///< texture objects
    NumberedTable<cudaResourceDesc> surfaces;                    ///< surface objects
    Graphs graphs;                                               ///< made by hand or captured
    HandleTable<GraphSteps, cudaGraphExec_t> executable_graphs;  ///< instantiated graphs
    Captures captures{graphs};                                   ///< that are going on
    LastLaunch last_launch;                                      ///< for programs that ask what they cost
    std::mutex launch_mutex;  ///< one launch at a time; also guards what programs set for a kernel
    std::atomic<cudaError_t> device_error{cudaSuccess};  ///< what a kernel did to the device: stays
    std::atomic<int> owner{0};                           ///< process id of the first call that used the device

    /// The profile that is emulated.
    const DeviceProfile& profile() const { return *options.device; }
};

/// The process's state.
Process& process();

/// Whether `process` was called before: false if the program has nothing to do with CUDA.
bool process_exists();

}  // namespace lanes::runtime
