/// @file
/// @brief What the emulator of a page remembers from one call to the next.
#pragma once

#include <lanes/emulator/emulator.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lanes::web {

/// The PTX that was loaded, and the device memory of the last launch.
class Session {
public:
    /// The only one: a page starts a module for each emulator that it wants.
    static Session& instance();

    /// Takes PTX in place of what was loaded before. If it has an error, there is none from now on.
    /// @param ptx  the text of one module
    /// @return nothing, or what is wrong with it
    std::optional<emulator::Error> load(std::string_view ptx);

    /// The module that was loaded, or null.
    const emulator::ptx::Module* module() const { return module_ ? &*module_ : nullptr; }

    /// Fresh device memory, and the module linked into it: each launch begins like the first one.
    /// @return what is wrong with it, if anything
    std::optional<emulator::Error> begin();

    /// The linked module; only after `begin`.
    const emulator::Image& image() const { return *image_; }

    /// Device memory, which holds the arrays of the last launch until the next one; only after `begin`.
    emulator::DeviceMemory& memory() { return *memory_; }

private:
    std::optional<emulator::ptx::Module> module_;
    std::unique_ptr<emulator::DeviceMemory> memory_;
    std::unique_ptr<emulator::Image> image_;  // after the memory that it needs
};

}  // namespace lanes::web
