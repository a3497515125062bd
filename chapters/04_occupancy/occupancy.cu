/// @file
/// @brief Chapter 4: how many warps a multiprocessor holds, what decides it, and when it matters.
///
/// Build it alone, from the top folder of the book:
///
///     nvcc -std=c++20 -O3 -lineinfo -cudart=shared -arch=native -I common/include chapters/04_occupancy/occupancy.cu
///     -o occupancy
///
/// Kernels, in the order of the text:
///  - reverse_pieces:  shared memory of a size that the launch chooses
///  - deviations:      64 numbers a thread in registers; three more versions that may use fewer registers
///  - read_in_flight:  sums an array with 1 to 8 loads of 4 or 16 bytes under way
///  - follow:          one load after the other: the time that a load takes
///  - multiply_chains: multiply-adds in 1 to 8 chains a thread
///  - copy_one:        one word a thread, for blocks of every size
///  - whole_pieces:    a piece of the work for each block
///  - grid_stride:     the same work, shared out evenly among the blocks that fit
///  - read_again:      a small array again and again: what is left of the cache
///  - uneven:          blocks in which one warp has more to do
#include "calculator.hpp"
#include "predictions.hpp"
#include "resident.hpp"

#include <lanes/main.hpp>
#include <lanes/random.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Turns pieces of `piece` words around, a block a piece; the last one may be shorter.
///
/// in, out: `words` words, not the same. Launch: 1-D, any block size, `piece` words of dynamic shared memory.
// [reverse_pieces]
__global__ void reverse_pieces(const unsigned* in, unsigned* out, int words, int piece) {
    extern __shared__ unsigned kept[];
    const int first = blockIdx.x * piece, size = min(piece, words - first);
    for (int i = threadIdx.x; i < size; i += blockDim.x) kept[i] = in[first + i];
    __syncthreads();
    for (int i = threadIdx.x; i < size; i += blockDim.x) out[first + i] = kept[size - 1 - i];
}
// [/reverse_pieces]

/// Numbers that a thread of deviations keeps.
constexpr int columns = 64;

/// 64 times each number of a row less the row's sum: 64 times how far it is from the mean.
///
/// in, out: 64 columns of `rows` numbers, one column after the other. Called by one thread a row.
// [row_deviations]
__device__ __forceinline__ void row_deviations(const unsigned* in, unsigned* out, std::size_t rows) {
    const std::size_t row = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    unsigned x[columns], sum = 0;
#pragma unroll
    for (int c = 0; c < columns; ++c) sum += x[c] = in[c * rows + row];
#pragma unroll
    for (int c = 0; c < columns; ++c) out[c * rows + row] = columns * x[c] - sum;
}
// [/row_deviations]

/// row_deviations with as many registers as the compiler likes.
///
/// in, out, rows: as there. Launch: 1-D, one thread a row, no shared memory.
// [deviations]
__global__ void deviations(const unsigned* in, unsigned* out, std::size_t rows) {
    row_deviations(in, out, rows);
}
// [/deviations]

/// row_deviations with so few registers that four blocks fit.
///
/// in, out, rows: as there. Launch: blocks of at most 256 threads.
// [deviations_4_blocks]
__global__ void __launch_bounds__(256, 4) deviations_4_blocks(const unsigned* in, unsigned* out, std::size_t rows) {
    row_deviations(in, out, rows);
}
// [/deviations_4_blocks]

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ != 750
/// row_deviations with so few registers that six blocks fit.
///
/// in, out, rows: as there. Launch: blocks of at most 256 threads.
// [deviations_6_blocks]
__global__ void __launch_bounds__(256, 6) deviations_6_blocks(const unsigned* in, unsigned* out, std::size_t rows) {
    row_deviations(in, out, rows);
}
// [/deviations_6_blocks]
#else
/// Six blocks of 256 threads are more than a multiprocessor of capability 7.5 holds: four are all.
__global__ void __launch_bounds__(256, 4) deviations_6_blocks(const unsigned* in, unsigned* out, std::size_t rows) {
    row_deviations(in, out, rows);
}
#endif

#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1204
#define HAS_MAXNREG
/// row_deviations with at most 32 registers a thread, whatever the block.
///
/// in, out, rows: as there. Launch: 1-D, one thread a row, no shared memory. Needs nvcc 12.4 or newer.
// [deviations_32_registers]
__global__ void __maxnreg__(32) deviations_32_registers(const unsigned* in, unsigned* out, std::size_t rows) {
    row_deviations(in, out, rows);
}
// [/deviations_32_registers]
#endif

/// What one load brings, as a sum.
__device__ inline unsigned sum_of(unsigned word) {
    return word;
}

/// What one load brings, as a sum.
__device__ inline unsigned sum_of(uint4 words) {
    return words.x + words.y + words.z + words.w;
}

/// Sums an array, a partial sum for each thread; `flights` loads of a `Vector` are under way at a time.
///
/// in: `words` words, at a multiple of 16 bytes; out: as many words as threads, whose sum is the sum modulo 2^32.
/// Launch: 1-D, blocks of at most `threads` threads, any number of them; shared memory is not used. The second launch
/// bound gives more than 32 registers to those that have much under way; held to 32, the compiler would wait for the
/// first loads before it starts the last.
// [read_in_flight]
template <typename Vector, int flights, int threads>
__global__ void __launch_bounds__(threads, flights * sizeof(Vector) > 16 ? 1024 / threads : 0)
    read_in_flight(const unsigned* in, unsigned* out, std::size_t words) {
    const Vector* vectors = reinterpret_cast<const Vector*>(in);
    const std::size_t count = words / (sizeof(Vector) / sizeof(unsigned));
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    const std::size_t thread = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    std::size_t i = thread;
    unsigned sum = 0;
#pragma unroll 1
    for (; i + (flights - 1) * step < count; i += flights * step) {
        Vector loaded[flights];
#pragma unroll
        for (int k = 0; k < flights; ++k) loaded[k] = vectors[i + k * step];
#pragma unroll
        for (int k = 0; k < flights; ++k) sum += sum_of(loaded[k]);
    }
#pragma unroll 1
    for (; i < count; i += step) sum += sum_of(vectors[i]);
    const std::size_t rest = words - words % (sizeof(Vector) / sizeof(unsigned)) + thread;
    if (rest < words) sum += in[rest];  // at most three words fill no vector
    out[thread] = sum;
}
// [/read_in_flight]

/// Follows a chain of `steps` words, each of which says where the next one is.
///
/// next: the chain; place: where to start, and afterwards where it ended. Launch: one thread.
// [follow]
__global__ void follow(const unsigned* next, unsigned* place, int steps) {
    unsigned at = *place;
#pragma unroll 1
    for (int i = 0; i < steps; ++i) at = next[at];
    *place = at;
}
// [/follow]

/// Multiply-adds that wait for each other within a chain; a thread has `chains` of them.
///
/// out: one number a thread, x = x * factor + 1 done `turns` * 16 times in all chains, all added up. Launch: 1-D.
// [multiply_chains]
template <int chains>
__global__ void multiply_chains(float* out, float factor, int turns) {
    float x[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) x[c] = float(c);
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn)
#pragma unroll
        for (int step = 0; step < 16; ++step)
#pragma unroll
            for (int c = 0; c < chains; ++c) x[c] = x[c] * factor + 1.0f;
    float sum = 0.0f;
#pragma unroll
    for (int c = 0; c < chains; ++c) sum += x[c];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// [/multiply_chains]

/// Copies one word a thread.
///
/// in, out: `words` words. Launch: 1-D, at least `words` threads in all, any block size.
// [copy_one]
__global__ void copy_one(const unsigned* in, unsigned* out, std::size_t words) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < words) out[i] = in[i];
}
// [/copy_one]

/// Work that takes its time and no memory: `turns` steps of a generator, each of which needs the one before.
// [work]
__device__ inline unsigned work(unsigned x, int turns) {
#pragma unroll 1
    for (int turn = 0; turn < turns; ++turn) x = x * 747796405u + 2891336453u;
    return x;
}
// [/work]

/// Each block works on a piece of its own: `per_thread` words a thread.
///
/// in, out: `words` words. Launch: 1-D, blocks enough for all words, any block size; shared memory is not used.
// [whole_pieces]
__global__ void whole_pieces(const unsigned* in, unsigned* out, std::size_t words, int per_thread, int turns) {
    const std::size_t first = std::size_t(blockIdx.x) * blockDim.x * per_thread + threadIdx.x;
    for (int k = 0; k < per_thread; ++k) {
        const std::size_t i = first + std::size_t(k) * blockDim.x;
        if (i < words) out[i] = work(in[i], turns);
    }
}
// [/whole_pieces]

/// The same work, shared out evenly among however many blocks there are.
///
/// in, out: `words` words. Launch: 1-D, any number of blocks of any size; shared memory is not used.
// [grid_stride]
__global__ void grid_stride(const unsigned* in, unsigned* out, std::size_t words, int turns) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step)
        out[i] = work(in[i], turns);
}
// [/grid_stride]

/// Each block sums a piece of `vectors` uint4 `times` times over.
///
/// in: pieces one after the other; out: a partial sum a thread. Launch: 1-D, any block size.
// [read_again]
__global__ void read_again(const uint4* in, unsigned* out, int vectors, int times) {
    const uint4* piece = in + std::size_t(blockIdx.x) * vectors;
    unsigned sum = 0;
#pragma unroll 1
    for (int time = 0; time < times; ++time)
#pragma unroll 4
        for (int i = threadIdx.x; i < vectors; i += blockDim.x) sum += sum_of(piece[i]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// [/read_again]

/// work() for one word a thread; the first warp of each block does `first_turns` steps, the others `turns`.
///
/// in, out: `words` words. Launch: 1-D, at least `words` threads in all.
// [uneven]
__global__ void uneven(const unsigned* in, unsigned* out, std::size_t words, int first_turns, int turns) {
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < words) out[i] = work(in[i], threadIdx.x < 32 ? first_turns : turns);
}
// [/uneven]

/// Fills an array with multiples: word i is i * factor modulo 2^32.
///
/// words: how many. Launch: 1-D, any number of threads.
__global__ void fill_multiples(unsigned* array, std::size_t words, unsigned factor) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step)
        array[i] = unsigned(i) * factor;
}

/// Makes a chain for follow(): word i leads to the one `stride` further on, around the end.
///
/// next: `words` words. Launch: 1-D, any number of threads.
__global__ void make_chain(unsigned* next, std::size_t words, std::size_t stride) {
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < words; i += step)
        next[i] = unsigned((i + stride) % words);
}

/// Counts the rows in which deviations wrote something wrong, on the device: they are too many to look at on the host.
///
/// in, out, rows: as row_deviations; wrong: 0 before. Launch: 1-D, one thread a row.
__global__ void count_wrong_rows(const unsigned* in, const unsigned* out, std::size_t rows, unsigned* wrong) {
    const std::size_t row = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    unsigned sum = 0;
    for (int c = 0; c < columns; ++c) sum += in[c * rows + row];
    bool right = true;
    for (int c = 0; c < columns; ++c) right = right && out[c * rows + row] == columns * in[c * rows + row] - sum;
    if (!right) atomicAdd(wrong, 1u);
}

namespace {

using lanes::model::BlockResources;
using lanes::model::MultiprocessorLimits;
using lanes::model::OccupancyLimit;
using Words = std::vector<unsigned>;

const std::vector<std::size_t> sizes{0, 1, 3, 31, 32, 33, 100, 1000, 1023, 1025};
constexpr unsigned block_threads = 128;  // of the kernels whose resident blocks shared memory limits

// ---------------------------------------------------------------------------------------------------------------------
// Launches.

/// A way to read: how wide a load is, and how many are under way.
struct ReadKind {
    std::string suffix;      ///< of the results' names
    std::size_t load_bytes;  ///< of a load of one thread
    unsigned flights;        ///< loads under way
    const void* kernel;      ///< for queries
    std::function<void(const unsigned* in, unsigned* out, std::size_t words, unsigned blocks, std::size_t shared)>
        launch;  ///< with blocks of 128 threads and `shared` bytes of dynamic shared memory

    /// Bytes that a thread has under way.
    std::size_t bytes_a_thread() const { return load_bytes * flights; }
};

template <typename Vector, int flights>
ReadKind read_kind(const std::string& suffix) {
    const auto kernel = read_in_flight<Vector, flights, block_threads>;
    return {suffix, sizeof(Vector), flights, reinterpret_cast<const void*>(kernel),
            [kernel](const unsigned* in, unsigned* out, std::size_t words, unsigned blocks, std::size_t shared) {
                kernel<<<blocks, block_threads, shared>>>(in, out, words);
            }};
}

/// All of them; the first has the empty suffix.
std::vector<ReadKind> read_kinds() {
    return {read_kind<unsigned, 1>(""),         read_kind<unsigned, 2>("_loads_2"), read_kind<unsigned, 4>("_loads_4"),
            read_kind<unsigned, 8>("_loads_8"), read_kind<uint4, 1>("_vectors_1"),  read_kind<uint4, 2>("_vectors_2"),
            read_kind<uint4, 4>("_vectors_4"),  read_kind<uint4, 8>("_vectors_8")};
}

/// A version of deviations.
struct DeviationsKind {
    std::string name;                                                              ///< of the kernel
    void (*kernel)(const unsigned*, unsigned*, std::size_t);                       ///< itself
    const void* address() const { return reinterpret_cast<const void*>(kernel); }  ///< for queries
};

constexpr unsigned deviations_threads = 256;

std::vector<DeviationsKind> deviations_kinds() {
    return {
        {"deviations", deviations},
        {"deviations_4_blocks", deviations_4_blocks},
        {"deviations_6_blocks", deviations_6_blocks},
#ifdef HAS_MAXNREG
        {"deviations_32_registers", deviations_32_registers},
#endif
    };
}

void launch_deviations(const DeviationsKind& kind, const unsigned* in, unsigned* out, std::size_t rows) {
    if (rows == 0) return;
    kind.kernel<<<lanes::blocks_for(rows, deviations_threads), deviations_threads>>>(in, out, rows);
}

void launch_reverse(const unsigned* in, unsigned* out, std::size_t words, std::size_t piece, unsigned threads) {
    if (words == 0) return;
    reverse_pieces<<<lanes::blocks_for(words, piece), threads, piece * sizeof(unsigned)>>>(in, out, int(words),
                                                                                           int(piece));
}

void launch_copy_one(const unsigned* in, unsigned* out, std::size_t words, unsigned threads) {
    if (words == 0) return;
    copy_one<<<lanes::blocks_for(words, threads), threads>>>(in, out, words);
}

void launch_whole_pieces(const unsigned* in, unsigned* out, std::size_t words, int per_thread, int turns,
                         std::size_t shared) {
    if (words == 0) return;
    whole_pieces<<<lanes::blocks_for(words, std::size_t{block_threads} * per_thread), block_threads, shared>>>(
        in, out, words, per_thread, turns);
}

/// An array of multiples of an odd number, made on the device: its sum and every word are known without reading it.
lanes::DeviceArray<unsigned> multiples(std::size_t words, unsigned factor = 2654435761u) {
    lanes::DeviceArray<unsigned> array(words);
    if (words > 0) fill_multiples<<<1024, 256>>>(array.data(), words, factor);
    lanes::check_launch("fill_multiples");
    return array;
}

/// Sum of the words `first` to `first + words - 1` of multiples(), modulo 2^32.
unsigned sum_of_multiples(std::uint64_t words, std::uint64_t first = 0, unsigned factor = 2654435761u) {
    const std::uint64_t numbers =
        words % 2 == 0 ? words / 2 * (2 * first + words - 1) : (2 * first + words - 1) / 2 * words;  // words > 0
    return words == 0 ? 0 : unsigned(numbers) * factor;
}

/// Whether partial sums, none of which may be poison alone, add up.
lanes::Comparison adds_up(const lanes::DeviceArray<unsigned>& sums, std::size_t used, unsigned expected) {
    const Words host = sums.to_host();
    const unsigned total = std::accumulate(host.begin(), host.begin() + std::ptrdiff_t(used), 0u);
    return lanes::equal(Words{total}, Words{expected});
}

/// The sum of an array too large to look at on the host, modulo 2^32; poison counts like any other word.
unsigned device_sum(const lanes::DeviceArray<unsigned>& array) {
    const ReadKind kind = read_kind<uint4, 4>("");
    constexpr unsigned blocks = 1024;
    lanes::DeviceArray<unsigned> sums(std::size_t{blocks} * block_threads);
    kind.launch(array.data(), sums.data(), array.size(), blocks, 0);
    lanes::check_launch("read_in_flight");
    const Words host = sums.to_host();
    return std::accumulate(host.begin(), host.end(), 0u);
}

/// work() on the host, for many words: all steps at once are one multiplication and one addition.
class HostWork {
public:
    explicit HostWork(int turns) {
        for (; turns > 0; --turns) {
            factor_ *= 747796405u;
            offset_ = offset_ * 747796405u + 2891336453u;
        }
    }
    unsigned operator()(unsigned x) const { return x * factor_ + offset_; }

private:
    unsigned factor_ = 1, offset_ = 0;
};

/// Runs a launch into poisoned output of as many words as `in` has.
template <typename Launch>
Words result_of(const char* kernel, const Words& in, const Launch& launch) {
    const lanes::DeviceArray<unsigned> device_in(in);
    lanes::DeviceArray<unsigned> out(in.size());
    out.poison();
    if (!in.empty()) launch(device_in.data(), out.data());
    lanes::check_launch(kernel);
    return out.to_host();
}

// ---------------------------------------------------------------------------------------------------------------------
// Is it right? Every kernel, at sizes that fit nothing.

Words random_words(std::size_t count) {
    return lanes::Random().whole_numbers<unsigned>(count, 0, 1 << 30);
}

TEST_CASE("reverse_pieces turns each piece around, the last one too") {
    for (const std::size_t words : sizes)
        for (const std::size_t piece : {1, 33, 100, 1000}) {
            CAPTURE(words);
            CAPTURE(piece);
            const Words in = random_words(words);
            Words expected = in;
            for (std::size_t first = 0; first < words; first += piece)
                std::reverse(expected.begin() + std::ptrdiff_t(first),
                             expected.begin() + std::ptrdiff_t(std::min(first + piece, words)));
            CHECK(lanes::equal(
                result_of("reverse_pieces", in,
                          [&](const unsigned* from, unsigned* to) { launch_reverse(from, to, words, piece, 96); }),
                expected));
        }
}

TEST_CASE("every version of deviations computes the same") {
    for (const DeviationsKind& kind : deviations_kinds())
        for (const std::size_t rows : sizes) {
            CAPTURE(kind.name);
            CAPTURE(rows);
            const Words in = random_words(rows * columns);
            Words expected(in.size());
            for (std::size_t row = 0; row < rows; ++row) {
                unsigned sum = 0;
                for (int c = 0; c < columns; ++c) sum += in[c * rows + row];
                for (int c = 0; c < columns; ++c) expected[c * rows + row] = columns * in[c * rows + row] - sum;
            }
            const auto launch = [&](const unsigned* from, unsigned* to) { launch_deviations(kind, from, to, rows); };
            CHECK(lanes::equal(result_of(kind.name.c_str(), in, launch), expected));
        }
}

TEST_CASE("read_in_flight adds up every word, whatever the number of blocks") {
    for (const ReadKind& kind : read_kinds())
        for (const std::size_t words : {0, 1, 3, 31, 32, 33, 100, 1000, 1023, 1025, 8191})
            for (const unsigned blocks : {1U, 3U}) {
                CAPTURE(kind.suffix);
                CAPTURE(words);
                CAPTURE(blocks);
                const Words host = random_words(words);
                const lanes::DeviceArray<unsigned> in(host);
                lanes::DeviceArray<unsigned> out(std::size_t{blocks} * block_threads);
                out.poison();
                kind.launch(in.data(), out.data(), words, blocks, 0);
                lanes::check_launch("read_in_flight");
                CHECK(adds_up(out, out.size(), std::accumulate(host.begin(), host.end(), 0u)));
            }
}

TEST_CASE("work is done for every word, in pieces as in strides, and by uneven warps") {
    constexpr int turns = 7, per_thread = 3;
    for (const std::size_t words : sizes) {
        CAPTURE(words);
        const Words in = random_words(words);
        Words expected = in, expected_uneven = in;
        for (unsigned& word : expected) word = HostWork(turns)(word);
        for (std::size_t i = 0; i < words; ++i) expected_uneven[i] = HostWork(i % 96 < 32 ? 20 : turns)(in[i]);
        CHECK(lanes::equal(result_of("whole_pieces", in,
                                     [&](const unsigned* from, unsigned* to) {
                                         launch_whole_pieces(from, to, words, per_thread, turns, 0);
                                     }),
                           expected));
        CHECK(lanes::equal(
            result_of("grid_stride", in,
                      [&](const unsigned* from, unsigned* to) { grid_stride<<<3, 96>>>(from, to, words, turns); }),
            expected));
        CHECK(lanes::equal(result_of("uneven", in,
                                     [&](const unsigned* from, unsigned* to) {
                                         uneven<<<lanes::blocks_for(words, 96), 96>>>(from, to, words, 20, turns);
                                     }),
                           expected_uneven));
    }
}

TEST_CASE("copy_one copies with blocks of every size") {
    for (const std::size_t words : sizes)
        for (const unsigned threads : {32U, 96U, 1024U}) {
            CAPTURE(words);
            CAPTURE(threads);
            const Words in = random_words(words);
            const auto launch = [&](const unsigned* from, unsigned* to) { launch_copy_one(from, to, words, threads); };
            CHECK(lanes::equal(result_of("copy_one", in, launch), in));
        }
}

TEST_CASE("follow goes as far as it is told, multiply_chains counts its steps, read_again reads again") {
    for (const std::size_t words : {1, 3, 31, 32, 33, 100, 1000, 1023, 1025}) {
        CAPTURE(words);
        lanes::DeviceArray<unsigned> next(words), place(Words{0});
        make_chain<<<2, 64>>>(next.data(), words, 7);
        follow<<<1, 1>>>(next.data(), place.data(), 50);
        lanes::check_launch("follow");
        CHECK(lanes::equal(place.to_host(), Words{unsigned(7 * 50 % words)}));
        const lanes::DeviceArray<unsigned> in = multiples(words * 4 * 2);
        lanes::DeviceArray<unsigned> sums(2 * 40);
        read_again<<<2, 40>>>(reinterpret_cast<const uint4*>(in.data()), sums.data(), int(words), 3);
        lanes::check_launch("read_again");
        CHECK(adds_up(sums, sums.size(), 3 * sum_of_multiples(words * 8)));
    }
    lanes::DeviceArray<float> out(40);
    multiply_chains<4><<<1, 40>>>(out.data(), 1.0f, 3);
    lanes::check_launch("multiply_chains");
    CHECK(lanes::equal(out.to_host(), std::vector<float>(40, 0 + 1 + 2 + 3 + 4 * 3 * 16)));
}

// ---------------------------------------------------------------------------------------------------------------------
// How many fit? The model against the runtime, on whatever device this is.

/// Kernels of this chapter, of every kind there is: few and many registers, bounds, shared memory.
std::vector<std::pair<std::string, const void*>> queried_kernels() {
    std::vector<std::pair<std::string, const void*>> kernels{
        {"reverse_pieces", reinterpret_cast<const void*>(reverse_pieces)},
        {"copy_one", reinterpret_cast<const void*>(copy_one)},
        {"grid_stride", reinterpret_cast<const void*>(grid_stride)}};
    for (const ReadKind& kind : read_kinds()) kernels.emplace_back("read_in_flight" + kind.suffix, kind.kernel);
    for (const DeviationsKind& kind : deviations_kinds()) kernels.emplace_back(kind.name, kind.address());
    return kernels;
}

/// Whether there is a model of this device; says so if not.
bool has_model() {
    if (current_limits()) return true;
    MESSAGE("the model does not know this device's compute capability: nothing is compared");
    return false;
}

/// Checks the runtime's answer for a kernel against the model's, for many blocks and amounts of shared memory.
void check_against_runtime(const void* kernel, std::optional<std::uint32_t> carve_out_percent) {
    const MultiprocessorLimits limits = *current_limits();
    const cudaFuncAttributes attributes = attributes_of(kernel);
    for (const unsigned threads : {1U, 32U, 33U, 96U, 128U, 256U, 500U, 768U, 1024U})
        for (const std::size_t shared : {0, 1, 1000, 4096, 16384, 40000, 48 * 1024, 50 * 1024, 99 * 1024, 160 * 1024}) {
            if (int(threads) > attributes.maxThreadsPerBlock || int(shared) > attributes.maxDynamicSharedSizeBytes)
                continue;
            CAPTURE(threads);
            CAPTURE(shared);
            const BlockResources block = resources_of(kernel, threads, shared);
            CHECK(resident_blocks(kernel, threads, shared) ==
                  lanes::model::occupancy(limits, block, carve_out_percent).blocks);
        }
}

TEST_CASE("the runtime counts resident blocks as the model does, with the opt-in and without") {
    if (!has_model()) return;
    for (const auto& [name, kernel] : queried_kernels()) {
        CAPTURE(name);
        check_against_runtime(kernel, std::nullopt);
        opt_in_to_shared_memory(kernel);
        check_against_runtime(kernel, std::nullopt);
    }
}

/// Asks for a share of the memory that shared memory and L1 have together; -1: no preference.
void prefer_carve_out(const void* kernel, int percent) {
    lanes::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
}

TEST_CASE("the carve-out that a kernel prefers limits its blocks, as in the model") {
    if (!has_model()) return;
    const void* kernel = reinterpret_cast<const void*>(reverse_pieces);
    for (const int percent : {0, 10, 25, 50, 75, 100}) {
        CAPTURE(percent);
        prefer_carve_out(kernel, percent);
        check_against_runtime(kernel, percent);
    }
    prefer_carve_out(kernel, -1);
    check_against_runtime(kernel, std::nullopt);
}

TEST_CASE("shared memory holds a kernel to exactly as many blocks as asked for") {
    if (!has_model()) return;
    const MultiprocessorLimits limits = *current_limits();
    for (const ReadKind& kind : read_kinds()) {
        CAPTURE(kind.suffix);
        opt_in_to_shared_memory(kind.kernel);
        const unsigned most = resident_blocks(kind.kernel, block_threads);
        for (unsigned blocks = 1; blocks <= most; ++blocks) {
            CAPTURE(blocks);
            CHECK(resident_blocks(kind.kernel, block_threads, shared_bytes_for(limits, blocks, 0)) == blocks);
        }
    }
}

TEST_CASE("the block size that the runtime suggests reaches the highest occupancy there is") {
    int grid = 0, suggested = 0;
    lanes::check(cudaOccupancyMaxPotentialBlockSize(&grid, &suggested, deviations));
    const void* kernel = reinterpret_cast<const void*>(deviations);
    const auto threads_with = [&](unsigned threads) { return resident_blocks(kernel, threads) * threads; };
    unsigned best = 0;
    for (unsigned threads = 32; int(threads) <= attributes_of(kernel).maxThreadsPerBlock; threads += 32)
        best = std::max(best, threads_with(threads));
    CHECK(threads_with(unsigned(suggested)) == best);
}

TEST_CASE("claim: held to few registers the compiler spills, and more blocks fit") {
    const auto attributes = [](auto* kernel) { return attributes_of(reinterpret_cast<const void*>(kernel)); };
    const cudaFuncAttributes free = attributes(deviations), four = attributes(deviations_4_blocks),
                             six = attributes(deviations_6_blocks);
    const int threads = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    if (free.numRegs == 0 || threads < 1536) return;  // no machine code for this device, or six blocks never fit
    CHECK(free.numRegs > 64);
    CHECK(free.localSizeBytes == 0);
    CHECK(four.numRegs <= 64);
    CHECK(four.localSizeBytes > 0);
    CHECK(six.numRegs <= 40);
    CHECK(six.localSizeBytes > four.localSizeBytes);
    CHECK(resident_blocks(reinterpret_cast<const void*>(deviations_4_blocks), deviations_threads) == 4);
    CHECK(resident_blocks(reinterpret_cast<const void*>(deviations_6_blocks), deviations_threads) == 6);
#ifdef HAS_MAXNREG
    CHECK(attributes(deviations_32_registers).numRegs <= 32);
    CHECK(attributes(deviations_32_registers).localSizeBytes > six.localSizeBytes);
    CHECK(resident_blocks(reinterpret_cast<const void*>(deviations_32_registers), deviations_threads) ==
          unsigned(threads) / deviations_threads);
#endif
}

TEST_CASE("claim: 128 bytes under way want more than 40 registers, so that not all places for warps can be taken") {
    const ReadKind widest = read_kinds().back();
    const int registers = attributes_of(widest.kernel).numRegs;
    if (registers == 0) return;  // no machine code for this device
    CHECK(registers > 40);
    CHECK(resident_blocks(widest.kernel, block_threads) * block_threads < 65536 / 40);
}

TEST_CASE("claim: 64 KiB in a block work after the opt-in, and not one byte above 48 KiB before it") {
    const void* kernel = reinterpret_cast<const void*>(reverse_pieces);
    opt_in_to_shared_memory(kernel);
    CHECK(attributes_of(kernel).maxDynamicSharedSizeBytes == device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    const std::size_t piece = 64 * 1024 / sizeof(unsigned);
    const Words in = random_words(piece);
    const auto launch = [&](const unsigned* from, unsigned* to) { launch_reverse(from, to, piece, piece, 1024); };
    CHECK(lanes::equal(result_of("reverse_pieces", in, launch), Words(in.rbegin(), in.rend())));
    const lanes::DemonstrationResult shown = lanes::demonstrate("over_48_kib");
    CHECK(shown.exit_code != 0);
    CHECK(shown.output.find("cudaErrorInvalidValue") != std::string::npos);
}

TEST_CASE("claim: a block that wants more registers than there are is refused") {
    const int registers = attributes_of(reinterpret_cast<const void*>(deviations)).numRegs;
    if (registers * 1024 <= device_attribute(cudaDevAttrMaxRegistersPerBlock)) return;
    const lanes::DemonstrationResult shown = lanes::demonstrate("too_many_registers");
    CHECK(shown.exit_code != 0);
    CHECK(shown.output.find("cudaErrorLaunchOutOfResources") != std::string::npos);
}

// ---------------------------------------------------------------------------------------------------------------------
// What the text says of devices that are not here: the model alone, which common/tests hold against NVIDIA's header.

/// The tiled product of chapter 2, with tiles of `tile` x `tile`.
BlockResources tiled_product(unsigned tile, unsigned registers) {
    return {.threads = tile * tile, .registers_per_thread = registers, .static_shared_bytes = 2 * tile * tile * 4};
}

lanes::model::Occupancy occupancy_on(lanes::model::ComputeCapability capability, const BlockResources& block) {
    return lanes::model::occupancy(*lanes::model::multiprocessor_limits(capability), block);
}

TEST_CASE("claim: on 8.9 tiles of 32 fill two thirds, tiles of 16 everything; 41 registers are one block less") {
    const auto large = occupancy_on({8, 9}, tiled_product(32, 38));
    CHECK(large.blocks == 1);
    CHECK(large.fraction() == doctest::Approx(2.0 / 3));
    CHECK(large.binding() == OccupancyLimit::warps);
    CHECK(occupancy_on({8, 9}, tiled_product(16, 37)).fraction() == 1.0);
    CHECK(occupancy_on({8, 9}, tiled_product(16, 40)).blocks == 6);
    CHECK(occupancy_on({8, 9}, tiled_product(16, 41)).blocks == 5);
}

TEST_CASE("claim: on 9.0 tiles of 32 fill everything with 32 registers and half with 33") {
    CHECK(occupancy_on({9, 0}, tiled_product(32, 32)).fraction() == 1.0);
    CHECK(occupancy_on({9, 0}, tiled_product(32, 33)).fraction() == 0.5);
    CHECK(occupancy_on({8, 9}, tiled_product(32, 65)).blocks == 0);
}

TEST_CASE("claim: on 10.0 with 40 registers tiles of 16 are the worse ones") {
    CHECK(occupancy_on({10, 0}, tiled_product(32, 32)).fraction() == 1.0);
    CHECK(occupancy_on({10, 0}, tiled_product(16, 40)).fraction() == 0.75);
}

TEST_CASE("claim: registers are handed out in eights a thread, and by quarters of the multiprocessor") {
    for (unsigned registers = 33; registers <= 40; ++registers) {
        CAPTURE(registers);
        CHECK(occupancy_on({9, 0}, {.threads = 256, .registers_per_thread = registers}).blocks == 6);
    }
    const auto warps_with = [](unsigned registers) {
        return occupancy_on({9, 0}, {.threads = 32, .registers_per_thread = registers}).by(OccupancyLimit::registers);
    };
    CHECK(65536 / (80 * 32) == 25);
    CHECK(warps_with(80) == 24);
}

TEST_CASE("claim: a kilobyte is kept for each block") {
    const auto blocks = [](unsigned kib) {
        return occupancy_on({8, 9}, {.threads = 128,
                                     .registers_per_thread = 32,
                                     .dynamic_shared_bytes = kib * 1024,
                                     .max_dynamic_shared_bytes = 99 * 1024})
            .blocks;
    };
    CHECK(blocks(49) == 2);
    CHECK(blocks(50) == 1);
    CHECK(blocks(16) == 5);
    CHECK(blocks(19) == 5);
    CHECK(blocks(20) == 4);
    CHECK(blocks(99) == 1);
    CHECK(blocks(100) == 0);
}

TEST_CASE("claim: a carve-out is rounded up, and one of nothing leaves room for eight blocks on 9.0") {
    const MultiprocessorLimits limits = *lanes::model::multiprocessor_limits({9, 0});
    const BlockResources block{.threads = 128, .registers_per_thread = 16};
    CHECK(lanes::model::carve_out_bytes(limits, block, 75) == 196 * 1024);
    CHECK(limits.unified_cache_bytes - lanes::model::carve_out_bytes(limits, block, 75) == 60 * 1024);
    CHECK(lanes::model::occupancy(limits, block, 0).blocks == 8);
    CHECK(lanes::model::occupancy(limits, block).blocks == 16);
}

TEST_CASE("claim: a launch bound is a promise that the runtime knows") {
    CHECK(attributes_of(reinterpret_cast<const void*>(deviations_4_blocks)).maxThreadsPerBlock == 256);
}

TEST_CASE("claim: blocks of one warp run out of places for blocks") {
    const auto with_one_warp = [](lanes::model::ComputeCapability capability) {
        return occupancy_on(capability, {.threads = 32, .registers_per_thread = 32});
    };
    CHECK(with_one_warp({9, 0}).fraction() == 0.5);
    CHECK(with_one_warp({8, 9}).fraction() == 0.5);
    CHECK(with_one_warp({8, 6}).fraction() == doctest::Approx(1.0 / 3));
    CHECK(with_one_warp({9, 0}).binding() == OccupancyLimit::blocks);
}

TEST_CASE("claim: the answers to the questions at the end of the text") {
    const auto occupancy_with = [](unsigned registers) {
        return occupancy_on({9, 0}, {.threads = 256, .registers_per_thread = registers});
    };
    CHECK(occupancy_with(64).blocks == 4);
    CHECK(occupancy_with(64).fraction() == 0.5);
    CHECK(occupancy_with(65).blocks == 3);
    CHECK(occupancy_with(65).fraction() == 0.375);
    CHECK(occupancy_on({9, 0}, {.threads = 128, .registers_per_thread = 32, .static_shared_bytes = 32 * 1024}).blocks ==
          6);
    CHECK(lanes::model::warp_count(100) == 4);
    CHECK(24 * 1024 / (16 * 32) == 48);
}

TEST_CASE("claim: block sizes that do not divide leave places empty") {
    const auto share = [](unsigned threads) {
        return occupancy_on({9, 0}, {.threads = threads, .registers_per_thread = 16}).fraction();
    };
    CHECK(share(512) == 1.0);
    CHECK(share(544) == 51.0 / 64);
    CHECK(share(704) == 44.0 / 64);
    CHECK(share(768) == 0.75);
    CHECK(share(33) == 1.0);  // 32 blocks of two warps: the lanes are idle, the warps are not
}

// ---------------------------------------------------------------------------------------------------------------------
// What does it cost? Predicted by the model, counted by the emulator and by Nsight Compute.

constexpr std::size_t counted_words = 32768, ragged_words = 20003, counted_rows = 1000;
constexpr unsigned counted_blocks = 8;

/// A case whose kernel reads `in_words` multiples and writes `out_words` words.
lanes::CountedCase traffic_case(std::string name, std::vector<std::string> snippets, std::string kernel,
                                lanes::Parameters parameters, lanes::Counts predicted, std::size_t in_words,
                                std::size_t out_words,
                                const std::function<void(const unsigned* in, unsigned* out)>& launch) {
    return {.name = std::move(name),
            .snippets = std::move(snippets),
            .kernel = std::move(kernel),
            .parameters = std::move(parameters),
            .predicted = std::move(predicted),
            .launch = [=] {
                const lanes::DeviceArray<unsigned> in(Words(in_words, 1));
                lanes::DeviceArray<unsigned> out(out_words);
                launch(in.data(), out.data());
                lanes::check_launch("a counted kernel");
            }};
}

lanes::CountedCase read_case(const std::string& name, const ReadKind& kind, std::size_t words, unsigned blocks) {
    const std::size_t threads = std::size_t{blocks} * block_threads;
    return traffic_case(
        name, {"read_in_flight"}, "read_in_flight",
        {{"words", words}, {"blocks", blocks}, {"threads", block_threads}, {"bytes_a_thread", kind.bytes_a_thread()}},
        lanes::global_counts(read_traffic(words, unsigned(kind.load_bytes), kind.flights, threads),
                             row_traffic(threads, 4)),
        words, threads, [=](const unsigned* in, unsigned* out) { kind.launch(in, out, words, blocks, 0); });
}

lanes::CountedCase deviations_case(const DeviationsKind& kind) {
    lanes::GlobalTraffic traffic;
    for (std::size_t c = 0; c < columns; ++c) traffic += row_traffic(counted_rows, 4, c * counted_rows);
    return traffic_case(kind.name, {kind.name, "row_deviations"}, kind.name,
                        {{"rows", counted_rows}, {"columns", columns}}, lanes::global_counts(traffic, traffic),
                        counted_rows * columns, counted_rows * columns,
                        [=](const unsigned* in, unsigned* out) { launch_deviations(kind, in, out, counted_rows); });
}

lanes::CountedCase reverse_case(std::size_t piece) {
    constexpr std::size_t words = 16384;
    const auto traffic = row_traffic(words, 4);
    lanes::Counts predicted = lanes::global_counts(traffic, traffic);
    predicted.merge(lanes::shared_store_counts({words / 32, 0}));
    predicted.merge(lanes::shared_load_counts({words / 32, 0}));
    return traffic_case("reverse_" + std::to_string(piece), {"reverse_pieces"}, "reverse_pieces",
                        {{"words", words}, {"piece", piece}, {"shared_bytes", piece * sizeof(unsigned)}}, predicted,
                        words, words,
                        [=](const unsigned* in, unsigned* out) { launch_reverse(in, out, words, piece, 256); });
}

/// Long enough for Nsight Compute to see how many warps were there on the average: waves of 1,056 blocks of 256
/// threads, which is one of an H200 with all its places taken.
constexpr unsigned wave_blocks = 132 * 8, wave_threads = 256;

lanes::CountedCase copy_case(unsigned threads) {
    constexpr std::size_t words = std::size_t{wave_blocks} * wave_threads * 2;
    const auto traffic = row_traffic(words, 4);
    return traffic_case("block_" + std::to_string(threads), {"copy_one"}, "copy_one",
                        {{"words", words}, {"threads", threads}}, lanes::global_counts(traffic, traffic), words, words,
                        [=](const unsigned* in, unsigned* out) { launch_copy_one(in, out, words, threads); });
}

lanes::CountedCase uneven_case(const std::string& name, unsigned blocks, int first_turns) {
    const std::size_t words = std::size_t{blocks} * wave_threads;
    constexpr int turns = 64;
    const auto traffic = row_traffic(words, 4);
    return traffic_case(name, {"uneven", "work"}, "uneven",
                        {{"blocks", blocks}, {"threads", wave_threads}, {"turns", turns}, {"first_turns", first_turns}},
                        lanes::global_counts(traffic, traffic), words, words, [=](const unsigned* in, unsigned* out) {
                            uneven<<<blocks, wave_threads>>>(in, out, words, first_turns, turns);
                        });
}

lanes::CountedCases counted_cases() {
    lanes::CountedCases cases;
    for (const ReadKind& kind : read_kinds())
        cases.push_back(read_case("read" + kind.suffix, kind, counted_words, counted_blocks));
    cases.push_back(read_case("read_ragged_loads_4", read_kind<unsigned, 4>(""), ragged_words, 3));
    cases.push_back(read_case("read_ragged_vectors_2", read_kind<uint4, 2>(""), ragged_words, 3));
    for (const DeviationsKind& kind : deviations_kinds()) cases.push_back(deviations_case(kind));
    cases.push_back(reverse_case(1024));
    cases.push_back(reverse_case(8192));
    for (const unsigned threads : {32U, 256U, 768U, 1024U}) cases.push_back(copy_case(threads));
    cases.push_back(read_case("achieved_read", read_kind<uint4, 1>(""), std::size_t{1} << 22, 132 * 16));
    cases.push_back(uneven_case("achieved_even", wave_blocks, 64));
    cases.push_back(uneven_case("achieved_uneven", wave_blocks, 512));
    cases.push_back(uneven_case("achieved_few_blocks", 132, 64));
    return cases;
}

TEST_CASE("every case costs what the model predicts") {
    lanes::check_cases(counted_cases());
}

TEST_CASE("claim: how much is under way changes nothing in what moves, and spills are no global traffic") {
    const lanes::CountedCases cases = counted_cases();
    const auto sectors = [&](const std::string& name) {
        const auto found = std::find_if(cases.begin(), cases.end(), [&](const auto& one) { return one.name == name; });
        REQUIRE(found != cases.end());
        return found->predicted.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld");
    };
    for (const ReadKind& kind : read_kinds()) CHECK(sectors("read" + kind.suffix) == counted_words / 8);
    for (const DeviationsKind& kind : deviations_kinds()) CHECK(sectors(kind.name) == sectors("deviations"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Shown on purpose.

/// A launch with one word more than 48 KiB, by a kernel that has not opted in.
void show_over_48_kib() {
    const std::size_t words = 48 * 1024 / sizeof(unsigned) + 1;
    const lanes::DeviceArray<unsigned> in(Words(words, 1));
    lanes::DeviceArray<unsigned> out(words);
    launch_reverse(in.data(), out.data(), words, words, 256);
    lanes::check_launch("reverse_pieces");
}

/// A block of 1024 threads, each of which wants more than a 1024th of all registers.
void show_too_many_registers() {
    const lanes::DeviceArray<unsigned> in(Words(1024 * columns, 1));
    lanes::DeviceArray<unsigned> out(in.size());
    deviations<<<1, 1024>>>(in.data(), out.data(), 1024);
    lanes::check_launch("deviations");
}

void show_limits() {
    std::cout << table_of_limits();
}

/// The two tiles that the text compares, with the registers that nvcc 13.0 gives chapter 2's kernel for 8.9.
void show_tiles() {
    print_occupancy(std::cout, "Tiles of 32 x 32", tiled_product(32, 38));
    print_occupancy(std::cout, "Tiles of 16 x 16", tiled_product(16, 37));
}

void show_smaller_is_worse() {
    print_occupancy(std::cout, "Tiles of 32 x 32", tiled_product(32, 32));
    print_occupancy(std::cout, "Tiles of 16 x 16", tiled_product(16, 40));
}

void show_shared_memory() {
    print_occupancy(std::cout, "48 KiB a block",
                    {.threads = 128, .registers_per_thread = 32, .static_shared_bytes = 48 * 1024});
}

// ---------------------------------------------------------------------------------------------------------------------
// How long does it take?

unsigned multiprocessors() {
    return unsigned(device_attribute(cudaDevAttrMultiProcessorCount));
}

/// The numbers of `from` that are at most `most`.
std::vector<unsigned> up_to(unsigned most, std::vector<unsigned> from) {
    std::erase_if(from, [=](unsigned number) { return number > most; });
    return from;
}

/// How a launch of read_in_flight fills the device.
struct Filling {
    unsigned blocks;           ///< on each multiprocessor
    std::size_t shared;        ///< dynamic shared memory that keeps them to that
    unsigned multiprocessors;  ///< of the device
};

/// What the runtime answers when asked how much shared memory still lets this many blocks fit.
std::size_t suggested_shared_bytes(const void* kernel, unsigned blocks) {
    std::size_t bytes = 0;
    lanes::check(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, int(blocks), int(block_threads)));
    return bytes;
}

lanes::Variant read_variant(const ReadKind& kind, const Filling& filling, const lanes::DeviceArray<unsigned>& in,
                            lanes::DeviceArray<unsigned>& out) {
    const unsigned warps = filling.blocks * block_threads / 32, blocks = filling.blocks * filling.multiprocessors;
    const std::size_t suggested = suggested_shared_bytes(kind.kernel, filling.blocks);
    return {
        .name = "warps_" + std::to_string(warps) + kind.suffix,
        .snippets = {"read_in_flight"},
        .parameters = {{"words", in.size()},
                       {"warps", warps},
                       {"bytes_a_thread", kind.bytes_a_thread()},
                       {"kib_in_flight", double(warps * 32 * kind.bytes_a_thread()) / 1024},
                       {"shared_bytes", filling.shared},
                       {"suggested_bytes", suggested},
                       {"suggested_blocks", resident_blocks(kind.kernel, block_threads, suggested)}},
        .bytes = in.bytes(),
        .ceiling = "read_ceiling",
        .launch = [&in, &out, kind, blocks,
                   filling] { kind.launch(in.data(), out.data(), in.size(), blocks, filling.shared); },
        .poison = [&out] { out.poison(); },
        .verify = [&in, &out,
                   blocks] { return adds_up(out, std::size_t{blocks} * block_threads, sum_of_multiples(in.size())); }};
}

/// Reading at its best: 64 bytes a thread under way, and as many blocks as fit.
lanes::Variant read_ceiling(const lanes::DeviceArray<unsigned>& in, lanes::DeviceArray<unsigned>& out) {
    const ReadKind kind = read_kind<uint4, 4>("");
    lanes::Variant variant =
        read_variant(kind, {resident_blocks(kind.kernel, block_threads), 0, multiprocessors()}, in, out);
    variant.name = "read_ceiling";
    variant.ceiling.clear();
    return variant;
}

/// The time of one load, by one thread that follows a chain through memory that no cache holds. Each launch goes on
/// where the last one ended.
lanes::Variant latency_variant(const lanes::DeviceArray<unsigned>& chain, lanes::DeviceArray<unsigned>& place,
                               std::size_t stride, int steps) {
    return {.name = "latency",
            .snippets = {"follow"},
            .parameters = {{"loads", steps}, {"stride", stride}, {"multiprocessors", multiprocessors()}},
            .launch = [&chain, &place, steps] { follow<<<1, 1>>>(chain.data(), place.data(), steps); },
            .poison = [&place] { place.from_host({0}); },
            .verify =
                [&chain, &place, stride, steps] {
                    return lanes::equal(place.to_host(), Words{unsigned(stride * std::size_t(steps) % chain.size())});
                }};
}

void measure_latency(lanes::Benchmark& benchmark, std::size_t words) {
    lanes::DeviceArray<unsigned> chain(words), place(Words{0});
    const std::size_t stride = 1056;  // words: another line and another place in it each time around
    make_chain<<<1024, 256>>>(chain.data(), chain.size(), stride);
    lanes::check_launch("make_chain");
    const int steps = int(benchmark.pick(20000, 5000, 100));
    benchmark.group("One load after the other", {latency_variant(chain, place, stride, steps)});
}

void measure_surface(lanes::Benchmark& benchmark) {
    const std::size_t words = benchmark.elements_beyond_l2(sizeof(unsigned), 1);
    measure_latency(benchmark, words);
    const auto limits = current_limits();
    if (!limits) return;  // nobody knows how much shared memory keeps how many blocks out
    const bool emulated = benchmark.effort() == lanes::Effort::emulated;
    const lanes::DeviceArray<unsigned> in = multiples(words);
    lanes::DeviceArray<unsigned> out(std::size_t{multiprocessors()} * limits->threads());
    std::vector<lanes::Variant> variants{read_ceiling(in, out)};
    for (const ReadKind& kind : read_kinds()) {
        opt_in_to_shared_memory(kind.kernel);
        const std::vector<unsigned> levels{1, 2, 3, 4, 6, 8, 12, 16};
        for (const unsigned blocks : up_to(emulated ? 2 : resident_blocks(kind.kernel, block_threads), levels))
            variants.push_back(
                read_variant(kind, {blocks, shared_bytes_for(*limits, blocks, 0), multiprocessors()}, in, out));
    }
    benchmark.group("Bytes in flight", variants);
}

template <int chains>
lanes::Variant chains_variant(unsigned warps, int turns, lanes::DeviceArray<float>& out) {
    const unsigned threads = std::min(warps * 32, 1024U), blocks = warps * 32 / threads * multiprocessors();
    const std::size_t used = std::size_t{blocks} * threads;
    const int own_turns = turns / chains;
    return {.name = "chains_warps_" + std::to_string(warps) + (chains > 1 ? "_by_" + std::to_string(chains) : ""),
            .snippets = {"multiply_chains"},
            .parameters = {{"warps", warps}, {"chains", chains}, {"turns", own_turns}},
            .operations = 2 * 16 * std::uint64_t(chains) * own_turns * used,
            .ceiling = "chains_ceiling",
            .launch = [=, &out] { multiply_chains<chains><<<blocks, threads>>>(out.data(), 1.0f, own_turns); },
            .poison = [&out] { out.poison(); },
            .verify =
                [=, &out] {
                    std::vector<float> got = out.to_host();
                    got.resize(used);
                    const float expected = float(chains * (chains - 1) / 2 + chains * 16 * own_turns);
                    return lanes::equal(got, std::vector<float>(used, expected));
                }};
}

void measure_chains(lanes::Benchmark& benchmark) {
    const unsigned most = unsigned(device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor)) / 32;
    const int turns = int(benchmark.pick(4096, 2048, 8));
    lanes::DeviceArray<float> out(std::size_t{multiprocessors()} * most * 32);
    std::vector<lanes::Variant> variants{chains_variant<8>(32, turns, out)};
    variants.front().name = "chains_ceiling";
    variants.front().ceiling.clear();
    for (const unsigned warps :
         up_to(benchmark.effort() == lanes::Effort::emulated ? 4 : most, {4, 8, 12, 16, 24, 32, 64})) {
        variants.push_back(chains_variant<1>(warps, turns, out));
        variants.push_back(chains_variant<2>(warps, turns, out));
        variants.push_back(chains_variant<4>(warps, turns, out));
        variants.push_back(chains_variant<8>(warps, turns, out));
    }
    benchmark.group("Multiply-adds in chains", variants);
}

/// Blocks of `threads` threads: copy_one, which starts a block for each 'threads' words, and a kernel whose blocks
/// stay.
void add_block_size(std::vector<lanes::Variant>& variants, unsigned threads, const lanes::DeviceArray<unsigned>& in,
                    lanes::DeviceArray<unsigned>& out) {
    const auto reading = read_in_flight<unsigned, 1, 1024>;
    const unsigned copy_warps = resident_blocks(reinterpret_cast<const void*>(copy_one), threads) * (threads / 32);
    const unsigned resident = resident_blocks(reinterpret_cast<const void*>(reading), threads);
    const unsigned blocks = resident * multiprocessors();
    const std::string name = "block_" + std::to_string(threads);
    variants.push_back(
        {.name = name,
         .snippets = {"copy_one"},
         .parameters = {{"words", in.size()}, {"threads", threads}, {"warps", copy_warps}},
         .bytes = 2 * in.bytes(),
         .ceiling = "memcpy",
         .launch = [=, &in, &out] { launch_copy_one(in.data(), out.data(), in.size(), threads); },
         .poison = [&out] { out.poison(); },
         .verify = [&out] { return lanes::equal(Words{device_sum(out)}, Words{sum_of_multiples(out.size())}); }});
    variants.push_back(
        {.name = name + "_stay",
         .snippets = {"read_in_flight"},
         .parameters = {{"words", in.size()}, {"threads", threads}, {"warps", resident * threads / 32}},
         .bytes = in.bytes(),
         .ceiling = "memcpy",
         .launch = [=, &in, &out] { reading<<<blocks, threads>>>(in.data(), out.data(), in.size()); },
         .poison = [&out] { out.poison(); },
         .verify = [=, &in,
                    &out] { return adds_up(out, std::size_t{blocks} * threads, sum_of_multiples(in.size())); }});
}

lanes::Variant memcpy_ceiling(const lanes::DeviceArray<unsigned>& in, lanes::DeviceArray<unsigned>& out) {
    return {.name = "memcpy", .parameters = {{"words", in.size()}}, .bytes = 2 * in.bytes(), .launch = [&in, &out] {
                lanes::check(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice));
            }};
}

void measure_block_sizes(lanes::Benchmark& benchmark) {
    const std::size_t words =
        std::max<std::size_t>(benchmark.elements_beyond_l2(sizeof(unsigned), 2), std::size_t{multiprocessors()} * 2048);
    const lanes::DeviceArray<unsigned> in = multiples(words);
    lanes::DeviceArray<unsigned> out(words);
    std::vector<lanes::Variant> variants{memcpy_ceiling(in, out)};
    const bool emulated = benchmark.effort() == lanes::Effort::emulated;
    for (unsigned threads = 32; threads <= 1024; threads += emulated ? 480 : 32)
        add_block_size(variants, threads, in, out);
    benchmark.group("Block sizes", variants);
}

/// A version of deviations, checked on the device.
lanes::Variant deviations_variant(const DeviationsKind& kind, const lanes::DeviceArray<unsigned>& in,
                                  lanes::DeviceArray<unsigned>& out) {
    const std::size_t rows = in.size() / columns;
    const cudaFuncAttributes attributes = attributes_of(kind.address());
    const unsigned blocks = resident_blocks(kind.address(), deviations_threads);
    return {.name = kind.name,
            .snippets = {kind.name, "row_deviations"},
            .parameters = {{"rows", rows},
                           {"registers", attributes.numRegs},
                           {"local_bytes", attributes.localSizeBytes},
                           {"blocks", blocks},
                           {"warps", blocks * deviations_threads / 32}},
            .bytes = 2 * in.bytes(),
            .ceiling = "memcpy_deviations",
            .launch = [=, &in, &out] { launch_deviations(kind, in.data(), out.data(), rows); },
            .poison = [&out] { out.poison(); },
            .verify =
                [=, &in, &out] {
                    lanes::DeviceArray<unsigned> wrong(Words{0});
                    count_wrong_rows<<<lanes::blocks_for(rows, 256), 256>>>(in.data(), out.data(), rows, wrong.data());
                    return lanes::equal(wrong.to_host(), Words{0});
                }};
}

void measure_registers(lanes::Benchmark& benchmark) {
    const lanes::DeviceArray<unsigned> in = multiples(benchmark.elements_beyond_l2(sizeof(unsigned), 2));
    lanes::DeviceArray<unsigned> out(in.size());
    std::vector<lanes::Variant> variants{memcpy_ceiling(in, out)};
    variants.front().name = "memcpy_deviations";
    for (const DeviationsKind& kind : deviations_kinds()) variants.push_back(deviations_variant(kind, in, out));
    benchmark.group("Registers", variants);
}

/// How much work there is for how many blocks.
struct Wave {
    std::string name;    ///< of the results
    unsigned blocks;     ///< of whole_pieces
    unsigned resident;   ///< blocks that all multiprocessors hold at once
    std::size_t shared;  ///< dynamic shared memory that keeps them to that
};

constexpr int per_thread = 16;

lanes::Variant wave_variant(const Wave& wave, int turns, bool in_strides, const lanes::DeviceArray<unsigned>& in,
                            lanes::DeviceArray<unsigned>& out) {
    const std::size_t words = std::size_t{wave.blocks} * block_threads * per_thread;
    const auto launch = [=, &in, &out] {
        if (in_strides)
            grid_stride<<<wave.resident, block_threads, wave.shared>>>(in.data(), out.data(), words, turns);
        else
            launch_whole_pieces(in.data(), out.data(), words, per_thread, turns, wave.shared);
    };
    return {.name = wave.name + (in_strides ? "_stride" : ""),
            .snippets = {in_strides ? "grid_stride" : "whole_pieces", "work"},
            .parameters = {{"blocks", wave.blocks},
                           {"resident", wave.resident},
                           {"waves", double(wave.blocks) / wave.resident},
                           {"words", words}},
            .launch = launch,
            .poison = [&out] { out.poison(); },
            .verify =
                [=, &out] {
                    Words got = out.to_host(), expected(words);
                    got.resize(words);
                    const HostWork host_work(turns);
                    for (std::size_t i = 0; i < words; ++i) expected[i] = host_work(unsigned(i) * 2654435761u);
                    return lanes::equal(got, expected);
                }};
}

/// Waves in quarters, and one block more than one, two, three, four and eight of them.
std::vector<Wave> waves_of(const std::string& name, unsigned resident, std::size_t shared, unsigned most_quarters) {
    std::vector<Wave> waves;
    for (unsigned quarters = 1; quarters <= most_quarters; ++quarters) {
        if (quarters > 16 && quarters % 16 != 0) continue;
        const std::string percent = std::to_string(quarters * 25);
        waves.push_back({name + percent, resident * quarters / 4, resident, shared});
        if (quarters % 4 == 0)
            waves.push_back({name + percent + "_and_1", resident * quarters / 4 + 1, resident, shared});
    }
    return waves;
}

void measure_waves(lanes::Benchmark& benchmark) {
    const auto limits = current_limits();
    if (!limits) return;
    const bool emulated = benchmark.effort() == lanes::Effort::emulated;
    const void* kernel = reinterpret_cast<const void*>(whole_pieces);
    for (const void* one : {kernel, reinterpret_cast<const void*>(grid_stride)}) opt_in_to_shared_memory(one);
    const unsigned few = 2 * multiprocessors(), all = resident_blocks(kernel, block_threads) * multiprocessors();
    const std::vector<Wave> waves = waves_of("waves_", few, shared_bytes_for(*limits, 2, 0), emulated ? 1 : 32),
                            full = waves_of("full_waves_", all, 0, emulated ? 0 : 12);
    const std::size_t most = std::max(waves.back().blocks, full.empty() ? 0 : full.back().blocks);
    const lanes::DeviceArray<unsigned> in = multiples(most * block_threads * per_thread);
    lanes::DeviceArray<unsigned> out(in.size());
    const int turns = int(benchmark.pick(500, 500, 2));
    std::vector<lanes::Variant> variants;
    for (const Wave& wave : waves)
        for (const bool in_strides : {false, true}) variants.push_back(wave_variant(wave, turns, in_strides, in, out));
    for (const Wave& wave : full) variants.push_back(wave_variant(wave, turns, false, in, out));
    benchmark.group("Waves of blocks", variants);
}

/// One block of 1024 threads on each multiprocessor reads `kib` KiB of its own again and again.
lanes::Variant again_variant(int percent, unsigned kib, int times, const lanes::DeviceArray<unsigned>& in,
                             lanes::DeviceArray<unsigned>& out) {
    const unsigned blocks = multiprocessors();
    const int vectors = int(kib * 1024 / sizeof(uint4));
    return {.name = "carve_out_" + std::to_string(percent) + (kib > 64 ? "_" + std::to_string(kib) + "_kib" : ""),
            .snippets = {"read_again"},
            .parameters = {{"carve_out", percent}, {"kib", kib}, {"times", times}},
            .bytes = std::uint64_t{blocks} * kib * 1024 * times,
            .ceiling = "carve_out_0",
            .launch =
                [=, &in, &out] {
                    prefer_carve_out(reinterpret_cast<const void*>(read_again), percent);
                    read_again<<<blocks, 1024>>>(reinterpret_cast<const uint4*>(in.data()), out.data(), vectors, times);
                },
            .poison = [&out] { out.poison(); },
            .verify =
                [=, &out] {
                    return adds_up(out, out.size(),
                                   unsigned(times) * sum_of_multiples(std::uint64_t{blocks} * vectors * 4));
                }};
}

void measure_carve_outs(lanes::Benchmark& benchmark) {
    const unsigned most_kib = unsigned(benchmark.pick(192, 192, 64));
    const lanes::DeviceArray<unsigned> in = multiples(std::size_t{multiprocessors()} * most_kib * 256);
    lanes::DeviceArray<unsigned> out(std::size_t{multiprocessors()} * 1024);
    const int times = int(benchmark.pick(1000, 200, 1));
    std::vector<lanes::Variant> variants;
    for (unsigned kib = 64; kib <= most_kib; kib += 64)
        for (const int percent :
             benchmark.effort() == lanes::Effort::emulated ? std::vector{0} : std::vector{0, 25, 50, 75, 100})
            variants.push_back(again_variant(percent, kib, times, in, out));
    variants.front().ceiling.clear();
    benchmark.group("What is left for the cache (bytes that threads read)", variants);
}

void measure(lanes::Benchmark& benchmark) {
    measure_surface(benchmark);
    measure_chains(benchmark);
    measure_block_sizes(benchmark);
    measure_registers(benchmark);
    measure_waves(benchmark);
    measure_carve_outs(benchmark);
}

}  // namespace

int main(int argc, char** argv) {
    return lanes::run({.name = "occupancy",
                       .source = __FILE__,
                       .cases = counted_cases,
                       .measure = measure,
                       .demonstrations = {{"over_48_kib", show_over_48_kib},
                                          {"too_many_registers", show_too_many_registers},
                                          {"limits", show_limits},
                                          {"tiles", show_tiles},
                                          {"smaller_is_worse", show_smaller_is_worse},
                                          {"shared_memory", show_shared_memory}}},
                      argc, argv);
}
