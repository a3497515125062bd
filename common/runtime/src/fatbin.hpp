/// @file
/// @brief Reads the fat binaries that nvcc embeds: containers of PTX and machine code for several architectures.
///
/// A container is a 16-byte header and a row of entries. An entry is a header of its own and a payload, which is raw,
/// an LZ4 block or a zstd frame. Everything here is a pure function of the bytes given: sizes in the data are checked
/// against them, so that a damaged binary gives an error and never a read outside.
#pragma once

#include <lanes/emulator/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanes::runtime {

/// First word of the structure that `__cudaRegisterFatBinary` is given.
inline constexpr std::uint32_t fatbin_wrapper_magic = 0x466243b1;
/// First word of a container.
inline constexpr std::uint32_t fatbin_container_magic = 0xba55ed50;
/// Bytes of a container's header.
inline constexpr std::size_t fatbin_header_bytes = 16;

/// What an entry of a container holds.
enum class FatbinKind : std::uint8_t { ptx, cubin, other };

/// How an entry's payload is stored.
enum class Compression : std::uint8_t { none, lz4, zstd };

/// One entry of a container, its payload still as stored.
struct FatbinEntry {
    FatbinKind kind = FatbinKind::other;          ///< PTX or machine code
    std::uint32_t architecture = 0;               ///< 89 for sm_89 or compute_89
    Compression compression = Compression::none;  ///< of the payload
    std::span<const std::byte> payload;           ///< as stored, without padding
    std::uint64_t uncompressed_bytes = 0;         ///< equal to the payload's size if not compressed
};

/// Size of the container at the start of `bytes`, header included, as its header claims.
/// @param bytes  at least the 16-byte header
/// @return the size, or an error if there is no container or the size is absurd
emulator::Result<std::uint64_t> fatbin_size(std::span<const std::byte> bytes);

/// Lists the entries of one container.
/// @param container  the container, header included; bytes after its end are ignored
/// @return its entries in order, or an error that says which part is damaged
emulator::Result<std::vector<FatbinEntry>> read_fatbin(std::span<const std::byte> container);

/// The payload of an entry, uncompressed.
/// @param entry  an entry of `read_fatbin`
/// @return the bytes, or an error if they do not uncompress to the size announced
emulator::Result<std::vector<std::byte>> extract(const FatbinEntry& entry);

/// Chooses what a device of a compute capability would be given: PTX of the highest architecture it can run.
/// @param entries             entries of one container
/// @param compute_capability  89 for an sm_89
/// @return the entry; an error that says which nvcc option is missing if there is PTX only for newer devices, or none
emulator::Result<FatbinEntry> choose_ptx(const std::vector<FatbinEntry>& entries, std::uint32_t compute_capability);

/// Chooses the machine code whose register counts describe a device best: of the highest architecture not above it.
/// @param entries             entries of one container
/// @param compute_capability  89 for an sm_89
/// @return the entry, if there is one
std::optional<FatbinEntry> choose_cubin(const std::vector<FatbinEntry>& entries, std::uint32_t compute_capability);

}  // namespace lanes::runtime
