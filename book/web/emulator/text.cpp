#include "text.hpp"

#include "../visible.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace lanes::web {
namespace {

/// What the page wrote. A page has one thread for the emulator.
std::vector<char>& room() {
    static std::vector<char> bytes;
    return bytes;
}

/// The answer to the last call.
std::string& last_answer() {
    static std::string text;
    return text;
}

}  // namespace

std::string_view input(std::int32_t bytes) {
    const std::vector<char>& all = room();
    return {all.data(), std::min(all.size(), static_cast<std::size_t>(std::max(bytes, 0)))};
}

std::int32_t answer(const nlohmann::json& json) {
    // Names and printf's text are whatever bytes a program has: replace what is not UTF-8.
    last_answer() = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return static_cast<std::int32_t>(last_answer().size());
}

std::int32_t refuse(const std::string& message) {
    return answer({{"error", message}});
}

}  // namespace lanes::web

/// Room for the page's bytes, until it asks again.
/// @param bytes how many
extern "C" LANES_WEB_VISIBLE(lanes_room) char* lanes_room(std::int32_t bytes) {
    lanes::web::room().resize(static_cast<std::size_t>(bytes));
    return lanes::web::room().data();
}

/// The answer to the last call, until the next one.
extern "C" LANES_WEB_VISIBLE(lanes_answer) const char* lanes_answer() {
    return lanes::web::last_answer().data();
}
