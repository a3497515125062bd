// Negatives of any number of bytes; then the requests for a large picture.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <invert.cu>

namespace {

constexpr unsigned threads_per_block = 128;
constexpr unsigned large = 65536;

lanes::Comparison inverted(unsigned count) {
    const int each = lanes::Exercise::constant(bytes_a_thread);
    if (each < 1 || each > 256) return lanes::Comparison("bytes_a_thread is " + std::to_string(each));
    const auto in = lanes::Random().whole_numbers<unsigned char>(count, 0, 255);
    std::vector<unsigned char> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = static_cast<unsigned char>(255 - in[i]);
    const lanes::DeviceArray<unsigned char> on_device(in);
    lanes::DeviceArray<unsigned char> out(count);
    const std::size_t bytes_of_block = threads_per_block * static_cast<std::size_t>(each);
    invert<<<lanes::blocks_for(count, bytes_of_block), threads_per_block>>>(on_device.data(), out.data(), count);
    lanes::check_launch("invert");
    return lanes::equal(out.to_host(), expected);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    exercise.section("Wide elements must be aligned");
    for (const unsigned count : {1U, 15U, 16U, 17U, 4097U, large}) {
        const char* why =
            count % 16 == 0 ? "" : "Not every count is a multiple of 16: who does the bytes that are left?";
        exercise.input(
            std::to_string(count) + " bytes", [count] { return inverted(count); }, why);
    }
    exercise.section("More bytes a lane");
    exercise.at_most(
        budgets::load_sectors(large / 32),
        "Each sector needs to move once: in each instruction, neighbouring lanes should touch neighbouring bytes.");
    exercise.at_most(budgets::load_requests(large / 512), "A lane can load up to 16 bytes in one instruction.");
}
