// Exercise 1.4: a negative in few requests. See README.md here, then: lanes check 14_invert

/// How many bytes a thread works on. The launch has a thread for each so many bytes, rounded up.
// [solution]
__constant__ int bytes_a_thread = 16;
// [skeleton]
//| __constant__ int bytes_a_thread = 1;
// [/solution]

/// The negative of a picture: out[i] = 255 - in[i].
///
/// in, out: `count` bytes, both aligned to 256. Launch: 1-D, blocks of 128 threads, see bytes_a_thread.
__global__ void invert(const unsigned char* in, unsigned char* out, unsigned count) {
    // [solution]
    const unsigned first = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (first + 16 <= count) {
        uint4 pixels = *reinterpret_cast<const uint4*>(in + first);
        pixels = {~pixels.x, ~pixels.y, ~pixels.z, ~pixels.w};
        *reinterpret_cast<uint4*>(out + first) = pixels;
    } else {
        for (unsigned i = first; i < count; ++i) out[i] = 255 - in[i];
    }
    // [skeleton]
    //|     const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    //|     if (i < count) out[i] = 255 - in[i];
    // [/solution]
}
