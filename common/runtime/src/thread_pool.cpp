#include "thread_pool.hpp"

#include <csignal>
#include <thread>

namespace lanes::runtime {

namespace {

// A program's signals are for its own threads, so workers start with all of them blocked.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

}  // namespace

ThreadPool::~ThreadPool() {
    if (!shared_) return;
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->stop = true;
    }
    shared_->start.notify_all();
}

void ThreadPool::serve(const std::shared_ptr<Shared>& shared, unsigned index) {
    std::uint64_t seen = 0;
    std::unique_lock lock(shared->mutex);
    while (true) {
        shared->start.wait(lock, [&] { return shared->stop || shared->generation != seen; });
        if (shared->stop) return;
        seen = shared->generation;
        const auto* work = shared->work;
        lock.unlock();
        (*work)(index);
        lock.lock();
        if (--shared->running == 0) shared->finish.notify_one();
    }
}

void ThreadPool::start_workers() {
    const SignalsBlocked blocked;
    shared_ = std::make_shared<Shared>();
    // Detached, because a process may end at any time without anybody to join them.
    for (unsigned i = 1; i < count_; ++i) std::thread(serve, shared_, i).detach();
}

void ThreadPool::run(const std::function<void(unsigned)>& work) {
    if (count_ == 1) {
        work(0);
        return;
    }
    const std::lock_guard turn(turn_);
    if (!shared_) start_workers();
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->work = &work;
        shared_->running = count_ - 1;
        ++shared_->generation;
    }
    shared_->start.notify_all();
    work(0);
    std::unique_lock lock(shared_->mutex);
    shared_->finish.wait(lock, [&] { return shared_->running == 0; });
}

}  // namespace lanes::runtime
