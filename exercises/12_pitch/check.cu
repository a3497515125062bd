// Pictures of many shapes, with and without padding behind a row.
#include <lanes/device_array.hpp>
#include <lanes/exercise/budgets.hpp>
#include <lanes/exercise/exercise.hpp>
#include <lanes/launch.hpp>
#include <lanes/random.hpp>

#include <cstddef>
#include <pitch.cu>

namespace {

struct Picture {
    unsigned width;
    unsigned height;
    unsigned pitch;
};

// The first float behind a row that is not what it was.
lanes::Comparison padding_kept(const std::vector<float>& got, const std::vector<float>& before,
                               const Picture& picture) {
    for (std::size_t i = 0; i < got.size(); ++i)
        if (i % picture.pitch >= picture.width && got[i] != before[i])
            return lanes::Comparison("the padding behind row " + std::to_string(i / picture.pitch) + " was changed");
    return {};
}

lanes::Comparison brightened(const Picture& picture) {
    const auto before = lanes::Random().whole_numbers(std::size_t{picture.pitch} * picture.height);
    auto expected = before;
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += i % picture.pitch < picture.width ? 2.0f : 0.0f;
    lanes::DeviceArray<float> image(before);
    const dim3 block(32, 8);
    const dim3 grid(lanes::blocks_for(picture.width, block.x), lanes::blocks_for(picture.height, block.y));
    brighten<<<grid, block>>>(image.data(), picture.width, picture.height, picture.pitch, 2.0f);
    lanes::check_launch("brighten");
    auto got = image.to_host();
    const auto padding = padding_kept(got, before, picture);
    for (std::size_t i = 0; i < got.size(); ++i)
        if (i % picture.pitch >= picture.width) got[i] = before[i];
    const auto pixels = lanes::equal(got, expected, {.columns = picture.pitch});
    return pixels ? padding : pixels;
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const auto picture = [&](const Picture& p, const std::string& why) {
        const std::string input =
            std::to_string(p.width) + " x " + std::to_string(p.height) + " pixels, pitch " + std::to_string(p.pitch);
        exercise.input(
            input, [=] { return brightened(p); }, why);
    };
    exercise.section("Two dimensions, and a pitch");
    picture({1, 1, 1}, "");
    picture({3, 2, 3}, "");
    picture({3, 2, 5}, "The second row begins 5 floats behind the first.");
    picture({40, 3, 40}, "40 pixels in x need two blocks in x, which are there. Who looks at threadIdx.x?");
    picture({3, 40, 4}, "");
    picture({96, 64, 96}, "");
    exercise.at_most(budgets::sectors_per_load(4), "Neighbouring lanes should read neighbouring pixels.");
    exercise.at_most(budgets::load_requests(96 * 64 / 32),
                     "All lanes of a warp should read at once, and each float once.");
}
