/// @file
/// @brief How functions of the model are called from a page: numbers in, numbers out, or a sentence that says why not.
///
/// An export is an `extern "C"` function of two arrays of doubles, since WebAssembly passes nothing richer. The same
/// file is compiled for the page and for this machine (lanes-web-model), so that a test can compare the two.
#pragma once

#include "../visible.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace lanes::web {

/// One call of an export: reads its input in order, takes its output, remembers the first thing wrong.
///
/// After something was wrong, what is read is the lowest value allowed: an export computes on without harm, and need
/// not ask after every number.
class Call {
public:
    /// @param input the numbers that the page gave
    /// @param output where the answer goes
    Call(std::span<const double> input, std::span<double> output) : input_(input), output_(output) {}

    /// The next number of the input.
    /// @param what its name, for messages
    /// @param low the least allowed
    /// @param high the greatest allowed
    double number(std::string_view what, double low, double high);

    /// The next number of the input, which must be whole.
    /// @param what its name, for messages
    /// @param low the least allowed; at least -2^53
    /// @param high the greatest allowed; at most 2^53
    std::int64_t integer(std::string_view what, std::int64_t low, std::int64_t high);

    /// As `integer`, for one that is never negative and fits 32 bits.
    /// @param what its name, for messages
    /// @param low the least allowed
    /// @param high the greatest allowed
    std::uint32_t unsigned_integer(std::string_view what, std::uint32_t low, std::uint32_t high);

    /// The next number of the input, one of a few.
    /// @param what its name, for messages
    /// @param allowed the whole numbers allowed; the first stands in for one that is not
    std::uint32_t choice(std::string_view what, std::initializer_list<std::uint32_t> allowed);

    /// How many numbers of the input are left: for lists whose length the page chooses.
    std::size_t left() const { return input_.size(); }

    /// Ends the call with a message; only the first one counts.
    /// @param why a sentence that says what was asked and what is wrong with it
    void refuse(std::string why);

    /// Whether something was wrong so far.
    bool refused() const { return !error_.empty(); }

    /// Appends a number to the answer.
    /// @param value any number
    void put(double value);

    /// What the export returns: how many numbers were put, or -1 after something was wrong. Input left over is wrong
    /// too.
    std::int32_t finish();

    /// What was wrong, or nothing.
    const std::string& error() const { return error_; }

private:
    std::span<const double> input_;
    std::span<double> output_;
    std::size_t written_ = 0;
    std::string error_;
};

/// An export as it is called.
using Export = std::int32_t(const double* input, std::int32_t input_length, double* output,
                            std::int32_t output_capacity);

/// Runs `compute` on the arrays of a call, and keeps the message for `lanes_error`.
/// @param compute reads its input from the call and puts its answer there
/// @param input the numbers that the page gave
/// @param input_length how many
/// @param output where the answer goes
/// @param output_capacity how many numbers fit there
std::int32_t answer(void (&compute)(Call&), const double* input, std::int32_t input_length, double* output,
                    std::int32_t output_capacity);

#ifndef __wasm__
/// Makes an export known by its name to lanes-web-model; a WebAssembly module has a table of its own.
class NamedExport {
public:
    /// @param name as the page calls it
    /// @param function the export
    NamedExport(const char* name, Export& function) noexcept;

    /// The export of this name, or null.
    /// @param name as the page calls it
    static Export* find(std::string_view name);

    /// The export made known last; `next` leads to all others.
    static const NamedExport* first();

    /// The one made known before this one, or null.
    const NamedExport* next() const { return next_; }

    /// As the page calls it.
    const char* name() const { return name_; }

private:
    const char* name_;
    Export* function_;
    const NamedExport* next_;
};
#endif

}  // namespace lanes::web

/// What was wrong with the last call, in words that end in a zero byte; empty if nothing was.
extern "C" const char* lanes_error();

/// Room for the numbers of a call, its input and its output; whatever was there is gone.
/// @param count how many numbers
extern "C" double* lanes_numbers(std::int32_t count);

#ifdef __wasm__
/// Nothing: the module's table of exports has the name.
#define LANES_WEB_NAMED(name)
#else
/// Tells lanes-web-model the name.
#define LANES_WEB_NAMED(name) const lanes::web::NamedExport named_##name{#name, name};
#endif

/// Exports `void compute(lanes::web::Call&)` under a name. Stands at the end of a file, outside of any namespace.
#define LANES_WEB_EXPORT(name, compute)                                                                  \
    extern "C" LANES_WEB_VISIBLE(name) std::int32_t name(const double* input, std::int32_t input_length, \
                                                         double* output, std::int32_t output_capacity) { \
        return lanes::web::answer(compute, input, input_length, output, output_capacity);                \
    }                                                                                                    \
    namespace {                                                                                          \
    LANES_WEB_NAMED(name)                                                                                \
    }
