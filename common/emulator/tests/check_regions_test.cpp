/// Which device memory is written.

#include "ptx_launch.hpp"

#include "check_regions.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <lanes/emulator/checks.hpp>

#include <algorithm>

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

TEST_CASE("ranges grow together") {
    WrittenRanges ranges;
    ranges.add({100, 200});
    ranges.add({300, 400});
    CHECK(ranges.find(150) == MemoryRange{100, 200});
    CHECK(ranges.find(200) == MemoryRange{});
    CHECK(ranges.find(99) == MemoryRange{});
    ranges.add({200, 300});
    CHECK(ranges.find(150) == MemoryRange{100, 400});
    ranges.add({50, 500});
    CHECK(ranges.find(400) == MemoryRange{50, 500});
    ranges.add({600, 600});
    CHECK(ranges.find(600) == MemoryRange{});
}

TEST_CASE("memory counts as written until somebody says otherwise") {
    DeviceMemory memory;
    const std::uint64_t address = value_of(memory.allocate(400));
    CHECK(is_written(memory, address, 400));
    mark_unset(memory, address);
    CHECK_FALSE(is_written(memory, address, 1));
    mark_written(memory, address + 8, 4);
    CHECK(is_written(memory, address + 8, 4));
    CHECK_FALSE(is_written(memory, address + 8, 5));
    CHECK_FALSE(is_written(memory, address + 7, 4));
    mark_written(memory, address, 400);
    CHECK(is_written(memory, address, 400));
}

TEST_CASE("a copy is written as far as its source is") {
    DeviceMemory memory;
    const std::uint64_t from = value_of(memory.allocate(400));
    const std::uint64_t to = value_of(memory.allocate(400));
    mark_unset(memory, from);
    mark_unset(memory, to);
    mark_written(memory, from + 10, 90);
    mark_written(memory, from + 200, 200);
    mark_copied(memory, to, from, 400);
    CHECK_FALSE(is_written(memory, to, 11));
    CHECK(is_written(memory, to + 10, 90));
    CHECK_FALSE(is_written(memory, to + 100, 1));
    CHECK(is_written(memory, to + 200, 200));
    const std::uint32_t host[2] = {};
    mark_copied(memory, to + 100, reinterpret_cast<std::uint64_t>(host), sizeof host);
    CHECK(is_written(memory, to + 100, 8));
}

TEST_CASE("memory that was freed and allocated again is forgotten") {
    DeviceMemory memory;
    RegionTable& regions = memory.regions();
    const std::uint64_t address = value_of(memory.allocate(400));
    mark_unset(memory, address);
    Region* const region = regions.at(memory, address);
    REQUIRE(region != nullptr);
    CHECK(region->words() == 100);
    CHECK(memory.release(address));
    CHECK(is_written(memory, address, 4));
    CHECK(regions.at(memory, address) == nullptr);
}

TEST_CASE("records cost memory where they are touched, also the second time") {
    DeviceMemory memory;
    RegionTable& table = memory.regions();
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    constexpr std::uint64_t bytes = 1 << 20;
    const DeviceArray<std::uint32_t> array(memory, bytes / 4);
    for (int round = 0; round < 2; ++round) {
        CAPTURE(round);
        Region* const region = table.at(memory, array.address());
        REQUIRE(region != nullptr);
        std::vector<unsigned char> resident(region->words() * 2 * sizeof(std::uint64_t) / page);
        const auto count_resident = [&] {
            REQUIRE(mincore(region->writers(), resident.size() * page, resident.data()) == 0);
            return std::count_if(resident.begin(), resident.end(), [](unsigned char bits) { return (bits & 1) != 0; });
        };
        CHECK(resident.size() * page == 4 * bytes);
        CHECK(count_resident() == 0);
        region->writers()[0] = 1;
        region->readers()[region->words() - 1] = 1;
        CHECK(count_resident() == 2);
        for (std::size_t word = 0; word < region->words(); ++word) region->readers()[word] = 1;
        table.forget(array.address());
    }
}

TEST_CASE("adopted memory need not begin at a word") {
    alignas(8) std::byte bytes[16];
    const auto address = reinterpret_cast<std::uint64_t>(&bytes[1]);
    DeviceMemory memory;
    CHECK(memory.adopt(address, 7));
    const Region* const region = memory.regions().at(memory, address);
    REQUIRE(region != nullptr);
    CHECK(region->words() == 2);
    CHECK(region->word_of(address) == 0);
    CHECK(region->word_of(address + 6) == 1);
}

TEST_CASE("one launch at a time records times, and each begins later") {
    DeviceMemory memory;
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    CHECK(memory.regions().begin_launch(first));
    CHECK_FALSE(memory.regions().begin_launch(second));
    memory.regions().end_launch(first + 10);
    CHECK(memory.regions().begin_launch(second));
    CHECK(second == first + 10);
    memory.regions().end_launch(second + 1);
}

TEST_CASE("leaks are what was allocated and not freed") {
    DeviceMemory memory;
    const std::uint64_t address = value_of(memory.allocate(400));
    value_of(memory.allocate(8, "variable"));
    CHECK(describe_leaks(memory) == std::vector<std::string>{"a 400-byte allocation of device memory was never freed"});
    memory.release(address);
    CHECK(describe_leaks(memory).empty());
}
