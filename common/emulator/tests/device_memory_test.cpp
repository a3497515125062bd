/// The table of device memory: bounds, contents, freed memory, many threads.
#include <lanes/emulator/memory.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace lanes::emulator {
namespace {

template <typename T>
T read(std::uint64_t address) {
    T value;
    std::memcpy(&value, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(address)), sizeof value);
    return value;
}

std::uint64_t allocate(DeviceMemory& memory, std::uint64_t bytes, const char* name = "",
                       std::uint64_t alignment = 256) {
    const Result<std::uint64_t> address = memory.allocate(bytes, name, alignment);
    REQUIRE(bool(address));
    return *address;
}

TEST_CASE("allocations are aligned, apart and known by their bounds") {
    DeviceMemory memory;
    std::vector<MemoryRange> expected;
    for (const std::uint64_t bytes : {1U, 3U, 4U, 255U, 256U, 400U, 4096U, 1000000U}) {
        const std::uint64_t address = allocate(memory, bytes);
        CHECK(address % 256 == 0);
        expected.push_back({address, address + bytes});
        CHECK(memory.range(address) == MemoryRange{address, address + bytes});
        CHECK(memory.contains(address, bytes));
        CHECK(memory.contains(address + bytes - 1, 1));
        CHECK_FALSE(memory.contains(address + bytes, 1));
        CHECK_FALSE(memory.contains(address, bytes + 1));
        CHECK_FALSE(memory.contains(address - 1, 1));
        CHECK_FALSE(memory.contains(address + 1, ~std::uint64_t{0}));
        CHECK(memory.find(address + bytes - 1).address == address);
        CHECK(memory.find(address + bytes).bytes == 0);
    }
    std::sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    const std::vector<Allocation> live = memory.live();
    REQUIRE(live.size() == expected.size());
    for (std::size_t i = 0; i < live.size(); ++i) {
        CHECK(live[i].address == expected[i].begin);
        CHECK(live[i].address + live[i].bytes == expected[i].end);
        // A red zone on either side: running over an edge by half a kilobyte lands nowhere.
        if (i > 0) CHECK(live[i].address - (live[i - 1].address + live[i - 1].bytes) >= 1024);
    }
}

TEST_CASE("larger alignments are kept") {
    DeviceMemory memory;
    for (const std::uint64_t alignment : {1U, 256U, 512U, 4096U, 1U << 20})
        CHECK(allocate(memory, 100, "", alignment) % std::max<std::uint64_t>(alignment, 256) == 0);
    const Result<std::uint64_t> odd = memory.allocate(100, {}, 3);
    REQUIRE_FALSE(bool(odd));
    CHECK(odd.error().message == "an alignment of 3 was asked for; it must be a power of two");
}

TEST_CASE("unset memory is NaN in every format and absurd as an integer") {
    DeviceMemory memory;
    const std::uint64_t address = allocate(memory, 1001);
    CHECK(std::isnan(read<float>(address)));
    CHECK(std::isnan(read<float>(address + 996)));
    CHECK(std::isnan(read<double>(address + 992)));
    CHECK(read<std::uint16_t>(address + 998) == unset_pattern);
    CHECK(read<std::int32_t>(address) == 2147319805);
    CHECK(read<std::uint8_t>(address + 1000) == (unset_pattern & 0xff));
}

/// Bytes of this process in real memory.
std::uint64_t resident_bytes() {
    std::ifstream status("/proc/self/statm");
    std::uint64_t pages = 0;
    std::uint64_t resident = 0;
    status >> pages >> resident;
    return resident * 4096;
}

TEST_CASE("a large allocation is unset at its ends and costs no memory in between") {
    DeviceMemory memory;
    const std::uint64_t before = resident_bytes();
    const std::uint64_t bytes = (std::uint64_t{4} << 30) + 6;
    const std::uint64_t address = allocate(memory, bytes);
    const std::uint64_t after = resident_bytes();
    CHECK(after - before < 8 * DeviceMemory::unset_fill_bytes);  // what sanitizers keep beside it counts as well
    for (const std::uint64_t offset : {std::uint64_t{0}, DeviceMemory::unset_fill_bytes - 4, bytes - 8, bytes - 4,
                                       bytes - DeviceMemory::unset_fill_bytes})
        CHECK(std::isnan(read<float>(address + offset)));
    CHECK(memory.used() == bytes);
    CHECK(memory.release(address));
    CHECK(memory.used() == 0);
}

TEST_CASE("the capacity is kept") {
    DeviceMemory memory;
    memory.set_capacity(1000);
    CHECK(memory.capacity() == 1000);
    const std::uint64_t address = allocate(memory, 600);
    const Result<std::uint64_t> more = memory.allocate(401);
    REQUIRE_FALSE(bool(more));
    CHECK(more.error().message == "401 bytes of device memory were asked for; 600 of 1000 are in use");
    CHECK_FALSE(bool(memory.allocate(~std::uint64_t{0})));
    CHECK_FALSE(bool(memory.allocate(0)));
    CHECK(bool(memory.allocate(400)));
    CHECK(memory.release(address));
    CHECK(memory.used() == 400);
    CHECK(bool(memory.allocate(600)));
}

TEST_CASE("memory is freed once, by its start") {
    DeviceMemory memory;
    const std::uint64_t address = allocate(memory, 100, "table");
    CHECK_FALSE(memory.release(address + 1));
    CHECK_FALSE(memory.release(0));
    CHECK(memory.find(address + 99).name == "table");
    CHECK_FALSE(memory.find(address).freed);
    const std::uint64_t generation = memory.generation();
    CHECK(memory.release(address));
    CHECK(memory.generation() != generation);
    CHECK_FALSE(memory.release(address));
    CHECK_FALSE(memory.contains(address, 1));
    CHECK(memory.range(address) == MemoryRange{});
    const Allocation freed = memory.find(address + 99);
    CHECK(freed.freed);
    CHECK(freed.bytes == 100);
    CHECK(memory.live().empty());
}

TEST_CASE("addresses of freed memory are not used again soon, and are forgotten when they are") {
    DeviceMemory memory;
    const std::uint64_t freed = allocate(memory, 4096);
    REQUIRE(memory.release(freed));
    for (unsigned i = 0; i < 1000; ++i) {
        const std::uint64_t address = allocate(memory, 4096);
        CHECK((address >= freed + 4096 || address + 4096 <= freed));
        REQUIRE(memory.release(address));
        REQUIRE(memory.find(freed).freed);
    }
    // Large memory goes back at once, so that a program that frees what it does not need can run on.
    for (unsigned i = 0; i < 100; ++i) {
        const std::uint64_t address = allocate(memory, 256 << 20);
        CHECK_FALSE(memory.find(address).freed);
        REQUIRE(memory.release(address));
    }
    CHECK(memory.used() == 0);
    for (unsigned i = 0; i < 10000; ++i) REQUIRE(memory.release(allocate(memory, 64)));
    CHECK_FALSE(memory.find(freed).freed);
}

TEST_CASE("the nearest allocation is found on either side") {
    DeviceMemory memory;
    CHECK(memory.nearest(1000).bytes == 0);
    std::vector<std::byte> host(10000);
    const auto begin = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(host.data()));
    REQUIRE(memory.adopt(begin, 100, "first"));
    REQUIRE(memory.adopt(begin + 1000, 100, "second"));
    CHECK(memory.nearest(begin - 5).name == "first");
    CHECK(memory.nearest(begin + 50).name == "first");
    CHECK(memory.nearest(begin + 100).name == "first");
    CHECK(memory.nearest(begin + 549).name == "first");
    CHECK(memory.nearest(begin + 551).name == "second");
    CHECK(memory.nearest(begin + 999).name == "second");
    CHECK(memory.nearest(begin + 5000).name == "second");
}

TEST_CASE("the host's memory can be lent and taken back") {
    DeviceMemory memory;
    std::vector<std::byte> host(1000);
    const auto begin = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(host.data()));
    CHECK(memory.adopt(begin, 1000, "pinned"));
    CHECK(memory.used() == 0);
    CHECK(memory.find(begin + 999).adopted);
    CHECK(memory.contains(begin, 1000));
    CHECK_FALSE(memory.adopt(begin + 10, 10));
    CHECK_FALSE(memory.adopt(begin - 10, 20));
    CHECK_FALSE(memory.adopt(begin + 2000, 0));
    CHECK_FALSE(memory.release(begin));
    const std::uint64_t own = allocate(memory, 10);
    CHECK_FALSE(memory.disown(own));
    const std::uint64_t generation = memory.generation();
    CHECK(memory.disown(begin));
    CHECK(memory.generation() != generation);
    CHECK_FALSE(memory.disown(begin));
    CHECK(memory.find(begin).bytes == 0);
    CHECK(memory.adopt(begin, 1000));
}

TEST_CASE("host threads may allocate, look and free at the same time") {
    DeviceMemory memory;
    const auto work = [&](unsigned worker) {
        std::vector<std::uint64_t> mine;
        for (unsigned i = 0; i < 500; ++i) {
            const Result<std::uint64_t> address = memory.allocate(64 + i * worker);
            if (address) mine.push_back(*address);
            if (i % 3 == 0 && !mine.empty()) {
                memory.release(mine.back());
                mine.pop_back();
            }
            memory.find(*address);
            memory.nearest(*address + 1);
        }
        for (const std::uint64_t address : mine) memory.release(address);
    };
    std::vector<std::thread> threads;
    for (unsigned worker = 0; worker < 4; ++worker) threads.emplace_back(work, worker);
    for (std::thread& thread : threads) thread.join();
    CHECK(memory.used() == 0);
    CHECK(memory.live().empty());
}

}  // namespace
}  // namespace lanes::emulator
