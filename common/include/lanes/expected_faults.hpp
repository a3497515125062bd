/// @file
/// @brief For programs that break something on purpose: the emulator's faults in a scope are what was wanted.
#pragma once

#include <atomic>
#include <cstdint>

#include "lanes/device.hpp"

namespace lanes {

namespace detail {

/// Errors that were found while some ExpectedFaults was alive. Atomic, because tests may run in several host threads.
inline std::atomic<std::uint64_t> expected_errors{0};

}  // namespace detail

/// @brief While it lives, faults that the emulator finds do not fail the program; on a GPU it does nothing.
///
/// Make one at a time: the emulator knows only whether faults are expected, not by whom.
class ExpectedFaults {
public:
    /// From here on, faults are expected.
    ExpectedFaults() : errors_before_(emulator_errors()) { expect(1); }
    ExpectedFaults(const ExpectedFaults&) = delete;
    ExpectedFaults& operator=(const ExpectedFaults&) = delete;
    /// From here on, a fault fails the program again.
    ~ExpectedFaults() {
        detail::expected_errors += errors();
        expect(0);
    }

    /// Errors that the emulator has found since this object was made.
    std::uint64_t errors() const { return emulator_errors() - errors_before_; }

private:
    static void expect(int expected) {
        auto* const set = detail::emulator_function<decltype(lanesEmulatorExpectFaults)>("lanesEmulatorExpectFaults");
        if (set != nullptr) set(expected);
    }

    std::uint64_t errors_before_;
};

/// Errors that the emulator has found in this process and nobody expected; 0 on a GPU.
inline std::uint64_t unexpected_errors() {
    return emulator_errors() - detail::expected_errors;
}

}  // namespace lanes
