/// @file
/// @brief PTX in place of a program's own: does it have what the program uses?
#pragma once

#include <lanes/emulator/ptx.hpp>

#include <string>
#include <vector>

namespace lanes::runtime {

/// What the host code of a program knows of its PTX: names, as PTX spells them.
struct Interface {
    std::vector<std::string> kernels;    ///< that it can launch
    std::vector<std::string> variables;  ///< that it can copy to and from
};

/// Compares PTX with that for which a program was built.
/// @param interface    what the program uses
/// @param originals    the program's own PTX
/// @param replacement  what is to take its place
/// @return what the replacement lacks, or has with other parameters or another size, in words that go on after
///         "the file" ("defines no kernel named ..."); empty if it fits
std::string misfit(const Interface& interface, const std::vector<emulator::ptx::Module>& originals,
                   const emulator::ptx::Module& replacement);

}  // namespace lanes::runtime
