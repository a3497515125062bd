/// Copies one float.
// [copy]
__global__ void copy(const float* in, float* out) {
    // [body]
    *out = *in;
    // [/body]
}
// [/copy]
