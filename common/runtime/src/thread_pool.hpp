/// @file
/// @brief Host threads that stay, for the blocks of many launches.
#pragma once

#include <lanes/emulator/host_threads.hpp>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace lanes::runtime {

/// Workers for emulator launches. The calling thread is worker 0; the others start with the first `run` and wait
/// between runs.
class ThreadPool final : public emulator::HostThreads {
public:
    /// @param count  number of workers, the calling thread among them; at least 1
    explicit ThreadPool(unsigned count) : count_(count) {}
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Number of workers.
    unsigned count() const override { return count_; }

    /// Calls work(0) ... work(count() - 1) and returns when all have returned. One run at a time: callers from several
    /// threads take turns.
    /// @param work  must not throw
    void run(const std::function<void(unsigned)>& work) override;

private:
    // What workers share. It outlives the pool, until the last worker has seen `stop`.
    struct Shared {
        std::mutex mutex;
        std::condition_variable start;
        std::condition_variable finish;
        const std::function<void(unsigned)>* work = nullptr;
        std::uint64_t generation = 0;
        unsigned running = 0;
        bool stop = false;
    };

    static void serve(const std::shared_ptr<Shared>& shared, unsigned index);
    void start_workers();

    unsigned count_;
    std::mutex turn_;
    std::shared_ptr<Shared> shared_;
};

}  // namespace lanes::runtime
