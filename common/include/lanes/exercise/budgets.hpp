/// @file
/// @brief The budgets of exercises by name, in Nsight Compute's counters.
#pragma once

#include "lanes/exercise/exercise.hpp"

/// The usual budgets. `most` is the largest value that passes.
namespace lanes::budgets {

/// Sectors that a request to load from global memory moves, on average.
inline Budget sectors_per_load(double most = 0) {
    return {"sectors a load request",
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld"},
            "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
            most};
}

/// Sectors that a request to store to global memory moves, on average.
inline Budget sectors_per_store(double most = 0) {
    return {"sectors a store request",
            {"l1tex__t_sectors_pipe_lsu_mem_global_op_st"},
            "l1tex__t_requests_pipe_lsu_mem_global_op_st",
            most};
}

/// Sectors of all loads from global memory.
inline Budget load_sectors(double most) {
    return {"sectors loaded from global memory", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld"}, "", most};
}

/// Requests of all loads from global memory.
inline Budget load_requests(double most) {
    return {"requests to load from global memory", {"l1tex__t_requests_pipe_lsu_mem_global_op_ld"}, "", most};
}

/// Wavefronts that a load from shared memory takes, on average.
inline Budget wavefronts_per_shared_load(double most = 0) {
    return {"wavefronts a load from shared memory",
            {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"},
            "smsp__inst_executed_op_shared_ld",
            most};
}

/// Wavefronts of all loads from shared memory.
inline Budget shared_load_wavefronts(double most) {
    return {"wavefronts of loads from shared memory", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"}, "", most};
}

/// Bank conflicts of loads and stores, in wavefronts beyond the ideal.
inline Budget bank_conflicts(double most = 0) {
    return {"bank conflicts",
            {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st"},
            "",
            most};
}

/// Wavefronts of all stores to shared memory.
inline Budget shared_store_wavefronts(double most = 0) {
    return {"wavefronts of stores to shared memory", {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"}, "", most};
}

/// Requests of all atomic operations on global memory.
inline Budget atomic_requests(double most = 0) {
    return {"requests of atomics on global memory", {"l1tex__t_requests_pipe_lsu_mem_global_op_atom"}, "", most};
}

/// Branches at which the active lanes of a warp chose different ways.
inline Budget divergent_branches(double most = 0) {
    return {"divergent branches", {"smsp__sass_branch_targets_threads_divergent"}, "", most};
}

/// Instructions that warps executed.
inline Budget warp_instructions(double most = 0) {
    return {"instructions of warps", {"smsp__inst_executed"}, "", most};
}

/// Warps that arrive at a barrier, added up over the launch.
inline Budget barrier_arrivals(double most = 0) {
    return {"arrivals of warps at barriers", {"smsp__inst_executed_op_barrier"}, "", most};
}

}  // namespace lanes::budgets
