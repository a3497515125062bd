/// A common case of GlobalCheck: lanes anywhere that race with nothing and find nothing unset. What it cannot decide it
/// leaves to GlobalCheck::visit, before it has recorded anything that `visit` would not.

#include "check_global.hpp"

namespace lanes::emulator {

GlobalCheck::Words GlobalCheck::words_of(const Plain& plain) {
    const Access& access = plain.access;
    Words words;
    words.count = access.bytes / 4;
    const std::uint64_t* const addresses = access.addresses();
    for (unsigned lane = 0; lane < warp_size; ++lane) words.first[lane] = plain.region.word_of(addresses[lane]);
    for (unsigned lane = 0; lane < warp_size; ++lane)
        words.active[lane] = std::uint64_t{0} - (access.lanes >> lane & 1U);
    return words;
}

/// Says that each lane's words are touched.
void GlobalCheck::add_words(const Words& words, TouchedParts& touched, std::uint32_t launch) {
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (words.active[lane] != 0) touched.add(words.first[lane], words.first[lane] + words.count - 1, launch);
}

/// A read of whole words that races with nothing and finds nothing unset.
/// @return false if it may do so, and nothing is done
LANES_SHARED_RECORDS bool GlobalCheck::read_lanes(const Plain& plain, const Words& words, const Limits& limits) {
    const Key valid_bits = plain.valid_bits;
    Key trouble = 0;
    Key news = 0;
    for (std::uint32_t element = 0; element < words.count; ++element) {
        const Key* const writers = plain.region.writers() + element;
        const Key* const readers = plain.region.readers() + element;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t word = words.first[lane];
            const Key thread = limits.warp + lane;
            const Key mine = record_of(limits, thread, plain.detail);
            const Key write = writers[word];
            const Key read = readers[word];
            trouble |= words.active[lane] & (((write & valid_bits) ^ valid_bits) | ~before(write, limits, thread));
            news |= words.active[lane] & (read ^ next_reader(read, mine, limits, thread));
        }
    }
    if (trouble != 0) return false;
    add_words(words, plain.region.kernel_read, limits.first_time);
    if (news == 0) return true;
    for (std::uint32_t element = 0; element < words.count; ++element) {
        Key* const readers = plain.region.readers() + element;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (words.active[lane] == 0) continue;
            const std::uint64_t word = words.first[lane];
            const Key thread = limits.warp + lane;
            readers[word] = next_reader(readers[word], record_of(limits, thread, plain.detail), limits, thread);
        }
    }
    return true;
}

/// True if two lanes write the same word: of the records that are left where lanes put theirs, one is not there.
LANES_SHARED_RECORDS bool GlobalCheck::do_lanes_meet(const Plain& plain, const Words& words, const Limits& limits) {
    Key* const readers = plain.region.readers();
    const auto mine = [&](unsigned lane) { return record_of(limits, limits.warp + lane, 0); };
    std::array<Key, warp_size> saved;
    Key differences = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) saved[lane] = readers[words.first[lane]];
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (words.active[lane] != 0) readers[words.first[lane]] = mine(lane);
    for (unsigned lane = 0; lane < warp_size; ++lane)
        differences |= words.active[lane] & (readers[words.first[lane]] ^ mine(lane));
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (words.active[lane] != 0) readers[words.first[lane]] = saved[lane];
    return differences != 0;
}

/// A write of whole words that races with nothing.
/// @return false if it may do so, and nothing is done
LANES_SHARED_RECORDS bool GlobalCheck::write_lanes(const Plain& plain, const Words& words, const Limits& limits) {
    Key* const writers = plain.region.writers();
    const Key* const readers = plain.region.readers();
    Key good = ~Key{0};
    for (std::uint32_t element = 0; element < words.count; ++element) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t word = words.first[lane] + element;
            const Key thread = limits.warp + lane;
            good &=
                ~words.active[lane] | (before(writers[word], limits, thread) & before(readers[word], limits, thread));
        }
    }
    if (good != ~Key{0} || do_lanes_meet(plain, words, limits)) return false;
    add_words(words, plain.region.kernel_wrote, limits.first_time);
    const Key detail = plain.detail | whole_word;
    for (std::uint32_t element = 0; element < words.count; ++element) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (words.active[lane] == 0) continue;
            writers[words.first[lane] + element] = record_of(limits, limits.warp + lane, detail);
        }
    }
    return true;
}

/// @return false if the access may race, or find something unset
bool GlobalCheck::visit_lanes(const Plain& plain, const Limits& limits) {
    const Words words = words_of(plain);
    return plain.access.writes ? write_lanes(plain, words, limits) : read_lanes(plain, words, limits);
}

}  // namespace lanes::emulator
