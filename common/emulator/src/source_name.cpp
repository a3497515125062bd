#include "source_name.hpp"

#include <cstddef>

namespace lanes::emulator {

std::string source_name(const std::string& mangled) {
    // _ZZ<function>E<length><name>, and perhaps _<number>: a name cannot begin with a digit.
    const std::size_t end = mangled.rfind('E');
    if (mangled.compare(0, 3, "_ZZ") != 0 || end == std::string::npos) return mangled;
    for (std::size_t begin = mangled.find('E'); begin != std::string::npos; begin = mangled.find('E', begin + 1)) {
        std::size_t next = begin + 1;
        std::size_t length = 0;
        while (next < mangled.size() && mangled[next] >= '0' && mangled[next] <= '9' && length < mangled.size())
            length = 10 * length + static_cast<std::size_t>(mangled[next++] - '0');
        const std::size_t after = next + length;
        if (length == 0 || after > mangled.size()) continue;
        if (after == mangled.size() || mangled[after] == '_') return mangled.substr(next, length);
    }
    return mangled;
}

}  // namespace lanes::emulator
