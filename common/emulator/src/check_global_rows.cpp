/// The common case of GlobalCheck: lanes in rows that race with nothing and find nothing unset. Each function leaves
/// what it cannot decide to GlobalCheck::visit, before it has recorded anything that `visit` would not.

#include "check_global.hpp"
#include "check_rows.hpp"

namespace lanes::emulator {

/// All lanes of the row may read all of its words.
LANES_SHARED_RECORDS bool GlobalCheck::may_read_together(const Plain& plain, const Row& row, const Limits& limits) {
    const std::uint64_t end = row.first_word + plain.access.bytes / 4;
    for (std::uint64_t word = row.first_word; word < end; ++word) {
        const Key write = plain.region.writers()[word];
        if ((write & plain.valid_bits) != plain.valid_bits) return false;
        // Two threads, so that the word's own writer does not answer for all.
        if ((before(write, limits, row.first_thread) & before(write, limits, row.first_thread + 1)) == 0) return false;
    }
    return true;
}

/// Remembers that all lanes of the row read all of its words.
LANES_SHARED_RECORDS bool GlobalCheck::read_together(const Plain& plain, const Row& row, const Limits& limits) {
    Region& region = plain.region;
    const std::uint64_t end = row.first_word + plain.access.bytes / 4;
    const auto lane_of = [&](Key record) {
        return (record >> GlobalRecord::thread_shift & GlobalRecord::thread_bits) - row.first_thread;
    };
    const unsigned lanes = plain.access.rows.lanes();
    region.kernel_read.add(row.first_word, end - 1, limits.first_time);
    for (std::uint64_t word = row.first_word; word < end; ++word) {
        Key& reader = region.readers()[word];
        for (unsigned lane = 0; lane < lanes; ++lane) {
            // A record of several readers changes only by the lane that it is of.
            const Key owner = lane_of(reader);
            if (lane > 0 && (reader & GlobalRecord::several) != 0 && (owner < lane || owner >= lanes)) break;
            const Key thread = row.first_thread + lane;
            const Key next = next_reader(reader, record_of(limits, thread, plain.detail), limits, thread);
            if (next != reader) reader = next;
        }
    }
    return true;
}

/// True if what is recorded of a row's words lies before what its lanes do now, and has the valid bits.
template <unsigned lanes, unsigned lane_words>
LANES_SHARED_RECORDS bool GlobalCheck::lie_before(const Key* records, const Row& row, const Limits& limits,
                                                  Key valid_bits) {
    Key trouble = 0;
    for (unsigned word = 0; word < lanes * lane_words; ++word) {
        const Key record = records[row.first_word + word];
        const Key thread = row.first_thread + word / lane_words;
        trouble |= ((record & valid_bits) ^ valid_bits) | ~before(record, limits, thread);
    }
    return trouble == 0;
}

/// Each lane may read its own words.
template <unsigned lanes, unsigned lane_words>
bool GlobalCheck::may_read_row(const Plain& plain, const Row& row, const Limits& limits) {
    const Region& region = plain.region;
    const std::uint64_t last_word = row.first_word + lanes * lane_words - 1;
    return (plain.valid_bits == 0 && !region.kernel_wrote.may_hold(row.first_word, last_word, limits.first_time)) ||
           lie_before<lanes, lane_words>(region.writers(), row, limits, plain.valid_bits);
}

/// Remembers that each lane read its own words.
template <unsigned lanes, unsigned lane_words>
LANES_SHARED_RECORDS bool GlobalCheck::read_row(const Plain& plain, const Row& row, const Limits& limits) {
    Region& region = plain.region;
    region.kernel_read.add(row.first_word, row.first_word + lanes * lane_words - 1, limits.first_time);
    Key* const readers = region.readers() + row.first_word;
    Key news = 0;
    for (unsigned word = 0; word < lanes * lane_words; ++word) {
        const Key thread = row.first_thread + word / lane_words;
        news |= readers[word] ^ next_reader(readers[word], record_of(limits, thread, plain.detail), limits, thread);
    }
    if (news == 0) return true;
    for (unsigned word = 0; word < lanes * lane_words; ++word) {
        const Key thread = row.first_thread + word / lane_words;
        readers[word] = next_reader(readers[word], record_of(limits, thread, plain.detail), limits, thread);
    }
    return true;
}

template <unsigned lanes, unsigned lane_words>
bool GlobalCheck::may_write_row(const Plain& plain, const Row& row, const Limits& limits) {
    const Region& region = plain.region;
    const std::uint64_t last_word = row.first_word + lanes * lane_words - 1;
    const auto in_order = [&](const TouchedParts& touched, const Key* records) {
        return !touched.may_hold(row.first_word, last_word, limits.first_time) ||
               lie_before<lanes, lane_words>(records, row, limits, 0);
    };
    return in_order(region.kernel_wrote, region.writers()) && in_order(region.kernel_read, region.readers());
}

template <unsigned lanes, unsigned lane_words>
LANES_SHARED_RECORDS bool GlobalCheck::write_row(const Plain& plain, const Row& row, const Limits& limits) {
    Key* const writers = plain.region.writers() + row.first_word;
    const Key detail = plain.detail | whole_word;
    plain.region.kernel_wrote.add(row.first_word, row.first_word + lanes * lane_words - 1, limits.first_time);
    for (unsigned word = 0; word < lanes * lane_words; ++word)
        writers[word] = record_of(limits, row.first_thread + word / lane_words, detail);
    return true;
}

/// @return false if an access in rows may race, or find something unset
bool GlobalCheck::visit_rows(const Plain& plain, const Limits& limits) {
    const Access& access = plain.access;
    const LaneRows& rows = access.rows;
    const auto every_row = [&](const auto& visit_row) {
        for (std::uint32_t row = 0; row < rows.count; ++row)
            if (!visit_row(Row{plain.region.word_of(rows.first[row]), limits.warp + row * rows.lanes()})) return false;
        return true;
    };
    if (rows.step == 0) {
        if (access.writes) return false;
        return every_row([&](const Row& row) { return may_read_together(plain, row, limits); }) &&
               every_row([&](const Row& row) { return read_together(plain, row, limits); });
    }
    if (rows.step != access.bytes) return false;
    return with_shape(rows.lanes(), access.bytes / 4, [&](auto lanes, auto words) {
        if (!access.writes)
            return every_row([&](const Row& row) { return may_read_row<lanes, words>(plain, row, limits); }) &&
                   every_row([&](const Row& row) { return read_row<lanes, words>(plain, row, limits); });
        return are_apart(rows) &&
               every_row([&](const Row& row) { return may_write_row<lanes, words>(plain, row, limits); }) &&
               every_row([&](const Row& row) { return write_row<lanes, words>(plain, row, limits); });
    });
}

}  // namespace lanes::emulator
