#include "block_runner.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "align.hpp"
#include "check_session.hpp"
#include "fill_unset.hpp"
#include "interpret.hpp"
#include "position.hpp"

namespace lanes::emulator {

namespace {

constexpr std::uint32_t line_bytes = 64;

std::uint32_t warps_of(const LaunchState& launch) {
    return static_cast<std::uint32_t>((launch.config.block.count() + warp_size - 1) / warp_size);
}

std::size_t register_stride(const Program& program) {
    return align_up(program.register_bytes, line_bytes);
}

void fill_constants(const Program& program, Warp& warp) {
    for (const ConstantRow& constant : program.constants) {
        switch (constant.width) {
            case 2:
                std::fill_n(warp.row<std::uint16_t>(constant.slot), warp_size,
                            static_cast<std::uint16_t>(constant.bits));
                break;
            case 4:
                std::fill_n(warp.row<std::uint32_t>(constant.slot), warp_size,
                            static_cast<std::uint32_t>(constant.bits));
                break;
            case 8:
                std::fill_n(warp.row<std::uint64_t>(constant.slot), warp_size, constant.bits);
                break;
            default:
                warp.predicate(constant.slot) = constant.bits != 0 ? all_lanes : 0;
                break;
        }
    }
}

/// Registers that a program reads unset are 0, so that its results are the same in every run.
void clear_unset(const Program& program, Warp& warp) {
    for (const RegisterRow& row : program.unset_rows) {
        const std::size_t bytes = row.width == 0 ? sizeof(LaneMask) : std::size_t{row.width} * warp_size;
        std::memset(warp.registers + row.slot, 0, bytes);
    }
}

/// What the system keeps lies behind all that is the program's, where eight bytes are aligned.
std::uint32_t shared_bytes_of(const LaunchState& launch) {
    const std::uint32_t own = launch.program.dynamic_shared_offset + launch.config.dynamic_shared_bytes;
    const std::uint32_t reserved = launch.program.reserved_shared_bytes;
    return reserved == 0 ? own : align_up(own, 8U) + reserved;
}

}  // namespace

AlignedBytes::AlignedBytes(std::size_t bytes)
    : bytes_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{line_bytes}))) {}

void AlignedBytes::Free::operator()(std::byte* bytes) const {
    ::operator delete (bytes, std::align_val_t{line_bytes});
}

BlockRunner::BlockRunner(LaunchState& launch, OperationCounters& counters)
    : launch_(launch),
      specials_(launch.program),
      shared_bytes_(shared_bytes_of(launch)),
      local_stride_(align_up(launch.program.local_bytes + launch.program.stack_bytes, line_bytes)),
      registers_(warps_of(launch) * register_stride(launch.program)),
      shared_(shared_bytes_),
      local_(warps_of(launch) * warp_size * local_stride_) {
    const std::uint32_t warps = warps_of(launch);
    std::memset(registers_.data(), 0, warps * register_stride(launch.program));
    block_.launch = &launch;
    block_.shared = shared_.data();
    block_.shared_bytes = shared_bytes_;
    block_.counters = &counters;
    block_.threads = static_cast<std::uint32_t>(launch.config.block.count());
    block_.budget = launch.config.instruction_budget / warp_size;
    block_.warps.resize(warps);
    for (std::uint32_t i = 0; i < warps; ++i) prepare_warp(i);
    Observer* const checks = launch.checks->watch(block_, warps);
    if (checks != nullptr) block_.observers.push_back(checks);
}

void BlockRunner::prepare_warp(std::uint32_t index) {
    RunningWarp& warp = block_.warps[index];
    warp.registers = registers_.data() + index * register_stride(launch_.program);
    warp.block = &block_;
    warp.index = index;
    warp.local = local_.data() + index * warp_size * local_stride_;
    warp.local_stride = local_stride_;
    warp.local_bytes = launch_.program.local_bytes + launch_.program.stack_bytes;
    fill_constants(launch_.program, warp);
    specials_.fill_constant(warp);
}

/// Frames on the stacks of recursive functions are filled by the calls.
void BlockRunner::fill_frames() {
    const std::uint32_t bytes = launch_.program.local_bytes;
    if (bytes == 0) return;
    const std::size_t threads = block_.warps.size() * warp_size;
    for (std::size_t thread = 0; thread < threads; ++thread) fill_unset(local_.data() + thread * local_stride_, bytes);
}

void BlockRunner::start(std::uint64_t number) {
    block_.number = number;
    block_.index = position_in(launch_.config.grid, number);
    block_.stopped = false;
    block_.barriers = {};
    block_.first_exit = nullptr;
    block_.exited_threads = 0;
    block_.warned_of_exit = false;
    block_.warned_of_lines = false;
    block_.random = Random(launch_.config.schedule.seed ^ (number * 0x9e3779b97f4a7c15ull));
    fill_unset(shared_.data(), shared_bytes_);
    const std::uint32_t reserved = launch_.program.reserved_shared_bytes;
    std::memset(shared_.data() + (shared_bytes_ - reserved), 0, reserved);
    fill_frames();
    for (Observer* observer : block_.observers) observer->on_block_start(block_);
    const std::uint64_t threads = launch_.config.block.count();
    for (RunningWarp& warp : block_.warps) {
        const std::uint64_t left = threads - std::uint64_t{warp.index} * warp_size;
        warp.live = left >= warp_size ? all_lanes : (LaneMask{1} << left) - 1;
        warp.control.start(warp.live, launch_.program.functions[0].begin);
        warp.activations.clear();
        warp.free_activations.clear();
        warp.stack_used = {};
        warp.issued = 0;
        warp.patience = initial_patience;
        warp.async_copies.reset();
        specials_.fill_for_block(warp);
        clear_unset(launch_.program, warp);
    }
}

/// Every warp in turn, each as far as it can go.
/// @return false if none could do anything
bool BlockRunner::take_turns_in_order() {
    bool progress = false;
    for (RunningWarp& warp : block_.warps) {
        if (warp.live == 0 || block_.stopped) continue;
        const std::uint64_t issued = warp.issued;
        take_turn(block_, warp);
        progress = progress || warp.issued != issued || warp.live == 0;
    }
    return progress;
}

/// One turn of a warp that can go on, the first from a random place.
/// @return false if there is none
bool BlockRunner::take_random_turn() {
    const std::size_t count = block_.warps.size();
    const std::size_t begin = block_.random.below(count);
    for (std::size_t i = 0; i < count; ++i) {
        RunningWarp& warp = block_.warps[(begin + i) % count];
        if (warp.live == 0) continue;
        const std::uint64_t issued = warp.issued;
        take_turn(block_, warp);
        if (warp.issued != issued || block_.stopped) return true;
    }
    return false;
}

BlockProgress BlockRunner::advance() {
    const auto lives = [](const RunningWarp& warp) { return warp.live != 0; };
    if (std::none_of(block_.warps.begin(), block_.warps.end(), lives)) return BlockProgress::finished;
    const bool progress = launch_.config.schedule.lockstep ? take_turns_in_order() : take_random_turn();
    if (block_.stopped || launch_.failed_block.load() < block_.number) return BlockProgress::stopped;
    return progress ? BlockProgress::going : BlockProgress::waiting;
}

void BlockRunner::run(std::uint64_t number) {
    start(number);
    BlockProgress progress = BlockProgress::going;
    while (progress == BlockProgress::going) progress = advance();
    if (progress == BlockProgress::waiting) report_deadlock(block_);
}

}  // namespace lanes::emulator
