/// @file
/// @brief Chapter 3: what an access to shared memory costs, and a transpose close to the speed of a copy.
///
/// Build it alone, from the top folder of the book:
///
///     nvcc -std=c++20 -O3 -lineinfo -cudart=shared -arch=native -I common/include
///     chapters/03_bank_conflicts/bank_conflicts.cu -o bank_conflicts
///
/// The transposes take a matrix of rows x columns floats, stored row by row, and write its transpose, columns x rows,
/// row by row; `in` and `out` do not overlap. Versions, in the order of the text:
///  - naive:           reads along rows, writes down columns
///  - through_tile:    a tile in shared memory; its pitch decides about conflicts
///  - swizzled:        the same tile without padding
///  - flipped:         no conflict, because the output is no longer written along its rows
///  - narrow_tile:     tiles 16 wide, where a warp holds two rows
///  - narrow_swizzled: the same without padding
///  - fast:            16 bytes an access everywhere: beside a copy
#include "patterns.hpp"
#include "predictions.hpp"
#include "transposes.hpp"

#include <lanes/main.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

/// Every lane reads one float `turns` x 32 times; neighbouring lanes are `stride` floats apart.
///
/// out: one float a thread, the sum of what it read. stride: 0 to 64. Launch: 1-D, blocks of whole warps.
// [stride_reads]
__global__ void stride_reads(float* out, int stride, int turns) {
    __shared__ float words[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) words[i] = 1.0f;
    __syncthreads();
    const volatile float* mine = words + threadIdx.x % 32 * stride;  // volatile: every read is made
    float sums[4] = {};
    for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
        for (int i = 0; i < 32; ++i) sums[i % 4] += *mine;
    }
    out[std::size_t{blockIdx.x} * blockDim.x + threadIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}
// [/stride_reads]

/// One access: each lane loads its element of shared memory, where element i begins with the number i.
///
/// Word: float, float2 or float4. element_of_lane: 32 numbers, below 0 for lanes that are off; out: 32 words.
/// Launch: one warp.
// [load_pattern]
template <typename Word>
__global__ void load_pattern(const int* element_of_lane, Word* out) {
    alignas(16) __shared__ float words[pattern_bytes / sizeof(float)];
    for (int i = threadIdx.x; i < pattern_bytes / sizeof(float); i += 32) words[i] = i / (sizeof(Word) / sizeof(float));
    __syncthreads();
    const int element = element_of_lane[threadIdx.x];
    if (element >= 0) out[threadIdx.x] = reinterpret_cast<const Word*>(words)[element];
}
// [/load_pattern]

/// One access: each lane stores a word of `in` to its element of shared memory, and reads it back.
///
/// Word, element_of_lane, out and launch: as load_pattern; no two lanes share an element. in: 32 words.
// [store_pattern]
template <typename Word>
__global__ void store_pattern(const int* element_of_lane, const Word* in, Word* out) {
    alignas(16) __shared__ float words[pattern_bytes / sizeof(float)];
    const int element = element_of_lane[threadIdx.x];
    if (element >= 0) reinterpret_cast<Word*>(words)[element] = in[threadIdx.x];
    __syncthreads();
    if (element >= 0) out[threadIdx.x] = reinterpret_cast<const Word*>(words)[element];
}
// [/store_pattern]

/// First row and first column of a block's tile in the input.
struct Corner {
    int row;     ///< from the top
    int column;  ///< from the left
};

/// Places tiles of `tile` x `tile` one beside the other, then row of tiles by row of tiles.
// [across_first]
__device__ Corner across_first(int number, int columns, int tile) {
    const int tiles_across = (columns + tile - 1) / tile;
    return {number / tiles_across * tile, number % tiles_across * tile};
}
// [/across_first]

/// Moves single floats from rows to columns, without shared memory.
///
/// in, out, rows, columns: see the top of the file. Launch: 32 x 8 threads, one block for each 32 x 32 elements, in x.
// [naive]
__global__ void naive(const float* in, float* out, int rows, int columns) {
    const Corner corner = across_first(blockIdx.x, columns, 32);
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + y, column = corner.column + x;
        if (row < rows && column < columns)
            out[std::size_t(column) * rows + row] = in[std::size_t(row) * columns + column];
    }
}
// [/naive]

/// Through a tile in shared memory: both matrices are accessed along their rows, the tile along rows and down columns.
///
/// pitch: floats from one row of the tile to the next, at least 32. All else as naive().
// [through_tile]
template <int pitch>
__global__ void through_tile(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][pitch];
    const Corner corner = across_first(blockIdx.x, columns, 32);
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + y, column = corner.column + x;
        if (row < rows && column < columns) tile[y][x] = in[std::size_t(row) * columns + column];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + x, column = corner.column + y;
        if (row < rows && column < columns) out[std::size_t(column) * rows + row] = tile[x][y];
    }
}
// [/through_tile]

/// As through_tile, with columns permuted in each row of the tile so that no padding is needed.
///
/// Arguments and launch: as naive().
// [swizzled]
__global__ void swizzled(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][32];
    const Corner corner = across_first(blockIdx.x, columns, 32);
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + y, column = corner.column + x;
        if (row < rows && column < columns) tile[y][x ^ y] = in[std::size_t(row) * columns + column];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + x, column = corner.column + y;
        if (row < rows && column < columns) out[std::size_t(column) * rows + row] = tile[x][y ^ x];
    }
}
// [/swizzled]

/// As through_tile without padding, but each warp reads the tile along a row, and so writes down a column.
///
/// Arguments and launch: as naive().
// [flipped]
__global__ void flipped(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][32];
    const Corner corner = across_first(blockIdx.x, columns, 32);
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + y, column = corner.column + x;
        if (row < rows && column < columns) tile[y][x] = in[std::size_t(row) * columns + column];
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + y, column = corner.column + x;
        if (row < rows && column < columns) out[std::size_t(column) * rows + row] = tile[y][x];
    }
}
// [/flipped]

/// through_tile with its barrier taken away, to be shown. All else as through_tile.
// [without_barrier]
__global__ void without_barrier(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[32][33];
    const Corner corner = across_first(blockIdx.x, columns, 32);
    const int x = threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + y, column = corner.column + x;
        if (row < rows && column < columns) tile[y][x] = in[std::size_t(row) * columns + column];
    }
    for (int y = threadIdx.y; y < 32; y += 8) {
        const int row = corner.row + x, column = corner.column + y;
        if (row < rows && column < columns) out[std::size_t(column) * rows + row] = tile[x][y];
    }
}
// [/without_barrier]

/// A tile of 16 x 16: the lanes of a warp stand in two rows.
///
/// pitch: at least 16. in, out, rows, columns: see the top of the file. Launch: 16 x 16 threads, one block for each
/// 16 x 16 elements, in x.
// [narrow_tile]
template <int pitch>
__global__ void narrow_tile(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[16][pitch];
    const Corner corner = across_first(blockIdx.x, columns, 16);
    const int x = threadIdx.x, y = threadIdx.y;
    int row = corner.row + y, column = corner.column + x;
    if (row < rows && column < columns) tile[y][x] = in[std::size_t(row) * columns + column];
    __syncthreads();
    row = corner.row + x, column = corner.column + y;
    if (row < rows && column < columns) out[std::size_t(column) * rows + row] = tile[x][y];
}
// [/narrow_tile]

/// As narrow_tile, with columns permuted in each row of the tile.
// [narrow_swizzled]
__global__ void narrow_swizzled(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[16][16];
    const Corner corner = across_first(blockIdx.x, columns, 16);
    const int x = threadIdx.x, y = threadIdx.y;
    int row = corner.row + y, column = corner.column + x;
    if (row < rows && column < columns) tile[y][x ^ y] = in[std::size_t(row) * columns + column];
    __syncthreads();
    row = corner.row + x, column = corner.column + y;
    if (row < rows && column < columns) out[std::size_t(column) * rows + row] = tile[x][y ^ x];
}
// [/narrow_swizzled]

/// Places tiles one below the other, then column of tiles by column of tiles.
// [down_first]
__device__ Corner down_first(int number, int rows, int tile_rows, int tile_columns) {
    const int tiles_down = (rows + tile_rows - 1) / tile_rows;
    return {number % tiles_down * tile_rows, number / tiles_down * tile_columns};
}
// [/down_first]

/// Turns four rows of four into four columns of four, in registers.
// [transpose_square]
__device__ void transpose_square(float4 (&four)[4]) {
    const float4 a = four[0], b = four[1], c = four[2], d = four[3];
    four[0] = make_float4(a.x, b.x, c.x, d.x);
    four[1] = make_float4(a.y, b.y, c.y, d.y);
    four[2] = make_float4(a.z, b.z, c.z, d.z);
    four[3] = make_float4(a.w, b.w, c.w, d.w);
}
// [/transpose_square]

/// 16 bytes an access everywhere: each thread turns a square of 4 x 4 in its registers, the block a tile of squares.
///
/// in, out: begin at multiples of 16 bytes; rows, columns: multiples of 4. tile_rows, tile_columns: multiples of 4,
/// tile_rows a power of two. Launch: tile_rows x tile_columns / 16 threads, one block for each tile, in x.
// [fast]
template <int tile_rows, int tile_columns>
__global__ void __launch_bounds__(tile_rows* tile_columns / 16)
    fast(const float* in, float* out, int rows, int columns) {
    constexpr int down = tile_rows / 4, across = tile_columns / 4;  // squares
    __shared__ float4 tile[tile_columns][down];                     // a row is a column of the input
    const Corner corner = down_first(blockIdx.x, rows, tile_rows, tile_columns);
    const int x = threadIdx.x % across, y = threadIdx.x / across;
    float4 four[4] = {};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = corner.row + 4 * y + i, column = corner.column + 4 * x;
        if (row < rows && column < columns)
            four[i] = *reinterpret_cast<const float4*>(in + std::size_t(row) * columns + column);
    }
    transpose_square(four);
#pragma unroll
    for (int i = 0; i < 4; ++i) tile[4 * x + i][(y ^ x) % down] = four[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int word = i * (down * across) + threadIdx.x, u = word % down, v = word / down;
        const int row = corner.row + 4 * u, column = corner.column + v;
        if (row < rows && column < columns)
            *reinterpret_cast<float4*>(out + std::size_t(column) * rows + row) = tile[v][(u ^ (v / 4)) % down];
    }
}
// [/fast]

namespace {

/// Tiles that a matrix is cut into.
unsigned tiles_of(int rows, int columns, int tile_rows, int tile_columns) {
    return lanes::blocks_for(std::size_t{lanes::blocks_for(rows, tile_rows)} * lanes::blocks_for(columns, tile_columns),
                             1);
}

/// A kernel that moves tiles of 32 x 32 with 32 x 8 threads.
template <auto* kernel>
void launch_32(const float* in, float* out, int rows, int columns) {
    if (rows == 0 || columns == 0) return;
    kernel<<<tiles_of(rows, columns, 32, 32), dim3(32, 8)>>>(in, out, rows, columns);
}

/// A kernel that moves tiles of 16 x 16 with 16 x 16 threads.
template <auto* kernel>
void launch_16(const float* in, float* out, int rows, int columns) {
    if (rows == 0 || columns == 0) return;
    kernel<<<tiles_of(rows, columns, 16, 16), dim3(16, 16)>>>(in, out, rows, columns);
}

/// Whether 16-byte accesses may be used: all rows of both matrices begin at multiples of 16 bytes.
// [all_aligned]
bool all_aligned(const float* in, const float* out, int rows, int columns) {
    const auto address = [](const float* matrix) { return reinterpret_cast<std::uintptr_t>(matrix); };
    return (address(in) | address(out)) % sizeof(float4) == 0 && rows % 4 == 0 && columns % 4 == 0;
}
// [/all_aligned]

/// Any shape, and matrices that begin anywhere a float may.
// [launch_fast]
template <int tile_rows, int tile_columns>
void launch_fast(const float* in, float* out, int rows, int columns) {
    if (rows == 0 || columns == 0) return;
    if (!all_aligned(in, out, rows, columns)) return launch_32<through_tile<33>>(in, out, rows, columns);
    const unsigned tiles = tiles_of(rows, columns, tile_rows, tile_columns);
    fast<tile_rows, tile_columns><<<tiles, tile_rows * tile_columns / 16>>>(in, out, rows, columns);
}
// [/launch_fast]

const std::vector<std::string> fast_snippets{"fast", "transpose_square", "down_first", "all_aligned", "launch_fast"};

/// fast() with some tile, and as many blocks a multiprocessor as have room.
template <int tile_rows, int tile_columns>
Step fast_step() {
    const std::string name = "fast_" + std::to_string(tile_rows) + "_" + std::to_string(tile_columns);
    return {name, "fast", fast_snippets, launch_fast<tile_rows, tile_columns>};
}

/// An attribute of the current device.
int attribute(cudaDeviceAttr name) {
    int device = 0, value = 0;
    lanes::check(cudaGetDevice(&device));
    lanes::check(cudaDeviceGetAttribute(&value, name, device));
    return value;
}

/// Bytes of shared memory, beside its own, that a kernel must ask for so that at most `blocks` share a multiprocessor.
// [spare_bytes]
unsigned spare_bytes(int own_bytes, int blocks) {
    const int all = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const int reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    const int allowed = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    const int a_block = std::min(all / blocks / 128 * 128 - reserved, allowed);
    return std::max(a_block - own_bytes, 0);
}
// [/spare_bytes]

/// Lets a kernel have as much dynamic shared memory as the device allows beside its own.
template <typename Kernel>
void allow_shared_bytes(Kernel kernel, int own_bytes) {
    const int allowed = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    lanes::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, allowed - own_bytes));
}

/// fast() where at most `blocks` share a multiprocessor, for aligned matrices. All questions to the runtime are asked
/// here, before anything is timed: a kernel that waits for its launch is a slow kernel to the clock.
template <int tile_rows, int tile_columns>
Step limited_step(int blocks) {
    const int own_bytes = tile_rows * tile_columns * sizeof(float);
    const unsigned spare = spare_bytes(own_bytes, blocks);
    allow_shared_bytes(fast<tile_rows, tile_columns>, own_bytes);
    Step step = fast_step<tile_rows, tile_columns>();
    step.name += "_" + std::to_string(blocks);
    step.snippets.push_back("spare_bytes");
    step.launch = [spare](const float* in, float* out, int rows, int columns) {
        const unsigned tiles = tiles_of(rows, columns, tile_rows, tile_columns);
        fast<tile_rows, tile_columns><<<tiles, tile_rows * tile_columns / 16, spare>>>(in, out, rows, columns);
    };
    return step;
}

/// All kernels, in the order of the text.
std::vector<Step> ladder() {
    return {{"naive", "naive", {"naive", "across_first"}, launch_32<naive>},
            {"tile", "through_tile", {"through_tile", "across_first"}, launch_32<through_tile<32>>},
            {"padded", "through_tile", {"through_tile", "across_first"}, launch_32<through_tile<33>>},
            {"swizzled", "swizzled", {"swizzled", "across_first"}, launch_32<swizzled>},
            {"flipped", "flipped", {"flipped", "across_first"}, launch_32<flipped>},
            {"narrow_16", "narrow_tile", {"narrow_tile", "across_first"}, launch_16<narrow_tile<16>>},
            {"narrow_17", "narrow_tile", {"narrow_tile", "across_first"}, launch_16<narrow_tile<17>>},
            {"narrow_18", "narrow_tile", {"narrow_tile", "across_first"}, launch_16<narrow_tile<18>>},
            {"narrow_swizzled", "narrow_swizzled", {"narrow_swizzled", "across_first"}, launch_16<narrow_swizzled>},
            {"fast", "fast", fast_snippets, launch_fast<64, 64>}};
}

/// fast() with other tiles, and with other numbers of blocks that share a multiprocessor.
std::vector<Step> fast_steps() {
    return {fast_step<128, 64>(),     fast_step<64, 128>(),     fast_step<32, 64>(),     limited_step<64, 64>(2),
            limited_step<64, 64>(3),  limited_step<64, 64>(4),  limited_step<64, 64>(5), limited_step<64, 64>(6),
            limited_step<128, 64>(2), limited_step<128, 64>(3), limited_step<32, 64>(4), limited_step<32, 64>(6),
            limited_step<32, 64>(8),  limited_step<32, 64>(12)};
}

/// What the model says of a kernel of the ladder; nothing of fast() where it falls back to the padded tile.
lanes::Counts counts_of(const Step& step, const Shape& shape) {
    const auto pitch = [](std::size_t floats) {
        return [floats](const Cell& cell) { return cell.row * floats + cell.column; };
    };
    const auto swizzle = [](std::size_t width) {
        return [width](const Cell& cell) { return cell.row * width + (cell.column ^ cell.row); };
    };
    if (step.name == "naive") return naive_counts(shape);
    if (step.name == "tile") return tile_counts(shape, 32, pitch(32));
    if (step.name == "padded") return tile_counts(shape, 32, pitch(33));
    if (step.name == "swizzled") return tile_counts(shape, 32, swizzle(32));
    if (step.name == "flipped") return tile_counts(shape, 32, pitch(32), true);
    if (step.name == "narrow_16") return tile_counts(shape, 16, pitch(16));
    if (step.name == "narrow_17") return tile_counts(shape, 16, pitch(17));
    if (step.name == "narrow_18") return tile_counts(shape, 16, pitch(18));
    if (step.name == "narrow_swizzled") return tile_counts(shape, 16, swizzle(16));
    return fast_counts(shape, 64, 64);
}

// ---------------------------------------------------------------------------------------------------------------------
// Is it right? Every kernel, at shapes that fit nothing.

TEST_CASE("every kernel transposes matrices of every shape") {
    for (const Shape& shape : std::initializer_list<Shape>{
             {1, 1},     {1, 5},  {5, 1},    {3, 31},   {31, 3},    {32, 32},  {33, 65},   {8, 40},   {31, 1025},
             {1025, 31}, {1, 32}, {100, 33}, {1000, 3}, {4, 1023},  {1023, 4}, {64, 64},   {68, 132}, {132, 68},
             {128, 64},  {4, 4},  {4, 1000}, {1000, 4}, {100, 100}, {65, 64},  {1023, 33}, {1, 1025}}) {
        CAPTURE(shape.rows);
        CAPTURE(shape.columns);
        const auto expected = transposed(numbered(shape), shape);
        for (const Step& step : ladder()) {
            CAPTURE(step.name);
            CHECK(lanes::equal(result_of(step, shape), expected, {.columns = std::size_t(shape.rows)}));
        }
    }
}

TEST_CASE("no rows or no columns: nothing happens") {
    for (const Shape& shape : std::initializer_list<Shape>{{0, 33}, {33, 0}, {0, 0}})
        for (const Step& step : ladder()) CHECK(result_of(step, shape).empty());
}

TEST_CASE("other tiles of fast give the same") {
    const Shape shape{132, 260};
    const auto expected = transposed(numbered(shape), shape);
    for (const Step& step : fast_steps()) {
        CAPTURE(step.name);
        CHECK(lanes::equal(result_of(step, shape), expected));
    }
}

TEST_CASE("matrices may begin anywhere a float may") {
    const Shape shape{68, 36};
    const auto shifted = [](std::vector<float> values) {
        values.insert(values.begin(), -7.0f);
        return values;
    };
    const lanes::DeviceArray<float> in(shifted(numbered(shape)));
    for (const Step& step : ladder()) {
        CAPTURE(step.name);
        lanes::DeviceArray<float> out(shifted(std::vector<float>(shape.size(), -7.0f)));
        step.launch(in.data() + 1, out.data() + 1, shape.rows, shape.columns);
        lanes::check_launch(step.name);
        CHECK(lanes::equal(out.to_host(), shifted(transposed(numbered(shape), shape))));
    }
}

TEST_CASE("the check on the device sees a wrong element and one that was never written") {
    TimedTranspose work({40, 36});
    const Transpose nothing = [](const float*, float*, int, int) {};
    const lanes::Variant skipped = work.variant({"nothing", "", {}, nothing}, "");
    skipped.poison();
    CHECK_FALSE(skipped.verify());
    const lanes::Variant right = work.variant(ladder().front(), "");
    right.launch();
    CHECK(right.verify());
    const Transpose other = [](const float* in, float* out, int rows, int columns) {
        launch_32<naive>(in, out, columns, rows);
    };
    const lanes::Variant wrong = work.variant({"other", "", {}, other}, "");
    wrong.launch();
    CHECK_FALSE(wrong.verify());
}

TEST_CASE("fast leaves room for as many blocks as it was told") {
    const int own = 64 * 64 * sizeof(float);
    int natural = 0;  // what threads and registers allow
    lanes::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&natural, fast<64, 64>, 256, 0));
    REQUIRE(natural >= 2);
    allow_shared_bytes(fast<64, 64>, own);
    for (const int blocks : {2, 4, 5}) {
        CAPTURE(blocks);
        int resident = 0;
        lanes::check(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, fast<64, 64>, 256, spare_bytes(own, blocks)));
        CHECK(resident == std::min(blocks, natural));
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// What goes wrong, in a process of its own.

void show_missing_barrier() {
    const Shape shape{40, 40};
    const auto out = result_of({"without_barrier", "", {}, launch_32<without_barrier>}, shape);
    const auto comparison = lanes::equal(out, transposed(numbered(shape), shape), {.columns = 40, .shown = 3});
    std::cout << (comparison ? "All numbers are right.\n" : comparison.message() + "\n");
}

TEST_CASE("a missing barrier is named, with the two lines that race") {
    if (!lanes::on_emulator()) return;  // a GPU has nothing to say about a race: at best the numbers are wrong
    const lanes::DemonstrationResult shown = lanes::demonstrate("missing_barrier");
    CAPTURE(shown.output);
    CHECK(shown.exit_code != 0);
    CHECK(shown.output.find("race") != std::string::npos);
    CHECK(shown.output.find("bank_conflicts.cu:") != std::string::npos);
}

// ---------------------------------------------------------------------------------------------------------------------
// What does it cost? Each case is one launch: predicted here, counted by the emulator and by Nsight Compute.

/// One warp reads 32 times at a stride.
lanes::CountedCase stride_case(int stride) {
    const Pattern pattern{"", lanes::model::SharedOperation::load, 4, [=](int lane) { return lane * stride; }};
    lanes::SharedTraffic reads = pattern.cost();
    reads *= 32;
    return {.name = "stride_" + std::to_string(stride),
            .snippets = {"stride_reads"},
            .kernel = "stride_reads",
            .parameters = {{"stride", stride}, {"reads", 32}},
            .predicted = lanes::shared_load_counts(reads),
            .launch = [=] {
                lanes::DeviceArray<float> out(32);
                stride_reads<<<1, 32>>>(out.data(), stride, 1);
                lanes::check_launch("stride_reads");
            }};
}

/// What the lanes get, or got back: 32 words.
template <typename Word>
std::vector<Word> run_pattern(const Pattern& pattern, const std::vector<Word>& in) {
    const lanes::DeviceArray<int> elements(pattern.elements());
    const lanes::DeviceArray<Word> from(in);
    lanes::DeviceArray<Word> out(32);
    if (pattern.way == lanes::model::SharedOperation::load)
        load_pattern<Word><<<1, 32>>>(elements.data(), out.data());
    else
        store_pattern<Word><<<1, 32>>>(elements.data(), from.data(), out.data());
    lanes::check_launch(pattern.name);
    return out.to_host();
}

/// One access by one warp.
lanes::CountedCase pattern_case(const Pattern& pattern) {
    const bool loads = pattern.way == lanes::model::SharedOperation::load;
    const std::string kernel = loads ? "load_pattern" : "store_pattern";
    return {.name = pattern.name,
            .snippets = {kernel},
            .kernel = kernel,
            .parameters = {{"bytes", pattern.bytes}},
            .predicted = loads ? lanes::shared_load_counts(pattern.cost()) : lanes::shared_store_counts(pattern.cost()),
            .launch = [=] {
                if (pattern.bytes == 4) run_pattern(pattern, std::vector<float>(32));
                if (pattern.bytes == 8) run_pattern(pattern, std::vector<float2>(32));
                if (pattern.bytes == 16) run_pattern(pattern, std::vector<float4>(32));
            }};
}

/// One transpose.
lanes::CountedCase transpose_case(const Step& step, const Shape& shape, const std::string& suffix) {
    return {.name = step.name + suffix,
            .snippets = step.snippets,
            .kernel = step.kernel,
            .parameters = {{"rows", shape.rows}, {"columns", shape.columns}},
            .predicted = counts_of(step, shape),
            .launch = [=] { result_of(step, shape); }};
}

// Small enough for one block a multiprocessor: where more share one, hardware now and then counts a conflict between
// their accesses, which is none of the kernel's.
constexpr Shape counted_shape{128, 128};  // every tile fits
constexpr Shape ragged_shape{100, 132};   // none does; rows are aligned all the same

lanes::CountedCases counted_cases() {
    lanes::CountedCases cases;
    for (int stride = 0; stride <= 64; ++stride) cases.push_back(stride_case(stride));
    for (const Pattern& pattern : load_patterns()) cases.push_back(pattern_case(pattern));
    for (const Pattern& pattern : store_patterns()) cases.push_back(pattern_case(pattern));
    for (const Step& step : ladder()) cases.push_back(transpose_case(step, counted_shape, ""));
    for (const Step& step : ladder()) cases.push_back(transpose_case(step, ragged_shape, "_ragged"));
    return cases;
}

TEST_CASE("every case costs what the model predicts") {
    lanes::check_cases(counted_cases());
}

/// Checks that each lane got the number of its element, in all floats of a word, or nothing if it was off.
template <typename Word>
void check_loaded(const Pattern& pattern) {
    const auto out = run_pattern(pattern, std::vector<Word>(32));
    for (int lane = 0; lane < 32; ++lane) {
        const auto* floats = reinterpret_cast<const float*>(&out[lane]);
        for (unsigned i = 0; i < sizeof(Word) / sizeof(float); ++i) {
            CAPTURE(lane);
            if (pattern.element(lane) == off)
                CHECK(lanes::is_poison(floats[i]));
            else
                CHECK(floats[i] == float(pattern.element(lane)));
        }
    }
}

TEST_CASE("every lane of every pattern gets its element") {
    for (const Pattern& pattern : load_patterns()) {
        CAPTURE(pattern.name);
        if (pattern.bytes == 4) check_loaded<float>(pattern);
        if (pattern.bytes == 8) check_loaded<float2>(pattern);
        if (pattern.bytes == 16) check_loaded<float4>(pattern);
    }
}

TEST_CASE("what a lane stores, it reads back") {
    for (const Pattern& pattern : store_patterns()) {
        if (pattern.bytes != 4) continue;
        CAPTURE(pattern.name);
        std::vector<float> in(32);
        std::iota(in.begin(), in.end(), 1.0f);
        CHECK(lanes::equal(run_pattern(pattern, in), in));
    }
}

TEST_CASE("stride reads add up ones") {
    lanes::DeviceArray<float> out(64);
    stride_reads<<<1, 64>>>(out.data(), 64, 3);
    lanes::check_launch("stride_reads");
    CHECK(lanes::equal(out.to_host(), std::vector<float>(64, 96.0f)));
}

using namespace lanes::counters;

/// What the model says of a counted case.
std::uint64_t predicted(const std::string& name, const std::string& counter) {
    static const lanes::CountedCases cases = counted_cases();
    return lanes::predicted_count(cases, name, counter);
}

TEST_CASE("claim: a full warp of floats at stride S needs gcd(S, 32) wavefronts, and one at stride 0") {
    for (int stride = 0; stride <= 64; ++stride) {
        CAPTURE(stride);
        const unsigned degree = stride == 0 ? 1 : std::gcd(stride, 32);
        CHECK(predicted("stride_" + std::to_string(stride), shared_ld_wavefronts) == 32 * degree);
        CHECK(predicted("stride_" + std::to_string(stride), shared_ld_conflicts) == 32 * (degree - 1));
    }
}

TEST_CASE("claim: half a warp at stride 2 has no conflict, and at stride 32 it has 16 ways") {
    CHECK(predicted("load_stride_2", shared_ld_wavefronts) == 2);
    CHECK(predicted("load_half_warp_stride_2", shared_ld_wavefronts) == 1);
    CHECK(predicted("load_half_warp_stride_32", shared_ld_wavefronts) == 16);
}

TEST_CASE("claim: lanes that want the same word share it, whoever they are") {
    for (const char* name :
         {"load_row", "load_reversed", "load_shuffled", "load_one_word", "load_eight_words", "load_pairs"})
        CHECK(predicted(name, shared_ld_wavefronts) == 1);
    CHECK(predicted("load_two_words_of_a_bank", shared_ld_wavefronts) == 2);
}

TEST_CASE("claim: 8 and 16 bytes go in 2 and 4 phases; loads halve them where pairs of lanes agree") {
    CHECK(predicted("load_8_row", shared_ld_wavefronts) == 2);
    CHECK(predicted("load_8_row", shared_ld_conflicts) == 0);
    CHECK(predicted("load_16_row", shared_ld_wavefronts) == 4);
    CHECK(predicted("load_16_row", shared_ld_conflicts) == 0);
    for (const char* name : {"load_8_one", "load_8_neighbours_share", "load_8_lanes_2_apart_share"})
        CHECK(predicted(name, shared_ld_wavefronts) == 1);
    for (const char* name : {"load_16_one", "load_16_neighbours_share", "load_16_lanes_2_apart_share"})
        CHECK(predicted(name, shared_ld_wavefronts) == 2);
    CHECK(predicted("load_8_halves_share", shared_ld_wavefronts) == 2);
    CHECK(predicted("load_16_quarters_share", shared_ld_wavefronts) == 4);
    CHECK(predicted("load_8_even_lanes", shared_ld_wavefronts) == 2);
    CHECK(predicted("load_8_even_lanes", shared_ld_conflicts) == 1);
    CHECK(predicted("store_8_even_lanes", shared_st_wavefronts) == 2);
    CHECK(predicted("store_8_even_lanes", shared_st_conflicts) == 0);
}

TEST_CASE("claim: the column of a wide tile is free at an odd pitch, counted in elements") {
    CHECK(predicted("load_8_column_16", shared_ld_wavefronts) == 32);
    CHECK(predicted("load_8_column_16", shared_ld_conflicts) == 30);
    CHECK(predicted("load_8_column_17", shared_ld_wavefronts) == 2);
    CHECK(predicted("load_16_column_8", shared_ld_wavefronts) == 32);
    CHECK(predicted("load_16_column_8", shared_ld_conflicts) == 28);
    CHECK(predicted("load_16_column_9", shared_ld_wavefronts) == 4);
}

TEST_CASE("claim: the answers to the questions") {
    using namespace lanes::model;
    CHECK(bank_of(260) == 1);
    CHECK(stride_conflict_degree(12) == 4);
    const auto four_words = lane_addresses([](unsigned lane) { return lane % 4 * 64 * 4; });
    CHECK(shared_access_cost(SharedOperation::load, four_words, 4).wavefronts == 4);
    const auto four_share = lane_addresses([](unsigned lane) { return lane / 4 * 16; });
    CHECK(shared_access_cost(SharedOperation::load, four_share, 16).wavefronts == 2);
    CHECK(shared_access_cost(SharedOperation::store, strided_addresses(0, 8), 8) == SharedAccessCost{2, 2});
}

TEST_CASE("claim: with 8 banks, strides 8, 16 and 32 look alike; with 32 they are not") {
    using lanes::model::stride_conflict_degree;
    for (const unsigned stride : {8U, 16U, 32U}) CHECK(stride_conflict_degree(stride, 8) == 8);
    CHECK(stride_conflict_degree(8) == 8);
    CHECK(stride_conflict_degree(16) == 16);
    CHECK(stride_conflict_degree(32) == 32);
}

TEST_CASE(
    "claim: the tile is read in 32 wavefronts a warp; padded or swizzled, in one; the flipped one moves the cost") {
    const std::uint64_t requests = 128 * 128 / 32;
    for (const char* name : {"tile", "padded", "swizzled", "flipped"}) {
        CAPTURE(name);
        CHECK(predicted(name, shared_st_wavefronts) == requests);
        CHECK(predicted(name, shared_st_conflicts) == 0);
    }
    CHECK(predicted("tile", shared_ld_wavefronts) == 32 * requests);
    CHECK(predicted("tile", shared_ld_conflicts) == 31 * requests);
    for (const char* name : {"padded", "swizzled", "flipped"}) CHECK(predicted(name, shared_ld_wavefronts) == requests);
    for (const char* name : {"tile", "padded", "swizzled"}) CHECK(predicted(name, global_st_sectors) == 4 * requests);
    for (const char* name : {"naive", "flipped"}) CHECK(predicted(name, global_st_sectors) == 32 * requests);
}

TEST_CASE("claim: a narrow tile is read in 8 wavefronts at pitch 16, 2 at 17, 1 at 18, where the stores need 2") {
    const std::uint64_t requests = 128 * 128 / 32;
    CHECK(predicted("narrow_16", shared_ld_wavefronts) == 8 * requests);
    CHECK(predicted("narrow_16", shared_st_wavefronts) == requests);
    CHECK(predicted("narrow_17", shared_ld_wavefronts) == 2 * requests);
    CHECK(predicted("narrow_17", shared_st_wavefronts) == 2 * requests);
    CHECK(predicted("narrow_18", shared_ld_wavefronts) == requests);
    CHECK(predicted("narrow_18", shared_st_wavefronts) == 2 * requests);
    CHECK(predicted("narrow_swizzled", shared_ld_wavefronts) == requests);
    CHECK(predicted("narrow_swizzled", shared_st_wavefronts) == requests);
}

TEST_CASE("claim: no pitch of a 16 x 16 tile is free both ways") {
    using namespace lanes::model;
    for (unsigned pitch = 16; pitch <= 64; ++pitch) {
        CAPTURE(pitch);
        const auto along = lane_addresses([=](unsigned lane) { return (lane / 16 * pitch + lane % 16) * 4; });
        const auto down = lane_addresses([=](unsigned lane) { return (lane % 16 * pitch + lane / 16) * 4; });
        const unsigned both = shared_access_cost(SharedOperation::store, along, 4).wavefronts +
                              shared_access_cost(SharedOperation::load, down, 4).wavefronts;
        CHECK(both >= 3);
    }
}

TEST_CASE("claim: without its exclusive or, fast would store in 32 wavefronts") {
    using namespace lanes::model;
    const auto stores = [](bool swizzle) {
        const auto address = [=](unsigned lane) {
            const unsigned x = lane % 16, y = lane / 16;
            return (4 * x * 16 + (swizzle ? y ^ x : y)) * 16;
        };
        return shared_access_cost(SharedOperation::store, lane_addresses(address), 16);
    };
    CHECK(stores(false).wavefronts == 32);
    CHECK(stores(true).wavefronts == 4);
    CHECK(stores(true).conflicts() == 0);
}

TEST_CASE("claim: fast has no conflict, four times fewer requests, and full sectors") {
    const std::uint64_t requests = 128 * 128 / 4 / 32;
    CHECK(predicted("fast", global_ld_requests) == requests);
    CHECK(predicted("fast", global_st_sectors) == 16 * requests);
    CHECK(predicted("fast", shared_ld_wavefronts) == 4 * requests);
    CHECK(predicted("fast", shared_st_wavefronts) == 4 * requests);
    CHECK(predicted("fast", shared_ld_conflicts) == 0);
    CHECK(predicted("fast", shared_st_conflicts) == 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// How long does it take? Reads at each stride against stride 1, and transposes against a copy.

void measure_strides(lanes::Benchmark& benchmark) {
    const std::size_t threads = 256, blocks = 8 * std::size_t(lanes::current_device().multiprocessors);
    const int turns = int(benchmark.pick(128, 32, 1));
    lanes::DeviceArray<float> out(threads * blocks);
    std::vector<lanes::Variant> variants;
    for (int stride = 0; stride <= 64; ++stride)
        variants.push_back({.name = "stride_" + std::to_string(stride),
                            .snippets = {"stride_reads"},
                            .parameters = {{"stride", stride}, {"reads", 32 * turns}},
                            .bytes = threads * blocks * 32 * turns * sizeof(float),
                            .ceiling = stride == 1 ? "" : "stride_1",
                            .launch = [&, stride] { stride_reads<<<blocks, threads>>>(out.data(), stride, turns); },
                            .poison = [&] { out.poison(); },
                            .verify =
                                [&, turns] {
                                    return lanes::equal(out.to_host(),
                                                        std::vector<float>(threads * blocks, 32.0f * float(turns)));
                                }});
    benchmark.group("Reads of shared memory", variants);
}

void measure_transposes(lanes::Benchmark& benchmark, const std::string& suffix, const Shape& shape,
                        const std::vector<Step>& steps) {
    TimedTranspose work(shape);
    std::vector<lanes::Variant> variants{work.copy(suffix)};
    for (const Step& step : steps) variants.push_back(work.variant(step, suffix));
    benchmark.group(std::to_string(shape.rows) + " x " + std::to_string(shape.columns), variants);
}

void measure(lanes::Benchmark& benchmark) {
    measure_strides(benchmark);
    auto steps = ladder();
    const Step fast = steps.back();
    for (const Step& step : fast_steps()) steps.push_back(step);
    const int size = int(benchmark.pick(16384, 8192, 64));
    measure_transposes(benchmark, "", {size, size}, steps);
    const Shape oblong{int(benchmark.pick(10000, 5000, 40)), int(benchmark.pick(20000, 10000, 80))};
    measure_transposes(benchmark, "_oblong", oblong, steps);
    // The same number of elements, nearly: rows of both matrices are whole lines of 128 bytes, then whole pairs of
    // lines.
    const Shape lines{int(benchmark.pick(10016, 4992, 32)), int(benchmark.pick(20000, 9952, 96))};
    measure_transposes(benchmark, "_lines", lines, {fast});
    const Shape line_pairs{int(benchmark.pick(9984, 4992, 64)), int(benchmark.pick(20096, 10048, 64))};
    measure_transposes(benchmark, "_line_pairs", line_pairs, {fast});
    measure_transposes(benchmark, "_unaligned", {size - 1, size + 1}, {fast});
}

}  // namespace

int main(int argc, char** argv) {
    return lanes::run({.name = "bank_conflicts",
                       .source = __FILE__,
                       .cases = counted_cases,
                       .measure = measure,
                       .demonstrations = {{"missing_barrier", show_missing_barrier}}},
                      argc, argv);
}
