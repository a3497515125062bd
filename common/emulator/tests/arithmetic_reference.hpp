/// @file
/// @brief Compares a form with a reference over all combinations of operand values, bit by bit.
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "arithmetic_fixture.hpp"

namespace lanes::emulator {

/// Type of a register for values of T.
template <typename T>
std::string register_type_of() {
    if (std::is_same_v<T, bool>) return "pred";
    if (std::is_same_v<T, float>) return "f32";
    if (std::is_same_v<T, double>) return "f64";
    return "b" + std::to_string(8 * sizeof(T));
}

template <typename T>
std::uint64_t bits_of_value(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <typename T>
void set_lane(ArithmeticFixture& warp, const std::string& name, unsigned lane, T value) {
    if constexpr (std::is_same_v<T, bool>) {
        LaneMask& mask = warp.predicate(name);
        mask = (mask & ~(1u << lane)) | (value ? 1u << lane : 0u);
    } else {
        warp.row<T>(name)[lane] = value;
    }
}

template <typename T>
T lane_of(ArithmeticFixture& warp, const std::string& name, unsigned lane) {
    if constexpr (std::is_same_v<T, bool>) {
        return (warp.predicate(name) >> lane & 1u) != 0;
    } else {
        return warp.row<T>(name)[lane];
    }
}

/// Runs "form %d, %a, %b, ..." on every combination of the operands' values and compares the bits of each result with
/// those of reference(a, b, ...).
template <typename D, typename... S>
class FormCheck {
public:
    explicit FormCheck(const std::string& form) : text_(form + " %d") {
        warp_.declare("%d", register_type_of<D>());
        declare(std::index_sequence_for<S...>{});
        operation_ = warp_.decode(text_);
    }

    template <typename Reference>
    void run(const Reference& reference, const std::vector<S>&... values) {
        const std::size_t total = (std::size_t{1} * ... * values.size());
        REQUIRE(total > 0);
        for (std::size_t first = 0; first < total; first += warp_size) {
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                lanes_[lane] = combination((first + lane) % total, values...);
                set_sources(lane, std::index_sequence_for<S...>{});
            }
            warp_.execute(operation_);
            for (unsigned lane = 0; lane < warp_size; ++lane) compare(lane, std::apply(reference, lanes_[lane]));
        }
    }

private:
    static constexpr const char* names[] = {"%a", "%b", "%c", "%e"};

    template <std::size_t... I>
    void declare(std::index_sequence<I...>) {
        (warp_.declare(names[I], register_type_of<S>()), ...);
        ((text_ += std::string(", ") + names[I]), ...);
    }

    static std::tuple<S...> combination(std::size_t index, const std::vector<S>&... values) {
        const auto take = [&](const auto& list) {
            const std::size_t place = index % list.size();
            index /= list.size();
            return list[place];
        };
        return std::tuple<S...>{take(values)...};
    }

    template <std::size_t... I>
    void set_sources(unsigned lane, std::index_sequence<I...>) {
        (set_lane<S>(warp_, names[I], lane, std::get<I>(lanes_[lane])), ...);
    }

    void compare(unsigned lane, D expected) {
        const D actual = lane_of<D>(warp_, "%d", lane);
        if (bits_of_value(actual) == bits_of_value(expected)) {
            ++agreed_;
            return;
        }
        std::ostringstream message;
        message << std::hex << text_ << " of";
        std::apply([&](auto... operand) { ((message << " 0x" << bits_of_value(operand)), ...); }, lanes_[lane]);
        message << " is 0x" << bits_of_value(actual) << ", not 0x" << bits_of_value(expected);
        FAIL_CHECK(message.str());
    }

public:
    /// Lanes that agreed so far.
    std::size_t agreed() const { return agreed_; }

private:
    ArithmeticFixture warp_;
    std::string text_;
    Operation operation_;
    std::array<std::tuple<S...>, warp_size> lanes_;
    std::size_t agreed_ = 0;
};

/// One call: every combination of the values.
template <typename D, typename... S, typename Reference>
void check_form(const std::string& form, const Reference& reference, const std::vector<S>&... values) {
    FormCheck<D, S...> check(form);
    check.run(reference, values...);
    CHECK(check.agreed() >= warp_size);
}

/// Integers at the edges, small ones, and a few random ones.
template <typename T>
std::vector<T> edge_integers() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> values;
    for (const int small :
         {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, -1, -2, -3, -128}) {
        values.push_back(static_cast<T>(small));
    }
    for (const T edge : {Limits::max(), Limits::min()}) {
        values.push_back(edge);
        const auto bits = static_cast<std::make_unsigned_t<T>>(edge);  // where one more and one less wrap around
        values.push_back(static_cast<T>(bits - 1U));
        values.push_back(static_cast<T>(bits + 1U));
        values.push_back(static_cast<T>(edge / 2));
    }
    std::mt19937_64 random(32);
    for (int i = 0; i < 12; ++i) values.push_back(static_cast<T>(random() >> (i % 3 * 16)));
    return values;
}

/// Floats where rules change: zeros, subnormal and normal limits, ties, infinities, NaNs of several patterns.
template <typename T>
std::vector<T> edge_floats() {
    using Limits = std::numeric_limits<T>;
    const T epsilon = Limits::epsilon();
    std::vector<T> values = {T(0),
                             Limits::denorm_min(),
                             T(3) * Limits::denorm_min(),
                             Limits::min() - Limits::denorm_min(),
                             Limits::min(),
                             Limits::min() + Limits::denorm_min(),
                             T(1) - epsilon / 2,
                             T(1),
                             T(1) + epsilon,
                             T(0.1),
                             T(1) / T(3),
                             T(0.5),
                             T(1.5),
                             T(2.5),
                             T(2),
                             T(3),
                             T(127.5),
                             T(128),
                             T(255.5),
                             T(32767.5),
                             T(65504),
                             T(65519),
                             T(65520),
                             T(65535.5),
                             T(2147483647),
                             T(2147483648),
                             T(4294967295),
                             T(4294967296),
                             T(9.2e18),
                             T(9223372036854775808.0),
                             T(18446744073709551616.0),
                             T(1e-10),
                             T(1e10),
                             T(1e-30),
                             T(16777217),
                             Limits::max(),
                             Limits::max() / 2,
                             Limits::infinity(),
                             Limits::quiet_NaN(),
                             std::sqrt(Limits::max()),
                             std::sqrt(Limits::min())};
    const std::size_t positive = values.size();
    for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
    std::mt19937_64 random(33);
    for (int i = 0; i < 24; ++i) {
        const std::uint64_t bits = random();
        T value;
        std::memcpy(&value, &bits, sizeof value);
        values.push_back(value);
    }
    return values;
}

}  // namespace lanes::emulator
