// Algorithms of CUB that take whole arrays. Their kernels hand data from block to block through flags and look-back,
// which is right and must not be reported.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>
#include <numeric>
#include <random>

#include "../faults/fault_program.cuh"

namespace {

constexpr int bins = 16;

/// Calls an algorithm of CUB twice: for the size of its temporary storage, and to run it.
template <typename Algorithm>
void run(const Algorithm& algorithm) {
    std::size_t bytes = 0;
    require(algorithm(nullptr, bytes));
    void* storage = nullptr;
    require(cudaMalloc(&storage, bytes));
    require(algorithm(storage, bytes));
    require(cudaDeviceSynchronize());
    require(cudaFree(storage));
}

void fail_unless(bool good, const char* what, int n) {
    if (good) return;
    std::fprintf(stderr, "%s of %d elements is wrong\n", what, n);
    std::exit(1);
}

void check_size(int n) {
    std::minstd_rand random(static_cast<unsigned>(n) + 1);
    std::vector<int> values(n);
    for (int& value : values) value = static_cast<int>(random() % 1000);
    const DeviceData<int> in(values);
    const DeviceData<int> out{std::vector<int>(n, -1)};
    const DeviceData<int> total{std::vector<int>(1, -1)};
    const DeviceData<int> counts{std::vector<int>(bins, -1)};

    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceReduce::Sum(storage, bytes, in.get(), total.get(), n);
    });
    fail_unless(total.values()[0] == std::accumulate(values.begin(), values.end(), 0), "sum", n);

    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(storage, bytes, in.get(), out.get(), n);
    });
    std::vector<int> expected(n);
    std::partial_sum(values.begin(), values.end(), expected.begin());
    fail_unless(out.values() == expected, "scan", n);

    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceHistogram::HistogramEven(storage, bytes, in.get(), counts.get(), bins + 1, 0, 1008, n);
    });
    std::vector<int> expected_counts(bins, 0);
    for (const int value : values) ++expected_counts[value / (1008 / bins)];
    fail_unless(counts.values() == expected_counts, "histogram", n);

    run([&](void* storage, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(storage, bytes, in.get(), out.get(), n, 0, 10);
    });
    expected = values;
    std::sort(expected.begin(), expected.end());
    fail_unless(out.values() == expected, "sort", n);
}

}  // namespace

int main() {
    for (const int n : {0, 1, 31, 33, 1000, 100003}) check_size(n);
}
