#include "not_supported.hpp"

#include "call.hpp"

#include <mutex>
#include <set>
#include <string>

namespace lanes::runtime {

int not_supported(const char* call) noexcept {
    return query([&] {
        static std::mutex mutex;
        static std::set<std::string>& said = *new std::set<std::string>;
        const std::lock_guard lock(mutex);
        if (said.insert(call).second)
            print_message("note", std::string(call) + " is not part of the emulator; it returns cudaErrorNotSupported");
        return cudaErrorNotSupported;
    });
}

}  // namespace lanes::runtime
