/// @file
/// @brief The report of a process: a line of JSON for the device, each launch and each fault.
///
/// Every line is written whole and at once, so that a crash loses nothing and several processes can share a file.
#pragma once

#include "profiles.hpp"

#include <lanes/emulator/emulator.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace lanes::runtime {

/// What the caller knew of a launch.
struct LaunchFacts {
    std::string kernel;                      ///< the name in PTX
    emulator::Dim3 grid;                     ///< blocks
    emulator::Dim3 block;                    ///< threads of a block
    std::uint32_t static_shared_bytes = 0;   ///< of a block
    std::uint64_t dynamic_shared_bytes = 0;  ///< of a block
};

/// The line of a device: {"device": {"name", "compute_capability", "card"}}.
/// @param device  the profile that is emulated
nlohmann::json device_line(const DeviceProfile& device);

/// The line of a finished launch. Counters of lines that are 0 are left out.
/// @param launch  what was launched
/// @param report  what it cost
nlohmann::json launch_line(const LaunchFacts& launch, const emulator::LaunchReport& report);

/// The line of a fault.
/// @param fault     the fault as the emulator gave it; its kernel's name gets demangled
/// @param expected  the program announced it: see lanesEmulatorExpectFaults
nlohmann::json fault_line(const emulator::Fault& fault, bool expected);

/// The line of device memory that was never freed.
/// @param message  one sentence about it
nlohmann::json leak_line(const std::string& message);

/// Appends lines to a file.
class ReportFile {
public:
    /// @param path  the file, or empty for none; it is opened at once
    explicit ReportFile(const std::string& path);
    ~ReportFile();
    ReportFile(const ReportFile&) = delete;
    ReportFile& operator=(const ReportFile&) = delete;

    /// Whether the file could not be opened.
    bool failed() const { return failed_; }
    /// Whether lines go anywhere.
    bool enabled() const { return descriptor_ >= 0; }
    /// Writes one line; does nothing if there is no file.
    void append(const nlohmann::json& line);

private:
    void give_up(int error);

    int descriptor_ = -1;
    bool failed_ = false;
};

}  // namespace lanes::runtime
