/// @file
/// @brief Chapter 1: what a warp's access to global memory costs, and what a copy needs to run as fast as memory can.
///
/// Build it alone, from the top folder of the book:
///
///     nvcc -std=c++20 -O3 -lineinfo -cudart=shared -arch=native -I common/include chapters/01_coalescing/coalescing.cu
///     -o coalescing
///
/// Versions, in the order of the text:
///  - copy_float:      one element a thread, in order: 4 sectors a request
///  - copy_shifted:    the same from a shifted start: 5 sectors
///  - copy_strided:    lanes further apart: up to 32 sectors
///  - copy_permuted:   lanes in another order: 4 sectors, order is free
///  - scale_x_*:       one member of many records, or of an array of its own
///  - copy_elements:   1, 4, 8 and 16 bytes a lane
///  - copy_rows:       a matrix, with and without padding at the end of a row
///  - copy_in_flight:  several loads a thread before the first store
///  - copy_vectors:    the same with 16 bytes a lane: as fast as cudaMemcpy
#include <lanes/main.hpp>
#include <lanes/prediction.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// Copies `count` floats, one element a thread.
///
/// in, out: `count` floats. Launch: 1-D, at least `count` threads in all, any block size, no shared memory.
// [copy_float]
__global__ void copy_float(const float* in, float* out, std::size_t count) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i];
}
// [/copy_float]

/// Copies `count` floats that start `offset` elements into `in`: every warp reads from a shifted start.
///
/// in: `count + offset` floats; out: `count`. Launch: as copy_float.
// [copy_shifted]
__global__ void copy_shifted(const float* in, float* out, std::size_t count, std::size_t offset) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i + offset];
}
// [/copy_shifted]

/// Gathers every `stride`-th float: neighbouring lanes read `stride` elements apart.
///
/// in: `(count - 1) * stride + 1` floats; out: `count`. Launch: as copy_float.
// [copy_strided]
__global__ void copy_strided(const float* in, float* out, std::size_t count, std::size_t stride) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i * stride];
}
// [/copy_strided]

/// Copies with the lanes of each warp shuffled: lane l reads element l * multiplier mod 32 of the warp's 32.
///
/// An odd multiplier makes this a permutation. The last warp, if it is not full, copies in order.
/// in, out: `count` floats. Launch: as copy_float, with a block size that is a multiple of 32.
// [copy_permuted]
__global__ void copy_permuted(const float* in, float* out, std::size_t count, unsigned multiplier) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    std::size_t warp_start = i / 32 * 32;
    std::size_t source = warp_start + i % 32 * multiplier % 32;
    if (warp_start + 32 > count) source = i;
    if (i < count) out[i] = in[source];
}
// [/copy_permuted]

/// Eight floats that belong together: 32 bytes, exactly one sector.
// [particle]
struct Particle {
    float x;       ///< position
    float y;       ///< position
    float z;       ///< position
    float vx;      ///< velocity
    float vy;      ///< velocity
    float vz;      ///< velocity
    float mass;    ///< in any unit
    float charge;  ///< in any unit
};
// [/particle]

/// Multiplies x of every particle, where the particles lie one after the other: an array of structures.
///
/// particles: `count` of them. Launch: as copy_float.
// [scale_x_of_structures]
__global__ void scale_x_of_structures(Particle* particles, std::size_t count, float factor) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) particles[i].x *= factor;
}
// [/scale_x_of_structures]

/// Multiplies every x, where all x lie one after the other: one array of a structure of arrays.
///
/// x: `count` floats. Launch: as copy_float.
// [scale_x_of_arrays]
__global__ void scale_x_of_arrays(float* x, std::size_t count, float factor) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) x[i] *= factor;
}
// [/scale_x_of_arrays]

/// Copies `count` elements of any type: 1, 4, 8 or 16 bytes a lane in one instruction.
///
/// in, out: `count` elements, aligned to their size. Launch: as copy_float.
// [copy_elements]
template <typename Element>
__global__ void copy_elements(const Element* in, Element* out, std::size_t count) {
    std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i];
}
// [/copy_elements]

/// Copies a matrix of `height` rows of `width` floats, whose rows begin `pitch` floats apart.
///
/// in, out: `(height - 1) * pitch + width` floats, row by row; pitch >= width. Launch: 2-D; x covers the width and y
/// the height; blockDim.x a multiple of 32, so that a warp stays in one row.
// [copy_rows]
__global__ void copy_rows(const float* in, float* out, unsigned width, unsigned height, std::size_t pitch) {
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) out[row * pitch + column] = in[row * pitch + column];
}
// [/copy_rows]

/// Copies `count` floats, `loads` a thread, all loaded before the first is stored: `loads` times the bytes in flight.
///
/// in, out: `count` floats. Launch: 1-D, blocks of any size that together have at least `count / loads` threads.
// [copy_in_flight]
template <int loads>
__global__ void copy_in_flight(const float* in, float* out, std::size_t count) {
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x * loads + threadIdx.x;
    float values[loads];
    for (int k = 0; k < loads; ++k) {
        std::size_t i = first + std::size_t{blockDim.x} * k;
        if (i < count) values[k] = in[i];
    }
    for (int k = 0; k < loads; ++k) {
        std::size_t i = first + std::size_t{blockDim.x} * k;
        if (i < count) out[i] = values[k];
    }
}
// [/copy_in_flight]

/// Copies `count` floats, 16 bytes a lane and `loads` loads a thread; the first threads of the grid also copy the last
/// `count % 4` floats, which fill no vector.
///
/// in, out: `count` floats, both aligned to 16 bytes. Launch: 1-D, blocks of any size that together have at least
/// `count / 4 / loads` threads, and at least 3.
// [copy_vectors]
template <int loads>
__global__ void copy_vectors(const float* in, float* out, std::size_t count) {
    const float4* in4 = reinterpret_cast<const float4*>(in);
    float4* out4 = reinterpret_cast<float4*>(out);
    std::size_t vectors = count / 4;
    std::size_t first = std::size_t{blockIdx.x} * blockDim.x * loads + threadIdx.x;
    float4 values[loads];
    for (int k = 0; k < loads; ++k) {
        std::size_t i = first + std::size_t{blockDim.x} * k;
        if (i < vectors) values[k] = in4[i];
    }
    for (int k = 0; k < loads; ++k) {
        std::size_t i = first + std::size_t{blockDim.x} * k;
        if (i < vectors) out4[i] = values[k];
    }
    std::size_t tail = vectors * 4 + threadIdx.x;
    if (blockIdx.x == 0 && tail < count) out[tail] = in[tail];
}
// [/copy_vectors]

namespace {

constexpr unsigned threads_per_block = 256;

/// Copies `count` floats as fast as the pointers allow: 16 bytes a lane if both are aligned to 16, else single floats.
// [launch_fast_copy]
void launch_fast_copy(const float* in, float* out, std::size_t count) {
    if (count == 0) return;
    const bool aligned = reinterpret_cast<std::uintptr_t>(in) % sizeof(float4) == 0 &&
                         reinterpret_cast<std::uintptr_t>(out) % sizeof(float4) == 0;
    if (aligned) {
        const std::size_t vectors = count / 4 + 1;  // one more, so that a block is there for the tail
        copy_vectors<1><<<lanes::blocks_for(vectors, threads_per_block), threads_per_block>>>(in, out, count);
    } else {
        copy_in_flight<4><<<lanes::blocks_for(count, threads_per_block * 4), threads_per_block>>>(in, out, count);
    }
}
// [/launch_fast_copy]

/// Reads vectors of four floats from an address that is 8 bytes off: a fault, shown on purpose.
// [show_misaligned_vectors]
void show_misaligned_vectors() {
    lanes::DeviceArray<float> in(1024), out(1024);
    const float4* third_float = reinterpret_cast<const float4*>(in.data() + 2);
    copy_elements<<<1, 32>>>(third_float, reinterpret_cast<float4*>(out.data()), 32);
    lanes::check_launch("copy_elements");
}
// [/show_misaligned_vectors]

/// Launches one thread for each of `count` elements; no elements, no launch.
// [launch_copy_float]
void launch_copy_float(const float* in, float* out, std::size_t count) {
    if (count == 0) return;
    copy_float<<<lanes::blocks_for(count, threads_per_block), threads_per_block>>>(in, out, count);
}
// [/launch_copy_float]

void launch_copy_shifted(const float* in, float* out, std::size_t count, std::size_t offset) {
    if (count == 0) return;
    copy_shifted<<<lanes::blocks_for(count, threads_per_block), threads_per_block>>>(in, out, count, offset);
}

void launch_copy_strided(const float* in, float* out, std::size_t count, std::size_t stride) {
    if (count == 0) return;
    copy_strided<<<lanes::blocks_for(count, threads_per_block), threads_per_block>>>(in, out, count, stride);
}

void launch_copy_permuted(const float* in, float* out, std::size_t count, unsigned multiplier) {
    if (count == 0) return;
    copy_permuted<<<lanes::blocks_for(count, threads_per_block), threads_per_block>>>(in, out, count, multiplier);
}

template <typename Element>
void launch_copy_elements(const Element* in, Element* out, std::size_t count) {
    if (count == 0) return;
    copy_elements<<<lanes::blocks_for(count, threads_per_block), threads_per_block>>>(in, out, count);
}

void launch_copy_rows(const float* in, float* out, unsigned width, unsigned height, std::size_t pitch) {
    if (width == 0 || height == 0) return;
    const dim3 block(32, 8);
    const dim3 grid(lanes::blocks_for(width, block.x), lanes::blocks_for(height, block.y));
    copy_rows<<<grid, block>>>(in, out, width, height, pitch);
}

template <int loads>
void launch_copy_in_flight(const float* in, float* out, std::size_t count) {
    if (count == 0) return;
    copy_in_flight<loads><<<lanes::blocks_for(count, threads_per_block * loads), threads_per_block>>>(in, out, count);
}

template <int loads>
void launch_copy_vectors(const float* in, float* out, std::size_t count) {
    if (count == 0) return;
    const std::size_t vectors = count / 4 + 1;  // one more, so that a block is there for the tail
    copy_vectors<loads><<<lanes::blocks_for(vectors, threads_per_block * loads), threads_per_block>>>(in, out, count);
}

void launch_scale_structures(Particle* particles, std::size_t count) {
    if (count == 0) return;
    scale_x_of_structures<<<lanes::blocks_for(count, threads_per_block), threads_per_block>>>(particles, count, 2.0f);
}

void launch_scale_arrays(float* x, std::size_t count) {
    if (count == 0) return;
    scale_x_of_arrays<<<lanes::blocks_for(count, threads_per_block), threads_per_block>>>(x, count, 2.0f);
}

// ---------------------------------------------------------------------------------------------------------------------
// Is it right? Every kernel, at sizes that fit nothing.

const std::vector<std::size_t> sizes{0, 1, 3, 31, 32, 33, 100, 1000, 1023, 1025, 5003};

using CopyLaunch = std::function<void(const float* in, float* out, std::size_t count)>;
using SourceOf = std::function<std::size_t(std::size_t i)>;

/// Checks that a launch writes in[source_of(i)] to out[i] for every size of the ladder.
void check_copy(const char* kernel, const CopyLaunch& launch, const SourceOf& source_of) {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        const std::size_t last = count == 0 ? 0 : source_of(count - 1) + 1;
        const std::vector<float> host = lanes::Random().whole_numbers(std::max(last, count), -1000, 1000);
        std::vector<float> expected(count);
        for (std::size_t i = 0; i < count; ++i) expected[i] = host[source_of(i)];
        const lanes::DeviceArray<float> in(host);
        lanes::DeviceArray<float> out(count);
        launch(in.data(), out.data(), count);
        lanes::check_launch(kernel);
        CHECK(lanes::equal(out.to_host(), expected));
    }
}

std::size_t same_place(std::size_t i) {
    return i;
}

TEST_CASE("copy_float copies every element") {
    check_copy("copy_float", launch_copy_float, same_place);
}

TEST_CASE("copy_shifted copies from a shifted start") {
    for (const std::size_t offset : {0, 1, 7, 8, 31, 32}) {
        CAPTURE(offset);
        check_copy(
            "copy_shifted",
            [=](const float* in, float* out, std::size_t count) { launch_copy_shifted(in, out, count, offset); },
            [=](std::size_t i) { return i + offset; });
    }
}

TEST_CASE("copy_strided gathers every stride-th element") {
    for (const std::size_t stride : {1, 2, 3, 8, 32}) {
        CAPTURE(stride);
        check_copy(
            "copy_strided",
            [=](const float* in, float* out, std::size_t count) { launch_copy_strided(in, out, count, stride); },
            [=](std::size_t i) { return i * stride; });
    }
}

TEST_CASE("copy_permuted permutes full warps and copies the last one in order") {
    for (const unsigned multiplier : {1U, 5U, 31U}) {
        for (const std::size_t count : sizes) {
            CAPTURE(multiplier);
            CAPTURE(count);
            const std::vector<float> host = lanes::Random().whole_numbers(count, -1000, 1000);
            std::vector<float> expected(count);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t warp_start = i / 32 * 32;
                expected[i] = host[warp_start + 32 > count ? i : warp_start + i % 32 * multiplier % 32];
            }
            const lanes::DeviceArray<float> in(host);
            lanes::DeviceArray<float> out(count);
            launch_copy_permuted(in.data(), out.data(), count, multiplier);
            lanes::check_launch("copy_permuted");
            CHECK(lanes::equal(out.to_host(), expected));
        }
    }
}

TEST_CASE("copy_in_flight and copy_vectors copy every element, tail included") {
    check_copy("copy_in_flight<1>", launch_copy_in_flight<1>, same_place);
    check_copy("copy_in_flight<2>", launch_copy_in_flight<2>, same_place);
    check_copy("copy_in_flight<4>", launch_copy_in_flight<4>, same_place);
    check_copy("copy_in_flight<8>", launch_copy_in_flight<8>, same_place);
    check_copy("copy_vectors<1>", launch_copy_vectors<1>, same_place);
    check_copy("copy_vectors<2>", launch_copy_vectors<2>, same_place);
    check_copy("copy_vectors<4>", launch_copy_vectors<4>, same_place);
}

TEST_CASE("the fast copy takes any size and any alignment of a float") {
    check_copy("launch_fast_copy", launch_fast_copy, same_place);
    for (const std::size_t shift : {1, 2, 3}) {
        CAPTURE(shift);
        check_copy(
            "launch_fast_copy",
            [=](const float* in, float* out, std::size_t count) { launch_fast_copy(in + shift, out, count); },
            [=](std::size_t i) { return i + shift; });
    }
}

/// Checks copy_elements for one element type, made from bytes so that any type will do.
template <typename Element>
void check_elements() {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        const auto bytes = lanes::Random().whole_numbers<unsigned char>(count * sizeof(Element), 0, 255);
        const lanes::DeviceArray<unsigned char> in(bytes);
        lanes::DeviceArray<unsigned char> out(bytes.size());
        launch_copy_elements(reinterpret_cast<const Element*>(in.data()), reinterpret_cast<Element*>(out.data()),
                             count);
        lanes::check_launch("copy_elements");
        CHECK(lanes::equal(out.to_host(), bytes));
    }
}

TEST_CASE("copy_elements copies elements of 1, 4, 8 and 16 bytes") {
    check_elements<unsigned char>();
    check_elements<float>();
    check_elements<double>();
    check_elements<float4>();
}

TEST_CASE("copy_rows copies a matrix of any shape and leaves the padding alone") {
    struct Shape {
        unsigned width, height;
        std::size_t pitch;
    };
    for (const auto [width, height, pitch] :
         {Shape{0, 5, 8}, Shape{5, 0, 8}, Shape{1, 5, 1}, Shape{5, 1, 5}, Shape{33, 65, 33}, Shape{33, 65, 64},
          Shape{8, 40, 8}, Shape{100, 3, 128}, Shape{1001, 9, 1024}}) {
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(pitch);
        const std::size_t count = std::size_t{height} * pitch;
        const std::vector<float> host = lanes::Random().whole_numbers(count, -1000, 1000);
        const std::vector<float> untouched(count, -7.0f);
        std::vector<float> expected = untouched;
        for (std::size_t row = 0; row < height; ++row)
            for (std::size_t column = 0; column < width; ++column)
                expected[row * pitch + column] = host[row * pitch + column];
        const lanes::DeviceArray<float> in(host);
        lanes::DeviceArray<float> out(untouched);
        launch_copy_rows(in.data(), out.data(), width, height, pitch);
        lanes::check_launch("copy_rows");
        CHECK(lanes::equal(out.to_host(), expected));
    }
}

TEST_CASE("scaling x changes x and nothing else") {
    for (const std::size_t count : sizes) {
        CAPTURE(count);
        const std::vector<float> members = lanes::Random().whole_numbers(count * 8, -1000, 1000);
        std::vector<float> expected = members;
        std::vector<float> xs(count), scaled(count);
        for (std::size_t i = 0; i < count; ++i) {
            xs[i] = members[i * 8];
            scaled[i] = expected[i * 8] = 2.0f * members[i * 8];
        }
        lanes::DeviceArray<float> particles(members);
        lanes::DeviceArray<float> x(xs);
        launch_scale_structures(reinterpret_cast<Particle*>(particles.data()), count);
        lanes::check_launch("scale_x_of_structures");
        launch_scale_arrays(x.data(), count);
        lanes::check_launch("scale_x_of_arrays");
        CHECK(lanes::equal(particles.to_host(), expected));
        CHECK(lanes::equal(x.to_host(), scaled));
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What does it cost? Each case is one launch: predicted here, counted by the emulator and by Nsight Compute.

constexpr std::size_t counted_elements = 65536;  // 2048 full warps
constexpr std::size_t ragged_elements = 50003;   // no multiple of 32, of 4 or of a block

/// Loads or stores of one float a thread, at element index(i) for i < count.
template <typename IndexOf>
lanes::GlobalTraffic float_traffic(std::size_t count, const IndexOf& index) {
    return lanes::traffic_of(count, sizeof(float),
                             [&](std::size_t i) { return std::optional<std::uint64_t>(index(i) * sizeof(float)); });
}

lanes::GlobalTraffic traffic_in_order(std::size_t count) {
    return float_traffic(count, same_place);
}

/// A case whose kernel reads `read` floats and writes `written` of them.
lanes::CountedCase float_case(std::string name, std::string kernel, lanes::Parameters parameters, std::size_t read,
                              std::size_t written, lanes::Counts predicted, CopyLaunch launch) {
    return {.name = std::move(name),
            .snippets = {kernel},
            .kernel = kernel,
            .parameters = std::move(parameters),
            .predicted = std::move(predicted),
            .launch = [=] {
                const lanes::DeviceArray<float> in(std::vector<float>(read, 1.0f));
                lanes::DeviceArray<float> out(written);
                launch(in.data(), out.data(), written);
                lanes::check_launch(kernel);
            }};
}

void add_offset_cases(lanes::CountedCases& cases) {
    constexpr std::size_t n = counted_elements;
    for (std::size_t offset = 0; offset <= 32; ++offset) {
        const auto loads = float_traffic(n, [=](std::size_t i) { return i + offset; });
        cases.push_back(float_case(
            "offset_" + std::to_string(offset), "copy_shifted", {{"elements", n}, {"offset", offset}}, n + offset, n,
            lanes::global_counts(loads, traffic_in_order(n)),
            [=](const float* in, float* out, std::size_t count) { launch_copy_shifted(in, out, count, offset); }));
    }
}

void add_stride_cases(lanes::CountedCases& cases) {
    constexpr std::size_t n = counted_elements;
    for (std::size_t stride = 1; stride <= 32; ++stride) {
        const auto loads = float_traffic(n, [=](std::size_t i) { return i * stride; });
        cases.push_back(float_case(
            "stride_" + std::to_string(stride), "copy_strided", {{"elements", n}, {"stride", stride}},
            (n - 1) * stride + 1, n, lanes::global_counts(loads, traffic_in_order(n)),
            [=](const float* in, float* out, std::size_t count) { launch_copy_strided(in, out, count, stride); }));
    }
}

void add_order_cases(lanes::CountedCases& cases) {
    constexpr std::size_t n = counted_elements;
    for (const unsigned multiplier : {1U, 5U, 31U}) {
        const auto loads = float_traffic(n, [=](std::size_t i) { return i / 32 * 32 + i % 32 * multiplier % 32; });
        cases.push_back(float_case(
            "order_" + std::to_string(multiplier), "copy_permuted", {{"elements", n}, {"multiplier", multiplier}}, n, n,
            lanes::global_counts(loads, traffic_in_order(n)),
            [=](const float* in, float* out, std::size_t count) { launch_copy_permuted(in, out, count, multiplier); }));
    }
}

void add_particle_cases(lanes::CountedCases& cases) {
    constexpr std::size_t n = counted_elements;
    const auto records = float_traffic(n, [](std::size_t i) { return i * (sizeof(Particle) / sizeof(float)); });
    cases.push_back({.name = "structures",
                     .snippets = {"scale_x_of_structures", "particle"},
                     .kernel = "scale_x_of_structures",
                     .parameters = {{"elements", n}, {"element_bytes", sizeof(Particle)}},
                     .predicted = lanes::global_counts(records, records),
                     .launch = [] {
                         lanes::DeviceArray<Particle> particles(std::vector<Particle>(n, Particle{}));
                         launch_scale_structures(particles.data(), n);
                         lanes::check_launch("scale_x_of_structures");
                     }});
    cases.push_back({.name = "arrays",
                     .snippets = {"scale_x_of_arrays"},
                     .kernel = "scale_x_of_arrays",
                     .parameters = {{"elements", n}, {"element_bytes", sizeof(float)}},
                     .predicted = lanes::global_counts(traffic_in_order(n), traffic_in_order(n)),
                     .launch = [] {
                         lanes::DeviceArray<float> x(std::vector<float>(n, 1.0f));
                         launch_scale_arrays(x.data(), n);
                         lanes::check_launch("scale_x_of_arrays");
                     }});
}

template <typename Element>
void add_element_case(lanes::CountedCases& cases) {
    constexpr std::size_t n = counted_elements;
    const auto traffic = lanes::traffic_of(
        n, sizeof(Element), [](std::size_t i) { return std::optional<std::uint64_t>(i * sizeof(Element)); });
    cases.push_back({.name = "bytes_" + std::to_string(sizeof(Element)),
                     .snippets = {"copy_elements"},
                     .kernel = "copy_elements",
                     .parameters = {{"elements", n}, {"element_bytes", sizeof(Element)}},
                     .predicted = lanes::global_counts(traffic, traffic),
                     .launch = [] {
                         const lanes::DeviceArray<Element> in(std::vector<Element>(n, Element{}));
                         lanes::DeviceArray<Element> out(n);
                         launch_copy_elements(in.data(), out.data(), n);
                         lanes::check_launch("copy_elements");
                     }});
}

constexpr unsigned counted_width = 1001;
constexpr unsigned counted_height = 64;

/// A matrix of 64 rows of 1001 floats. Warps run along x: 32 columns of one row each.
void add_row_case(lanes::CountedCases& cases, const std::string& name, std::size_t pitch) {
    constexpr std::size_t columns = lanes::model::warp_count(counted_width) * lanes::model::warp_size;
    const auto traffic = lanes::traffic_of(columns * counted_height, sizeof(float), [=](std::size_t thread) {
        const std::size_t row = thread / columns;
        const std::size_t column = thread % columns;
        return column < counted_width ? std::optional<std::uint64_t>((row * pitch + column) * sizeof(float))
                                      : std::nullopt;
    });
    const std::size_t count = counted_height * pitch;
    cases.push_back(float_case(name, "copy_rows",
                               {{"width", counted_width}, {"height", counted_height}, {"pitch", pitch}}, count, count,
                               lanes::global_counts(traffic, traffic), [=](const float* in, float* out, std::size_t) {
                                   launch_copy_rows(in, out, counted_width, counted_height, pitch);
                               }));
}

/// What copy_in_flight and copy_vectors move: access k of a thread is one block of threads behind access k - 1, so all
/// accesses together walk through the array warp by warp.
template <int loads>
void add_in_flight_cases(lanes::CountedCases& cases) {
    constexpr std::size_t n = counted_elements;
    const auto floats = traffic_in_order(n);
    cases.push_back(float_case("in_flight_" + std::to_string(loads), "copy_in_flight",
                               {{"elements", n}, {"loads", loads}, {"bytes_a_thread", loads * sizeof(float)}}, n, n,
                               lanes::global_counts(floats, floats), launch_copy_in_flight<loads>));
}

template <int loads>
void add_vector_case(lanes::CountedCases& cases, const std::string& name, std::size_t n) {
    const std::size_t tail_start = n / 4 * 4;
    auto traffic = lanes::traffic_of(n / 4, sizeof(float4),
                                     [](std::size_t i) { return std::optional<std::uint64_t>(i * sizeof(float4)); });
    traffic += float_traffic(n - tail_start, [=](std::size_t i) { return tail_start + i; });
    cases.push_back(float_case(name, "copy_vectors",
                               {{"elements", n}, {"loads", loads}, {"bytes_a_thread", loads * sizeof(float4)}}, n, n,
                               lanes::global_counts(traffic, traffic), launch_copy_vectors<loads>));
}

lanes::CountedCases counted_cases() {
    lanes::CountedCases cases;
    add_offset_cases(cases);
    add_stride_cases(cases);
    add_order_cases(cases);
    add_particle_cases(cases);
    add_element_case<unsigned char>(cases);
    add_element_case<float>(cases);
    add_element_case<double>(cases);
    add_element_case<float4>(cases);
    add_row_case(cases, "packed_rows", counted_width);
    add_row_case(cases, "pitched_rows", 1024);
    add_in_flight_cases<1>(cases);
    add_in_flight_cases<2>(cases);
    add_in_flight_cases<4>(cases);
    add_in_flight_cases<8>(cases);
    add_vector_case<1>(cases, "vectors_1", counted_elements);
    add_vector_case<2>(cases, "vectors_2", counted_elements);
    add_vector_case<4>(cases, "vectors_4", counted_elements);
    const auto ragged = traffic_in_order(ragged_elements);
    cases.push_back(float_case("ragged_float", "copy_float", {{"elements", ragged_elements}}, ragged_elements,
                               ragged_elements, lanes::global_counts(ragged, ragged), launch_copy_float));
    add_vector_case<4>(cases, "ragged_vectors", ragged_elements);
    return cases;
}

TEST_CASE("every case costs what the model predicts") {
    lanes::check_cases(counted_cases());
}

/// The counts that the text speaks of, as `loads` or `stores` of a case.
struct CaseCounts {
    std::uint64_t load_requests, load_sectors, store_requests, store_sectors;
};

CaseCounts counts_of(const std::string& name) {
    static const lanes::CountedCases cases = counted_cases();
    for (const lanes::CountedCase& candidate : cases) {
        if (candidate.name != name) continue;
        const auto& predicted = candidate.predicted;
        return {predicted.at("l1tex__t_requests_pipe_lsu_mem_global_op_ld"),
                predicted.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld"),
                predicted.at("l1tex__t_requests_pipe_lsu_mem_global_op_st"),
                predicted.at("l1tex__t_sectors_pipe_lsu_mem_global_op_st")};
    }
    FAIL("no case is called ", name);
    return {};
}

TEST_CASE("claim: a shifted read costs 5 sectors, an aligned one 4; writes stay at 4") {
    for (std::size_t offset = 0; offset <= 32; ++offset) {
        CAPTURE(offset);
        const CaseCounts counts = counts_of("offset_" + std::to_string(offset));
        CHECK(counts.load_sectors == (offset % 8 == 0 ? 4 : 5) * counts.load_requests);
        CHECK(counts.store_sectors == 4 * counts.store_requests);
    }
}

TEST_CASE("claim: 128, 160 and 1024 bytes move for 128 bytes used") {
    using namespace lanes::model;
    CHECK(count_sectors(strided_addresses(0, 4), 4) * sector_bytes == 128);
    CHECK(count_sectors(strided_addresses(4, 4), 4) * sector_bytes == 160);
    CHECK(count_sectors(strided_addresses(0, 32), 4) * sector_bytes == 1024);
}

TEST_CASE("claim: the cost grows by 4 sectors with each step of the stride, up to 32") {
    for (std::size_t stride = 1; stride <= 32; ++stride) {
        CAPTURE(stride);
        const CaseCounts counts = counts_of("stride_" + std::to_string(stride));
        CHECK(counts.load_sectors == std::min<std::size_t>(4 * stride, 32) * counts.load_requests);
    }
}

TEST_CASE("claim: the order of the lanes is free") {
    for (const char* name : {"order_1", "order_5", "order_31"}) {
        CAPTURE(name);
        const CaseCounts counts = counts_of(name);
        CHECK(counts.load_sectors == 4 * counts.load_requests);
    }
}

TEST_CASE("claim: one member of a record of 32 bytes costs eight times an array of its own, with as many requests") {
    const CaseCounts structures = counts_of("structures");
    const CaseCounts arrays = counts_of("arrays");
    CHECK(structures.load_sectors == 8 * arrays.load_sectors);
    CHECK(structures.store_sectors == 8 * arrays.store_sectors);
    CHECK(structures.load_requests == arrays.load_requests);
    CHECK(structures.store_requests == arrays.store_requests);
}

TEST_CASE("claim: a request costs as many sectors as an element has bytes") {
    for (const std::size_t bytes : {1, 4, 8, 16}) {
        CAPTURE(bytes);
        const CaseCounts counts = counts_of("bytes_" + std::to_string(bytes));
        CHECK(counts.load_sectors == bytes * counts.load_requests);
        CHECK(counts.store_sectors == bytes * counts.store_requests);
    }
}

TEST_CASE("claim: in padded rows every request moves 4 sectors but the last, which moves 2; packed rows pay more") {
    const CaseCounts packed = counts_of("packed_rows");
    const CaseCounts pitched = counts_of("pitched_rows");
    constexpr std::uint64_t full_warps = counted_width / 32;
    CHECK(pitched.load_requests == counted_height * (full_warps + 1));
    CHECK(pitched.load_sectors == counted_height * (4 * full_warps + 2));
    CHECK(packed.load_requests == pitched.load_requests);
    CHECK(packed.load_sectors > pitched.load_sectors);
}

TEST_CASE("claim: bytes in flight change nothing in the sectors that move") {
    const CaseCounts single = counts_of("in_flight_1");
    for (const char* name : {"in_flight_2", "in_flight_4", "in_flight_8", "vectors_1", "vectors_2", "vectors_4"}) {
        CAPTURE(name);
        CHECK(counts_of(name).load_sectors == single.load_sectors);
        CHECK(counts_of(name).store_sectors == single.store_sectors);
    }
}

TEST_CASE("claim: the answers to the questions at the end of the text") {
    using namespace lanes::model;
    constexpr LaneMask even_lanes = 0x55555555;
    CHECK(count_sectors(strided_addresses(0, 0), 4) == 1);
    CHECK(count_sectors(strided_addresses(0, 4), 4, even_lanes) == 4);
    CHECK(count_sectors(strided_addresses(0, 8), 8) == 8);
    CHECK(count_sectors(strided_addresses(16, 4), 4) == 5);
    CHECK(count_sectors(lane_addresses([](unsigned lane) { return (31 - lane) * 4; }), 4) == 4);
    CHECK(count_sectors(strided_addresses(0, 12), 4) == 12);
    CHECK(count_sectors(strided_addresses(0, 36), 4) == 32);
}

TEST_CASE("a misaligned vector is refused, with its name") {
    const lanes::DemonstrationResult shown = lanes::demonstrate("misaligned_vectors");
    CHECK(shown.exit_code != 0);
    CHECK(shown.output.find("cudaErrorMisalignedAddress") != std::string::npos);
    if (lanes::on_emulator()) CHECK(shown.output.find("coalescing.cu:") != std::string::npos);
}

// ---------------------------------------------------------------------------------------------------------------------
// How long does it take? Against cudaMemcpy of the same bytes in the same run.

/// Floats from device memory to device memory, as fast as CUDA's own copy goes: the ceiling of each group.
lanes::Variant memcpy_ceiling(const std::string& name, const lanes::DeviceArray<float>& in,
                              lanes::DeviceArray<float>& out) {
    return {.name = name, .parameters = {{"elements", out.size()}}, .bytes = 2 * out.bytes(), .launch = [&in, &out] {
                lanes::check(cudaMemcpyAsync(out.data(), in.data(), out.bytes(), cudaMemcpyDeviceToDevice));
            }};
}

lanes::Variant copy_variant(std::string name, std::string snippet, lanes::Parameters parameters,
                            const std::string& ceiling, const lanes::DeviceArray<float>& in,
                            lanes::DeviceArray<float>& out, const CopyLaunch& launch) {
    parameters.insert(parameters.begin(), {"elements", out.size()});
    return {.name = std::move(name),
            .snippets = {std::move(snippet)},
            .parameters = std::move(parameters),
            .bytes = 2 * out.bytes(),
            .ceiling = ceiling,
            .launch = [&in, &out, launch] { launch(in.data(), out.data(), out.size()); }};
}

void measure_bytes_in_flight(lanes::Benchmark& benchmark) {
    const std::size_t n = benchmark.elements_beyond_l2(sizeof(float), 2);
    const lanes::DeviceArray<float> in(lanes::Random().uniform(n));
    lanes::DeviceArray<float> out(n);
    std::vector<lanes::Variant> variants{memcpy_ceiling("memcpy", in, out)};
    const auto add = [&](const std::string& name, const std::string& snippet, std::size_t bytes, CopyLaunch launch) {
        variants.push_back(copy_variant(name, snippet, {{"bytes_a_thread", bytes}}, "memcpy", in, out, launch));
        variants.back().poison = [&out] { out.poison(); };
        variants.back().verify = [&in, &out] { return lanes::equal(out.to_host(), in.to_host()); };
    };
    add("copy_float", "copy_float", 4, launch_copy_float);
    add("in_flight_1", "copy_in_flight", 4, launch_copy_in_flight<1>);
    add("in_flight_2", "copy_in_flight", 8, launch_copy_in_flight<2>);
    add("in_flight_4", "copy_in_flight", 16, launch_copy_in_flight<4>);
    add("in_flight_8", "copy_in_flight", 32, launch_copy_in_flight<8>);
    add("vectors_1", "copy_vectors", 16, launch_copy_vectors<1>);
    add("vectors_2", "copy_vectors", 32, launch_copy_vectors<2>);
    add("vectors_4", "copy_vectors", 64, launch_copy_vectors<4>);
    add("fast_copy", "launch_fast_copy", 16, launch_fast_copy);
    variants.back().snippets.push_back("copy_vectors");
    benchmark.group("Bytes in flight", variants);
}

void measure_offsets_and_orders(lanes::Benchmark& benchmark) {
    const std::size_t n = benchmark.elements_beyond_l2(sizeof(float), 2);
    const lanes::DeviceArray<float> in(lanes::Random().uniform(n + 32));
    lanes::DeviceArray<float> out(n);
    std::vector<lanes::Variant> variants{memcpy_ceiling("memcpy_offsets", in, out)};
    for (std::size_t offset = 0; offset <= 32; ++offset)
        variants.push_back(copy_variant(
            "offset_" + std::to_string(offset), "copy_shifted", {{"offset", offset}}, "memcpy_offsets", in, out,
            [=](const float* from, float* to, std::size_t count) { launch_copy_shifted(from, to, count, offset); }));
    for (const unsigned multiplier : {1U, 5U, 31U})
        variants.push_back(copy_variant("order_" + std::to_string(multiplier), "copy_permuted",
                                        {{"multiplier", multiplier}}, "memcpy_offsets", in, out,
                                        [=](const float* from, float* to, std::size_t count) {
                                            launch_copy_permuted(from, to, count, multiplier);
                                        }));
    benchmark.group("Shifted starts and permuted lanes", variants);
}

void measure_strides(lanes::Benchmark& benchmark) {
    const std::size_t n = benchmark.elements_beyond_l2(sizeof(float), 32 + 1);
    const lanes::DeviceArray<float> in(n * 32);
    lanes::DeviceArray<float> out(n);
    std::vector<lanes::Variant> variants{memcpy_ceiling("memcpy_strides", in, out)};
    for (std::size_t stride = 1; stride <= 32; ++stride)
        variants.push_back(copy_variant(
            "stride_" + std::to_string(stride), "copy_strided", {{"stride", stride}}, "memcpy_strides", in, out,
            [=](const float* from, float* to, std::size_t count) { launch_copy_strided(from, to, count, stride); }));
    benchmark.group("Strides (useful bytes)", variants);
}

void measure_particles(lanes::Benchmark& benchmark) {
    const std::size_t n = benchmark.elements_beyond_l2(sizeof(Particle), 1);
    lanes::DeviceArray<Particle> particles(n);
    lanes::DeviceArray<float> x(n);
    benchmark.group("One member of a record (useful bytes)",
                    {{.name = "structures",
                      .snippets = {"scale_x_of_structures", "particle"},
                      .parameters = {{"elements", n}},
                      .bytes = 2 * n * sizeof(float),
                      .launch = [&] { launch_scale_structures(particles.data(), n); }},
                     {.name = "arrays",
                      .snippets = {"scale_x_of_arrays"},
                      .parameters = {{"elements", n}},
                      .bytes = 2 * n * sizeof(float),
                      .launch = [&] { launch_scale_arrays(x.data(), n); }}});
}

template <typename Element>
lanes::Variant element_variant(const lanes::DeviceArray<float>& in, lanes::DeviceArray<float>& out) {
    const std::size_t count = out.bytes() / sizeof(Element);
    return {.name = "bytes_" + std::to_string(sizeof(Element)),
            .snippets = {"copy_elements"},
            .parameters = {{"elements", count}, {"element_bytes", sizeof(Element)}},
            .bytes = 2 * out.bytes(),
            .ceiling = "memcpy_elements",
            .launch = [&in, &out, count] {
                launch_copy_elements(reinterpret_cast<const Element*>(in.data()),
                                     reinterpret_cast<Element*>(out.data()), count);
            }};
}

void measure_elements(lanes::Benchmark& benchmark) {
    const std::size_t n = benchmark.elements_beyond_l2(sizeof(float), 2);
    const lanes::DeviceArray<float> in(lanes::Random().uniform(n));
    lanes::DeviceArray<float> out(n);
    benchmark.group("Bytes a lane", {memcpy_ceiling("memcpy_elements", in, out),
                                     element_variant<unsigned char>(in, out), element_variant<float>(in, out),
                                     element_variant<double>(in, out), element_variant<float4>(in, out)});
}

void measure_rows(lanes::Benchmark& benchmark) {
    const auto height = static_cast<unsigned>(benchmark.pick(1 << 18, 1 << 16, 64));
    const lanes::DeviceArray<float> in(std::size_t{height} * 1024);
    lanes::DeviceArray<float> out(in.size());
    std::vector<lanes::Variant> variants;
    for (const std::size_t pitch : {std::size_t{counted_width}, std::size_t{1024}})
        variants.push_back({.name = pitch == counted_width ? "packed_rows" : "pitched_rows",
                            .snippets = {"copy_rows"},
                            .parameters = {{"width", counted_width}, {"height", height}, {"pitch", pitch}},
                            .bytes = 2 * sizeof(float) * counted_width * height,
                            .launch = [&in, &out, height, pitch] {
                                launch_copy_rows(in.data(), out.data(), counted_width, height, pitch);
                            }});
    benchmark.group("Rows of a matrix", variants);
}

void measure(lanes::Benchmark& benchmark) {
    measure_bytes_in_flight(benchmark);
    measure_offsets_and_orders(benchmark);
    measure_strides(benchmark);
    measure_particles(benchmark);
    measure_elements(benchmark);
    measure_rows(benchmark);
}

}  // namespace

int main(int argc, char** argv) {
    return lanes::run({.name = "coalescing",
                       .source = __FILE__,
                       .cases = counted_cases,
                       .measure = measure,
                       .demonstrations = {{"misaligned_vectors", show_misaligned_vectors}}},
                      argc, argv);
}
