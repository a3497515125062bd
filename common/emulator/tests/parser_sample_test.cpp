/// @file
/// @brief Whole modules, as nvcc writes them and by hand.
#include "parser_fixture.hpp"

#include <algorithm>

using namespace lanes::emulator::ptx;

namespace {

const Instruction* find(const Function& function, std::string_view opcode) {
    const auto found = std::find_if(function.body.begin(), function.body.end(),
                                    [&](const Instruction& instruction) { return instruction.opcode == opcode; });
    return found == function.body.end() ? nullptr : &*found;
}

std::vector<std::uint32_t> lines(const Module& module, const Instruction& instruction) {
    std::vector<std::uint32_t> result;
    for (std::int32_t at = instruction.location; at >= 0;) {
        const Location& location = module.locations[static_cast<std::size_t>(at)];
        result.push_back(location.line);
        at = location.inlined_at;
    }
    return result;
}

}  // namespace

TEST_CASE("parser samples: nvcc with -lineinfo") {
    const Module module = parsed(sample("constructs_lineinfo.ptx"));
    CHECK(module.version_major == 9);
    CHECK(module.target == 75);
    REQUIRE(module.file_name(1) != nullptr);
    CHECK(*module.file_name(1) == "/lanes/constructs.cu");

    const Function& exchange = function(module, "_Z8exchangePfPi");
    CHECK(exchange.maximum_threads[0] == 128);
    CHECK(exchange.minimum_blocks == 2);
    REQUIRE(exchange.variables.size() == 1);
    CHECK(exchange.variables[0].space == Space::shared);
    CHECK(exchange.variables[0].bytes == 128 * 16);
    CHECK(variable(module, "scratch").external);
    // doubled(doubled(x)) in quadrupled(), called in line 49.
    const bool deep = std::any_of(exchange.body.begin(), exchange.body.end(), [&](const Instruction& instruction) {
        return lines(module, instruction) == std::vector<std::uint32_t>{41, 42, 49};
    });
    CHECK(deep);

    const Variable& second_counter = variable(module, "second_counter");
    REQUIRE(second_counter.references.size() == 1);
    CHECK(second_counter.references[0].symbol == "counters");
    CHECK(second_counter.references[0].addend == 4);
    CHECK(variable(module, "generation").managed);
    CHECK(initial<float>(variable(module, "weights"), 3) == 4.0F);
    CHECK(initial<float>(variable(module, "weights"), 5) == 0.0F);

    const Function& calls = function(module, "_Z5callsP8ParticlePii");
    const auto printing = std::find_if(calls.body.begin(), calls.body.end(), [](const Instruction& instruction) {
        return instruction.opcode == "call" && instruction.operands[1].name == "vprintf";
    });
    REQUIRE(printing != calls.body.end());
    CHECK(printing->operands[0].elements.size() == 1);
    CHECK(printing->operands[2].elements.size() == 2);
}

TEST_CASE("parser samples: nvcc with -rdc=true") {
    const Module module = parsed(sample("constructs_relocatable.ptx"));
    CHECK(module.target == 90);
    CHECK(function(module, "vprintf").external);
    CHECK(function(module, "_ZNK6Square4areaEv").weak);
    CHECK_FALSE(function(module, "_ZNK6Square4areaEv").external);
    CHECK(function(module, "_Z9fibonaccii").visible);
    CHECK(variable(module, "_ZTV4Disc").references[0].symbol == "_ZNK4Disc4areaEv");
    CHECK(module.locations.empty());
    // Every call has parameters of its own: no two variables of a function have the same name.
    std::vector<std::string> names;
    for (const Variable& local : function(module, "_Z9fibonaccii").variables) names.push_back(local.name);
    REQUIRE(names.size() >= 4);
    std::sort(names.begin(), names.end());
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("parser samples: nvcc with -G") {
    const Module module = parsed(sample("constructs_debug.ptx"));
    CHECK(module.files.size() == 5);
    const Function& branches = function(module, "_Z8branchesPiS_i");
    CHECK(branches.body.size() > 50);
    CHECK(std::all_of(branches.body.begin() + 10, branches.body.end(),
                      [](const Instruction& instruction) { return instruction.location >= 0; }));
}

TEST_CASE("parser samples: by hand") {
    const Module module = parsed(sample("handwritten.ptx"));
    CHECK(module.files.size() == 2);
    const Function& everything = function(module, "everything");
    CHECK(everything.parameters.size() == 3);
    CHECK(everything.maximum_threads[1] == 2);
    CHECK(everything.minimum_blocks == 3);
    CHECK(everything.branch_targets.size() == 1);
    const Instruction* multiply = find(everything, "mad");
    REQUIRE(multiply != nullptr);
    CHECK(multiply->operands[3].bits == 7);
    CHECK(lines(module, *multiply) == std::vector<std::uint32_t>{30, 20, 10});
    const Instruction* compare = find(everything, "setp");
    REQUIRE(compare != nullptr);
    CHECK(lines(module, *compare) == std::vector<std::uint32_t>{30, 20, 10});
    CHECK(function(module, "select").body.back().opcode == "ret");
    CHECK(function(module, "add_three").body.size() == 10);
}
