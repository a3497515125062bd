"""Calls of `branch`: mask of active lanes, mask of the condition, instructions of both arms."""

CALLS: list[list[float]] = [
    *(
        [active, taken, then, other]
        for active in (0, 1, 0xFFFF, 0xFFFFFFFF)
        for taken in (0, 0x55555555, 0xFFFFFFFF)
        for then, other in ((3, 2), (0, 5))
    ),
    # Refused.
    [0xFFFFFFFF, 1, 1001, 2],
    [-1, 1, 3, 2],
    [1, 1, 3],
]
