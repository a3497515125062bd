// 49,153 bytes of dynamic shared memory, which a kernel gets only if it asks before.
// without a line: invalid_launch
#include "fault_program.cuh"

constexpr int bytes = 48 * 1024 + 1;

__global__ void fill(char* out) {
    extern __shared__ char values[];
    values[bytes - 1] = 1;
    *out = values[bytes - 1];
}

int main() {
    DeviceData<char> out(std::vector<char>(1));
#ifdef CORRECTED
    require(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
#endif
    fill<<<1, 1, bytes>>>(out.get());
    finish();
    return out.values()[0] == 1 ? 0 : 1;
}
