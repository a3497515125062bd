#include "module.hpp"

#include "replacement.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

namespace lanes::runtime {

namespace {

using emulator::Result;
using Container = std::vector<FatbinEntry>;

// What nvcc puts in front of a fat binary. Version 2 comes from -rdc=true: `data` is what nvlink made of all files, and
// `relocatable` a list of their own containers that ends with a null pointer.
struct Wrapper {
    std::uint32_t magic;
    std::uint32_t version;
    const std::byte* data;
    const std::byte* const* relocatable;
};
constexpr std::uint32_t version_relocatable = 2;

LoadError damaged(const std::string& message) {
    return {cudaErrorInvalidKernelImage, message};
}

// The container's own header is the only place that says how large it is.
Result<Container> container_at(const std::byte* start) {
    const auto size = fatbin_size({start, fatbin_header_bytes});
    if (!size) return size.error();
    return read_fatbin({start, static_cast<std::size_t>(*size)});
}

// The containers whose PTX makes up the module, and after them those that hold only finished machine code.
struct Containers {
    std::vector<Container> ptx;
    std::vector<Container> linked;
};

std::optional<LoadError> read_containers(const void* pointer, Containers& result) {
    Wrapper wrapper{};
    std::memcpy(&wrapper, pointer, sizeof wrapper);
    if (wrapper.magic != fatbin_wrapper_magic)
        return damaged("The program registered something that is no fat binary.");
    const auto add = [](const std::byte* start, std::vector<Container>& list) -> std::optional<LoadError> {
        auto container = container_at(start);
        if (!container) return damaged(container.error().message);
        list.push_back(std::move(*container));
        return std::nullopt;
    };
    if (wrapper.version != version_relocatable) return add(wrapper.data, result.ptx);
    for (const std::byte* const* next = wrapper.relocatable; next != nullptr && *next != nullptr; ++next)
        if (auto error = add(*next, result.ptx)) return error;
    return wrapper.data == nullptr ? std::nullopt : add(wrapper.data, result.linked);
}

struct ParsedPtx {
    emulator::ptx::Module module;
    std::uint32_t architecture = 0;
};

std::optional<LoadError> parse_ptx(const Container& container, std::uint32_t compute_capability, ParsedPtx& result) {
    const auto entry = choose_ptx(container, compute_capability);
    if (!entry) return LoadError{cudaErrorNoKernelImageForDevice, entry.error().message};
    const auto text = extract(*entry);
    if (!text) return damaged(text.error().message);
    auto module = emulator::ptx::parse({reinterpret_cast<const char*>(text->data()), text->size()});
    if (!module) return LoadError{cudaErrorInvalidPtx, module.error().message};
    result = {std::move(*module), entry->architecture};
    return std::nullopt;
}

}  // namespace

const std::optional<LoadError>& Module::load(emulator::DeviceMemory& memory, std::uint32_t compute_capability,
                                             const std::string& replacement, bool& first) {
    const std::lock_guard lock(mutex_);
    first = !attempted_;
    if (first) error_ = load_now(memory, compute_capability, replacement);
    attempted_ = true;
    return error_;
}

std::optional<LoadError> Module::load_now(emulator::DeviceMemory& memory, std::uint32_t compute_capability,
                                          const std::string& replacement) {
    Containers containers;
    if (auto error = read_containers(wrapper_, containers)) return error;
    std::vector<emulator::ptx::Module> modules;
    for (const Container& container : containers.ptx) {
        ParsedPtx parsed;
        if (auto error = parse_ptx(container, compute_capability, parsed)) return error;
        ptx_version_ = std::max(ptx_version_, parsed.architecture);
        modules.push_back(std::move(parsed.module));
    }
    if (!replacement.empty())
        if (auto error = replace(modules, replacement)) return error;
    auto image = emulator::Image::link(std::move(modules), memory);
    if (!image) return LoadError{cudaErrorInvalidPtx, image.error().message};
    image_ = std::move(*image);
    bind_variables();
    if (!replacement.empty()) return std::nullopt;  // the machine code is of other kernels
    read_resources(containers.ptx, compute_capability);
    read_resources(containers.linked, compute_capability);
    return std::nullopt;
}

std::optional<LoadError> Module::replace(std::vector<emulator::ptx::Module>& modules, const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (!stream.is_open()) return LoadError{cudaErrorFileNotFound, "LANES_MODULE: " + file + " cannot be read."};
    auto module = emulator::ptx::parse(text);
    if (!module) return LoadError{cudaErrorInvalidPtx, "LANES_MODULE: " + module.error().message};
    Interface interface;
    for (const auto& kernel : kernels) interface.kernels.push_back(kernel->name);
    for (const auto& variable : variables) interface.variables.push_back(variable->name);
    if (const auto error = misfit(interface, modules, *module); !error.empty())
        return LoadError{cudaErrorInvalidPtx, "LANES_MODULE: the file " + error};
    ptx_version_ = module->target;
    modules.clear();
    modules.push_back(std::move(*module));
    return std::nullopt;
}

void Module::reset() {
    const std::lock_guard lock(mutex_);
    for (const auto& entry : kernels) {
        entry->maximum_dynamic_shared.reset();
        entry->carve_out = -1;
    }
    if (image_) image_->reset_variables();
}

void Module::bind(KernelEntry& entry) {
    const std::lock_guard lock(mutex_);
    if (entry.kernel != nullptr) return;
    entry.kernel = image_->find_kernel(entry.name);
    entry.ptx_version = ptx_version_;
    if (const auto found = resources_.find(entry.name); found != resources_.end()) entry.resources = found->second;
}

// A variable that the PTX lacks stays unbound: whoever asks for it gets the error that CUDA has for that.
void Module::bind_variables() {
    for (const auto& entry : variables) {
        const emulator::DeviceVariable* variable = image_->find_variable(entry->name);
        if (variable == nullptr) continue;
        entry->address = variable->address;
        entry->bytes = variable->bytes;
        if (entry->managed_pointer != nullptr) *entry->managed_pointer = reinterpret_cast<void*>(variable->address);
    }
}

void Module::read_resources(const std::vector<Container>& containers, std::uint32_t compute_capability) {
    for (const Container& container : containers) {
        const auto cubin = choose_cubin(container, compute_capability);
        if (!cubin) continue;
        const auto elf = extract(*cubin);
        if (!elf) continue;
        const auto info = read_cubin(*elf);
        if (!info) continue;
        constant_bytes_ = std::max(constant_bytes_, info->constant_bytes);
        for (const auto& [name, resources] : info->kernels) resources_[name] = resources;
    }
}

}  // namespace lanes::runtime
