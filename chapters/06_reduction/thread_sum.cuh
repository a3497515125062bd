/// @file
/// @brief The part of a sum that one thread does: wide loads, many under way at once.
#pragma once

#include <cstddef>
#include <cstdint>

// [added]
/// The built-in type that holds 16 bytes of T.
template <typename T>
struct Vector;
/// Four floats.
template <>
struct Vector<float> {
    using Type = float4;  ///< loaded by one instruction
};
/// Four ints.
template <>
struct Vector<int> {
    using Type = int4;  ///< loaded by one instruction
};
/// Two doubles.
template <>
struct Vector<double> {
    using Type = double2;  ///< loaded by one instruction
};

/// Adds what one load brought: four numbers.
template <typename Four>
__device__ auto added(const Four& v) {
    return (v.x + v.y) + (v.z + v.w);
}
/// Adds what one load brought: two doubles.
__device__ inline double added(const double2& v) {
    return v.x + v.y;
}
// [/added]

/// An array as a row of vectors of 16 bytes, with what is left before the first and after the last of them.
///
/// Vectors begin at the first multiple of 16 bytes. At most 3 elements come before, and at most 3 after.
// [aligned_part]
template <typename T>
struct AlignedPart {
    using Four = typename Vector<T>::Type;                          ///< one vector
    static constexpr std::size_t width = sizeof(Four) / sizeof(T);  ///< elements of one

    /// Cuts an array of `size` elements.
    __device__ AlignedPart(const T* in, std::size_t size) {
        const std::size_t past = reinterpret_cast<std::uintptr_t>(in) % sizeof(Four) / sizeof(T);
        before = min((width - past) % width, size);
        vectors = reinterpret_cast<const Four*>(in + before);
        count = (size - before) / width;
        after = before + count * width;
    }

    std::size_t before;   ///< elements before the first vector
    const Four* vectors;  ///< aligned
    std::size_t count;    ///< vectors
    std::size_t after;    ///< number of the first element after the last vector
};
// [/aligned_part]

/// This thread's share of the sum: 16 bytes a load, `flights` loads under way at once.
///
/// Blocks take turns at tiles of threads * flights vectors. In the last tile, loads behind the end are left out, but
/// the others still go together.
// [thread_sum]
template <int threads, int flights, typename T>
__device__ T thread_sum(const T* in, std::size_t size) {
    using Four = typename AlignedPart<T>::Four;
    constexpr std::size_t tile = threads * flights;
    const AlignedPart<T> part(in, size);
    const Four* const vectors = part.vectors;
    T sums[flights] = {};
    Four loaded[flights];
    std::size_t i = blockIdx.x * tile + threadIdx.x;
    for (; i + (flights - 1) * threads < part.count; i += gridDim.x * tile) {
#pragma unroll
        for (int flight = 0; flight < flights; ++flight) loaded[flight] = __ldcs(vectors + i + flight * threads);
#pragma unroll
        for (int flight = 0; flight < flights; ++flight) sums[flight] += added(loaded[flight]);
    }
#pragma unroll
    for (int flight = 0; flight < flights; ++flight) {
        const std::size_t at = i + flight * threads;
        loaded[flight] = at < part.count ? __ldcs(vectors + at) : Four{};
    }
#pragma unroll
    for (int flight = 0; flight < flights; ++flight) sums[flight] += added(loaded[flight]);
    const std::size_t first = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (first < part.before) sums[0] += in[first];
    if (first < size - part.after) sums[0] += in[part.after + first];
#pragma unroll
    for (int flight = 1; flight < flights; ++flight) sums[0] += sums[flight];
    return sums[0];
}
// [/thread_sum]

/// @brief The blocks that must fit on a multiprocessor, for __launch_bounds__: 1024 threads in all with 8 flights.
///
/// With more than 4 flights it allows 64 registers a thread or more: held to 32, the compiler would wait for the first
/// loads before it starts the last. Half the warps then have twice the bytes under way each.
/// @param threads of a block
/// @param flights loads of 16 bytes under way, a thread
/// @return 0 to leave it to the compiler
constexpr int least_blocks(int threads, int flights) {
    return flights > 4 ? 8192 / (threads * flights) : 0;
}

/// Loads 16 bytes that no one will read again: not kept in the first cache.
// [load_past_first_cache]
__device__ inline uint4 load_past_first_cache(const uint4* from) {
    uint4 v;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
    return v;
}
// [/load_past_first_cache]
