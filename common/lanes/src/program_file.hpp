/// @file
/// @brief Looks at a program before it runs: can the emulator's libcudart get in front of it?
#pragma once

#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanes {

/// What a file is.
enum class ProgramKind { elf, script, other };

/// What is known of a program from its file alone.
struct ProgramFile {
    ProgramKind kind = ProgramKind::other;           ///< what the file is
    std::vector<std::string> needed;                 ///< shared libraries it asks for
    bool has_device_code = false;                    ///< it contains a fat binary
    bool has_ptx = false;                            ///< some fat binary holds PTX
    std::vector<std::uint32_t> cubin_architectures;  ///< of machine code in fat binaries: 89 for sm_89, in order
    bool imports_runtime = false;                    ///< it expects a libcudart from outside
};

/// Reads a program's file. Pure: never reads outside `bytes`.
/// @param bytes  the whole file
ProgramFile inspect_program(std::span<const std::byte> bytes);

/// The PTX that a device would be given, of all parts of a program one after the other.
/// @param bytes               the whole file
/// @param compute_capability  of the device: 89 for an sm_89
/// @return the text, empty if the file holds no code for a GPU; an error if some part has none for the device
emulator::Result<std::string> ptx_of_program(std::span<const std::byte> bytes, std::uint32_t compute_capability);

/// What is to be said about a program before it runs.
struct Verdict {
    bool can_run = true;  ///< whether it is worth a try
    std::string message;  ///< empty if there is nothing to say
};

/// Judges whether the emulator can run a program.
/// @param path          the program, for the message
/// @param program       what its file says
/// @param library_name  the emulator's library, such as "libcudart.so.13"
Verdict judge_program(const std::string& path, const ProgramFile& program, const std::string& library_name);

/// Finds a program as a shell does, and then in the current directory.
/// @param name  a path, or a name without a slash
/// @return the path of an existing file, or nothing
std::optional<std::string> find_program(const std::string& name);

}  // namespace lanes
