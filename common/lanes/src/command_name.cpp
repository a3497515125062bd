#include "command_name.hpp"

#include <fstream>

namespace lanes {

std::string command_name() {
    std::ifstream arguments("/proc/self/cmdline", std::ios::binary);
    std::string word;
    std::getline(arguments, word, '\0');
    return word.empty() ? "lanes" : word;
}

}  // namespace lanes
