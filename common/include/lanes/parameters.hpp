/// @file
/// @brief The numbers a measurement or a counted case was made with.
#pragma once

#include <concepts>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lanes {

/// One named number or word: `{"elements", 1048576}`.
struct Parameter {
    /// A whole number.
    template <std::integral Integer>
    Parameter(std::string parameter_name, Integer number)
        : name(std::move(parameter_name)), value(static_cast<std::int64_t>(number)) {}
    /// A number with a fraction.
    Parameter(std::string parameter_name, double number) : name(std::move(parameter_name)), value(number) {}
    /// A word.
    Parameter(std::string parameter_name, std::string word) : name(std::move(parameter_name)), value(std::move(word)) {}

    std::string name;                                       ///< key in the results
    std::variant<std::int64_t, double, std::string> value;  ///< value in the results
};

/// Parameters in the order they are printed: `{{"elements", n}, {"offset", 1}}`.
using Parameters = std::vector<Parameter>;

/// @brief A parameter's value as text.
/// @param parameter any
/// @return the number or word
inline std::string value_text(const Parameter& parameter) {
    std::ostringstream text;
    std::visit([&text](const auto& value) { text << value; }, parameter.value);
    return text.str();
}

}  // namespace lanes
