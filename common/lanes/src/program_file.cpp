#include "program_file.hpp"

#include <bytes.hpp>
#include <fatbin.hpp>

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace lanes {

namespace {

using runtime::part_of;
using runtime::read_at;
using Bytes = std::span<const std::byte>;

constexpr std::string_view runtime_prefix = "libcudart.so.";
constexpr std::string_view registration = "__cudaRegisterFatBinary";

std::string_view text_at(Bytes table, std::uint64_t offset) {
    if (offset >= table.size()) return {};
    const auto* start = reinterpret_cast<const char*>(table.data()) + offset;
    return {start, strnlen(start, table.size() - offset)};
}

// The sections of an ELF file, as far as they lie within it.
class Sections {
public:
    explicit Sections(Bytes file) : file_(file) {
        const auto header = read_at<Elf64_Ehdr>(file, 0);
        for (std::uint64_t i = 0; header && i < header->e_shnum; ++i) {
            const auto section = read_at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
            if (!section) break;
            headers_.push_back(*section);
        }
        if (header && header->e_shstrndx < headers_.size()) names_ = bytes(headers_[header->e_shstrndx]);
    }

    const std::vector<Elf64_Shdr>& headers() const { return headers_; }

    Bytes bytes(const Elf64_Shdr& section) const {
        if (section.sh_type == SHT_NOBITS) return {};
        return part_of(file_, section.sh_offset, section.sh_size).value_or(Bytes{});
    }

    Bytes linked(const Elf64_Shdr& section) const {
        return section.sh_link < headers_.size() ? bytes(headers_[section.sh_link]) : Bytes{};
    }

    std::string_view name(const Elf64_Shdr& section) const { return text_at(names_, section.sh_name); }

private:
    Bytes file_;
    std::vector<Elf64_Shdr> headers_;
    Bytes names_;
};

void read_needed(const Sections& sections, const Elf64_Shdr& dynamic, ProgramFile& program) {
    const Bytes entries = sections.bytes(dynamic);
    const Bytes strings = sections.linked(dynamic);
    for (std::uint64_t at = 0; const auto entry = read_at<Elf64_Dyn>(entries, at); at += sizeof(Elf64_Dyn))
        if (entry->d_tag == DT_NEEDED) program.needed.emplace_back(text_at(strings, entry->d_un.d_val));
}

void read_imports(const Sections& sections, const Elf64_Shdr& symbols, ProgramFile& program) {
    const Bytes entries = sections.bytes(symbols);
    const Bytes strings = sections.linked(symbols);
    for (std::uint64_t at = 0; const auto symbol = read_at<Elf64_Sym>(entries, at); at += sizeof(Elf64_Sym))
        if (symbol->st_shndx == SHN_UNDEF && text_at(strings, symbol->st_name) == registration)
            program.imports_runtime = true;
}

void note_entries(const std::vector<runtime::FatbinEntry>& entries, ProgramFile& program) {
    auto& architectures = program.cubin_architectures;
    for (const runtime::FatbinEntry& entry : entries) {
        if (entry.kind == runtime::FatbinKind::ptx) program.has_ptx = true;
        if (entry.kind != runtime::FatbinKind::cubin) continue;
        const auto place = std::lower_bound(architectures.begin(), architectures.end(), entry.architecture);
        if (place == architectures.end() || *place != entry.architecture)
            architectures.insert(place, entry.architecture);
    }
}

// The entries of each container of a section. They lie one behind the other, each at a multiple of 8. What cannot be
// read is for the runtime to complain of.
std::vector<std::vector<runtime::FatbinEntry>> containers_in(Bytes section) {
    constexpr std::uint64_t alignment = 8;
    std::vector<std::vector<runtime::FatbinEntry>> containers;
    while (section.size() >= runtime::fatbin_header_bytes) {
        const auto size = runtime::fatbin_size(section);
        const auto entries = size ? runtime::read_fatbin(section) : size.error();
        if (!entries) break;
        containers.push_back(*entries);
        section =
            section.subspan(std::min<std::uint64_t>(section.size(), (*size + alignment - 1) / alignment * alignment));
    }
    return containers;
}

bool holds_device_code(std::string_view section) {
    return section == ".nv_fatbin" || section == "__nv_relfatbin";
}

bool is_elf(Bytes file) {
    const auto header = read_at<Elf64_Ehdr>(file, 0);
    return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64;
}

bool is_script(Bytes file) {
    return file.size() >= 2 && file[0] == std::byte{'#'} && file[1] == std::byte{'!'};
}

// The libcudart that a program asks for, or nothing.
std::string runtime_of(const ProgramFile& program) {
    const auto found = std::find_if(program.needed.begin(), program.needed.end(),
                                    [](const std::string& name) { return name.starts_with(runtime_prefix); });
    return found == program.needed.end() ? std::string() : *found;
}

std::string no_ptx(const std::string& path, const std::vector<std::uint32_t>& architectures) {
    std::string list;
    for (const std::uint32_t architecture : architectures)
        list += (list.empty() ? "sm_" : ", sm_") + std::to_string(architecture);
    const std::string first = std::to_string(architectures.front());
    return path + " holds machine code only (" + list + "), and the emulator runs PTX; build it with -arch=sm_" +
           first + ", which embeds both, or add -gencode arch=compute_" + first + ",code=compute_" + first;
}

bool is_file(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

ProgramFile inspect_program(Bytes bytes) {
    ProgramFile program;
    if (is_script(bytes)) program.kind = ProgramKind::script;
    if (!is_elf(bytes)) return program;
    program.kind = ProgramKind::elf;
    const Sections sections(bytes);
    for (const Elf64_Shdr& section : sections.headers()) {
        if (section.sh_type == SHT_DYNAMIC) read_needed(sections, section, program);
        if (section.sh_type == SHT_DYNSYM) read_imports(sections, section, program);
        if (!holds_device_code(sections.name(section))) continue;
        program.has_device_code = true;
        for (const auto& entries : containers_in(sections.bytes(section))) note_entries(entries, program);
    }
    return program;
}

emulator::Result<std::string> ptx_of_program(Bytes bytes, std::uint32_t compute_capability) {
    std::string text;
    if (!is_elf(bytes)) return text;
    const Sections sections(bytes);
    for (const Elf64_Shdr& section : sections.headers()) {
        if (!holds_device_code(sections.name(section))) continue;
        for (const auto& entries : containers_in(sections.bytes(section))) {
            if (entries.empty()) continue;  // a module without kernels
            const auto entry = runtime::choose_ptx(entries, compute_capability);
            if (!entry) return entry.error();
            const auto ptx = runtime::extract(*entry);
            if (!ptx) return ptx.error();
            const std::string_view part(reinterpret_cast<const char*>(ptx->data()), ptx->size());
            text += part.substr(0, part.find('\0'));  // nvcc ends it with a zero
        }
    }
    return text;
}

Verdict judge_program(const std::string& path, const ProgramFile& program, const std::string& library_name) {
    if (program.kind == ProgramKind::other)
        return {false, path + " is neither a 64-bit ELF program nor a script that starts with #!"};
    if (program.kind == ProgramKind::script) return {};
    const std::string runtime = runtime_of(program);
    if (!runtime.empty() && runtime != library_name)
        return {false, path + " was built for " + runtime + ", and this emulator stands in for " + library_name +
                           ": build it with that CUDA version, or the emulator with the other"};
    if (!program.has_ptx && !program.cubin_architectures.empty() && (!runtime.empty() || program.imports_runtime))
        return {false, no_ptx(path, program.cubin_architectures)};
    if (!runtime.empty() || program.imports_runtime) return {};
    if (program.has_device_code)
        return {false, path +
                           " has the CUDA runtime linked into it; build it with -cudart=shared, and the emulator can "
                           "take its place"};
    return {true, path + " does not use the CUDA runtime itself; it runs, and what it starts is emulated"};
}

std::optional<std::string> find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return is_file(name) ? std::optional(name) : std::nullopt;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
        if (is_file(candidate) && access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return is_file(name) ? std::optional("./" + name) : std::nullopt;
}

}  // namespace lanes
