"""Calls of `shuffle_reduction`: threads of the block."""

CALLS: list[list[float]] = [
    *([threads] for threads in (32, 64, 128, 256, 512, 1024)),
    # Refused.
    [33],
    [256, 1],
]
