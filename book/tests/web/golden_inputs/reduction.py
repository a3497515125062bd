"""Calls of `reduction`: scheme, threads of the block."""

CALLS: list[list[float]] = [
    *([scheme, threads] for scheme in (0, 1, 2) for threads in (32, 64, 256, 1024)),
    # Refused.
    [3, 256],
    [0, 100],
    [0],
]
