#include "generic_memory.hpp"

#include <cstring>

namespace lanes::emulator {

bool GenericMemory::read(std::uint64_t address, void* destination, std::uint64_t bytes) const {
    const Block& block = *warp_.block;
    const std::byte* source = nullptr;
    if (address - shared_window < window_bytes) {
        const std::uint64_t offset = address - shared_window;
        if (offset + bytes <= block.shared_bytes) source = block.shared + offset;
    } else if (address - local_window < window_bytes) {
        const std::uint64_t offset = address - local_window;
        if (offset + bytes <= warp_.local_stride) source = warp_.local + lane_ * warp_.local_stride + offset;
    } else if (block.launch->memory.contains(address, bytes)) {
        source = reinterpret_cast<const std::byte*>(address);
    }
    if (source == nullptr) return false;
    std::memcpy(destination, source, bytes);
    return true;
}

std::optional<std::string> GenericMemory::string(std::uint64_t address) const {
    std::string text;
    for (char next = 0;; text += next) {
        if (!read(address + text.size(), &next, 1)) return std::nullopt;
        if (next == 0) return text;
    }
}

}  // namespace lanes::emulator
