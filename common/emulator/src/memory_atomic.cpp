#include "arithmetic_half.hpp"
#include "arithmetic_numbers.hpp"
#include "memory_choose.hpp"
#include "memory_handlers.hpp"

#include <algorithm>
#include <type_traits>

namespace lanes::emulator {
namespace {

// What each operation makes of the old value and its operand, as bits of the value's width.

template <typename T>
struct Exchange {
    using Bits = T;
    static Bits apply(Bits, Bits operand) { return operand; }
};

template <typename T>
struct And {
    using Bits = T;
    static Bits apply(Bits old, Bits operand) { return old & operand; }
};

template <typename T>
struct Or {
    using Bits = T;
    static Bits apply(Bits old, Bits operand) { return old | operand; }
};

template <typename T>
struct Xor {
    using Bits = T;
    static Bits apply(Bits old, Bits operand) { return old ^ operand; }
};

template <typename T>
struct Add {
    using Bits = T;
    static Bits apply(Bits old, Bits operand) { return old + operand; }
};

template <typename T>
struct Minimum {
    using Bits = std::make_unsigned_t<T>;
    static Bits apply(Bits old, Bits operand) {
        return static_cast<Bits>(std::min(static_cast<T>(old), static_cast<T>(operand)));
    }
};

template <typename T>
struct Maximum {
    using Bits = std::make_unsigned_t<T>;
    static Bits apply(Bits old, Bits operand) {
        return static_cast<Bits>(std::max(static_cast<T>(old), static_cast<T>(operand)));
    }
};

/// Counts up to the operand, then starts at 0.
struct Increment {
    using Bits = std::uint32_t;
    static Bits apply(Bits old, Bits operand) { return old >= operand ? 0 : old + 1; }
};

/// Counts down from the operand to 0, then starts there.
struct Decrement {
    using Bits = std::uint32_t;
    static Bits apply(Bits old, Bits operand) { return old == 0 || old > operand ? operand : old - 1; }
};

template <bool flushes>
struct AddFloat {
    using Bits = std::uint32_t;
    static Bits apply(Bits old, Bits operand) {
        const float sum = input<flushes>(std::bit_cast<float>(old)) + input<flushes>(std::bit_cast<float>(operand));
        return std::bit_cast<Bits>(output<flushes, false>(sum));
    }
};

struct AddDouble {
    using Bits = std::uint64_t;
    static Bits apply(Bits old, Bits operand) {
        const auto a = std::bit_cast<double>(old);
        const auto b = std::bit_cast<double>(operand);
        return std::bit_cast<Bits>(output_f64(a + b, b, a));
    }
};

/// @tparam Format  Binary16 or Brain16. A float has digits enough that rounding its sum once more is rounding once.
template <typename Format>
struct AddHalf {
    using Bits = std::uint16_t;
    static Bits apply(Bits old, Bits operand) { return Format::encode(Format::decode(old) + Format::decode(operand)); }
};

template <typename Format>
struct AddHalfPair {
    using Bits = std::uint32_t;
    static Bits apply(Bits old, Bits operand) {
        const auto half_sum = [=](int shift) -> Bits {
            return AddHalf<Format>::apply(static_cast<std::uint16_t>(old >> shift),
                                          static_cast<std::uint16_t>(operand >> shift));
        };
        return half_sum(0) | half_sum(16) << 16;
    }
};

/// The operation as shared memory does it. PTX ISA, "atom": additions of f32 flush subnormal inputs and results on
/// global memory only.
template <typename Operator>
struct InShared {
    using Type = Operator;
};

template <>
struct InShared<AddFloat<true>> {
    using Type = AddFloat<false>;
};

/// Changes device memory, which other host threads may be changing too.
template <typename Operator>
typename Operator::Bits update_atomically(std::byte* place, typename Operator::Bits operand) {
    using Bits = typename Operator::Bits;
    auto* const target = reinterpret_cast<Bits*>(place);
    if constexpr (std::is_same_v<Operator, Add<Bits>>) {
        return __atomic_fetch_add(target, operand, __ATOMIC_ACQ_REL);
    } else if constexpr (std::is_same_v<Operator, Exchange<Bits>>) {
        return __atomic_exchange_n(target, operand, __ATOMIC_ACQ_REL);
    } else {
        Bits old = __atomic_load_n(target, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(target, &old, Operator::apply(old, operand), true, __ATOMIC_ACQ_REL,
                                            __ATOMIC_RELAXED)) {
        }
        return old;
    }
}

/// Changes the block's own shared memory, which one host thread uses.
template <typename Operator>
typename Operator::Bits update_own(std::byte* place, typename Operator::Bits operand) {
    const auto old = read_own<typename Operator::Bits>(place);
    write_own(place, InShared<Operator>::Type::apply(old, operand));
    return old;
}

/// Gives each lane's destination the old value, in lane order.
/// @param update  called with the lane, the host address of its word, and true for device memory; returns the old value
template <typename Bits, typename Update>
void update_lanes(Warp& warp, const Operation& operation, LaneMask lanes, const LaneAccess& access,
                  const Update& update) {
    const bool device_memory = access.host == nullptr;
    Bits* const destination = operation.destination == no_slot ? nullptr : warp.row<Bits>(operation.destination);
    for_each_lane(lanes, [&](unsigned lane) {
        const Bits old = update(lane, access.at(lane), device_memory);
        if (destination != nullptr) destination[lane] = old;
    });
}

/// An update by one operand.
template <typename Operator>
struct Updating {
    using Bits = typename Operator::Bits;
    static void move(Warp& warp, const Operation& operation, LaneMask lanes, const LaneAccess& access) {
        const Bits* const operand = warp.row<Bits>(operation.source[1]);
        update_lanes<Bits>(warp, operation, lanes, access, [&](unsigned lane, std::byte* place, bool device_memory) {
            return device_memory ? update_atomically<Operator>(place, operand[lane])
                                 : update_own<Operator>(place, operand[lane]);
        });
    }
};

/// cas: writes the second operand if the first is what was there.
template <typename T>
struct Swapping {
    using Bits = T;
    static void move(Warp& warp, const Operation& operation, LaneMask lanes, const LaneAccess& access) {
        const Bits* const expected = warp.row<Bits>(operation.source[1]);
        const Bits* const desired = warp.row<Bits>(operation.source[2]);
        update_lanes<Bits>(warp, operation, lanes, access, [&](unsigned lane, std::byte* place, bool device_memory) {
            Bits old = expected[lane];
            if (device_memory) {
                __atomic_compare_exchange_n(reinterpret_cast<Bits*>(place), &old, desired[lane], false,
                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
            } else {
                old = read_own<Bits>(place);
                if (old == expected[lane]) write_own(place, desired[lane]);
            }
            return old;
        });
    }
};

/// @tparam Moving  Updating or Swapping
template <typename Moving, ptx::Space space>
struct Atomic {
    static constexpr bool allowed =
        space == ptx::Space::generic || space == ptx::Space::global || space == ptx::Space::shared;

    template <typename Address>
    static void execute(Warp& warp, const Operation& operation, LaneMask lanes) {
        access_memory<space, Address>(warp, operation, lanes, Intent::atomic, sizeof(typename Moving::Bits),
                                      Moving::move);
    }
};

/// A handler template with all but its state space given.
template <typename Moving>
struct AtomicOf {
    template <ptx::Space where>
    using In = Atomic<Moving, where>;
};

struct Place {
    ptx::Space space;
    std::uint32_t address_bytes;
};

template <typename Moving>
Execute choose_place(Place place) {
    return choose_space<AtomicOf<Moving>::template In>(place.space, place.address_bytes);
}

template <typename Operator>
Execute choose(Place place) {
    return choose_place<Updating<Operator>>(place);
}

/// exch, cas and the logical operations: any type of the width.
template <typename Bits>
Execute choose_bits(std::string_view name, Place place) {
    if (name == "exch") return choose<Exchange<Bits>>(place);
    if (name == "cas") return choose_place<Swapping<Bits>>(place);
    if (name == "and") return choose<And<Bits>>(place);
    if (name == "or") return choose<Or<Bits>>(place);
    if (name == "xor") return choose<Xor<Bits>>(place);
    return nullptr;
}

template <typename T>
Execute choose_integer(std::string_view name, Place place) {
    if (name == "add") return choose<Add<std::make_unsigned_t<T>>>(place);
    if (name == "min") return choose<Minimum<T>>(place);
    if (name == "max") return choose<Maximum<T>>(place);
    if constexpr (std::is_same_v<T, std::uint32_t>) {
        if (name == "inc") return choose<Increment>(place);
        if (name == "dec") return choose<Decrement>(place);
    }
    return nullptr;
}

Execute choose_float_add(ptx::Type type, Place place) {
    using ptx::Type;
    switch (type) {
        case Type::f32:
            return choose<AddFloat<true>>(place);
        case Type::f64:
            return choose<AddDouble>(place);
        case Type::f16:
            return choose<AddHalf<Binary16>>(place);
        case Type::bf16:
            return choose<AddHalf<Brain16>>(place);
        case Type::f16x2:
            return choose<AddHalfPair<Binary16>>(place);
        case Type::bf16x2:
            return choose<AddHalfPair<Brain16>>(place);
        default:
            return nullptr;
    }
}

Execute choose_atomic(std::string_view name, ptx::Type type, ptx::Space space, std::uint32_t address_bytes) {
    const Place place{space, address_bytes};
    using ptx::Type;
    switch (type) {
        case Type::b16:
            return name == "cas" ? choose_place<Swapping<std::uint16_t>>(place) : nullptr;
        case Type::b32:
            return choose_bits<std::uint32_t>(name, place);
        case Type::b64:
            return choose_bits<std::uint64_t>(name, place);
        case Type::u32:
            return choose_integer<std::uint32_t>(name, place);
        case Type::s32:
            return choose_integer<std::int32_t>(name, place);
        case Type::u64:
            return choose_integer<std::uint64_t>(name, place);
        case Type::s64:
            return choose_integer<std::int64_t>(name, place);
        default:
            return name == "add" ? choose_float_add(type, place) : nullptr;
    }
}

}  // namespace

/// atom d, [a], b {, c} and red [a], b.
Selection select_atomic(MemoryForm& form) {
    const bool returns = form.opcode() == "atom";
    Selection selection;
    selection.order = form.take_order(MemoryOrder::relaxed);
    const ptx::Space space = form.take_space();
    form.take_hints();
    form.take("noftz");  // what f16 and bf16 additions do in any case
    const ptx::Type type = form.take_type();
    const std::string_view name = form.take_any({"add", "min", "max", "inc", "dec", "exch", "cas", "and", "or", "xor"});
    const std::size_t values = name == "cas" ? 2 : 1;
    const std::size_t address = returns ? 1 : 0;
    if (form.operand_count() != address + 1 + values || (name == "cas" && !returns)) return {};
    selection.source[0] = form.address_type(address);
    if (selection.source[0] == ptx::Type::none) return {};
    if (returns) selection.destination = form.value_type(0, type);
    if (returns && ptx::size_of(selection.destination) != ptx::size_of(type)) return {};
    for (std::size_t i = 0; i < values; ++i) {
        selection.source[1 + i] = form.value_type(address + 1 + i, type);
        if (ptx::size_of(selection.source[1 + i]) != ptx::size_of(type)) return {};
    }
    selection.execute = choose_atomic(name, type, space, ptx::size_of(selection.source[0]));
    return selection;
}

}  // namespace lanes::emulator
