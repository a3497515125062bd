#include "container_builder.hpp"
#include "damage.hpp"
#include "sample_file.hpp"

#include <fatbin.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace lanes::runtime;
using namespace lanes::runtime::tests;

namespace {

const std::string ptx_text = "\n\n.version 9.0\n.target sm_80\n" + std::string(2000, 'x') + std::string(1, '\0');

std::string text_of(const FatbinEntry& entry) {
    const auto bytes = extract(entry);
    REQUIRE(bytes);
    return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

// Everything the runtime does with a container.
void use_container(std::span<const std::byte> bytes, int& accepted) {
    const auto entries = read_fatbin(bytes);
    if (!entries) {
        CHECK_FALSE(entries.error().message.empty());
        return;
    }
    ++accepted;
    for (const FatbinEntry& entry : *entries)
        if (const auto payload = extract(entry); !payload) CHECK_FALSE(payload.error().message.empty());
}

}  // namespace

TEST_SUITE("fatbin") {
    TEST_CASE("a payload comes back the same from each compression") {
        const Bytes container =
            build_container({raw_entry(1, 75, ptx_text), lz4_entry(80, ptx_text), zstd_entry(90, ptx_text)});
        const auto entries = read_fatbin(container);
        REQUIRE(entries);
        REQUIRE(entries->size() == 3);
        const Compression expected[] = {Compression::none, Compression::lz4, Compression::zstd};
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK((*entries)[i].compression == expected[i]);
            CHECK((*entries)[i].kind == FatbinKind::ptx);
            CHECK(text_of((*entries)[i]).substr(0, ptx_text.size()) == ptx_text);
        }
    }

    TEST_CASE("nvcc's own containers hold the same PTX in every compression mode") {
        std::string first;
        for (const char* name : {LANES_SAMPLE_FATBINS}) {
            CAPTURE(name);
            const Bytes container = read_sample(name);
            const auto entries = read_fatbin(container);
            REQUIRE(entries);
            CHECK(entries->size() == 2);
            const auto entry = choose_ptx(*entries, 89);
            REQUIRE(entry);
            std::string text = text_of(*entry);
            text.erase(text.find('\0'));  // padding differs
            CHECK(text.find(".entry") != std::string::npos);
            if (first.empty()) first = text;
            CHECK(text == first);
        }
    }

    TEST_CASE("the PTX chosen is the highest that the device can run") {
        const Bytes container = build_container(
            {raw_entry(1, 75, "a"), raw_entry(1, 90, "b"), raw_entry(1, 86, "c"), raw_entry(2, 89, "elf")});
        const auto entries = read_fatbin(container);
        REQUIRE(entries);
        CHECK(choose_ptx(*entries, 89)->architecture == 86);
        CHECK(choose_ptx(*entries, 90)->architecture == 90);
        CHECK(choose_ptx(*entries, 120)->architecture == 90);
        CHECK(choose_ptx(*entries, 75)->architecture == 75);
    }

    TEST_CASE("PTX for newer devices only: the message says what to do") {
        const auto entries = read_fatbin(build_container({raw_entry(1, 100, "a"), raw_entry(1, 90, "b")}));
        REQUIRE(entries);
        const auto entry = choose_ptx(*entries, 89);
        REQUIRE_FALSE(entry);
        CHECK(entry.error().message.find("--device sm_90") != std::string::npos);
        CHECK(entry.error().message.find("-gencode arch=compute_89,code=compute_89") != std::string::npos);
    }

    TEST_CASE("machine code only: the message says what to do") {
        const auto entries = read_fatbin(build_container({raw_entry(2, 89, "elf")}));
        REQUIRE(entries);
        const auto entry = choose_ptx(*entries, 89);
        REQUIRE_FALSE(entry);
        CHECK(entry.error().message.find("machine code but no PTX") != std::string::npos);
        CHECK(entry.error().message.find("-gencode arch=compute_89,code=compute_89") != std::string::npos);
    }

    TEST_CASE("the cubin chosen is the nearest that is not newer") {
        const Bytes container = build_container({raw_entry(2, 80, "a"), raw_entry(2, 90, "b"), raw_entry(1, 86, "c")});
        const auto entries = read_fatbin(container);
        REQUIRE(entries);
        CHECK(choose_cubin(*entries, 89)->architecture == 80);
        CHECK(choose_cubin(*entries, 90)->architecture == 90);
        CHECK_FALSE(choose_cubin(*entries, 75));
    }

    TEST_CASE("an empty container has no entries") {
        const auto entries = read_fatbin(build_container({}));
        REQUIRE(entries);
        CHECK(entries->empty());
    }

    TEST_CASE("a payload that claims another size is refused") {
        EntryRecipe recipe = zstd_entry(80, ptx_text);
        recipe.raw += 1;
        const Bytes larger = build_container({recipe});
        CHECK_FALSE(extract(read_fatbin(larger)->front()));
        recipe.raw = std::uint64_t{1} << 60;
        const Bytes absurd = build_container({recipe});
        CHECK_FALSE(extract(read_fatbin(absurd)->front()));
        recipe.compressed = 1 << 20;
        CHECK_FALSE(read_fatbin(build_container({recipe})));
    }

    TEST_CASE("every truncation is refused") {
        const Bytes container = build_container({raw_entry(1, 75, "some text"), zstd_entry(90, ptx_text)});
        int accepted = 0;
        for_each_truncation(container, 1, [&](auto bytes) { use_container(bytes, accepted); });
        CHECK(accepted == 0);
    }

    TEST_CASE("no mutation reads outside") {
        const Bytes container =
            build_container({raw_entry(1, 75, "some text"), lz4_entry(80, ptx_text), zstd_entry(90, ptx_text)});
        int accepted = 0;
        for_each_mutation(container, 20000, [&](auto bytes) { use_container(bytes, accepted); });
        CHECK(accepted > 0);  // or the mutations would test nothing but the first check
    }
}
