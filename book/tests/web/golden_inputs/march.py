"""Calls of `march`: M, N, K, the tile's width, steps that are done."""

CALLS: list[list[float]] = [
    *([8, 8, 8, 4, done] for done in range(9)),
    *([m, n, k, tile, 1] for m in (1, 5, 12) for n in (3, 12) for k in (1, 7, 10) for tile in (1, 4, 8)),
    [10, 10, 10, 4, 27],
    [64, 64, 64, 1, 262144],
    # Refused.
    [8, 8, 8, 4, 9],
    [0, 8, 8, 4, 0],
    [8, 8, 8, 65, 0],
    [8, 8, 8, 4, 0.5],
]
