/// A common case of SharedCheck: lanes anywhere that race with nothing and find nothing unset. What it cannot decide it
/// leaves to SharedCheck::visit, before it has recorded anything that `visit` would not.

#include "check_shared.hpp"

namespace lanes::emulator {

SharedCheck::Words SharedCheck::words_of(const Access& access) {
    Words words;
    words.count = access.bytes / 4;
    const std::uint64_t* const addresses = access.addresses();
    for (unsigned lane = 0; lane < warp_size; ++lane)
        words.first[lane] = static_cast<std::uint32_t>(addresses[lane]) / 4;
    for (unsigned lane = 0; lane < warp_size; ++lane) words.active[lane] = 0U - (access.lanes >> lane & 1U);
    return words;
}

void SharedCheck::remember_readers(const Words& words, std::uint32_t element, const Limits& limits, Detail detail) {
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (words.active[lane] != 0) remember_reader(words.first[lane] + element, limits, limits.warp + lane, detail);
}

/// True if two lanes write the same word: of the keys that are left where lanes put theirs, one is not there.
bool SharedCheck::do_lanes_meet(const Words& words, const Limits& limits) {
    const auto mine = [&](unsigned lane) { return limits.now | (limits.warp + lane); };
    std::array<Key, warp_size> saved;
    Key differences = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) saved[lane] = reads_.keys[words.first[lane]];
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (words.active[lane] != 0) reads_.keys[words.first[lane]] = mine(lane);
    for (unsigned lane = 0; lane < warp_size; ++lane)
        differences |= words.active[lane] & (reads_.keys[words.first[lane]] ^ mine(lane));
    for (unsigned lane = 0; lane < warp_size; ++lane)
        if (words.active[lane] != 0) reads_.keys[words.first[lane]] = saved[lane];
    return differences != 0;
}

/// A read of whole words that races with nothing and finds nothing unset.
/// @return false if it may do so
bool SharedCheck::read_lanes(const Words& words, const Limits& limits, Detail detail) {
    for (std::uint32_t element = 0; element < words.count; ++element) {
        const Key* const writes = writes_.keys.data() + element;
        const Key* const reads = reads_.keys.data() + element;
        const Key* const other_reads = other_reads_.keys.data() + element;
        Key trouble = 0;
        Key news = 0;
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::uint32_t word = words.first[lane];
            const Key thread = limits.warp + lane;
            const Key mine = limits.now | thread;
            const Key unset = Key{0} - Key{writes[word] < limits.block};
            trouble |= words.active[lane] & (unset | ~before(writes[word], limits, thread));
            const Key first = before(reads[word], limits, thread);
            const Key second = ~first & before(other_reads[word], limits, thread);
            news |= words.active[lane] & ((first & (reads[word] ^ mine)) | (second & (other_reads[word] ^ mine)));
        }
        if (trouble != 0) return false;
        if (news != 0) remember_readers(words, element, limits, detail);
    }
    return true;
}

/// A write of whole words that races with nothing.
/// @return false if it may do so, and nothing is done
bool SharedCheck::write_lanes(const Words& words, const Limits& limits, Detail detail) {
    Key good = ~Key{0};
    for (std::uint32_t element = 0; element < words.count; ++element) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            const std::size_t word = std::size_t{words.first[lane]} + element;
            const Key thread = limits.warp + lane;
            good &= ~words.active[lane] |
                    (before(writes_.keys[word], limits, thread) & before(reads_.keys[word], limits, thread) &
                     before(other_reads_.keys[word], limits, thread));
        }
    }
    if (good != ~Key{0} || do_lanes_meet(words, limits)) return false;
    note_write(limits);
    for (std::uint32_t element = 0; element < words.count; ++element) {
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (words.active[lane] == 0) continue;
            const std::size_t word = std::size_t{words.first[lane]} + element;
            writes_.keys[word] = limits.now | (limits.warp + lane);
            writes_.details[word] = detail;
        }
    }
    return true;
}

/// @return false if the access may race, or find something unset
bool SharedCheck::visit_lanes(const Access& access, const Limits& limits, Detail detail) {
    const Words words = words_of(access);
    return access.writes ? write_lanes(words, limits, detail) : read_lanes(words, limits, detail);
}

}  // namespace lanes::emulator
