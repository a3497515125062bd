/// @file
/// @brief Which line of the user's source an instruction belongs to.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "execution.hpp"

namespace lanes::emulator {

/// True if the path is that of a header that comes with the toolkit.
bool is_toolkit_file(std::string_view path);

/// Attributes the instructions of one module.
class LineAttribution {
public:
    explicit LineAttribution(const ptx::Module& module);

    /// The innermost frame of the location in the user's own files: a call of `__shfl_down_sync` belongs to the line
    /// that makes it. If every frame is in the toolkit, the outermost one. Line 0 if there is no information.
    SourceLine line_of(std::int32_t location) const;

private:
    bool is_users(const ptx::Location& location) const;

    const ptx::Module& module_;
    std::vector<std::uint32_t> toolkit_files_;  // numbers, sorted
};

}  // namespace lanes::emulator
