// Each prediction against the sectors that the emulator counts in four full warps.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <sectors.cu>

namespace {

constexpr unsigned threads = 128;

// Launches a kernel that copies in[source(i)] to out[i].
template <typename T>
lanes::Comparison copied(void (*kernel)(const T*, T*), std::size_t (*source)(std::size_t)) {
    const auto in = lanes::Random().whole_numbers<T>(9 * threads);
    std::vector<T> expected(threads);
    for (std::size_t i = 0; i < threads; ++i) expected[i] = in[source(i)];
    const lanes::DeviceArray<T> on_device(in);
    lanes::DeviceArray<T> out(threads);
    kernel<<<1, threads>>>(on_device.data(), out.data());
    lanes::check_launch("the kernel");
    return lanes::equal(out.to_host(), expected);
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const Budget sectors = budgets::sectors_per_load();
    exercise.section("Spread the lanes out");
    exercise.prediction(
        copy_odd_sectors, "copy_odd", sectors,
        [] { return copied<float>(copy_odd, [](std::size_t i) { return 2 * i + 1; }); },
        {{4, "Half the floats are skipped, but not half the sectors: each that holds a wanted byte moves whole."},
         {9, "The lanes start 4 bytes late and end with float 63, which is the last of its sector."}});
    exercise.prediction(
        copy_twice_sectors, "copy_twice", sectors,
        [] { return copied<float>(copy_twice, [](std::size_t i) { return i / 2; }); },
        {{4, "32 lanes ask for 16 different floats. Lanes that want the same bytes share the sector."}});
    exercise.section("The order of the lanes is free");
    exercise.prediction(
        copy_backwards_sectors, "copy_backwards", sectors,
        [] { return copied<float>(copy_backwards, [](std::size_t i) { return i / 32 * 32 + 31 - i % 32; }); },
        {{32, "Which lane wants which float does not matter. Which floats are wanted at all?"}});
    exercise.section("More bytes a lane");
    exercise.prediction(copy_doubles_sectors, "copy_doubles", sectors,
                        [] { return copied<double>(copy_doubles, [](std::size_t i) { return i; }); },
                        {{4, "32 doubles are 256 bytes."}});
    exercise.section("Records or arrays");
    exercise.prediction(copy_first_of_nine_sectors, "copy_first_of_nine", sectors,
                        [] { return copied<float>(copy_first_of_nine, [](std::size_t i) { return 9 * i; }); },
                        {{36, "The records of a warp cover 36 sectors, but no lane reads more than one of them."}});
}
