/// Image: links modules, and decodes a kernel when somebody first asks for it.

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "decode.hpp"
#include "linked_modules.hpp"

namespace lanes::emulator {

namespace {

/// A kernel by name; decoded once, by whichever thread asks first.
struct LazyKernel {
    Definition definition;
    std::once_flag decoded;
    Kernel kernel;
};

}  // namespace

struct Image::State {
    explicit State(DeviceMemory& device_memory) : memory(device_memory) {}
    ~State() {
        for (const DeviceVariable& variable : linked.variables) memory.release(variable.address);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    const Kernel* decoded(LazyKernel& lazy) const {
        std::call_once(lazy.decoded, [&] { lazy.kernel = decode_kernel(linked, lazy.definition); });
        return &lazy.kernel;
    }

    DeviceMemory& memory;
    LinkedModules linked;
    std::map<std::string, LazyKernel, std::less<>> kernels;
};

Image::Image(std::unique_ptr<State> state) : state_(std::move(state)) {}
Image::~Image() = default;

Result<std::unique_ptr<Image>> Image::link(std::vector<ptx::Module> modules, DeviceMemory& memory) {
    auto state = std::make_unique<State>(memory);
    LinkedModules& linked = state->linked;
    linked.modules = std::move(modules);
    Result<SymbolTable> symbols = SymbolTable::build(linked.modules);
    if (!symbols) return symbols.error();
    linked.symbols = std::move(*symbols);
    for (const ptx::Module& module : linked.modules) linked.lines.emplace_back(module);
    std::string error = place_symbols(linked, memory);
    if (!error.empty()) return Error{std::move(error)};
    for (const ptx::Module& module : linked.modules) {
        for (const ptx::Function& function : module.functions) {
            if (!function.kernel || function.external) continue;
            state->kernels[function.name].definition = *linked.symbols.find(function.name);
        }
    }
    return std::unique_ptr<Image>(new Image(std::move(state)));
}

void Image::reset_variables() {
    reset_symbols(state_->linked);
}

const Kernel* Image::find_kernel(std::string_view name) const {
    const auto found = state_->kernels.find(name);
    return found == state_->kernels.end() ? nullptr : state_->decoded(found->second);
}

const DeviceVariable* Image::find_variable(std::string_view name) const {
    const std::vector<DeviceVariable>& variables = state_->linked.variables;
    const auto found =
        std::find_if(variables.begin(), variables.end(), [&](const DeviceVariable& v) { return v.name == name; });
    return found == variables.end() ? nullptr : &*found;
}

std::vector<const Kernel*> Image::kernels() const {
    std::vector<const Kernel*> kernels;
    for (auto& [name, lazy] : state_->kernels) kernels.push_back(state_->decoded(lazy));
    return kernels;
}

}  // namespace lanes::emulator
