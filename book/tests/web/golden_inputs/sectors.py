"""Calls of `sectors`: bytes a lane, mask of active lanes, 32 addresses."""

ALL = 0xFFFFFFFF


def strided(count: int, offset: int, stride: int) -> list[float]:
    """Addresses of lanes whose elements of `count` bytes lie `stride` elements apart."""
    return [count * (offset + stride * lane) for lane in range(32)]


CALLS: list[list[float]] = [
    *([size, ALL, *strided(size, offset, 1)] for size in (1, 2, 4, 8, 16, 32) for offset in (0, 1, 8)),
    *([size, ALL, *strided(size, 0, stride)] for size in (1, 4, 16) for stride in (0, 2, 33)),
    *([4, mask, *strided(4, 3, 2)] for mask in (0, 1, 0x80000000, 0x0000FFFF, 0x55555555, ALL)),
    [4, ALL, *(4 * (lane * 5 % 32) for lane in range(32))],
    [8, ALL, *(2**52 - 8 * lane for lane in range(32))],
    # Refused.
    [3, ALL, *strided(4, 0, 1)],
    [4, -1, *strided(4, 0, 1)],
    [4, 2**32, *strided(4, 0, 1)],
    [4, ALL, *strided(2, 0, 1)],
    [4, ALL, 0.5, *strided(4, 0, 1)[1:]],
    [4, ALL, float("nan"), *strided(4, 0, 1)[1:]],
    [4, ALL, 0],
    [4, ALL, *strided(4, 0, 1), 0],
    [],
]
