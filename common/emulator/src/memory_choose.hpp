/// @file
/// @brief From what is known when a kernel is decoded to the instance of a handler template.
#pragma once

#include "memory_values.hpp"

#include <cstdint>
#include <type_traits>

namespace lanes::emulator {

/// The instance for a state space and a width of address register.
/// @tparam Handler  class template over a state space, with a constant `allowed` and a member `execute<Address>`
template <template <ptx::Space> class Handler>
Execute choose_space(ptx::Space space, std::uint32_t address_bytes) {
    const auto choose_address = [&]<ptx::Space where>(std::integral_constant<ptx::Space, where>) -> Execute {
        if constexpr (Handler<where>::allowed) {
            if (address_bytes == sizeof(std::uint32_t)) return &Handler<where>::template execute<std::uint32_t>;
            return &Handler<where>::template execute<std::uint64_t>;
        }
        return nullptr;
    };
    using ptx::Space;
    switch (space) {
        case Space::generic:
            return choose_address(std::integral_constant<Space, Space::generic>{});
        case Space::global:
            return choose_address(std::integral_constant<Space, Space::global>{});
        case Space::constant:
            return choose_address(std::integral_constant<Space, Space::constant>{});
        case Space::shared:
            return choose_address(std::integral_constant<Space, Space::shared>{});
        case Space::local:
            return choose_address(std::integral_constant<Space, Space::local>{});
        case Space::param:
            return choose_address(std::integral_constant<Space, Space::param>{});
    }
    return nullptr;
}

/// A handler template with all but its state space given.
template <template <typename, typename, ptx::Space> class Move, typename Memory, typename Register>
struct MoveBetween {
    template <ptx::Space where>
    using In = Move<Memory, Register, where>;
};

/// The instance for a width of register that is at least that of the value in memory.
/// @tparam Move  class template over the value in memory, the register and the state space
template <template <typename, typename, ptx::Space> class Move, typename Memory>
Execute choose_register(std::uint32_t register_bytes, ptx::Space space, std::uint32_t address_bytes) {
    const auto choose = [&]<typename Register>(std::type_identity<Register>) -> Execute {
        if constexpr (std::is_same_v<Memory, Bits128> == std::is_same_v<Register, Bits128> &&
                      sizeof(Memory) <= sizeof(Register)) {
            return choose_space<MoveBetween<Move, Memory, Register>::template In>(space, address_bytes);
        }
        return nullptr;
    };
    switch (register_bytes) {
        case sizeof(std::uint16_t):
            return choose(std::type_identity<std::uint16_t>{});
        case sizeof(std::uint32_t):
            return choose(std::type_identity<std::uint32_t>{});
        case sizeof(std::uint64_t):
            return choose(std::type_identity<std::uint64_t>{});
        case sizeof(Bits128):
            return choose(std::type_identity<Bits128>{});
        default:
            return nullptr;
    }
}

}  // namespace lanes::emulator
