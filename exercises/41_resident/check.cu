// Each prediction against the model of a multiprocessor.
#include <lanes/exercise/exercise.hpp>
#include <lanes/model/occupancy.hpp>

#include <resident.cu>

namespace {

namespace model = lanes::model;

double resident(model::ComputeCapability capability, unsigned threads, unsigned registers, unsigned shared = 0) {
    model::BlockResources block;
    block.threads = threads;
    block.registers_per_thread = registers;
    block.static_shared_bytes = shared;
    return model::occupancy(*model::multiprocessor_limits(capability), block).blocks;
}

}  // namespace

void lanes::check_exercise(Exercise& exercise) {
    const std::string what = "resident blocks";
    exercise.section("Four things that run out");
    exercise.prediction(threads_256, "threads_256", what, resident({8, 9}, 256, 32),
                        {{8, "65,536 registers would do for 8. What else runs out?"},
                         {24, "There are 24 places for blocks. What else runs out?"}});
    exercise.section("The fine print");
    exercise.prediction(threads_65, "threads_65", what, resident({8, 9}, 65, 32),
                        {{23, "Warps come whole: how many warps are 65 threads?"},
                         {24, "Warps come whole: how many warps are 65 threads?"}});
    exercise.prediction(registers_41, "registers_41", what, resident({8, 9}, 256, 41),
                        {{6, "Registers come in eights: 41 cost as much as 48."}});
    exercise.prediction(shared_16_kib, "shared_16_kib", what, resident({8, 9}, 128, 32, 16 * 1024),
                        {{6, "Each block's shared memory has a kilobyte on top."},
                         {12, "There are warps for 12. What else runs out?"}});
    exercise.prediction(threads_1024, "threads_1024", what, resident({9, 0}, 1024, 33),
                        {{2, "There are places for 2. How many registers do 1024 threads take that have 40 each?"}});
}
