"""Calls of `roofline`: peak, bandwidth, operations, bytes, seconds."""

CALLS: list[list[float]] = [
    *(
        [6.7e13, 4.8e12, flops, size, seconds]
        for flops in (1e9, 2.0 * 4096**3, 1 / 3)
        for size in (1e6, 3e9)
        for seconds in (1e-3, 0.7)
    ),
    # Refused.
    [0, 4.8e12, 1e9, 1e6, 1e-3],
    [6.7e13, 4.8e12, 1e9, 1e6, float("nan")],
    [6.7e13, 4.8e12, 1e9, 1e31, 1],
]
