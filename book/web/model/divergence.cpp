/// @file
/// @brief Exports `branch` and `loop`: the instructions that a warp issues, one by one, and the lanes that are active.
#include <lanes/model/divergence.hpp>

#include "export.hpp"

#include <array>

namespace {

namespace model = lanes::model;

/// Longest arm, and most turns of a loop, that a picture shows.
constexpr std::uint32_t most = 1000;

void put_cost(lanes::web::Call& call, const model::IssueCount& cost) {
    call.put(static_cast<double>(cost.issues));
    call.put(static_cast<double>(cost.active_lanes));
    call.put(cost.lane_efficiency());
}

void put_instruction(lanes::web::Call& call, const model::IssuedInstruction& issued) {
    call.put(issued.part);
    call.put(static_cast<double>(issued.instruction));
    call.put(issued.lanes);
    call.put(model::lane_count(issued.lanes));
}

/// In: mask of the active lanes, mask of those for which the condition holds, instructions of the first and of the
/// second arm.
/// Out: instructions issued, active lanes summed over them, lane efficiency; then for each instruction its arm (0 or
/// 1), its number in the arm, the mask and the number of its active lanes.
void compute_branch(lanes::web::Call& call) {
    const model::LaneMask active = call.unsigned_integer("the mask of active lanes", 0, model::all_lanes);
    const model::LaneMask taken = call.unsigned_integer("the mask of the condition", 0, model::all_lanes);
    const std::uint64_t then_instructions = call.unsigned_integer("instructions of the first arm", 0, most);
    const std::uint64_t else_instructions = call.unsigned_integer("instructions of the second arm", 0, most);
    put_cost(call, model::branch_cost(active, taken, then_instructions, else_instructions));
    model::replay_branch(active, taken, then_instructions, else_instructions,
                         [&](const model::IssuedInstruction& issued) { put_instruction(call, issued); });
}

/// In: mask of the active lanes, instructions of a turn, turns of each of the 32 lanes.
/// Out: as `branch`, with the turn, from 0, in place of the arm.
void compute_loop(lanes::web::Call& call) {
    const model::LaneMask active = call.unsigned_integer("the mask of active lanes", 0, model::all_lanes);
    const std::uint64_t body_instructions = call.unsigned_integer("instructions of a turn", 1, most);
    std::array<std::uint32_t, model::warp_size> trips{};
    for (std::uint32_t& turns : trips) turns = call.unsigned_integer("the turns of a lane", 0, most);
    put_cost(call, model::loop_cost(trips, body_instructions, active));
    model::replay_loop(trips, body_instructions, active,
                       [&](const model::IssuedInstruction& issued) { put_instruction(call, issued); });
}

}  // namespace

LANES_WEB_EXPORT(branch, compute_branch)
LANES_WEB_EXPORT(loop, compute_loop)
