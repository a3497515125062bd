/// @file
/// @brief Fresh memory from the host, all zeros, whose pages cost nothing until they are touched.
#pragma once

#include <cstddef>
#include <cstdlib>

#ifndef __wasm__
#include <sys/mman.h>
#endif

namespace lanes::emulator {

#ifdef __wasm__
/// WebAssembly has no pages to ask for: its memory is cleared at once.
/// @return null if there is not so much
inline void* map_pages(std::size_t bytes) {
    return std::calloc(bytes, 1);
}

inline void unmap_pages(void* pages, std::size_t /*bytes*/) {
    std::free(pages);
}
#else
/// @return null if there is not so much
inline void* map_pages(std::size_t bytes) {
    void* const pages =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
}

inline void unmap_pages(void* pages, std::size_t bytes) {
    munmap(pages, bytes);
}
#endif

}  // namespace lanes::emulator
