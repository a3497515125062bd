#include "host_capacity.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

namespace lanes::runtime {

std::uint64_t host_capacity() {
    std::uint64_t bytes =
        static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::ifstream limit("/sys/fs/cgroup/memory.max");  // "max", or a number
    std::uint64_t group = 0;
    if (limit >> group) bytes = std::min(bytes, group);
    return bytes / 4 * 3;
}

unsigned host_threads() {
    return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace lanes::runtime
