/// @file
/// @brief Text that wants to hurt: cut off, mutated, nested without end, absurdly large. All of it comes back as a
/// module or as an error; sanitizers in the build see the rest.
#include "module_consistency.hpp"
#include "parser_fixture.hpp"

#include <random>

using namespace lanes::emulator::ptx;

namespace {

constexpr std::uint32_t seed = 20240611;

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    text.reserve(piece.size() * times);
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
}

/// A kernel whose instructions come from as many lines.
std::string distinct_locations(std::size_t count) {
    std::string text = ".entry distinct() {\n";
    for (std::size_t i = 1; i <= count; ++i) text += ".loc 1 " + std::to_string(i) + " 1\nret;\n";
    return text + "}\n";
}

/// Parses anything; the answer must be an error with a message, or a sound module.
void check_survives(const std::string& text) {
    const lanes::emulator::Result<Module> result = parse(text);
    if (result)
        CHECK_MESSAGE(is_consistent(*result), text);
    else
        CHECK_MESSAGE(result.error().message.rfind("PTX line ", 0) == 0, text);
}

std::string mutated(std::string text, const std::string& other, std::mt19937& random) {
    const auto below = [&random](std::size_t limit) { return random() % limit; };
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes; ++i) {
        const std::size_t place = below(text.size());
        const std::size_t length = std::min<std::size_t>(1 + below(24), text.size() - place);
        switch (below(5)) {
            case 0:
                text[place] = static_cast<char>(below(256));
                break;
            case 1:
                if (text.size() > 64) text.erase(place, length);
                break;
            case 2:
                text.insert(place, other.substr(below(other.size()), length));
                break;
            case 3:
                text.insert(place, text.substr(place, length));
                break;
            default:
                text[place] = "{}()[],;:@%.+-<>=|!\"/*0"[below(23)];
        }
    }
    return text;
}

}  // namespace

TEST_CASE("parser hostile: cut off at every byte") {
    const std::string text = sample("handwritten.ptx");
    for (std::size_t length = 0; length < text.size(); ++length) check_survives(text.substr(0, length));
    check_survives(text);
}

TEST_CASE("parser hostile: cut off in nvcc's output") {
    for (const char* name : {"constructs_lineinfo.ptx", "constructs_relocatable.ptx", "constructs_debug.ptx"}) {
        const std::string text = sample(name);
        for (std::size_t length = 0; length < text.size(); length += 97) check_survives(text.substr(0, length));
    }
}

TEST_CASE("parser hostile: random changes") {
    std::mt19937 random(seed);
    MESSAGE("seed " << seed);
    const std::string by_hand = sample("handwritten.ptx");
    const std::string compiled = sample("constructs_relocatable.ptx");
    for (int i = 0; i < 4000; ++i) check_survives(mutated(by_hand, compiled, random));
    for (int i = 0; i < 500; ++i) check_survives(mutated(compiled, by_hand, random));
}

TEST_CASE("parser hostile: nesting is bounded") {
    const std::string deep(100'000, '(');
    CHECK(refusal(kernel_text("mov.u32 %r1, " + deep)).find("nested too deep") != std::string::npos);
    CHECK(refusal(kernel_text("mov.u32 %r1, " + repeated("- ", 100'000))).find("nested too deep") != std::string::npos);
    CHECK(refusal(kernel_text("mov.u32 %r1, " + repeated("1?", 100'000))).find("nested too deep") != std::string::npos);
    CHECK(refusal(kernel_text("mov.u32 %r1, " + repeated("{", 100'000))).find("nested too deep") != std::string::npos);
    CHECK(refusal(kernel_text("mov.u32 %r1, " + repeated("[%rd1, ", 100'000))).find("nested too deep") !=
          std::string::npos);
    CHECK(refusal(kernel_text(repeated("{", 100'000))).find("scopes nested too deep") != std::string::npos);
    CHECK(refusal(module_text(".global .u32 x[1] = " + repeated("{", 100'000))).find("more braces than dimensions") !=
          std::string::npos);
    CHECK(refusal(module_text(".global .u32 x" + repeated("[1]", 100'000))).find("too many dimensions") !=
          std::string::npos);
    CHECK(kernel(repeated("{", 100) + "ret;" + repeated("}", 100)).body.size() == 1);
}

TEST_CASE("parser hostile: sizes are bounded") {
    const auto says = [](const std::string& text, std::string_view expected) {
        CHECK(refusal(text).find(expected) != std::string::npos);
    };
    says(kernel_text(".reg .b32 x<4000000000>;"), "too many registers");
    says(kernel_text(".reg .b32 x<99999999999999999999999>;"), "not a number of registers");
    says(kernel_text(repeated("{ .reg .b32 x<900000>; }", 5)), "too many registers");
    says(module_text(".global .b8 x[1000000][1000000][1000000];"), "more than 2^40 bytes");
    says(module_text(".global .b8 x[0][1000000][1000000][1000000];"), "more than 2^40 bytes");
    says(module_text(".global .b8 x[10000000000] = {1};"), "too large an initial value");
    says(module_text(".global .b8 x[][1000000000] = {{1}};"), "too large an initial value");
    says(module_text(repeated(".global .b8 x[200000000];", 1) + ".global .b8 y[200000000] = {1}, z[200000000] = {1};"),
         "too large an initial value");
    says(module_text(".global .align 2147483648 .b8 x;"), "an alignment must be");
    says(module_text(".entry k .maxntid 5000000000 { ret; }"), "an extent must be");
    CHECK(parsed(module_text(".global .b8 x[1099511627776];")).variables[0].bytes == std::uint64_t{1} << 40);
}

TEST_CASE("parser hostile: many of everything are read in one pass") {
    constexpr std::size_t many = 20'000;
    CHECK(kernel(repeated("add.s32 %r1, %r2, %r3;\n", many)).body.size() == many);
    CHECK(kernel(repeated("{ bra end; }", many) + "end:").body.size() == many);
    CHECK(kernel(repeated("{ .reg .b32 x<2>; }", many)).registers.size() > 2 * many);
    CHECK(parsed(module_text(repeated(".func f;\n", many) + distinct_locations(many) + repeated(".func g;\n", many)))
              .locations.size() == many);
    CHECK(kernel(repeated("{", 120) + repeated("bra end;", many) + repeated("}", 120) + "end:").body.size() == many);
    CHECK(parsed(module_text(repeated(".extern .func f;\n", many))).functions.size() == 1);
    std::string distinct;
    for (std::size_t i = 0; i < many; ++i) {
        const std::string number = std::to_string(i);
        distinct += ".reg .b32 a" + number + "; L" + number + ": .loc 1 " + number +
                    " 1, function_name f, inlined_at 1 " + std::to_string(i / 2) + " 1\nmov.b32 a" + number + ", " +
                    number + ";\n";
    }
    CHECK(kernel(distinct).body.size() == many);
}

TEST_CASE("parser hostile: a chain of inlined calls ends") {
    const Module module = parsed(kernel_text(repeated(".loc 1 5 5, function_name f, inlined_at 1 5 5\nret;\n", 5000)));
    std::size_t longest = 0;
    for (const Instruction& instruction : module.functions[0].body) {
        std::size_t frames = 0;
        for (std::int32_t at = instruction.location; at >= 0; ++frames)
            at = module.locations[static_cast<std::size_t>(at)].inlined_at;
        longest = std::max(longest, frames);
    }
    CHECK(longest > 100);
    CHECK(longest < 300);
}
