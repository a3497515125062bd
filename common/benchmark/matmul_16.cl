// The product of kernels.cu's matmul_16, for oclgrind.
kernel void matmul_16(global float* c, global const float* a, global const float* b, int n) {
    local float as[16][16];
    local float bs[16][16];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int row = get_group_id(1) * 16 + y;
    const int column = get_group_id(0) * 16 + x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        as[y][x] = a[row * n + k + x];
        bs[y][x] = b[(k + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
