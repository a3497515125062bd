"""Names of counts: short ones for keys and column heads, and Nsight Compute's; and what the book makes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .errors import BookError, nearest

NSIGHT_NAMES = {
    "global_ld_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
    "global_ld_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
    "global_st_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st",
    "global_st_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
    "shared_ld_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
    "shared_st_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
    "shared_ld_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
    "shared_st_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
    "inst_executed": "smsp__inst_executed",
    "thread_inst_executed": "smsp__thread_inst_executed",
}


def nsight_name(name: str) -> str:
    """Nsight Compute's name for a short one; any other name is returned as it is."""
    return NSIGHT_NAMES.get(name, name)


@dataclass(frozen=True)
class Measure:
    """What a table, a plot or the margin of a listing shows: a sum of counters, divided by another if there is one.

    `head` is short, for the margin of a listing; `title` stands over a column of a table and beside an axis.
    """

    head: str
    title: str
    numerators: tuple[str, ...]
    denominators: tuple[str, ...] = ()

    def value(self, counter: Callable[[str], float]) -> float | None:
        """The value, given what a counter of Nsight Compute's name says. None if there is nothing to divide by."""
        numerator = sum(counter(nsight_name(name)) for name in self.numerators)
        if not self.denominators:
            return numerator
        denominator = sum(counter(nsight_name(name)) for name in self.denominators)
        return numerator / denominator if denominator else None


MEASURES = {
    "requests": Measure("requests", "Requests", ("global_ld_requests", "global_st_requests")),
    "sectors": Measure("sectors", "Sectors", ("global_ld_sectors", "global_st_sectors")),
    "load_requests": Measure("loads", "Load requests", ("global_ld_requests",)),
    "load_sectors": Measure("sectors", "Sectors loaded", ("global_ld_sectors",)),
    "store_requests": Measure("stores", "Store requests", ("global_st_requests",)),
    "store_sectors": Measure("sectors", "Sectors stored", ("global_st_sectors",)),
    "sectors_per_load": Measure(
        "sectors / load", "Sectors a load request", ("global_ld_sectors",), ("global_ld_requests",)
    ),
    "sectors_per_store": Measure(
        "sectors / store", "Sectors a store request", ("global_st_sectors",), ("global_st_requests",)
    ),
    "load_wavefronts": Measure("load wavefronts", "Shared load wavefronts", ("shared_ld_wavefronts",)),
    "store_wavefronts": Measure("store wavefronts", "Shared store wavefronts", ("shared_st_wavefronts",)),
    "wavefronts": Measure("wavefronts", "Shared wavefronts", ("shared_ld_wavefronts", "shared_st_wavefronts")),
    "load_conflicts": Measure("load conflicts", "Shared load conflicts", ("shared_ld_conflicts",)),
    "store_conflicts": Measure("store conflicts", "Shared store conflicts", ("shared_st_conflicts",)),
    "conflicts": Measure("conflicts", "Bank conflicts", ("shared_ld_conflicts", "shared_st_conflicts")),
    "instructions": Measure("instructions", "Warp instructions", ("inst_executed",)),
    "lanes": Measure("lanes", "Active lanes", ("thread_inst_executed",), ("inst_executed",)),
}


def measure_named(name: str) -> Measure:
    """The measure that a page asks for."""
    if name not in MEASURES:
        raise BookError(f"no measure '{name}'{nearest(name, MEASURES)}; there are: {', '.join(MEASURES)}")
    return MEASURES[name]
