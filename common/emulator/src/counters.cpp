#include <lanes/emulator/counters.hpp>

namespace lanes::emulator {

namespace {

constexpr std::array<CounterInfo, counter_count> all_counters{{
    {"smsp__inst_executed", "warp instructions executed", Exactness::ptx_level},
    {"smsp__thread_inst_executed", "active lanes, summed over warp instructions", Exactness::ptx_level},
    {"smsp__thread_inst_executed_pred_on", "active lanes that were not predicated off, summed over warp instructions",
     Exactness::ptx_level},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", "requests of global loads", Exactness::exact},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", "32-byte sectors requested by global loads", Exactness::exact},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_ideal",
     "sectors that global loads would need if the same bytes lay side by side", Exactness::exact},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st", "requests of global stores", Exactness::exact},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", "32-byte sectors written by global stores", Exactness::exact},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st_ideal",
     "sectors that global stores would need if the same bytes lay side by side", Exactness::exact},
    {"smsp__inst_executed_op_shared_ld", "warp instructions that load from shared memory", Exactness::ptx_level},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", "wavefronts of shared loads", Exactness::exact},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld_ideal", "wavefronts of shared loads without bank conflicts",
     Exactness::exact},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", "wavefronts that bank conflicts add to shared loads",
     Exactness::exact},
    {"smsp__inst_executed_op_shared_st", "warp instructions that store to shared memory", Exactness::ptx_level},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", "wavefronts of shared stores", Exactness::exact},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st_ideal", "wavefronts of shared stores without bank conflicts",
     Exactness::exact},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st", "wavefronts that bank conflicts add to shared stores",
     Exactness::exact},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom", "requests of atomics and reductions on global memory",
     Exactness::ptx_level},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom", "32-byte sectors of atomics and reductions on global memory",
     Exactness::ptx_level},
    {"smsp__inst_executed_op_shared_atom", "warp instructions that are atomics on shared memory", Exactness::ptx_level},
    {"smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ldgsts",
     "requests of cp.async, which are global loads as well", Exactness::exact},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts",
     "32-byte sectors requested by cp.async; .cg copies that are not side by side request more on hardware",
     Exactness::ptx_level},
    {"smsp__sass_branch_targets_threads_divergent", "branches at which active lanes chose different targets",
     Exactness::ptx_level},
    {"smsp__sass_branch_targets_threads_uniform", "branches at which all active lanes chose the same target",
     Exactness::ptx_level},
    {"smsp__inst_executed_op_barrier", "warps arriving at a barrier of the block", Exactness::ptx_level},
}};

}  // namespace

const CounterInfo& info(Counter counter) {
    return all_counters[static_cast<std::size_t>(counter)];
}

}  // namespace lanes::emulator
