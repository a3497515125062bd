#include "fatbin.hpp"

#include "bytes.hpp"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

namespace lanes::runtime {

namespace {

using emulator::Error;
using emulator::Result;

// nvcc's own programs stay far below; a size above it is damage, and allocating it would be the real harm.
constexpr std::uint64_t maximum_bytes = std::uint64_t{1} << 32;

// An entry's header, as nvcc 12 and 13 write it. Fields that nobody needs here are left out.
namespace entry_field {
constexpr std::uint64_t kind = 0;               // u16: 1 PTX, 2 ELF
constexpr std::uint64_t header_bytes = 4;       // u32
constexpr std::uint64_t payload_bytes = 8;      // u64, padded
constexpr std::uint64_t compressed_bytes = 16;  // u32, 0 if not compressed
constexpr std::uint64_t architecture = 28;      // u32
constexpr std::uint64_t flags = 40;             // u64
constexpr std::uint64_t raw_bytes = 56;         // u64, size when uncompressed
constexpr std::uint64_t end = 64;
}  // namespace entry_field

constexpr std::uint64_t flag_lz4 = 0x2000;
constexpr std::uint64_t flag_zstd = 0x8000;

Error damaged(const std::string& what) {
    return Error{"The program's fat binary is damaged: " + what + ". Build the program again."};
}

FatbinKind kind_of(std::uint16_t number) {
    if (number == 1) return FatbinKind::ptx;
    return number == 2 ? FatbinKind::cubin : FatbinKind::other;
}

Result<FatbinEntry> read_entry(std::span<const std::byte> header, std::span<const std::byte> padded_payload) {
    FatbinEntry entry;
    entry.kind = kind_of(*read_at<std::uint16_t>(header, entry_field::kind));
    entry.architecture = *read_at<std::uint32_t>(header, entry_field::architecture);
    const auto flags = *read_at<std::uint64_t>(header, entry_field::flags);
    const auto compressed = *read_at<std::uint32_t>(header, entry_field::compressed_bytes);
    entry.payload = padded_payload;
    entry.uncompressed_bytes = padded_payload.size();
    if ((flags & (flag_lz4 | flag_zstd)) == 0) return entry;
    if (compressed > padded_payload.size()) return damaged("an entry's compressed size is larger than the entry");
    entry.compression = (flags & flag_zstd) != 0 ? Compression::zstd : Compression::lz4;
    entry.payload = padded_payload.first(compressed);
    entry.uncompressed_bytes = *read_at<std::uint64_t>(header, entry_field::raw_bytes);
    return entry;
}

// A frame of zstd may say how much it holds; then a claim that differs is refused before any memory is asked for.
bool contradicts_its_frame(const FatbinEntry& entry) {
    if (entry.compression != Compression::zstd) return false;
    const unsigned long long held = ZSTD_getFrameContentSize(entry.payload.data(), entry.payload.size());
    return held == ZSTD_CONTENTSIZE_ERROR || (held != ZSTD_CONTENTSIZE_UNKNOWN && held != entry.uncompressed_bytes);
}

bool uncompress(const FatbinEntry& entry, std::vector<std::byte>& output) {
    if (entry.compression == Compression::zstd) {
        const std::size_t size =
            ZSTD_decompress(output.data(), output.size(), entry.payload.data(), entry.payload.size());
        return ZSTD_isError(size) == 0U && size == output.size();
    }
    if (output.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
    const int size =
        LZ4_decompress_safe(reinterpret_cast<const char*>(entry.payload.data()), reinterpret_cast<char*>(output.data()),
                            static_cast<int>(entry.payload.size()), static_cast<int>(output.size()));
    return size >= 0 && static_cast<std::size_t>(size) == output.size();
}

std::string gencode(std::uint32_t compute_capability) {
    const std::string number = std::to_string(compute_capability);
    return "-gencode arch=compute_" + number + ",code=compute_" + number;
}

Error no_ptx(const std::vector<FatbinEntry>& entries, std::uint32_t compute_capability) {
    const FatbinEntry* lowest = nullptr;
    bool has_cubin = false;
    for (const FatbinEntry& entry : entries) {
        has_cubin |= entry.kind == FatbinKind::cubin;
        if (entry.kind != FatbinKind::ptx) continue;
        if (lowest == nullptr || entry.architecture < lowest->architecture) lowest = &entry;
    }
    const std::string device = "sm_" + std::to_string(compute_capability);
    if (lowest != nullptr)
        return Error{"The program has PTX for compute_" + std::to_string(lowest->architecture) +
                     " and newer only, which the emulated " + device + " cannot run. Run it with --device sm_" +
                     std::to_string(lowest->architecture) + ", or add " + gencode(compute_capability) +
                     " to the nvcc command."};
    return Error{std::string("The program has ") + (has_cubin ? "machine code but no PTX" : "no PTX") +
                 ", and the emulator runs PTX. Add " + gencode(compute_capability) + " to the nvcc command."};
}

}  // namespace

Result<std::uint64_t> fatbin_size(std::span<const std::byte> bytes) {
    const auto magic = read_at<std::uint32_t>(bytes, 0);
    const auto header = read_at<std::uint16_t>(bytes, 6);
    const auto content = read_at<std::uint64_t>(bytes, 8);
    if (!content) return damaged("it ends within its header");
    if (*magic != fatbin_container_magic) return damaged("it does not start with the mark of a container");
    if (*header != fatbin_header_bytes) return damaged("its header is not 16 bytes long");
    if (*content > maximum_bytes) return damaged("it claims to be larger than 4 GiB");
    return *content + fatbin_header_bytes;
}

Result<std::vector<FatbinEntry>> read_fatbin(std::span<const std::byte> container) {
    const auto size = fatbin_size(container);
    if (!size) return size.error();
    const auto whole = part_of(container, 0, *size);
    if (!whole) return damaged("it ends before its last entry");
    std::vector<FatbinEntry> entries;
    auto rest = whole->subspan(fatbin_header_bytes);
    while (!rest.empty()) {
        if (rest.size() < entry_field::end) return damaged("it ends within the header of an entry");
        const auto header_bytes = *read_at<std::uint32_t>(rest, entry_field::header_bytes);
        const auto payload_bytes = *read_at<std::uint64_t>(rest, entry_field::payload_bytes);
        if (header_bytes < entry_field::end) return damaged("the header of an entry is too short");
        const auto header = part_of(rest, 0, header_bytes);
        const auto payload = part_of(rest, header_bytes, payload_bytes);
        if (!header || !payload) return damaged("an entry is larger than the container");
        auto entry = read_entry(*header, *payload);
        if (!entry) return entry.error();
        entries.push_back(*entry);
        rest = rest.subspan(header_bytes + payload_bytes);
    }
    return entries;
}

Result<std::vector<std::byte>> extract(const FatbinEntry& entry) {
    if (entry.compression == Compression::none)
        return std::vector<std::byte>(entry.payload.begin(), entry.payload.end());
    if (entry.uncompressed_bytes > maximum_bytes) return damaged("an entry claims to be larger than 4 GiB");
    // Neither format packs tighter than this (LZ4 1:255, zstd about 1:33,000), so larger claims are not worth a try.
    const std::uint64_t possible = entry.compression == Compression::lz4 ? 256 : 65536;
    if (entry.uncompressed_bytes / possible > entry.payload.size() || contradicts_its_frame(entry))
        return damaged("an entry's uncompressed size cannot be right");
    std::vector<std::byte> output(entry.uncompressed_bytes);
    if (!uncompress(entry, output)) return damaged("an entry does not uncompress to the size it announces");
    return output;
}

Result<FatbinEntry> choose_ptx(const std::vector<FatbinEntry>& entries, std::uint32_t compute_capability) {
    const FatbinEntry* best = nullptr;
    for (const FatbinEntry& entry : entries) {
        if (entry.kind != FatbinKind::ptx || entry.architecture > compute_capability) continue;
        if (best == nullptr || entry.architecture > best->architecture) best = &entry;
    }
    if (best == nullptr) return no_ptx(entries, compute_capability);
    return *best;
}

std::optional<FatbinEntry> choose_cubin(const std::vector<FatbinEntry>& entries, std::uint32_t compute_capability) {
    std::optional<FatbinEntry> best;
    for (const FatbinEntry& entry : entries) {
        if (entry.kind != FatbinKind::cubin || entry.architecture > compute_capability) continue;
        if (!best || entry.architecture > best->architecture) best = entry;
    }
    return best;
}

}  // namespace lanes::runtime
