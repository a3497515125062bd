// A source for the tests of the book's extensions. It is never compiled.

// [copy]
__global__ void copy(const float* in, float* out, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // [move]
    float value = in[i + offset];
    out[i] = value;
    // [/move]
}
// [/copy]

// [other]
__global__ void other() {}
// [/other]
