#include "kernel_name.hpp"

#include <cxxabi.h>

#include <algorithm>
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

std::string with_readable_names(const std::string& message) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$";
    std::string readable;
    std::size_t done = 0;
    for (std::size_t at = message.find("_Z"); at != std::string::npos; at = message.find("_Z", done)) {
        const std::size_t end = std::min(message.find_first_not_of(letters, at), message.size());
        readable += message.substr(done, at - done) + short_name(demangle(message.substr(at, end - at)));
        done = end;
    }
    return readable + message.substr(done);
}

}  // namespace lanes::runtime
