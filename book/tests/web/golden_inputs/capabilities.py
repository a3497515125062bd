"""Calls of `capabilities`, which takes nothing."""

CALLS: list[list[float]] = [
    [],
    # Refused.
    [1],
]
