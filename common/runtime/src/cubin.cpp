#include "cubin.hpp"

#include "bytes.hpp"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace lanes::runtime {

namespace {

using emulator::Error;
using emulator::Result;
using Bytes = std::span<const std::byte>;

// Attributes of .nv.info that are read here: numbers as in the files that ptxas 12 and 13 write.
constexpr std::uint8_t attribute_frame_size = 0x11;
constexpr std::uint8_t attribute_register_count = 0x2f;
constexpr std::uint8_t attribute_barrier_count = 0x4c;
// How an attribute's value is stored: in the attribute's own last two bytes, or in so many bytes after it.
constexpr std::uint8_t format_sized = 4;

constexpr std::string_view kernel_info_prefix = ".nv.info.";

struct Section {
    std::string_view name;
    Elf64_Shdr header{};
    Bytes bytes;
};

struct Attribute {
    std::uint8_t code = 0;
    std::uint16_t value = 0;
    Bytes payload;
};

Error damaged() {
    return Error{"The program's machine code for the GPU is damaged: no register counts from it."};
}

std::string_view text_at(Bytes table, std::uint64_t offset) {
    if (offset >= table.size()) return {};
    const auto* start = reinterpret_cast<const char*>(table.data()) + offset;
    return {start, strnlen(start, table.size() - offset)};
}

Result<std::vector<Section>> read_sections(Bytes elf) {
    const auto header = read_at<Elf64_Ehdr>(elf, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return damaged();
    std::vector<Section> sections;
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto section = read_at<Elf64_Shdr>(elf, header->e_shoff + i * sizeof(Elf64_Shdr));
        if (!section) return damaged();
        const bool has_bytes = section->sh_type != SHT_NOBITS && section->sh_type != SHT_NULL;
        const auto bytes = part_of(elf, section->sh_offset, has_bytes ? section->sh_size : 0);
        if (has_bytes && !bytes) return damaged();
        sections.push_back({{}, *section, bytes.value_or(Bytes{})});
    }
    if (header->e_shstrndx >= sections.size()) return damaged();
    const Bytes names = sections[header->e_shstrndx].bytes;
    for (Section& section : sections) section.name = text_at(names, section.header.sh_name);
    return sections;
}

std::vector<Attribute> read_attributes(Bytes bytes) {
    std::vector<Attribute> attributes;
    std::uint64_t offset = 0;
    while (const auto word = read_at<std::uint32_t>(bytes, offset)) {
        Attribute attribute;
        attribute.code = static_cast<std::uint8_t>(*word >> 8);
        attribute.value = static_cast<std::uint16_t>(*word >> 16);
        offset += sizeof(*word);
        if ((*word & 0xff) == format_sized) {
            const auto payload = part_of(bytes, offset, attribute.value);
            if (!payload) break;
            attribute.payload = *payload;
            offset += attribute.value;
        }
        attributes.push_back(attribute);
    }
    return attributes;
}

const Section* find_section(const std::vector<Section>& sections, std::string_view name) {
    for (const Section& section : sections)
        if (section.name == name) return &section;
    return nullptr;
}

std::string_view symbol_name(const Section& symbols, const std::vector<Section>& sections, std::uint32_t index) {
    const auto symbol = read_at<Elf64_Sym>(symbols.bytes, std::uint64_t{index} * sizeof(Elf64_Sym));
    if (!symbol || symbols.header.sh_link >= sections.size()) return {};
    return text_at(sections[symbols.header.sh_link].bytes, symbol->st_name);
}

// Attributes of the module name a kernel by its symbol: {symbol, value}.
void read_module_info(const Section& info, const std::vector<Section>& sections, CubinInfo& result) {
    const Section* symbols = find_section(sections, ".symtab");
    if (symbols == nullptr) return;
    for (const Attribute& attribute : read_attributes(info.bytes)) {
        const auto symbol = read_at<std::uint32_t>(attribute.payload, 0);
        const auto value = read_at<std::uint32_t>(attribute.payload, sizeof(std::uint32_t));
        if (!symbol || !value) continue;
        const std::string name(symbol_name(*symbols, sections, *symbol));
        if (attribute.code == attribute_register_count) result.kernels[name].registers = *value;
        if (attribute.code == attribute_frame_size) result.kernels[name].local_bytes = *value;
    }
}

void read_kernel_info(const Section& info, CubinInfo& result) {
    const std::string name(info.name.substr(kernel_info_prefix.size()));
    for (const Attribute& attribute : read_attributes(info.bytes))
        if (attribute.code == attribute_barrier_count) result.kernels[name].barriers = attribute.value & 0xffU;
}

}  // namespace

Result<CubinInfo> read_cubin(std::span<const std::byte> elf) {
    const auto sections = read_sections(elf);
    if (!sections) return sections.error();
    CubinInfo result;
    for (const Section& section : *sections) {
        if (section.name == ".nv.info") read_module_info(section, *sections, result);
        if (section.name.starts_with(kernel_info_prefix)) read_kernel_info(section, result);
        if (section.name == ".nv.constant3") result.constant_bytes = section.header.sh_size;
    }
    return result;
}

}  // namespace lanes::runtime
