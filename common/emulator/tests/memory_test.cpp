/// Loads, stores and atomics: values, masks, extension, bounds, alignment.
#include "memory_fixture.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace lanes::emulator {
namespace {

using ptx::Space;
using ptx::Type;

constexpr LaneMask partial_masks[] = {0x1U, 0x80000000U, 0x0000ffffU, 0xaaaaaaaaU, 0x7ffffffeU};

constexpr Type memory_types[] = {Type::b8,    Type::u8,   Type::s8,  Type::b16, Type::u16, Type::s16,
                                 Type::f16,   Type::bf16, Type::b32, Type::u32, Type::s32, Type::f32,
                                 Type::f16x2, Type::b64,  Type::u64, Type::s64, Type::f64, Type::b128};

/// Where an instruction looks, and how.
struct Place {
    const char* modifier;  // with the dot in front
    Space space;
    bool generic;
    Type address;
};

constexpr Place places[] = {
    {".global", Space::global, false, Type::u64}, {".const", Space::constant, false, Type::u64},
    {".shared", Space::shared, false, Type::u64}, {".shared", Space::shared, false, Type::u32},
    {".local", Space::local, false, Type::u64},   {".local", Space::local, false, Type::u32},
    {"", Space::global, true, Type::u64},         {"", Space::shared, true, Type::u64},
    {"", Space::local, true, Type::u64},
};

/// Offset of each lane, in elements.
constexpr unsigned pattern_count = 5;
unsigned element_of(unsigned pattern, unsigned lane) {
    switch (pattern) {
        case 0:
            return lane;  // unit stride
        case 1:
            return 7;  // all the same
        case 2:
            return 31 - lane;  // backwards
        case 3:
            return lane * 13 % 32;  // shuffled
        default:
            return lane / 2 * 2;  // pairs
    }
}

/// A fixture with `bytes` of random data in one space, lane by lane in the local one.
class FilledFixture : public MemoryFixture {
public:
    FilledFixture(const Place& place, std::size_t bytes)
        : MemoryFixture(static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(bytes)), place_(place) {
        std::mt19937 random(7);
        if (place.space == Space::global || place.space == Space::constant)
            base_ = allocate<std::uint8_t>(bytes, [](std::size_t) { return 0; });
        if (place.generic && place.space == Space::shared) base_ = shared_window;
        if (place.generic && place.space == Space::local) base_ = local_window;
        for (unsigned lane = 0; lane < warp_size; ++lane)
            for (std::size_t i = 0; i < bytes; ++i) byte(lane, i) = static_cast<std::byte>(random());
    }

    /// The byte that a lane finds at an offset.
    std::byte& byte(unsigned lane, std::size_t offset) {
        if (place_.space == Space::shared) return block.shared[offset];
        if (place_.space == Space::local) return warp.local[lane * warp.local_stride + offset];
        return at<std::byte>(base_)[offset];
    }

    ptx::Operand address(std::uint32_t element_bytes, unsigned pattern) {
        const auto lane_address = [&](unsigned lane) { return base_ + element_of(pattern, lane) * element_bytes - 16; };
        // Half of the way is in the offset of the instruction.
        if (place_.address == Type::u32) return address_of(add<std::uint32_t>(Type::u32, lane_address), 16);
        return address_of(add<std::uint64_t>(Type::u64, lane_address), 16);
    }

private:
    Place place_;
    std::uint64_t base_ = 0;
};

bool is_signed(Type type) {
    return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64;
}

/// Bytes of memory as they are to stand in a register.
std::vector<std::byte> extended(std::vector<std::byte> value, Type type, std::size_t register_bytes) {
    const bool negative = is_signed(type) && (value.back() & std::byte{0x80}) != std::byte{0};
    value.resize(register_bytes, negative ? std::byte{0xff} : std::byte{0});
    return value;
}

std::vector<std::byte> lane_bytes(MemoryFixture& fixture, TestRegister value, std::size_t bytes, unsigned lane) {
    const std::byte* const begin = fixture.row<std::byte>(value) + lane * bytes;
    return {begin, begin + bytes};
}

Type register_type(std::size_t bytes) {
    return bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : bytes == 8 ? Type::b64 : Type::b128;
}

std::string form(const char* opcode, const Place& place, unsigned elements, Type type) {
    const std::string vector = elements == 1 ? "" : ".v" + std::to_string(elements);
    return std::string(opcode) + place.modifier + vector + "." + std::string(ptx::name_of(type));
}

/// Every way to load or store one vector of one type in one space.
template <typename Check>
void for_each_form(const Check& check) {
    for (const Place& place : places)
        for (const Type type : memory_types)
            for (const unsigned elements : {1U, 2U, 4U, 8U})
                for (const std::size_t register_bytes : {2U, 4U, 8U, 16U}) {
                    const std::size_t bytes = ptx::size_of(type);
                    const bool wide = bytes == 16;
                    if (bytes * elements > 32 || register_bytes < bytes || wide != (register_bytes == 16)) continue;
                    check(place, type, elements, register_bytes);
                }
}

/// Each form with each pattern, with all lanes and with one of the partial masks in turn.
template <typename Check>
void for_each_form_and_mask(const Check& check) {
    unsigned turn = 0;
    for_each_form([&](const Place& place, Type type, unsigned elements, std::size_t register_bytes) {
        for (unsigned pattern = 0; pattern < pattern_count; ++pattern)
            for (const LaneMask lanes : {all_lanes, partial_masks[turn++ % std::size(partial_masks)]})
                check(place, type, elements, register_bytes, pattern, lanes);
    });
}

void check_load(const Place& place, Type type, unsigned elements, std::size_t register_bytes, unsigned pattern,
                LaneMask lanes) {
    const std::uint32_t bytes = ptx::size_of(type);
    FilledFixture fixture(place, std::size_t{warp_size} * bytes * elements);
    std::vector<TestRegister> destinations;
    for (unsigned i = 0; i < elements; ++i) {
        destinations.push_back(fixture.add(register_type(register_bytes)));
        std::memset(fixture.row<std::byte>(destinations.back()), 0x5a, warp_size * register_bytes);
    }
    const ptx::Operand destination = elements == 1 ? operand_of(destinations[0]) : vector_of(destinations);
    fixture.execute(form("ld", place, elements, type), {destination, fixture.address(bytes * elements, pattern)},
                    lanes);
    REQUIRE_FALSE(fixture.has_fault());
    bool right = true;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        for (unsigned i = 0; i < elements; ++i) {
            std::vector<std::byte> expected(register_bytes, std::byte{0x5a});
            if (((lanes >> lane) & 1U) != 0) {
                std::vector<std::byte> memory;
                for (std::size_t b = 0; b < bytes; ++b)
                    memory.push_back(fixture.byte(lane, (element_of(pattern, lane) * elements + i) * bytes + b));
                expected = extended(memory, type, register_bytes);
            }
            right = right && lane_bytes(fixture, destinations[i], register_bytes, lane) == expected;
        }
    CHECK_MESSAGE(right, form("ld", place, elements, type)
                             << " into " << register_bytes << " bytes, pattern " << pattern << ", lanes " << lanes);
}

void check_store(const Place& place, Type type, unsigned elements, std::size_t register_bytes, unsigned pattern,
                 LaneMask lanes) {
    if (place.space == Space::constant) return;
    const std::uint32_t bytes = ptx::size_of(type);
    const std::size_t size = std::size_t{warp_size} * bytes * elements;
    FilledFixture fixture(place, size);
    std::mt19937 random(11);
    std::vector<TestRegister> sources;
    for (unsigned i = 0; i < elements; ++i) {
        sources.push_back(fixture.add(register_type(register_bytes)));
        std::byte* const row = fixture.row<std::byte>(sources.back());
        for (std::size_t b = 0; b < warp_size * register_bytes; ++b) row[b] = static_cast<std::byte>(random());
    }
    // What memory is to hold: the highest lane that writes a place wins.
    std::vector<std::vector<std::byte>> expected(warp_size);
    for (unsigned lane = 0; lane < warp_size; ++lane)
        for (std::size_t b = 0; b < size; ++b) expected[lane].push_back(fixture.byte(lane, b));
    for (unsigned lane = 0; lane < warp_size; ++lane)
        for (unsigned i = 0; i < elements && ((lanes >> lane) & 1U) != 0; ++i)
            for (std::size_t b = 0; b < bytes; ++b) {
                const std::size_t offset = (element_of(pattern, lane) * elements + i) * bytes + b;
                for (unsigned seer = 0; seer < warp_size; ++seer)
                    if (place.space != Space::local || seer == lane)
                        expected[seer][offset] = lane_bytes(fixture, sources[i], register_bytes, lane)[b];
            }
    const ptx::Operand source = elements == 1 ? operand_of(sources[0]) : vector_of(sources);
    fixture.execute(form("st", place, elements, type), {fixture.address(bytes * elements, pattern), source}, lanes);
    REQUIRE_FALSE(fixture.has_fault());
    bool right = true;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        for (std::size_t b = 0; b < size; ++b) right = right && fixture.byte(lane, b) == expected[lane][b];
    CHECK_MESSAGE(right, form("st", place, elements, type)
                             << " from " << register_bytes << " bytes, pattern " << pattern << ", lanes " << lanes);
}

TEST_CASE("a load extends values to the register and leaves other lanes alone") {
    for_each_form_and_mask(check_load);
}

TEST_CASE("a store truncates values to memory and leaves other places alone") {
    for_each_form_and_mask(check_store);
}

TEST_CASE("parameters are read at their offset, by every lane alike") {
    MemoryFixture fixture;
    const std::uint64_t pointer = 0x0123456789abcdef;
    std::memcpy(fixture.parameters.data() + 8, &pointer, sizeof pointer);
    const TestRegister loaded = fixture.add(Type::u64);
    fixture.execute("ld.param.u64", {operand_of(loaded), address_of(8)});
    CHECK(fixture.row<std::uint64_t>(loaded)[0] == pointer);
    CHECK(fixture.row<std::uint64_t>(loaded)[31] == pointer);

    const TestRegister low = fixture.add(Type::b32);
    const TestRegister high = fixture.add(Type::b32);
    fixture.execute("ld.param.v2.u32", {vector_of(std::vector<TestRegister>{low, high}), address_of(8)}, 0x4);
    CHECK(fixture.row<std::uint32_t>(low)[2] == 0x89abcdef);
    CHECK(fixture.row<std::uint32_t>(high)[2] == 0x01234567);
    CHECK(fixture.row<std::uint32_t>(high)[3] == 0);

    const TestRegister negative = fixture.add(Type::b32);
    fixture.parameters[3] = std::byte{0xfe};
    fixture.execute("ld.param.s8", {operand_of(negative), address_of(3)});
    CHECK(fixture.row<std::uint32_t>(negative)[5] == 0xfffffffe);

    fixture.execute("ld.param.u64", {operand_of(loaded), address_of(64)});
    CHECK(fixture.fault().message.find("read of 8 bytes at parameter offset 64 is outside the 64 bytes of kernel "
                                       "parameters") != std::string::npos);
}

TEST_CASE("qualifiers and cache hints change no value") {
    for (const char* name :
         {"ld.volatile.global.u32", "ld.relaxed.gpu.global.u32", "ld.acquire.sys.global.u32", "ld.weak.global.u32",
          "ld.mmio.relaxed.sys.global.u32", "ld.global.nc.u32", "ld.global.ca.u32", "ld.global.cg.u32",
          "ld.global.cs.u32", "ld.global.lu.u32", "ld.global.cv.u32", "ld.global.L1::no_allocate.L2::128B.u32",
          "ldu.global.u32", "ld.global.nc.L1::evict_last.u32"}) {
        CAPTURE(name);
        MemoryFixture fixture;
        const std::uint64_t data = fixture.allocate<std::uint32_t>(32, [](std::size_t i) { return 100 + i; });
        const TestRegister loaded = fixture.add(Type::u32);
        fixture.execute(name, {operand_of(loaded), address_of(fixture.addresses(data, 4))});
        CHECK(fixture.row<std::uint32_t>(loaded)[17] == 117);
    }
    for (const char* name : {"st.volatile.global.u32", "st.relaxed.gpu.global.u32", "st.release.gpu.global.u32",
                             "st.global.wb.u32", "st.global.cg.u32", "st.global.cs.u32", "st.global.wt.u32"}) {
        CAPTURE(name);
        MemoryFixture fixture;
        const std::uint64_t data = fixture.allocate<std::uint32_t>(32, [](std::size_t) { return 0; });
        const TestRegister value = fixture.add<std::uint32_t>(Type::u32, [](unsigned lane) { return lane + 1; });
        fixture.execute(name, {address_of(fixture.addresses(data, 4)), operand_of(value)});
        CHECK(MemoryFixture::at<std::uint32_t>(data)[17] == 18);
    }
}

TEST_CASE("a cache policy is accepted and ignored") {
    MemoryFixture fixture;
    const std::uint64_t data = fixture.allocate<std::uint32_t>(32, [](std::size_t i) { return 100 + i; });
    const TestRegister loaded = fixture.add(Type::u32);
    const TestRegister policy = fixture.add(Type::b64);
    fixture.execute("ld.global.L2::cache_hint.u32",
                    {operand_of(loaded), address_of(fixture.addresses(data, 4)), operand_of(policy)});
    CHECK(fixture.row<std::uint32_t>(loaded)[31] == 131);
}

TEST_CASE("discarded elements are not written, immediates are stored") {
    MemoryFixture fixture;
    const std::uint64_t data = fixture.allocate<std::uint32_t>(64, [](std::size_t i) { return i; });
    const TestRegister second = fixture.add(Type::u32);
    fixture.execute("ld.global.v2.u32",
                    {vector_of({ptx::Operand{}, operand_of(second)}), address_of(fixture.addresses(data, 8))});
    CHECK(fixture.row<std::uint32_t>(second)[9] == 19);

    fixture.execute("st.global.u8", {address_of(fixture.addresses(data, 1)), immediate_of(0x1ff)});
    CHECK(MemoryFixture::at<std::uint8_t>(data)[31] == 0xff);
    CHECK(MemoryFixture::at<std::uint8_t>(data)[32] == 8);
    fixture.execute("st.global.v2.u32",
                    {address_of(fixture.addresses(data, 8)), vector_of({immediate_of(5), operand_of(second)})});
    CHECK(MemoryFixture::at<std::uint32_t>(data)[62] == 5);
    CHECK(MemoryFixture::at<std::uint32_t>(data)[63] == 63);
}

TEST_CASE("a generic access may go to several spaces at once") {
    MemoryFixture fixture;
    const std::uint64_t data = fixture.allocate<std::uint32_t>(32, [](std::size_t i) { return 1000 + i; });
    for (unsigned i = 0; i < 32; ++i) fixture.shared<std::uint32_t>()[i] = 2000 + i;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        std::memcpy(fixture.warp.local + lane * fixture.warp.local_stride + 4, &lane, sizeof lane);
    const TestRegister address = fixture.add<std::uint64_t>(Type::u64, [=](unsigned lane) {
        if (lane % 3 == 0) return data + lane * 4;
        return lane % 3 == 1 ? shared_window + lane * 4 : local_window + 4;
    });
    const TestRegister loaded = fixture.add(Type::u32);
    fixture.execute("ld.u32", {operand_of(loaded), address_of(address)}, 0xfffffffe);
    REQUIRE_FALSE(fixture.has_fault());
    CHECK(fixture.row<std::uint32_t>(loaded)[0] == 0);
    for (unsigned lane = 1; lane < warp_size; ++lane) {
        const std::uint32_t expected = lane % 3 == 0 ? 1000 + lane : lane % 3 == 1 ? 2000 + lane : lane;
        CHECK(fixture.row<std::uint32_t>(loaded)[lane] == expected);
    }
    CHECK(fixture.counters[Counter::global_ld_requests] == 1);
    CHECK(fixture.counters[Counter::shared_ld_inst] == 1);
}

/// Reads `bytes` at each lane's `base + lane * step` and returns the fault.
Fault fault_of_load(MemoryFixture& fixture, const char* name, std::uint64_t base, std::uint64_t step,
                    LaneMask lanes = all_lanes) {
    const TestRegister loaded = fixture.add(std::string(name).ends_with("64") ? Type::b64 : Type::b32);
    fixture.execute(name, {operand_of(loaded), address_of(fixture.addresses(base, step))}, lanes);
    const Fault fault = fixture.fault();
    fixture.forget_faults();
    return fault;
}

bool says(const Fault& fault, const std::string& words) {
    const bool found = fault.message.find(words) != std::string::npos;
    if (!found) MESSAGE("the message is: " << fault.message);
    return found;
}

TEST_CASE("the first byte outside an allocation is a fault, and the last inside is none") {
    for (const std::size_t n : {1U, 3U, 31U, 33U, 1000U}) {
        CAPTURE(n);
        MemoryFixture fixture;
        const std::uint64_t data = fixture.allocate<float>(n, [](std::size_t i) { return static_cast<float>(i); });
        const std::uint64_t neighbour = fixture.allocate<float>(64, [](std::size_t) { return 0.0F; });
        CHECK(neighbour != 0);
        const std::uint64_t end = data + 4 * n;
        const std::string size = std::to_string(4 * n) + "-byte allocation";

        const TestRegister loaded = fixture.add(Type::f32);
        const TestRegister last = fixture.addresses(end - 4, 0);
        fixture.execute("ld.global.f32", {operand_of(loaded), address_of(last)}, 1);
        REQUIRE_FALSE(fixture.has_fault());
        CHECK(fixture.row<float>(loaded)[0] == static_cast<float>(n - 1));

        Fault fault = fault_of_load(fixture, "ld.global.f32", end, 0, 1);
        CHECK(fault.kind == FaultKind::out_of_bounds);
        CHECK(fault.severity == Severity::error);
        CHECK(says(fault, "is just past the end of a " + size));
        CHECK(says(fault_of_load(fixture, "ld.global.f32", end + 4, 0, 1), "is 4 bytes past the end of a " + size));
        CHECK(
            says(fault_of_load(fixture, "ld.global.f32", data - 4, 0, 1), "is 4 bytes before the start of a " + size));
        CHECK(says(fault_of_load(fixture, "ld.global.u8", end, 0, 1), "read of 1 byte at 0x"));

        // Lane i reads element i + n - 2 or so: the first lane outside is named, and nothing is written.
        const std::uint64_t begin = end - 8;
        if (n > 1) {
            fault = fault_of_load(fixture, "ld.global.f32", begin, 4);
            CHECK(fault.thread == Dim3{2, 0, 0});
            CHECK(says(fault, "is just past the end"));
        }
    }
}

TEST_CASE("an access that is partly outside is a fault") {
    MemoryFixture fixture;
    const std::uint64_t data = fixture.allocate<std::uint8_t>(100, [](std::size_t) { return 1; });
    CHECK(says(fault_of_load(fixture, "ld.global.u64", data + 96, 0), "reaches 4 bytes past the end of a 100-byte"));
    const TestRegister value = fixture.add(Type::b32);
    fixture.execute("st.global.v4.u32",
                    {address_of(fixture.addresses(data + 96, 0)), vector_of(std::vector<TestRegister>(4, value))});
    CHECK(says(fixture.fault(), "write of 16 bytes"));
    CHECK(MemoryFixture::at<std::uint8_t>(data)[96] == 1);
}

TEST_CASE("each lane may use an allocation of its own") {
    MemoryFixture fixture;
    std::vector<std::uint64_t> buffers;
    for (unsigned lane = 0; lane < warp_size; ++lane)
        buffers.push_back(fixture.allocate<std::uint32_t>(1, [=](std::size_t) { return lane * 3; }));
    const TestRegister address = fixture.add<std::uint64_t>(Type::u64, [&](unsigned lane) { return buffers[lane]; });
    const TestRegister loaded = fixture.add(Type::u32);
    const Operation load = fixture.decode("ld.global.u32", {operand_of(loaded), address_of(address)});
    load.execute(fixture.warp, load, all_lanes);
    REQUIRE_FALSE(fixture.has_fault());
    for (unsigned lane = 0; lane < warp_size; ++lane) CHECK(fixture.row<std::uint32_t>(loaded)[lane] == lane * 3);

    REQUIRE(fixture.memory.release(buffers[20]));
    load.execute(fixture.warp, load, all_lanes);
    CHECK(fixture.fault().kind == FaultKind::use_after_free);
    CHECK(fixture.fault().thread == Dim3{20, 0, 0});
}

TEST_CASE("null pointers, freed memory and wild addresses are told apart") {
    MemoryFixture fixture;
    const std::uint64_t data = fixture.allocate<float>(100, [](std::size_t) { return 0.0F; });
    CHECK(says(fault_of_load(fixture, "ld.global.f32", 0, 4), "read of 4 bytes at 0x0 goes through a null pointer"));
    CHECK(says(fault_of_load(fixture, "ld.global.f32", 16, 4), "goes through a null pointer plus 16 bytes"));
    CHECK(says(fault_of_load(fixture, "ld.f32", 0, 4), "goes through a null pointer"));
    CHECK(says(fault_of_load(fixture, "ld.global.f32", data + (std::uint64_t{1} << 33), 4),
               "is in no allocation of device memory; the nearest, a 400-byte allocation at 0x"));
    REQUIRE(fixture.memory.release(data));
    const Fault fault = fault_of_load(fixture, "ld.global.f32", data + 8, 4);
    CHECK(fault.kind == FaultKind::use_after_free);
    CHECK(says(fault, "is 8 bytes into a 400-byte allocation that was freed"));
    const Result<std::uint64_t> table = fixture.memory.allocate(16, "table");
    REQUIRE(bool(table));
    CHECK(says(fault_of_load(fixture, "ld.global.f32", *table + 16, 0),
               "is just past the end of the 16-byte variable table"));
}

TEST_CASE("shared and local accesses stay inside the block's and the thread's memory") {
    MemoryFixture fixture(4096, 64);
    CHECK(says(fault_of_load(fixture, "ld.shared.u32", 4096, 0),
               "read of 4 bytes at shared offset 4096 is outside the 4096 bytes of shared memory of this block"));
    CHECK(says(fault_of_load(fixture, "ld.u32", shared_window + 4096, 0), "shared offset 4096 is outside"));
    CHECK(says(fault_of_load(fixture, "ld.shared.u32", ~std::uint64_t{3}, 0), "shared offset -4 is outside"));
    const Fault fault = fault_of_load(fixture, "ld.shared.u32", 4096 - 31 * 4, 4);
    CHECK(fault.thread == Dim3{31, 0, 0});
    CHECK(says(fault_of_load(fixture, "ld.local.u32", 64, 0),
               "read of 4 bytes at local offset 64 is outside the 64 bytes of local memory of this thread"));
    fixture.program.shared_variables = {{"tile", 0, 2048}, {"scratch", 2048, 2048}};
    CHECK(says(fault_of_load(fixture, "ld.shared.u32", 4100, 0), "(scratch + 2052 bytes) is outside the 4096 bytes"));

    const TestRegister value = fixture.add(Type::u32);
    const TestRegister offset = fixture.add<std::uint32_t>(Type::u32, [](unsigned) { return 0U; });
    fixture.execute("st.shared.u32", {address_of(offset, -4), operand_of(value)});
    CHECK(says(fixture.fault(), "write of 4 bytes at shared offset -4 is outside"));
    fixture.forget_faults();

    MemoryFixture none(0, 16);
    CHECK(says(fault_of_load(none, "ld.shared.u32", 0, 0), "is outside the 0 bytes of shared memory of this block"));
}

TEST_CASE("misaligned accesses are faults that say what alignment is needed") {
    for (const unsigned elements : {1U, 2U, 4U}) {
        const std::uint32_t bytes = 4 * elements;
        MemoryFixture fixture;
        const std::uint64_t data = fixture.allocate<float>(1024, [](std::size_t) { return 0.0F; });
        const std::string vector = elements == 1 ? "" : ".v" + std::to_string(elements);
        const TestRegister value = fixture.add(Type::f32);
        const ptx::Operand values =
            elements == 1 ? operand_of(value) : vector_of(std::vector<TestRegister>(elements, value));
        fixture.execute("ld.global" + vector + ".f32",
                        {values, address_of(fixture.addresses(data + bytes / 2, bytes))});
        CHECK(fixture.fault().kind == FaultKind::misaligned);
        CHECK(says(fixture.fault(), "needs an address that is a multiple of " + std::to_string(bytes)));
        CHECK(says(fixture.fault(), "this one is " + std::to_string(bytes / 2) + " more"));
        fixture.forget_faults();
        fixture.execute("st.shared" + vector + ".f32", {address_of(fixture.addresses(bytes / 2, 0)), values}, 0x10);
        CHECK(fixture.fault().kind == FaultKind::misaligned);
        CHECK(says(fixture.fault(), "write of " + std::to_string(bytes) + " bytes at shared offset"));
        CHECK(fixture.fault().thread == Dim3{4, 0, 0});
    }
}

/// What an atomic operation is to leave, and to return, lane by lane on one word.
struct AtomicCase {
    const char* name;
    Type type;
    std::uint64_t start;
    std::uint64_t operand;
    std::uint64_t after_one;
};

constexpr std::uint64_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
constexpr std::uint64_t bits_of(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

constexpr AtomicCase atomic_cases[] = {
    {"add.u32", Type::u32, 0xfffffffe, 3, 1},
    {"add.s32", Type::s32, 5, 0xffffffff, 4},
    {"add.u64", Type::u64, 0xffffffff, 1, 0x100000000},
    {"add.f32", Type::f32, bits_of(1.5F), bits_of(2.25F), bits_of(3.75F)},
    {"add.f64", Type::f64, bits_of(1.5), bits_of(2.25), bits_of(3.75)},
    {"add.noftz.f16", Type::f16, 0x3c00, 0x4000, 0x4200},
    {"add.noftz.bf16", Type::bf16, 0x3f80, 0x4000, 0x4040},
    {"add.noftz.f16x2", Type::f16x2, 0x3c003c00, 0x40003c00, 0x42004000},
    {"add.noftz.bf16x2", Type::bf16x2, 0x3f803f80, 0x40003f80, 0x40404000},
    {"min.u32", Type::u32, 5, 0xffffffff, 5},
    {"min.s32", Type::s32, 5, 0xffffffff, 0xffffffff},
    {"max.u32", Type::u32, 5, 0xffffffff, 0xffffffff},
    {"max.s32", Type::s32, 5, 0xffffffff, 5},
    {"min.u64", Type::u64, 5, ~std::uint64_t{0}, 5},
    {"min.s64", Type::s64, 5, ~std::uint64_t{0}, ~std::uint64_t{0}},
    {"max.u64", Type::u64, 5, ~std::uint64_t{0}, ~std::uint64_t{0}},
    {"max.s64", Type::s64, 5, ~std::uint64_t{0}, 5},
    {"inc.u32", Type::u32, 6, 7, 7},
    {"inc.u32", Type::u32, 7, 7, 0},
    {"dec.u32", Type::u32, 1, 7, 0},
    {"dec.u32", Type::u32, 0, 7, 7},
    {"dec.u32", Type::u32, 9, 7, 7},
    {"exch.b32", Type::b32, 1, 2, 2},
    {"exch.b64", Type::b64, 1, 0x200000000, 0x200000000},
    {"and.b32", Type::b32, 0xff, 0xf0f, 0xf},
    {"or.b32", Type::b32, 0xf0, 0xf, 0xff},
    {"xor.b32", Type::b32, 0xff, 0xf, 0xf0},
    {"and.b64", Type::b64, 0xff00000000, 0xf00000000, 0xf00000000},
    {"or.b64", Type::b64, 0xf000000000, 0xf00000000, 0xff00000000},
    {"xor.b64", Type::b64, 0xff00000000, 0xf00000000, 0xf000000000},
};

std::uint64_t low_bytes(const void* from, std::size_t bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, from, bytes);
    return value;
}

TEST_CASE("atomic operations return the old value and leave the new one, in every space") {
    for (const char* space : {".global", ".shared", ""})
        for (const bool in_shared : {false, true})
            for (const AtomicCase& atomic : atomic_cases) {
                if (std::string(space) == ".global" && in_shared) continue;
                if (std::string(space) == ".shared" && !in_shared) continue;
                CAPTURE(space);
                CAPTURE(in_shared);
                CAPTURE(atomic.name);
                const std::size_t bytes = ptx::size_of(atomic.type);
                for (const bool returns : {true, false}) {
                    MemoryFixture fixture;
                    const std::uint64_t data = fixture.allocate<std::uint64_t>(2, [](std::size_t) { return 0; });
                    std::byte* const word =
                        in_shared ? fixture.block.shared + 8 : MemoryFixture::at<std::byte>(data + 8);
                    std::memcpy(word, &atomic.start, bytes);
                    const std::uint64_t base = !in_shared ? data : *space == '\0' ? shared_window : 0;
                    const TestRegister old = fixture.add(atomic.type);
                    const TestRegister operand = fixture.add(atomic.type);
                    std::memcpy(fixture.row<std::byte>(operand) + 9 * bytes, &atomic.operand, bytes);
                    std::vector<ptx::Operand> operands = {address_of(fixture.addresses(base, 0), 8),
                                                          operand_of(operand)};
                    if (returns) operands.insert(operands.begin(), operand_of(old));
                    fixture.execute((returns ? "atom" : "red") + std::string(space) + "." + atomic.name, operands,
                                    1U << 9);
                    REQUIRE_FALSE(fixture.has_fault());
                    CHECK(low_bytes(word, bytes) == atomic.after_one);
                    if (returns) CHECK(low_bytes(fixture.row<std::byte>(old) + 9 * bytes, bytes) == atomic.start);
                    CHECK(low_bytes(fixture.row<std::byte>(old) + 8 * bytes, bytes) == 0);
                }
            }
}

TEST_CASE("lanes take their turns at one word in order") {
    MemoryFixture fixture;
    const std::uint64_t data = fixture.allocate<std::uint32_t>(1, [](std::size_t) { return 1000; });
    const TestRegister old = fixture.add(Type::u32);
    const TestRegister one = fixture.add<std::uint32_t>(Type::u32, [](unsigned lane) { return lane; });
    fixture.execute("atom.global.add.u32", {operand_of(old), address_of(fixture.addresses(data, 0)), operand_of(one)});
    for (std::uint32_t lane = 0; lane < warp_size; ++lane)
        CHECK(fixture.row<std::uint32_t>(old)[lane] == 1000 + lane * (lane - 1) / 2);
    CHECK(*MemoryFixture::at<std::uint32_t>(data) == 1000 + 31 * 16);
}

TEST_CASE("compare and swap lets one lane win") {
    for (const char* name :
         {"atom.global.cas.b16", "atom.global.cas.b32", "atom.global.cas.b64", "atom.shared.cas.b32"}) {
        CAPTURE(name);
        MemoryFixture fixture;
        const bool in_shared = std::string(name).find("shared") != std::string::npos;
        const Type type = ptx::type_from_name(std::string(name).substr(std::string(name).rfind('.') + 1));
        const std::size_t bytes = ptx::size_of(type);
        const std::uint64_t data = fixture.allocate<std::uint64_t>(1, [](std::size_t) { return 0; });
        const TestRegister old = fixture.add(type);
        const TestRegister expected = fixture.add(type);
        const TestRegister desired = fixture.add(type);
        for (unsigned lane = 0; lane < warp_size; ++lane)
            fixture.row<std::byte>(desired)[lane * bytes] = static_cast<std::byte>(lane + 1);
        fixture.execute(name,
                        {operand_of(old), address_of(fixture.addresses(in_shared ? 0 : data, 0)), operand_of(expected),
                         operand_of(desired)},
                        0xfffffff0);
        const void* const word =
            in_shared ? static_cast<const void*>(fixture.block.shared) : MemoryFixture::at<std::byte>(data);
        CHECK(low_bytes(word, 8) == 5);
        CHECK(low_bytes(fixture.row<std::byte>(old) + 4 * bytes, bytes) == 0);
        CHECK(low_bytes(fixture.row<std::byte>(old) + 31 * bytes, bytes) == 5);
    }
}

TEST_CASE("additions of f32 flush subnormals on global memory only") {
    constexpr float tiny = 1e-40F;
    for (const bool in_shared : {false, true}) {
        MemoryFixture fixture;
        const std::uint64_t data = fixture.allocate<float>(1, [](std::size_t) { return tiny; });
        *fixture.shared<float>() = tiny;
        const TestRegister value = fixture.add<float>(Type::f32, [](unsigned) { return tiny; });
        fixture.execute("red.add.f32",
                        {address_of(fixture.addresses(in_shared ? shared_window : data, 0)), operand_of(value)}, 1);
        CHECK((in_shared ? *fixture.shared<float>() : *MemoryFixture::at<float>(data)) ==
              (in_shared ? 2 * tiny : 0.0F));
    }
}

TEST_CASE("atomic additions of four host threads are all kept") {
    constexpr unsigned workers = 4;
    constexpr unsigned rounds = 2000;
    DeviceMemory memory;
    const Result<std::uint64_t> data = memory.allocate(64);
    REQUIRE(bool(data));
    std::memset(MemoryFixture::at<std::byte>(*data), 0, 64);
    const auto work = [&](unsigned worker) {
        MemoryFixture fixture(memory);
        const TestRegister address = fixture.addresses(*data, 0);
        const TestRegister value = fixture.add<std::uint32_t>(Type::u32, [=](unsigned lane) { return lane + worker; });
        const TestRegister number = fixture.add<float>(Type::f32, [](unsigned) { return 1.0F; });
        const TestRegister high =
            fixture.add<std::uint32_t>(Type::u32, [=](unsigned lane) { return lane * 4 + worker; });
        const Operation integers = fixture.decode("red.global.add.u32", {address_of(address), operand_of(value)});
        const Operation floats = fixture.decode("red.global.add.f32", {address_of(address, 8), operand_of(number)});
        const Operation maximum = fixture.decode("red.global.max.u32", {address_of(address, 16), operand_of(high)});
        const Operation turns = fixture.decode("red.global.inc.u32", {address_of(address, 24), immediate_of(999)});
        for (unsigned i = 0; i < rounds; ++i)
            for (const Operation* operation : {&integers, &floats, &maximum, &turns})
                operation->execute(fixture.warp, *operation, all_lanes);
    };
    std::vector<std::thread> threads;
    for (unsigned worker = 0; worker < workers; ++worker) threads.emplace_back(work, worker);
    for (std::thread& thread : threads) thread.join();
    CHECK(*MemoryFixture::at<std::uint32_t>(*data) == rounds * (workers * 496 + 32 * 6));
    CHECK(*MemoryFixture::at<float>(*data + 8) == static_cast<float>(rounds * workers * warp_size));
    CHECK(*MemoryFixture::at<std::uint32_t>(*data + 16) == 31 * 4 + workers - 1);
    CHECK(*MemoryFixture::at<std::uint32_t>(*data + 24) == rounds * workers * warp_size % 1000);
}

/// Remembers what it was shown.
class Recorder : public Observer {
public:
    struct Seen {
        Space space;
        bool reads, writes, atomic;
        std::uint32_t bytes;
        LaneMask lanes;
        std::vector<std::uint64_t> addresses;
        AsyncPhase phase;
    };
    void on_access(const Access& access) override {
        seen.push_back({access.space,
                        access.reads,
                        access.writes,
                        access.atomic,
                        access.bytes,
                        access.lanes,
                        {access.addresses(), access.addresses() + warp_size},
                        access.phase});
    }
    void on_block_barrier(Block&, const BlockBarrier&, std::uint32_t) override {}
    void on_warp_barrier(Warp&, LaneMask) override {}
    std::vector<Seen> seen;
};

TEST_CASE("observers see an access before it takes place, with offsets in its own space") {
    MemoryFixture fixture;
    Recorder recorder;
    fixture.block.observers.push_back(&recorder);
    const TestRegister value = fixture.add(Type::u32);
    fixture.execute("st.shared.u32", {address_of(fixture.addresses(64, 4)), operand_of(value)});
    fixture.execute(
        "ld.v2.u32",
        {vector_of(std::vector<TestRegister>{value, value}), address_of(fixture.addresses(shared_window + 64, 0))},
        0xff);
    const std::uint64_t data = fixture.allocate<std::uint32_t>(1, [](std::size_t) { return 0; });
    fixture.execute("red.global.add.u32", {address_of(fixture.addresses(data, 0)), operand_of(value)});
    fixture.execute("ld.param.u32", {operand_of(value), address_of(0)});
    fixture.execute("ld.shared.u32", {operand_of(value), address_of(fixture.addresses(1 << 20, 0))});
    REQUIRE(recorder.seen.size() == 3);
    const Recorder::Seen& store = recorder.seen[0];
    CHECK(store.space == Space::shared);
    CHECK((!store.reads && store.writes && !store.atomic && store.bytes == 4 && store.lanes == all_lanes));
    CHECK((store.addresses[0] == 64 && store.addresses[31] == 64 + 124));
    const Recorder::Seen& load = recorder.seen[1];
    CHECK(load.space == Space::shared);
    CHECK((load.reads && !load.writes && load.bytes == 8 && load.lanes == 0xff && load.addresses[7] == 64));
    const Recorder::Seen& atomic = recorder.seen[2];
    CHECK((atomic.space == Space::global && atomic.reads && atomic.writes && atomic.atomic &&
           atomic.addresses[5] == data));
}

TEST_CASE("forms that nobody knows are refused by name") {
    MemoryFixture fixture;
    const TestRegister value = fixture.add(Type::b32);
    const TestRegister narrow = fixture.add(Type::b16);
    const TestRegister flag = fixture.add_predicate(0);
    const ptx::Operand address = address_of(fixture.add(Type::u64));
    const auto refuses = [&](const std::string& name, const std::vector<ptx::Operand>& operands) {
        const Result<Selection> selection = fixture.select(name, operands);
        return !selection && selection.error().message == name;
    };
    CHECK(refuses("ld.global.unknown.u32", {operand_of(value), address}));
    CHECK(refuses("ld.global.u32", {operand_of(narrow), address}));
    CHECK(refuses("ld.global.u32", {operand_of(flag), address}));
    CHECK(refuses("ld.global.v2.u32", {operand_of(value), address}));
    CHECK(refuses("ld.global.v2.u32", {vector_of(std::vector<TestRegister>{value, narrow}), address}));
    CHECK(refuses("ld.global.u32", {operand_of(value), address_of(narrow)}));
    CHECK(refuses("st.const.u32", {address, operand_of(value)}));
    CHECK(refuses("atom.global.add.v2.f32",
                  {vector_of(std::vector<TestRegister>{value, value}), address, operand_of(value)}));
    CHECK(refuses("atom.global.max.f32", {operand_of(value), address, operand_of(value)}));
    CHECK(refuses("atom.local.add.u32", {operand_of(value), address, operand_of(value)}));
    CHECK(refuses("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes", {address, address}));
    CHECK(refuses("tex.2d.v4.f32.f32", {operand_of(value), address}));
}

}  // namespace
}  // namespace lanes::emulator
