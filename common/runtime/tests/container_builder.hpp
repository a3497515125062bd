/// @file
/// @brief Builds fat binaries for the tests, byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lanes::runtime::tests {

using Bytes = std::vector<std::byte>;

/// An entry to build.
struct EntryRecipe {
    std::uint16_t kind = 1;  ///< 1 PTX, 2 ELF
    std::uint32_t architecture = 80;
    std::uint64_t flags = 0x11;
    Bytes payload;  ///< as stored
    std::uint32_t compressed = 0;
    std::uint64_t raw = 0;
};

/// The bytes of a text.
Bytes bytes_of(const std::string& text);

/// An entry whose payload is stored raw.
EntryRecipe raw_entry(std::uint16_t kind, std::uint32_t architecture, const std::string& text);
/// A PTX entry as an LZ4 block.
EntryRecipe lz4_entry(std::uint32_t architecture, const std::string& text);
/// A PTX entry as a zstd frame.
EntryRecipe zstd_entry(std::uint32_t architecture, const std::string& text);

/// A whole container.
Bytes build_container(const std::vector<EntryRecipe>& entries);

}  // namespace lanes::runtime::tests
