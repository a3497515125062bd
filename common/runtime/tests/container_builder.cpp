#include "container_builder.hpp"

#include <lz4.h>
#include <zstd.h>

namespace lanes::runtime::tests {

namespace {

// Least significant byte first.
template <typename T>
void append(Bytes& bytes, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}

}  // namespace

Bytes bytes_of(const std::string& text) {
    const auto* start = reinterpret_cast<const std::byte*>(text.data());
    return Bytes(start, start + text.size());
}

EntryRecipe raw_entry(std::uint16_t kind, std::uint32_t architecture, const std::string& text) {
    return {kind, architecture, 0x11, bytes_of(text), 0, 0};
}

EntryRecipe lz4_entry(std::uint32_t architecture, const std::string& text) {
    Bytes output(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))));
    const int size = LZ4_compress_default(text.data(), reinterpret_cast<char*>(output.data()),
                                          static_cast<int>(text.size()), static_cast<int>(output.size()));
    output.resize(static_cast<std::size_t>(size));
    return {1, architecture, 0x2011, output, static_cast<std::uint32_t>(size), text.size()};
}

EntryRecipe zstd_entry(std::uint32_t architecture, const std::string& text) {
    Bytes output(ZSTD_compressBound(text.size()));
    output.resize(ZSTD_compress(output.data(), output.size(), text.data(), text.size(), 3));
    return {1, architecture, 0x8011, output, static_cast<std::uint32_t>(output.size()), text.size()};
}

Bytes build_container(const std::vector<EntryRecipe>& entries) {
    Bytes content;
    for (const EntryRecipe& entry : entries) {
        Bytes payload = entry.payload;
        payload.resize((payload.size() + 7) / 8 * 8);
        append<std::uint16_t>(content, entry.kind);
        append<std::uint16_t>(content, 0x101);
        append<std::uint32_t>(content, 64);
        append<std::uint64_t>(content, payload.size());
        append<std::uint32_t>(content, entry.compressed);
        append<std::uint32_t>(content, 0);
        append<std::uint32_t>(content, 9 << 16);
        append<std::uint32_t>(content, entry.architecture);
        append<std::uint64_t>(content, 0);
        append<std::uint64_t>(content, entry.flags);
        append<std::uint64_t>(content, 0);
        append<std::uint64_t>(content, entry.raw);
        content.insert(content.end(), payload.begin(), payload.end());
    }
    Bytes container;
    container.reserve(16 + content.size());
    append<std::uint32_t>(container, 0xba55ed50);
    append<std::uint16_t>(container, 1);
    append<std::uint16_t>(container, 16);
    append<std::uint64_t>(container, content.size());
    container.insert(container.end(), content.begin(), content.end());
    return container;
}

}  // namespace lanes::runtime::tests
