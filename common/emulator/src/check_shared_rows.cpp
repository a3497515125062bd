/// The common case of SharedCheck: lanes in rows that race with nothing and find nothing unset. Each function leaves
/// what it cannot decide to SharedCheck::visit, before it has recorded anything that `visit` would not.

#include "check_rows.hpp"
#include "check_shared.hpp"

namespace lanes::emulator {

/// All lanes of the row read all of its words.
bool SharedCheck::read_together(const Row& row, const Limits& limits, Detail detail) {
    // Before what any lane does, not just its own writer.
    const auto before_all = [&](Key key) {
        const bool by_warp = (key & thread_bits & ~(warp_size - 1)) == limits.warp;
        return key < pending && (key < limits.floor || (by_warp && key < limits.own));
    };
    const auto remember = [&](Records& records, std::uint32_t word, Key thread) {
        const Key mine = limits.now | thread;
        if (records.keys[word] == mine) return;
        records.keys[word] = mine;
        records.details[word] = detail;
    };
    const auto lane_of = [&](Key key) { return (key & thread_bits) - row.first_thread; };
    for (std::uint32_t word = row.first_word; word < row.first_word + row.lane_words; ++word) {
        const Key write = writes_.keys[word];
        if (write < limits.block || !before_all(write)) return false;
        // The first lane takes what is free, the next the rest; a lane that has one renews it.
        const bool is_free = before_all(reads_.keys[word]);
        const bool is_other_free = before_all(other_reads_.keys[word]);
        const Key lane = is_free ? 0 : lane_of(reads_.keys[word]);
        const Key other_lane = is_other_free ? Key{lane == 0} : lane_of(other_reads_.keys[word]);
        if (lane < row.lanes) remember(reads_, word, row.first_thread + lane);
        if (other_lane < row.lanes && other_lane != lane) remember(other_reads_, word, row.first_thread + other_lane);
    }
    return true;
}

/// Each lane reads its own words, whose writes lie before anything that happens now if they are `settled`. Remembers
/// lanes as readers: up to two of each word that no later write is known to lie behind.
template <unsigned lanes, unsigned lane_words, bool settled>
bool SharedCheck::read_row(const Row& row, const Limits& limits, Detail detail) {
    const Key* __restrict const writes = writes_.keys.data() + row.first_word;
    Key* __restrict const reads = reads_.keys.data() + row.first_word;
    Key* __restrict const other_reads = other_reads_.keys.data() + row.first_word;
    const auto thread_of = [&](unsigned word) { return row.first_thread + word / lane_words; };
    const auto differs = [](Key key, Key other) { return Key{0} - Key{key != other}; };
    Key trouble = 0;
    Key news = 0;
    for (unsigned word = 0; word < lanes * lane_words; ++word) {
        const Key thread = thread_of(word);
        const Key mine = limits.now | thread;
        const Key unset = Key{0} - Key{writes[word] < limits.block};
        trouble |= settled ? unset : unset | ~before(writes[word], limits, thread);
        const Key first = before(reads[word], limits, thread);
        const Key second = ~first & before(other_reads[word], limits, thread);
        news |= (first & differs(reads[word], mine)) | (second & differs(other_reads[word], mine));
    }
    if (trouble != 0) return false;
    if (news == 0) return true;
    Detail* __restrict const details = reads_.details.data() + row.first_word;
    Detail* __restrict const other_details = other_reads_.details.data() + row.first_word;
    for (unsigned word = 0; word < lanes * lane_words; ++word) {
        const Key thread = thread_of(word);
        const Key mine = limits.now | thread;
        const Key reader_before = before(reads[word], limits, thread);
        const Key first = reader_before & differs(reads[word], mine);
        const Key second =
            ~reader_before & before(other_reads[word], limits, thread) & differs(other_reads[word], mine);
        reads[word] = (mine & first) | (reads[word] & ~first);
        details[word] = (detail & first) | (details[word] & ~first);
        other_reads[word] = (mine & second) | (other_reads[word] & ~second);
        other_details[word] = (detail & second) | (other_details[word] & ~second);
    }
    return true;
}

template <unsigned lanes, unsigned lane_words>
bool SharedCheck::may_write_row(const Row& row, const Limits& limits) const {
    const Key* __restrict const writes = writes_.keys.data() + row.first_word;
    const Key* __restrict const reads = reads_.keys.data() + row.first_word;
    const Key* __restrict const other_reads = other_reads_.keys.data() + row.first_word;
    Key good = ~Key{0};
    for (unsigned word = 0; word < lanes * lane_words; ++word) {
        const Key thread = row.first_thread + word / lane_words;
        good &= before(writes[word], limits, thread) & before(reads[word], limits, thread) &
                before(other_reads[word], limits, thread);
    }
    return good == ~Key{0};
}

template <unsigned lanes, unsigned lane_words>
bool SharedCheck::write_row(const Row& row, const Limits& limits, Detail detail) {
    Key* __restrict const writes = writes_.keys.data() + row.first_word;
    Detail* __restrict const details = writes_.details.data() + row.first_word;
    note_write(limits);
    for (unsigned word = 0; word < lanes * lane_words; ++word) {
        writes[word] = limits.now | (row.first_thread + word / lane_words);
        details[word] = detail;
    }
    return true;
}

/// @return false if an access in rows may race, or find something unset
bool SharedCheck::visit_rows(const Access& access, const Limits& limits, Detail detail) {
    const LaneRows& rows = access.rows;
    const std::uint32_t lane_words = access.bytes / 4;
    const auto row_at = [&](std::uint32_t row) {
        return Row{static_cast<std::uint32_t>(rows.first[row] / 4), limits.warp + row * rows.lanes(), rows.lanes(),
                   lane_words};
    };
    const auto every_row = [&](const auto& visit_row) {
        for (std::uint32_t row = 0; row < rows.count; ++row)
            if (!visit_row(row_at(row))) return false;
        return true;
    };
    if (rows.step == 0) {
        if (access.writes) return false;
        return every_row([&](const Row& row) { return read_together(row, limits, detail); });
    }
    if (rows.step != access.bytes) return false;
    return with_shape(rows.lanes(), lane_words, [&](auto lanes, auto words) {
        if (!access.writes && latest_write_ < limits.floor)
            return every_row([&](const Row& row) { return read_row<lanes, words, true>(row, limits, detail); });
        if (!access.writes)
            return every_row([&](const Row& row) { return read_row<lanes, words, false>(row, limits, detail); });
        return are_apart(rows) && every_row([&](const Row& row) { return may_write_row<lanes, words>(row, limits); }) &&
               every_row([&](const Row& row) { return write_row<lanes, words>(row, limits, detail); });
    });
}

}  // namespace lanes::emulator
