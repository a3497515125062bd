#include "export.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace lanes::web {
namespace {

/// As JavaScript would write it, nearly: whole numbers have no point.
std::string text_of(double value) {
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.16g", value);
    return {text.data(), static_cast<std::size_t>(length)};
}

/// The message of the last call that went wrong. Exports are called by one thread: a page has no other.
std::string& last_error() {
    static std::string error;
    return error;
}

}  // namespace

double Call::number(std::string_view what, double low, double high) {
    if (input_.empty()) {
        refuse("The input ends before " + std::string(what) + ".");
        return low;
    }
    const double value = input_.front();
    input_ = input_.subspan(1);
    if (value >= low && value <= high) return value;
    refuse(std::string(what) + " must be from " + text_of(low) + " to " + text_of(high) + ", not " + text_of(value) +
           ".");
    return low;
}

std::int64_t Call::integer(std::string_view what, std::int64_t low, std::int64_t high) {
    const double value = number(what, static_cast<double>(low), static_cast<double>(high));
    if (value == std::floor(value)) return static_cast<std::int64_t>(value);
    refuse(std::string(what) + " must be a whole number, not " + text_of(value) + ".");
    return low;
}

std::uint32_t Call::unsigned_integer(std::string_view what, std::uint32_t low, std::uint32_t high) {
    return static_cast<std::uint32_t>(integer(what, low, high));
}

std::uint32_t Call::choice(std::string_view what, std::initializer_list<std::uint32_t> allowed) {
    const auto [least, greatest] = std::minmax(allowed);
    const std::uint32_t value = unsigned_integer(what, least, greatest);
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
    std::string list;
    for (const std::uint32_t one : allowed) list += (list.empty() ? "" : ", ") + text_of(one);
    refuse(std::string(what) + " must be one of " + list + ", not " + text_of(value) + ".");
    return *allowed.begin();
}

void Call::refuse(std::string why) {
    if (error_.empty()) error_ = std::move(why);
}

void Call::put(double value) {
    if (written_ == output_.size()) return refuse("The answer has more than " + std::to_string(written_) + " numbers.");
    output_[written_++] = value;
}

std::int32_t Call::finish() {
    if (!input_.empty()) refuse("The input has " + std::to_string(input_.size()) + " numbers too many.");
    return refused() ? -1 : static_cast<std::int32_t>(written_);
}

std::int32_t answer(void (&compute)(Call&), const double* input, std::int32_t input_length, double* output,
                    std::int32_t output_capacity) {
    Call call{{input, static_cast<std::size_t>(input_length)}, {output, static_cast<std::size_t>(output_capacity)}};
    compute(call);
    const std::int32_t written = call.finish();
    last_error() = call.error();
    return written;
}

#ifndef __wasm__
namespace {
constinit const NamedExport* last_named = nullptr;
}

NamedExport::NamedExport(const char* name, Export& function) noexcept
    : name_(name), function_(&function), next_(last_named) {
    last_named = this;
}

Export* NamedExport::find(std::string_view name) {
    for (const NamedExport* named = first(); named != nullptr; named = named->next_)
        if (named->name_ == name) return named->function_;
    return nullptr;
}

const NamedExport* NamedExport::first() {
    return last_named;
}
#endif

}  // namespace lanes::web

extern "C" LANES_WEB_VISIBLE(lanes_error) const char* lanes_error() {
    return lanes::web::last_error().c_str();
}

extern "C" LANES_WEB_VISIBLE(lanes_numbers) double* lanes_numbers(std::int32_t count) {
    static std::vector<double> numbers;
    numbers.resize(static_cast<std::size_t>(count));
    return numbers.data();
}
