// What nvcc turns into PTX that is awkward to read. The .ptx files beside this one were made from it by nvcc 13.0:
//   nvcc -std=c++17 -ptx -arch=sm_75 -lineinfo    constructs.cu -o constructs_lineinfo.ptx
//   nvcc -std=c++17 -ptx -arch=sm_90 -rdc=true    constructs.cu -o constructs_relocatable.ptx
//   nvcc -std=c++17 -ptx -arch=sm_89 -G           constructs.cu -o constructs_debug.ptx
#include <cassert>
#include <cstdio>

struct Particle {
    float position[3];
    double mass;
    char tag;
};

__constant__ float weights[2][3] = {{1.0f, 2.0f, 3.0f}, {4.0f}};
__device__ int counters[3] = {1, -2, 3};
__device__ int* second_counter = &counters[1];
__managed__ int generation = 7;

struct Shape {
    __device__ virtual float area() const = 0;
    float width;
};
struct Square : Shape {
    __device__ float area() const override { return width * width; }
};
struct Disc : Shape {
    __device__ float area() const override { return 3.14159f * width * width; }
};

__device__ __noinline__ int successor(int x) { return x + 1; }
__device__ __noinline__ int twice(int x) { return x * 2; }
__device__ int (*const operations[2])(int) = {successor, twice};

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ Particle moved(Particle particle, float distance) {
    particle.position[0] += distance;
    return particle;
}

__device__ float doubled(float x) { return x + x; }
__device__ float quadrupled(float x) { return doubled(doubled(x)); }

// Inlined calls, two deep; shared memory, fixed and dynamic; barriers that reduce.
__global__ void __launch_bounds__(128, 2) exchange(float* values, int* votes) {
    __shared__ float4 tile[128];
    extern __shared__ float scratch[];
    tile[threadIdx.x] = make_float4(values[threadIdx.x], 1.0f, 2.0f, 3.0f);
    scratch[threadIdx.x] = quadrupled(values[threadIdx.x]);
    votes[0] = __syncthreads_count(scratch[0] > 1.0f);
    votes[1] = __syncthreads_or(votes[2]);
    const float4 other = tile[threadIdx.x ^ 1];
    values[threadIdx.x] = other.x + other.w + weights[threadIdx.x & 1][2];
    votes[threadIdx.x] = __shfl_xor_sync(0xffffffffu, votes[threadIdx.x], 1);
}

// Calls: direct, recursive, indirect, virtual, variadic; structures by value.
__global__ void calls(Particle* particles, int* results, int n) {
    particles[0] = moved(particles[1], 0.5f);
    results[0] = fibonacci(n) + operations[n & 1](n) + *second_counter + generation;
    Square square;
    Disc disc;
    square.width = disc.width = 2.0f;
    const Shape* shape = n > 3 ? static_cast<const Shape*>(&square) : &disc;
    results[1] = static_cast<int>(shape->area());
    printf("%d of %d: %f\n", threadIdx.x, n, static_cast<double>(results[1]));
    assert(results[0] > 0);
}

// Branches: a switch, a lock, inline assembly with registers and labels of its own.
__global__ void branches(int* values, int* lock, int n) {
    switch (values[threadIdx.x]) {
        case 0: values[0] = 7; break;
        case 1: values[1] = n * 3; break;
        case 2: values[2] = n ^ 9; break;
        case 3: values[3] = n - 11; break;
        case 4: values[4] = n << 4; break;
        default: values[5] = 1;
    }
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    values[6] += 1;
    __threadfence();
    atomicExch(lock, 0);
    asm volatile(
        "{ .reg .u32 t1;\n .reg .pred p;\n setp.eq.u32 p, %0, 3;\n mov.u32 t1, 4;\n @!p bra skip;\n"
        " st.global.u32 [%1], t1;\nskip:\n}" ::"r"(n),
        "l"(values));
}
