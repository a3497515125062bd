// Structures with padding, and vectors of which one element is not used: bytes that nobody has set are loaded, and
// nothing comes of them.
#include "../faults/fault_program.cuh"

namespace {

constexpr int count = 64;

struct Tagged {
    char tag;
    int value;
};

struct alignas(16) Point {
    float x, y, z;
};

__global__ void fill(Tagged* tagged, Point* points, float4* vectors) {
    const int t = threadIdx.x;
    tagged[t].tag = static_cast<char>(t);
    tagged[t].value = t;
    points[t] = {1.0f, 2.0f, 3.0f};
    vectors[t].x = 1.0f;
    vectors[t].y = 2.0f;
    vectors[t].z = 3.0f;
}

__global__ void copy_from_device(const Tagged* tagged, const Point* points, Tagged* tagged_out, Point* points_out) {
    const int t = threadIdx.x;
    tagged_out[t] = tagged[count - 1 - t];
    points_out[t] = points[count - 1 - t];
}

__global__ void copy_from_shared(Tagged* tagged_out, Point* points_out) {
    __shared__ Tagged tagged[count];
    __shared__ Point points[count];
    const int t = threadIdx.x;
    tagged[t].tag = static_cast<char>(t);
    tagged[t].value = t;
    points[t].x = 1.0f;
    points[t].y = 2.0f;
    points[t].z = 3.0f;
    __syncthreads();
    tagged_out[t] = tagged[count - 1 - t];
    points_out[t] = points[count - 1 - t];
}

__global__ void add_three(const float4* vectors, float* out) {
    const float4 vector = vectors[threadIdx.x];
    out[threadIdx.x] = vector.x + vector.y + vector.z;
}

template <typename T>
T* allocate() {
    T* data = nullptr;
    require(cudaMalloc(&data, count * sizeof(T)));
    return data;
}

}  // namespace

int main() {
    auto* const tagged = allocate<Tagged>();
    auto* const tagged_out = allocate<Tagged>();
    auto* const points = allocate<Point>();
    auto* const points_out = allocate<Point>();
    auto* const vectors = allocate<float4>();
    auto* const sums = allocate<float>();
    fill<<<1, count>>>(tagged, points, vectors);
    copy_from_device<<<1, count>>>(tagged, points, tagged_out, points_out);
    copy_from_shared<<<1, count>>>(tagged_out, points_out);
    add_three<<<1, count>>>(vectors, sums);
    finish();
    float sum = 0;
    require(cudaMemcpy(&sum, sums + count - 1, sizeof sum, cudaMemcpyDeviceToHost));
    require(cudaFree(tagged));
    require(cudaFree(tagged_out));
    require(cudaFree(points));
    require(cudaFree(points_out));
    require(cudaFree(vectors));
    require(cudaFree(sums));
    return sum == 6.0f ? 0 : 1;
}
