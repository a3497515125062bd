/// @file
/// @brief Errors as values. The emulator throws nothing: the same library is built for the browser without exceptions.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace lanes::emulator {

/// What went wrong, in words a reader can act on: what was asked, what was there, what to do.
struct Error {
    std::string message;  ///< the whole sentence
};

/// Either a value or an Error. Ask with `if (result)` before `*result`; `result.error()` is valid only otherwise.
template <typename T>
class Result {
public:
    /// A value.
    Result(T value) : value_(std::move(value)) {}
    /// No value, but a reason.
    Result(Error error) : error_(std::move(error)) {}

    /// True if there is a value.
    explicit operator bool() const { return value_.has_value(); }
    /// The value.
    T& operator*() { return *value_; }
    /// The value.
    const T& operator*() const { return *value_; }
    /// A member of the value.
    T* operator->() { return &*value_; }
    /// A member of the value.
    const T* operator->() const { return &*value_; }
    /// Why there is no value.
    const Error& error() const { return error_; }

private:
    std::optional<T> value_;
    Error error_;
};

}  // namespace lanes::emulator
