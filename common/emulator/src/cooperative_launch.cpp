#include "cooperative_launch.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <utility>

#include "block_runner.hpp"
#include "interpret.hpp"

namespace lanes::emulator {

namespace {

/// What nvcc's cooperative groups know of it: a size, and behind it the word that counts arrivals at grid.sync(). The
/// rest is for grids of several devices.
constexpr std::uint64_t workspace_bytes = 64;

/// Rounds of turns without a write to memory after which blocks that only look at memory wait for nothing. A turn of a
/// loop that looks is 64 looks.
constexpr std::uint64_t patient_rounds = 20'000;

/// Notices that something was written where others could see it.
class WriteWatch final : public Observer {
public:
    void on_access(const Access& access) override { wrote_ = wrote_ || access.writes; }
    void on_block_barrier(Block&, const BlockBarrier&, std::uint32_t) override { wrote_ = true; }
    void on_warp_barrier(Warp&, LaneMask) override {}
    /// Whether there was a write, or threads met, since the last question.
    bool take() { return std::exchange(wrote_, false); }

private:
    bool wrote_ = false;
};

/// The grid's blocks, all at once.
class ResidentBlocks {
public:
    ResidentBlocks(LaunchState& launch, OperationCounters& counters) : launch_(launch) {
        for (std::uint64_t number = 0; number < launch.config.grid.count(); ++number) {
            BlockRunner& runner = runners_.emplace_back(launch, counters);
            runner.block().observers.push_back(&watch_);
            runner.start(number);
        }
        left_ = runners_.size();
        rounds_allowed_ = patient_rounds;
        // A round of a random schedule is one turn of a block and not one of each of its warps.
        if (!launch.config.schedule.lockstep) rounds_allowed_ *= runners_.front().block().warps.size();
    }

    void run() {
        std::uint64_t quiet_rounds = 0;
        while (left_ != 0 && launch_.failed_block.load() == no_block) {
            const bool changed = take_round();
            quiet_rounds = changed ? 0 : quiet_rounds + 1;
            if (left_ == 0 || launch_.failed_block.load() != no_block) return;
            if (!going_) return report_deadlock(first_left());
            if (quiet_rounds > rounds_allowed_) return report_spinning(first_left());
        }
    }

private:
    static constexpr std::uint64_t no_block = ~std::uint64_t{0};

    /// A turn for each block that has not finished.
    /// @return whether memory changed, or a block finished
    bool take_round() {
        going_ = false;
        const std::size_t before = left_;
        left_ = 0;
        for (BlockRunner& runner : runners_) {
            const BlockProgress progress = runner.advance();
            going_ = going_ || progress == BlockProgress::going;
            if (progress != BlockProgress::finished) ++left_;
            if (launch_.failed_block.load() != no_block) return true;
        }
        return watch_.take() || left_ != before;
    }

    static bool lives(const RunningWarp& warp) { return warp.live != 0; }

    RunningBlock& first_left() {
        const auto has_threads = [](BlockRunner& runner) {
            const auto& warps = runner.block().warps;
            return std::any_of(warps.begin(), warps.end(), lives);
        };
        return std::find_if(runners_.begin(), runners_.end(), has_threads)->block();
    }

    /// A warp that can go on but finds memory always the same.
    void report_spinning(RunningBlock& block) {
        for (RunningWarp& warp : block.warps) {
            for (const Group& group : warp.control.groups()) {
                if (group.state != GroupState::runnable) continue;
                const std::size_t ended = runners_.size() - left_;
                raise(warp, launch_.program.operations[group.pc], static_cast<unsigned>(std::countr_zero(group.mask)),
                      FaultKind::deadlock, Severity::error,
                      "the thread waits for memory to change, and nothing writes any more: " + std::to_string(ended) +
                          " of " + std::to_string(runners_.size()) +
                          " blocks have ended, and a grid.sync() needs all of them");
                return;
            }
        }
        report_deadlock(block);
    }

    LaunchState& launch_;
    WriteWatch watch_;
    std::deque<BlockRunner> runners_;
    std::size_t left_ = 0;
    bool going_ = false;
    std::uint64_t rounds_allowed_ = 0;
};

}  // namespace

std::string run_together(LaunchState& launch, OperationCounters& counters) {
    const Result<std::uint64_t> workspace = launch.memory.allocate(workspace_bytes, "the grid's workspace");
    if (!workspace) return "no room for what a cooperative launch needs: " + workspace.error().message;
    std::memset(reinterpret_cast<void*>(*workspace), 0, workspace_bytes);
    launch.workspace = *workspace;
    counters.resize(launch.program.operations.size());
    ResidentBlocks(launch, counters).run();
    launch.memory.release(*workspace);
    return {};
}

}  // namespace lanes::emulator
