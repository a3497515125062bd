#include "kernel_name.hpp"

#include <cstddef>

namespace lanes::tools {

std::string base_name(std::string_view demangled) {
    // Names without a name contain the very brackets that mark arguments.
    std::string name;
    for (std::size_t i = 0; i < demangled.size();) {
        bool unnamed = false;
        for (const std::string_view scope : {"(anonymous namespace)::", "<unnamed>::"}) {
            if (demangled.substr(i, scope.size()) != scope) continue;
            i += scope.size();
            unnamed = true;
            break;
        }
        if (!unnamed) name += demangled[i++];
    }
    int depth = 0;
    std::string outside;  // without template arguments
    for (const char c : name) {
        if (c == '>') --depth;
        if (c == '(' && depth == 0) break;
        if (depth == 0 && c != '<' && c != '>') outside += c;
        if (c == '<') ++depth;
    }
    const auto last = outside.find_last_of(" :*&");
    return last == std::string::npos ? outside : outside.substr(last + 1);
}

}  // namespace lanes::tools
