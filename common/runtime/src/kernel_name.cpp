#include "kernel_name.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lanes::runtime {

namespace {

// Where the parameter list starts: the '(' that is outside of <> and is not part of "(anonymous namespace)".
std::size_t find_parameters(std::string_view name) {
    constexpr std::string_view anonymous = "(anonymous namespace)";
    int depth = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i).starts_with(anonymous)) {
            i += anonymous.size() - 1;
        } else if (name[i] == '<') {
            ++depth;
        } else if (name[i] == '>') {
            --depth;
        } else if (name[i] == '(' && depth == 0) {
            return i;
        }
    }
    return name.size();
}

}  // namespace

std::string demangle(const std::string& mangled) {
    // __cxa_demangle takes the names of types, too: an extern "C" kernel called f would become a float.
    if (!mangled.starts_with("_Z")) return mangled;
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && name ? std::string(name.get()) : mangled;
}

std::string short_name(std::string_view demangled) {
    constexpr std::string_view result = "void ";  // a template's name carries its return type, and a kernel's is void
    if (demangled.starts_with(result)) demangled.remove_prefix(result.size());
    return std::string(demangled.substr(0, find_parameters(demangled)));
}

std::string with_readable_name(std::string message, const std::string& mangled) {
    const std::string readable = short_name(demangle(mangled));
    if (mangled.empty() || readable == mangled) return message;
    for (std::size_t at = message.find(mangled); at != std::string::npos; at = message.find(mangled, at)) {
        message.replace(at, mangled.size(), readable);
        at += readable.size();
    }
    return message;
}

}  // namespace lanes::runtime
