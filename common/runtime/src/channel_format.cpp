// cudaCreateChannelDesc: the one call about arrays that cannot fail, and so cannot say that it is not supported.
#include "call.hpp"

#include <cuda_runtime_api.h>

LANES_EXPORT cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
