/// @file
/// @brief The special registers of the PTX ISA.
#include "ptx_operand.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace lanes::emulator::ptx {

namespace {

constexpr std::array<std::string_view, 44> special_registers{"%tid",
                                                             "%ntid",
                                                             "%laneid",
                                                             "%warpid",
                                                             "%nwarpid",
                                                             "%ctaid",
                                                             "%nctaid",
                                                             "%smid",
                                                             "%nsmid",
                                                             "%gridid",
                                                             "%is_explicit_cluster",
                                                             "%clusterid",
                                                             "%nclusterid",
                                                             "%cluster_ctaid",
                                                             "%cluster_nctaid",
                                                             "%cluster_ctarank",
                                                             "%cluster_nctarank",
                                                             "%lanemask_eq",
                                                             "%lanemask_le",
                                                             "%lanemask_lt",
                                                             "%lanemask_ge",
                                                             "%lanemask_gt",
                                                             "%clock",
                                                             "%clock_hi",
                                                             "%clock64",
                                                             "%globaltimer",
                                                             "%globaltimer_lo",
                                                             "%globaltimer_hi",
                                                             "%reserved_smem_offset_begin",
                                                             "%reserved_smem_offset_end",
                                                             "%reserved_smem_offset_cap",
                                                             "%reserved_smem_offset_0",
                                                             "%reserved_smem_offset_1",
                                                             "%total_smem_size",
                                                             "%aggr_smem_size",
                                                             "%dynamic_smem_size",
                                                             "%current_graph_exec",
                                                             "%pm0_64",
                                                             "%pm1_64",
                                                             "%pm2_64",
                                                             "%pm3_64",
                                                             "%pm4_64",
                                                             "%pm5_64",
                                                             "%pm6_64"};

/// "%envreg12" for prefix "%envreg" and limit 32.
bool is_numbered(std::string_view name, std::string_view prefix, unsigned limit) {
    if (name.substr(0, prefix.size()) != prefix) return false;
    const std::string_view digits = name.substr(prefix.size());
    if (digits.empty() || digits.size() > 2) return false;
    unsigned number = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') return false;
        number = number * 10 + static_cast<unsigned>(c - '0');
    }
    return number < limit;
}

constexpr std::array<std::string_view, 8> vector_registers{
    "%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};

}  // namespace

bool is_vector_special_register(std::string_view name) {
    return std::find(vector_registers.begin(), vector_registers.end(), name) != vector_registers.end();
}

bool is_special_register(std::string_view name) {
    return std::find(special_registers.begin(), special_registers.end(), name) != special_registers.end() ||
           name == "%pm7_64" || is_numbered(name, "%envreg", 32) || is_numbered(name, "%pm", 8);
}

}  // namespace lanes::emulator::ptx
