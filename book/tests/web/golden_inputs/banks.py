"""Calls of `banks`: banks, bytes a lane, the tile's width, its pitch, down or across, swizzled or not."""

CALLS: list[list[float]] = [
    *(
        [32, size, width, width + pad, down, swizzled]
        for size in (4, 8, 16)
        for width in (8, 16, 32)
        for pad in (0, 1, 4)
        for down in (0, 1)
        for swizzled in (0, 1)
    ),
    *([8, 4, 8, pitch, down, swizzled] for pitch in (8, 9) for down in (0, 1) for swizzled in (0, 1)),
    # Refused.
    [16, 4, 32, 32, 0, 0],
    [8, 8, 8, 8, 0, 0],
    [32, 4, 32, 31, 0, 0],
    [32, 4, 32, 32, 0, 0.5],
    [32, 4, 32],
]
