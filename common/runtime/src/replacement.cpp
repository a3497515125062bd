#include "replacement.hpp"

#include "kernel_name.hpp"

#include <algorithm>
#include <cstddef>

namespace lanes::runtime {

namespace {

using emulator::ptx::Function;
using emulator::ptx::Module;
using emulator::ptx::Variable;

const Function* find_kernel(const Module& module, const std::string& name) {
    const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                    [&](const Function& f) { return f.kernel && f.name == name; });
    return found == module.functions.end() ? nullptr : &*found;
}

const Variable* find_variable(const Module& module, const std::string& name) {
    const auto found = std::find_if(module.variables.begin(), module.variables.end(),
                                    [&](const Variable& variable) { return variable.name == name; });
    return found == module.variables.end() ? nullptr : &*found;
}

// The first that `find` finds in any of the modules.
template <typename Find>
auto find_in(const std::vector<Module>& modules, const std::string& name, Find find)
    -> decltype(find(modules[0], name)) {
    for (const Module& module : modules)
        if (const auto* found = find(module, name)) return found;
    return nullptr;
}

// What a file has instead of the kernel that is wanted.
std::string kernels_of(const Module& module) {
    std::string names;
    for (const Function& function : module.functions)
        if (function.kernel) names += (names.empty() ? "" : " and ") + demangle(function.name);
    return names.empty() ? "" : " It defines " + names + '.';
}

// C++ puts the parameters into the name: a kernel of the same short name has others.
std::string missing_kernel(const Module& module, const std::string& name) {
    const std::string wanted = demangle(name);
    if (find_kernel(module, short_name(wanted)) != nullptr)
        return "defines " + short_name(wanted) + " as extern \"C\", and what is launched is " + wanted +
               ", a function of C++.";
    for (const Function& function : module.functions)
        if (function.kernel && short_name(demangle(function.name)) == short_name(wanted))
            return "defines " + demangle(function.name) + ", and what is launched is " + wanted +
                   ": the parameters must stay as they were.";
    return "defines no kernel named " + wanted + ", which is launched." + kernels_of(module);
}

// The names agree, but a structure among the parameters may have changed.
std::string misfit_of_parameters(const Function& original, const Function& replacement) {
    const std::string kernel = demangle(original.name);
    const std::size_t count = original.parameters.size();
    if (replacement.parameters.size() != count)
        return "defines " + kernel + " with " + std::to_string(replacement.parameters.size()) +
               " parameters, and it is launched with " + std::to_string(count) + '.';
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t bytes = original.parameters[i].bytes;
        if (replacement.parameters[i].bytes != bytes)
            return "defines " + kernel + " with " + std::to_string(replacement.parameters[i].bytes) +
                   " bytes for parameter " + std::to_string(i + 1) + ", and it is launched with " +
                   std::to_string(bytes) + '.';
    }
    return "";
}

std::string misfit_of_variable(const std::string& name, const Variable* original, const Variable* replacement) {
    if (replacement == nullptr) return "defines no variable named " + demangle(name) + ", which is used.";
    if (original == nullptr || original->bytes == replacement->bytes) return "";
    return "defines " + demangle(name) + " with " + std::to_string(replacement->bytes) +
           " bytes, and it is used with " + std::to_string(original->bytes) + '.';
}

}  // namespace

std::string misfit(const Interface& interface, const std::vector<Module>& originals, const Module& replacement) {
    for (const std::string& name : interface.kernels) {
        const Function* found = find_kernel(replacement, name);
        if (found == nullptr) return missing_kernel(replacement, name);
        const Function* original = find_in(originals, name, find_kernel);
        if (original == nullptr) continue;
        if (auto error = misfit_of_parameters(*original, *found); !error.empty()) return error;
    }
    for (const std::string& name : interface.variables) {
        auto error =
            misfit_of_variable(name, find_in(originals, name, find_variable), find_variable(replacement, name));
        if (!error.empty()) return error;
    }
    return "";
}

}  // namespace lanes::runtime
