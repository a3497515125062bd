"""Calls of `loop`: mask of active lanes, instructions of a turn, turns of each lane."""

CALLS: list[list[float]] = [
    *(
        [active, body, *(lane * lane % 11 for lane in range(32))]
        for active in (0, 1, 0xFFFF, 0xFFFFFFFF)
        for body in (1, 4)
    ),
    [0xFFFFFFFF, 2, *([0] * 32)],
    # Refused.
    [0xFFFFFFFF, 0, *([1] * 32)],
    [0xFFFFFFFF, 1, *([1] * 31)],
]
