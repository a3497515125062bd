#include "session.hpp"

#include <utility>
#include <vector>

namespace lanes::web {
namespace {

/// Device memory in a page. The checks record four times as much beside it, and there are 4 GiB in all.
constexpr std::uint64_t capacity = std::uint64_t{256} << 20;

}  // namespace

Session& Session::instance() {
    static Session session;
    return session;
}

std::optional<emulator::Error> Session::load(std::string_view ptx) {
    module_.reset();
    auto module = emulator::ptx::parse(ptx);
    if (!module) return module.error();
    module_ = std::move(*module);
    return std::nullopt;
}

std::optional<emulator::Error> Session::begin() {
    if (!module_) return emulator::Error{"No PTX has been loaded."};
    image_.reset();
    memory_ = std::make_unique<emulator::DeviceMemory>();
    memory_->set_capacity(capacity);
    std::vector<emulator::ptx::Module> modules{*module_};
    auto image = emulator::Image::link(std::move(modules), *memory_);
    if (!image) return image.error();
    image_ = std::move(*image);
    return std::nullopt;
}

}  // namespace lanes::web
