// [copy]
__global__ void copy(const float* in, float* out) {
}
