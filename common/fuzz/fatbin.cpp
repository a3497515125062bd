/// @file
/// @brief Fuzzes the readers of what nvcc embeds in a program: fat binaries, their compressed entries, and cubins.
///
/// The first byte chooses the reader: an even one a fat binary, an odd one a cubin.
#include "entry.hpp"

#include <cubin.hpp>
#include <fatbin.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace {

using namespace lanes::runtime;
using lanes::fuzz::require;

void use_cubin(std::span<const std::byte> bytes) {
    const auto info = read_cubin(bytes);
    if (!info) require(!info.error().message.empty(), "an error of the cubin reader has a message");
}

void use_entry(const FatbinEntry& entry) {
    const auto payload = extract(entry);
    if (!payload) {
        require(!payload.error().message.empty(), "an error of a damaged entry has a message");
        return;
    }
    require(payload->size() == entry.uncompressed_bytes, "an entry uncompresses to the size it announces");
    if (entry.kind == FatbinKind::cubin) use_cubin(*payload);
}

void use_fatbin(std::span<const std::byte> bytes) {
    const auto entries = read_fatbin(bytes);
    if (!entries) {
        require(!entries.error().message.empty(), "an error of the fat binary reader has a message");
        return;
    }
    for (const FatbinEntry& entry : *entries) use_entry(entry);
    for (const std::uint32_t capability : {75U, 89U, 120U}) {
        const auto ptx = choose_ptx(*entries, capability);
        if (ptx)
            require(ptx->architecture <= capability, "PTX chosen for a device is not for a newer one");
        else
            require(!ptx.error().message.empty(), "a program without PTX for a device is told so");
        const auto cubin = choose_cubin(*entries, capability);
        require(!cubin || cubin->architecture <= capability, "machine code chosen for a device is not for a newer one");
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    // A copy of exactly its size, so that a sanitizer sees any read outside.
    const auto* const begin = reinterpret_cast<const std::byte*>(data) + 1;
    const std::vector<std::byte> bytes(begin, begin + size - 1);
    if (*data % 2 == 0)
        use_fatbin(bytes);
    else
        use_cubin(bytes);
    return 0;
}
