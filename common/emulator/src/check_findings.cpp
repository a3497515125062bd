#include "check_findings.hpp"

#include <algorithm>
#include <utility>

#include "fault_text.hpp"
#include "position.hpp"
#include "source_name.hpp"

namespace lanes::emulator {

Findings::Key Findings::key_of(FaultKind kind, std::uint32_t line, std::uint32_t other_line) {
    return {kind, std::min(line, other_line), std::max(line, other_line)};
}

bool Findings::repeats(FaultKind kind, std::uint32_t line, std::uint32_t other_line) {
    const auto found = findings_.find(key_of(kind, line, other_line));
    if (found == findings_.end()) return false;
    ++found->second.occurrences;
    return true;
}

void Findings::add(Finding finding) {
    const Key key = key_of(finding.kind, finding.now.line, finding.other.line);
    findings_.emplace(key, std::move(finding));
}

void Findings::merge(const Findings& others) {
    for (const auto& [key, finding] : others.findings_) {
        const auto [known, added] = findings_.emplace(key, finding);
        if (added) continue;
        const std::uint64_t occurrences = known->second.occurrences + finding.occurrences;
        if (finding.now.block < known->second.now.block) known->second = finding;
        known->second.occurrences = occurrences;
    }
}

std::vector<Finding> Findings::all() const {
    std::vector<Finding> all;
    for (const auto& [key, finding] : findings_) all.push_back(finding);
    return all;
}

namespace {

std::string bytes_in(std::uint64_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string_view verb_of(Action action) {
    switch (action) {
        case Action::read:
            return "read";
        case Action::write:
            return "write";
        case Action::atomic:
            return "atomic update";
        case Action::copy:
            return "cp.async";
    }
    return "access";
}

/// What would have put the two in order.
std::string missing_order(const Finding& finding) {
    const Party& now = finding.now;
    const Party& other = finding.other;
    if (other.action == Action::copy) return "no wait for the copy between them";
    if (now.block != other.block) return "nothing orders the blocks of a launch";
    if (now.thread / warp_size == other.thread / warp_size) return "no barrier and no __syncwarp() between them";
    return "no barrier between them";
}

std::string race_text(const Finding& finding, const LaunchState& launch) {
    const Party& other = finding.other;
    const SourceLine& line = launch.program.lines[other.line];
    std::string text = std::string(verb_of(finding.now.action)) + " of " + finding.place + " races with the " +
                       std::string(verb_of(other.action));
    if (line.line != 0) text += " at " + text_of(line);
    text += " by ";
    if (finding.now.block != other.block)
        text += "block " + text_of(position_in(launch.config.grid, other.block)) + ", ";
    return text + "thread " + text_of(position_in(launch.config.block, other.thread)) + ": " + missing_order(finding);
}

std::string unset_text(const Finding& finding) {
    const std::string verb(verb_of(finding.now.action));
    const bool shared = finding.place.compare(0, 6, "shared") == 0;
    return verb + " of " + finding.place + ", which " +
           (shared ? "no thread of the block has written" : "neither the host nor a kernel has written");
}

}  // namespace

std::string shared_place(const Program& program, std::uint64_t offset) {
    const SharedVariable* holder = nullptr;
    for (const SharedVariable& variable : program.shared_variables)
        if (variable.offset <= offset && (holder == nullptr || variable.offset >= holder->offset)) holder = &variable;
    if (holder == nullptr) return "shared memory + " + bytes_in(offset);
    return "shared " + source_name(holder->name) + " + " + bytes_in(offset - holder->offset);
}

std::string global_place(const DeviceMemory& memory, std::uint64_t address) {
    const Allocation allocation = memory.find(address);
    const std::string offset = "byte " + std::to_string(address - allocation.address) + " of ";
    if (!allocation.name.empty()) return offset + "the variable " + allocation.name;
    return offset + "a " + std::to_string(allocation.bytes) + "-byte allocation";
}

Fault fault_of(const Finding& finding, const LaunchState& launch) {
    Fault fault;
    fault.kind = finding.kind;
    fault.kernel = launch.kernel.name;
    fault.block = position_in(launch.config.grid, finding.now.block);
    fault.thread = position_in(launch.config.block, finding.now.thread);
    const SourceLine& line = launch.program.lines[finding.now.line];
    fault.file = line.file;
    fault.line = line.line;
    fault.occurrences = finding.occurrences;
    if (finding.kind == FaultKind::uninitialized_read) {
        fault.message = fault_text(fault, unset_text(finding));
        return fault;
    }
    const SourceLine& other_line = launch.program.lines[finding.other.line];
    fault.other_file = other_line.file;
    fault.other_line = other_line.line;
    fault.message = fault_text(fault, race_text(finding, launch));
    return fault;
}

}  // namespace lanes::emulator
