/// @file
/// @brief What a person may choose about the emulator, and how the choices are spelled.
///
/// `lanes run` takes them as options and hands them to the runtime in environment variables; both read them here.
#pragma once

#include "profiles.hpp"

#include <lanes/emulator/emulator.hpp>
#include <lanes/emulator/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace lanes::runtime {

/// The emulator's options. `read_options` fills in the defaults.
struct Options {
    const DeviceProfile* device = nullptr;              ///< LANES_DEVICE
    unsigned threads = 1;                               ///< LANES_THREADS: host threads that run blocks
    std::uint64_t budget = 0;                           ///< LANES_BUDGET: instructions after which a warp is stopped
    emulator::Schedule schedule;                        ///< LANES_SCHEDULE
    emulator::Checks checks = emulator::Checks::all();  ///< LANES_CHECKS
    std::string report;  ///< LANES_REPORT: the file that gets a line of JSON an event, or empty
    std::string module;  ///< LANES_MODULE: a file of PTX that takes the place of the program's own, or empty
};

/// Names of the environment variables.
namespace variable {
inline constexpr const char* device = "LANES_DEVICE";      ///< as find_profile reads it
inline constexpr const char* threads = "LANES_THREADS";    ///< as parse_threads reads it
inline constexpr const char* budget = "LANES_BUDGET";      ///< as parse_budget reads it
inline constexpr const char* schedule = "LANES_SCHEDULE";  ///< as parse_schedule reads it
inline constexpr const char* checks = "LANES_CHECKS";      ///< as emulator::parse_checks reads it
inline constexpr const char* report = "LANES_REPORT";      ///< path of a file
inline constexpr const char* module = "LANES_MODULE";      ///< path of a file
}  // namespace variable

/// The device if nobody chooses one.
inline constexpr std::string_view default_device = "sm_89";

/// Number of host threads.
/// @param text  a number from 1 to 1024
/// @return the number, or an error that quotes the text
emulator::Result<unsigned> parse_threads(std::string_view text);

/// Number of instructions after which a thread's kernel is stopped.
/// @param text  a number of at least 1
/// @return the number, or an error that quotes the text
emulator::Result<std::uint64_t> parse_budget(std::string_view text);

/// Order in which the warps of a block take turns.
/// @param text  "lockstep", or the seed of a random order
/// @return the schedule, or an error that quotes the text
emulator::Result<emulator::Schedule> parse_schedule(std::string_view text);

/// Reads all options.
/// @param get  looks a variable up; a null pointer if it is not set, as std::getenv does
/// @return the options, or an error that names the variable
emulator::Result<Options> read_options(const std::function<const char*(const char*)>& get);

}  // namespace lanes::runtime
