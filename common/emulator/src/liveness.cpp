#include "liveness.hpp"

#include <bit>
#include <cstddef>

namespace lanes::emulator {

namespace {

/// Larger functions than this many blocks times registers are not analysed.
constexpr std::uint64_t most_bits = std::uint64_t{1} << 29;

/// One bit for each register.
class RegisterSet {
public:
    explicit RegisterSet(std::uint32_t registers) : words_((registers + 63) / 64, 0) {}

    bool has(std::uint32_t reg) const { return (words_[reg / 64] >> (reg % 64) & 1) != 0; }
    void add(std::uint32_t reg) { words_[reg / 64] |= std::uint64_t{1} << (reg % 64); }
    /// Adds `read` and those of `after` that are not in `written`; true if that changed anything.
    bool flow_in(const RegisterSet& read, const RegisterSet& after, const RegisterSet& written) {
        std::uint64_t changed = 0;
        for (std::size_t i = 0; i < words_.size(); ++i) {
            const std::uint64_t word = words_[i] | read.words_[i] | (after.words_[i] & ~written.words_[i]);
            changed |= word ^ words_[i];
            words_[i] = word;
        }
        return changed != 0;
    }
    void unite(const RegisterSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    }
    template <typename Visit>
    void for_each(Visit visit) const {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
                visit(static_cast<std::uint32_t>(64 * i) + static_cast<std::uint32_t>(std::countr_zero(left)));
            }
        }
    }

private:
    std::vector<std::uint64_t> words_;
};

/// Backward data flow over the blocks.
class Liveness {
public:
    Liveness(const BasicBlocks& blocks, const std::vector<RegisterAccess>& accesses, std::uint32_t registers)
        : blocks_(blocks),
          read_first_(blocks.count(), RegisterSet(registers)),
          written_(blocks.count(), RegisterSet(registers)),
          live_in_(blocks.count(), RegisterSet(registers)),
          live_out_(blocks.count(), RegisterSet(registers)) {
        summarise(accesses);
        while (flow_once()) {
        }
    }

    std::vector<LiveRange> ranges(const std::vector<RegisterAccess>& accesses, std::uint32_t registers) const {
        std::vector<LiveRange> ranges(registers);
        for (const RegisterAccess& access : accesses) ranges[access.reg].include(access.operation);
        for (std::uint32_t block = 0; block < blocks_.count(); ++block) {
            live_in_[block].for_each([&](std::uint32_t reg) { ranges[reg].include(blocks_.begin(block)); });
            live_out_[block].for_each([&](std::uint32_t reg) { ranges[reg].include(blocks_.end(block) - 1); });
        }
        live_in_[0].for_each([&](std::uint32_t reg) { ranges[reg].at_entry = true; });
        return ranges;
    }

private:
    /// Per block: registers read before they are written there, and registers written in any case.
    void summarise(const std::vector<RegisterAccess>& accesses) {
        for (std::size_t i = 0; i < accesses.size();) {
            std::size_t end = i;
            while (end < accesses.size() && accesses[end].operation == accesses[i].operation) ++end;
            summarise_operation(accesses, i, end);
            i = end;
        }
    }

    void summarise_operation(const std::vector<RegisterAccess>& accesses, std::size_t begin, std::size_t end) {
        const std::uint32_t block = blocks_.block_of(accesses[begin].operation);
        for (std::size_t i = begin; i < end; ++i) {
            const bool reads = !accesses[i].writes;
            if (reads && !written_[block].has(accesses[i].reg)) read_first_[block].add(accesses[i].reg);
        }
        for (std::size_t i = begin; i < end; ++i) {
            if (accesses[i].writes && !accesses[i].guarded) written_[block].add(accesses[i].reg);
        }
    }

    bool flow_once() {
        bool changed = false;
        for (std::uint32_t block = blocks_.count(); block-- > 0;) {
            for (const std::uint32_t next : blocks_.graph().successors[block]) live_out_[block].unite(live_in_[next]);
            changed = live_in_[block].flow_in(read_first_[block], live_out_[block], written_[block]) || changed;
        }
        return changed;
    }

    const BasicBlocks& blocks_;
    std::vector<RegisterSet> read_first_;
    std::vector<RegisterSet> written_;
    std::vector<RegisterSet> live_in_;
    std::vector<RegisterSet> live_out_;
};

}  // namespace

std::vector<LiveRange> live_ranges(const BasicBlocks& blocks, const std::vector<RegisterAccess>& accesses,
                                   std::uint32_t registers) {
    if (std::uint64_t{blocks.count()} * registers > most_bits) {
        return std::vector<LiveRange>(registers, {0, blocks.end(blocks.count() - 1), true});
    }
    return Liveness(blocks, accesses, registers).ranges(accesses, registers);
}

}  // namespace lanes::emulator
