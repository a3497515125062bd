// Exercise 4.1: how many blocks fit. See README.md here, then: lanes check 41_resident
//
// Fill in the constants: how many blocks are resident on one multiprocessor? One of compute capability 8.9 has places
// for 48 warps and 24 blocks, one of 9.0 for 64 warps and 32 blocks. Both have 65,536 registers. For shared memory 8.9
// has 100 KiB. A block uses no shared memory if nothing is said about it.

/// On 8.9: blocks of 256 threads with 32 registers a thread.
__constant__ int threads_256 = -1;

/// On 8.9: blocks of 65 threads with 32 registers a thread.
__constant__ int threads_65 = -1;

/// On 8.9: blocks of 256 threads with 41 registers a thread.
__constant__ int registers_41 = -1;

/// On 8.9: blocks of 128 threads with 32 registers a thread and 16 KiB of shared memory.
__constant__ int shared_16_kib = -1;

/// On 9.0: blocks of 1024 threads with 33 registers a thread.
__constant__ int threads_1024 = -1;
