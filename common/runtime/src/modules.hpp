/// @file
/// @brief All fat binaries of the process, and how kernels and variables are found in them.
#pragma once

#include "module.hpp"

#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lanes::runtime {

/// The registered modules. Safe to use from several threads.
class Modules {
public:
    /// Adds a fat binary.
    /// @param wrapper  what `__cudaRegisterFatBinary` was given
    /// @return the module; its address is the handle the program keeps
    Module* add(const void* wrapper);

    /// Removes a module with its kernels and variables; does nothing if it is not there.
    void remove(Module* module);

    /// Whether a handle is a module's.
    bool contains(const Module* module) const;

    /// Adds a kernel to a module.
    /// @param module         one that `add` returned
    /// @param host_function  what stands for the kernel on the host
    /// @param name           in PTX
    void add_kernel(Module* module, const void* host_function, const char* name);

    /// Adds a variable to a module.
    /// @param module           one that `add` returned
    /// @param host_variable    what stands for the variable on the host
    /// @param name             in PTX
    /// @param managed_pointer  where a managed variable's address goes, null for other variables
    void add_variable(Module* module, const void* host_variable, const char* name, void** managed_pointer);

    /// Gives variables their initial values again, managed ones aside, and forgets what was set for kernels.
    void reset();

    /// The kernel of a `__global__` function, or of a handle that the runtime gave out; null if there is none.
    KernelEntry* find_kernel(const void* function) const;

    /// The variable of a host variable, or of a managed variable's address; null if there is none.
    VariableEntry* find_variable(const void* host_variable) const;

private:
    mutable std::shared_mutex mutex_;
    std::vector<std::unique_ptr<Module>> modules_;
    std::unordered_map<const void*, KernelEntry*> kernels_;
    std::unordered_map<const void*, VariableEntry*> variables_;
    std::unordered_set<const void*> kernel_handles_;
};

}  // namespace lanes::runtime
