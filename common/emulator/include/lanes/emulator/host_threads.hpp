/// @file
/// @brief The one way the emulator uses host threads. The browser build implements it with one.
#pragma once

#include <functional>

namespace lanes::emulator {

/// Runs the same work on several workers and returns when all are done.
class HostThreads {
public:
    virtual ~HostThreads() = default;
    /// Number of workers `run` will use, at least 1.
    virtual unsigned count() const = 0;
    /// Calls work(0) ... work(count() - 1), possibly at the same time.
    virtual void run(const std::function<void(unsigned)>& work) = 0;
};

/// All work on the calling thread.
class SingleThread final : public HostThreads {
public:
    unsigned count() const override { return 1; }
    void run(const std::function<void(unsigned)>& work) override { work(0); }
};

}  // namespace lanes::emulator
