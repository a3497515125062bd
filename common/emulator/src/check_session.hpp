/// @file
/// @brief The checks of one launch: an observer a worker, and their findings as faults.
#pragma once

#include "check_observer.hpp"
#include "execution.hpp"

#include <memory>
#include <vector>

namespace lanes::emulator {

/// Lives as long as the launch.
class CheckSession {
public:
    explicit CheckSession(LaunchState& launch);
    ~CheckSession();
    CheckSession(const CheckSession&) = delete;
    CheckSession& operator=(const CheckSession&) = delete;

    /// The observer of one more worker, alive as long as the session; nullptr if no check needs one.
    Observer* watch(const Block& block, std::uint32_t warps);
    /// Adds what was found to the launch's faults. Call it when the workers are done.
    void report();

private:
    void resolve(Party& party) const;

    LaunchState& launch_;
    GlobalLaunch global_;
    Mutex mutex_;  // guards observers_ while workers start
    std::vector<std::unique_ptr<CheckObserver>> observers_;
};

}  // namespace lanes::emulator
