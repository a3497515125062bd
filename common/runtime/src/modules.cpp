#include "modules.hpp"

#include <algorithm>
#include <mutex>

namespace lanes::runtime {

Module* Modules::add(const void* wrapper) {
    const std::unique_lock lock(mutex_);
    modules_.push_back(std::make_unique<Module>(wrapper));
    return modules_.back().get();
}

void Modules::remove(Module* module) {
    const std::unique_lock lock(mutex_);
    const auto of_module = [module](const auto& item) { return item.second->module == module; };
    std::erase_if(kernels_, of_module);
    std::erase_if(variables_, of_module);
    std::erase_if(modules_, [&](const std::unique_ptr<Module>& candidate) {
        if (candidate.get() != module) return false;
        for (const auto& kernel : candidate->kernels) kernel_handles_.erase(kernel.get());
        return true;
    });
}

bool Modules::contains(const Module* module) const {
    const std::shared_lock lock(mutex_);
    return std::any_of(modules_.begin(), modules_.end(),
                       [module](const std::unique_ptr<Module>& candidate) { return candidate.get() == module; });
}

void Modules::add_kernel(Module* module, const void* host_function, const char* name) {
    const std::unique_lock lock(mutex_);
    auto entry = std::make_unique<KernelEntry>();
    entry->module = module;
    entry->host_function = host_function;
    entry->name = name;
    kernels_[host_function] = entry.get();
    kernel_handles_.insert(entry.get());
    module->kernels.push_back(std::move(entry));
}

void Modules::add_variable(Module* module, const void* host_variable, const char* name, void** managed_pointer) {
    const std::unique_lock lock(mutex_);
    auto entry = std::make_unique<VariableEntry>();
    entry->module = module;
    entry->host_variable = host_variable;
    entry->managed_pointer = managed_pointer;
    entry->name = name;
    variables_[host_variable] = entry.get();
    module->variables.push_back(std::move(entry));
}

void Modules::reset() {
    const std::unique_lock lock(mutex_);
    for (const auto& module : modules_) module->reset();
}

KernelEntry* Modules::find_kernel(const void* function) const {
    const std::shared_lock lock(mutex_);
    if (const auto found = kernels_.find(function); found != kernels_.end()) return found->second;
    if (!kernel_handles_.contains(function)) return nullptr;
    return const_cast<KernelEntry*>(static_cast<const KernelEntry*>(function));
}

VariableEntry* Modules::find_variable(const void* host_variable) const {
    const std::shared_lock lock(mutex_);
    if (const auto found = variables_.find(host_variable); found != variables_.end()) return found->second;
    // On the host, the name of a managed variable stands for the variable itself.
    const auto address = reinterpret_cast<std::uint64_t>(host_variable);
    for (const auto& [host, entry] : variables_)
        if (entry->managed_pointer != nullptr && entry->address == address) return entry;
    return nullptr;
}

}  // namespace lanes::runtime
