#include "check_session.hpp"

#include <algorithm>
#include <utility>

#include "position.hpp"

namespace lanes::emulator {

namespace {

bool watches(Checks checks) {
    return checks.has(Check::race_shared) || checks.has(Check::race_global) || checks.has(Check::uninitialized_read);
}

}  // namespace

CheckSession::CheckSession(LaunchState& launch)
    : launch_(launch), global_{launch.memory.regions(), launch.memory, launch.program, launch.config.checks} {
    const bool fits = launch.program.lines.size() <= GlobalRecord::last_line;
    const bool wanted = launch.config.checks.has(Check::race_global);
    global_.records_times = wanted && fits && launch.memory.regions().begin_launch(global_.first_time);
}

CheckSession::~CheckSession() {
    if (!global_.records_times) return;
    Time last = global_.first_time;
    for (const auto& observer : observers_) last = std::max(last, observer->last_time());
    launch_.memory.regions().end_launch(std::min(last, GlobalRecord::last_time) + 1);
}

Observer* CheckSession::watch(const Block& block, std::uint32_t warps) {
    if (!watches(launch_.config.checks)) return nullptr;
    const Lock lock(mutex_);
    const auto worker = static_cast<std::uint32_t>(observers_.size());
    observers_.push_back(std::make_unique<CheckObserver>(global_, block, warps, worker));
    return observers_.back().get();
}

void CheckSession::resolve(Party& party) const {
    if (!party.block_unknown) return;
    party.block = observers_[party.worker]->block_at(party.time);
    party.block_unknown = false;
}

void CheckSession::report() {
    Findings findings;
    for (const auto& observer : observers_) findings.merge(observer->findings());
    const std::uint64_t failed = launch_.failed_block.load();
    for (Finding& finding : findings.all()) {
        resolve(finding.other);
        if (finding.other.block > failed) continue;  // whether that block ran at all depends on chance
        launch_.faults.push_back(fault_of(finding, launch_));
    }
}

}  // namespace lanes::emulator
