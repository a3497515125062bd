"""Calls of `occupancy`: capability, threads, registers, shared memory, most of it opted in to, carve-out."""

CAPABILITIES = [(7, 5), (8, 0), (8, 6), (8, 7), (8, 9), (9, 0), (10, 0), (10, 3), (11, 0), (12, 0), (12, 1)]

CALLS: list[list[float]] = [
    *(
        [*capability, threads, registers, shared, -1, -1]
        for capability in CAPABILITIES
        for threads, registers, shared in ((32, 16, 0), (256, 37, 4096), (1000, 64, 20000), (1024, 255, 49152))
    ),
    *(
        [8, 9, 256, 32, shared, opted, carve_out]
        for shared, opted in ((40000, 0), (90000, 101376))
        for carve_out in (-1, 0, 50, 100)
    ),
    # Refused.
    [8, 8, 256, 32, 0, -1, -1],
    [8, 9, 0, 32, 0, -1, -1],
    [8, 9, 256, 256, 0, -1, -1],
    [8, 9, 256, 32],
]
