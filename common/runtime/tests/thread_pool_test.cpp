#include <thread_pool.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using lanes::runtime::ThreadPool;

TEST_SUITE("thread_pool") {
    TEST_CASE("every worker runs once, the caller is worker 0, and all are done at the end") {
        for (const unsigned count : {1U, 2U, 7U}) {
            ThreadPool pool(count);
            CHECK(pool.count() == count);
            for (int round = 0; round < 200; ++round) {
                std::vector<std::atomic<int>> calls(count);
                std::atomic<bool> caller_is_zero{false};
                const auto caller = std::this_thread::get_id();
                pool.run([&](unsigned worker) {
                    ++calls[worker];
                    if (worker == 0) caller_is_zero = std::this_thread::get_id() == caller;
                });
                for (const auto& call : calls) REQUIRE(call == 1);
                REQUIRE(caller_is_zero);
            }
        }
    }

    TEST_CASE("callers from several threads take turns") {
        ThreadPool pool(3);
        std::atomic<int> running{0};
        std::atomic<int> most{0};
        std::atomic<int> total{0};
        std::vector<std::thread> callers;
        for (int caller = 0; caller < 4; ++caller)
            callers.emplace_back([&] {
                for (int round = 0; round < 50; ++round)
                    pool.run([&](unsigned) {
                        const int now = ++running;
                        int seen = most;
                        while (now > seen && !most.compare_exchange_weak(seen, now)) {
                        }
                        ++total;
                        --running;
                    });
            });
        for (std::thread& caller : callers) caller.join();
        CHECK(total == 4 * 50 * 3);
        CHECK(most <= 3);
    }
}
