/// @file
/// @brief `.file`, `.loc` and debug sections: from which source line an instruction comes.
#pragma once

#include "ptx_reader.hpp"

#include <lanes/emulator/ptx.hpp>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanes::emulator::ptx {

/// Collects files and locations of a module. Equal locations are kept once.
class LineTable {
public:
    explicit LineTable(Module& module) : module_(module) {}

    /// After `.file`: number, name, and perhaps a time and a size.
    bool parse_file(Reader& reader);
    /// After `.loc`: file, line, column, and perhaps the call it was inlined at.
    bool parse_location(Reader& reader);
    /// After `.section`: the name and a block that is skipped.
    static bool skip_section(Reader& reader);

    /// Index of the last `.loc` of this function, -1 if there is none yet.
    std::int32_t current() const { return current_; }
    void start_function();
    /// Orders the files, as Module promises.
    void finish();

private:
    struct Hash {
        std::size_t operator()(const Location& location) const;
    };
    struct Equal {
        bool operator()(const Location& a, const Location& b) const;
    };

    struct Last {
        std::int32_t location = -1;
        std::uint32_t function = 0;  ///< the function that was being read
    };

    std::int32_t intern(const Location& location);
    /// The last location of this function at a place, inlined or not: what `inlined_at` refers to.
    std::int32_t last_at(const Location& place);

    Module& module_;
    std::unordered_map<Location, std::int32_t, Hash, Equal> known_;
    std::unordered_map<Location, Last, Hash, Equal> last_;  ///< by place: inlined_at is -1 in the key
    std::vector<std::uint32_t> depths_;                     ///< of Module::locations: frames of the chain
    std::int32_t current_ = -1;
    std::uint32_t function_ = 0;  ///< functions started so far
};

}  // namespace lanes::emulator::ptx
