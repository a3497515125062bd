"""Calls of `march`: M, N, K, the tile's width, steps that are done."""

CALLS: list[list[float]] = [
    *(
        [m, n, k, tile, done]
        for m, n, k, tile in ((8, 8, 8, 4), (10, 7, 13, 4), (1, 1, 1, 1), (64, 64, 64, 16), (5, 64, 3, 8))
        for done in (0, 1, 8)
        if done <= -(-m // tile) * -(-n // tile) * -(-k // tile)
    ),
    # Refused.
    [0, 8, 8, 4, 0],
    [8, 8, 8, 65, 0],
    [8, 8, 8, 4, 9],
    [8, 8, 8, 4],
]
