/// @file
/// @brief Announces faults on purpose to the emulator; does nothing on a GPU.
#pragma once

#include <lanes/emulated.hpp>

#include <dlfcn.h>

namespace lanes::runtime::tests {

/// While it lives, faults are expected.
class FaultsExpected {
public:
    FaultsExpected() { announce(1); }
    ~FaultsExpected() { announce(0); }
    FaultsExpected(const FaultsExpected&) = delete;
    FaultsExpected& operator=(const FaultsExpected&) = delete;

private:
    static void announce(int expected) {
        const auto function =
            reinterpret_cast<decltype(&lanesEmulatorExpectFaults)>(dlsym(RTLD_DEFAULT, "lanesEmulatorExpectFaults"));
        if (function != nullptr) function(expected);
    }
};

}  // namespace lanes::runtime::tests
