/// @file
/// @brief The counters that this book predicts, by the base names of Nsight Compute.
#pragma once

/// Counters by the short names that the book cites them by.
namespace lanes::counters {

/// Warp instructions that loaded from global memory.
inline constexpr const char* global_ld_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld";
/// 32-byte sectors that those touched.
inline constexpr const char* global_ld_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld";
/// Warp instructions that stored to global memory.
inline constexpr const char* global_st_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st";
/// 32-byte sectors that those touched.
inline constexpr const char* global_st_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st";
/// Wavefronts of loads from shared memory.
inline constexpr const char* shared_ld_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld";
/// Wavefronts of those loads beyond the ideal.
inline constexpr const char* shared_ld_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld";
/// Wavefronts of stores to shared memory.
inline constexpr const char* shared_st_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st";
/// Wavefronts of those stores beyond the ideal.
inline constexpr const char* shared_st_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st";

}  // namespace lanes::counters
