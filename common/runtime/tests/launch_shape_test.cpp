#include <launch_shape.hpp>

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <string>

using namespace lanes::runtime;
namespace model = lanes::model;

namespace {

constexpr cudaError_t bad_shape = CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;

const model::MultiprocessorLimits& h200() {
    static const model::MultiprocessorLimits limits = *model::multiprocessor_limits({9, 0});
    return limits;
}

LaunchShape shape(lanes::emulator::Dim3 grid, lanes::emulator::Dim3 block, std::uint64_t dynamic = 0) {
    LaunchShape result;
    result.grid = grid;
    result.block = block;
    result.dynamic_shared_bytes = dynamic;
    return result;
}

cudaError_t error_of(const LaunchShape& launch) {
    const auto refusal = check_launch(launch, h200());
    if (refusal) CHECK_FALSE(refusal->message.empty());
    return refusal ? refusal->error : cudaSuccess;
}

}  // namespace

// Every expectation here was measured on an H200 with runtime 13.0.
TEST_SUITE("launch_shape") {
    TEST_CASE("extents at their limits, and one beyond") {
        CHECK(error_of(shape({1, 1, 1}, {1, 1, 1})) == cudaSuccess);
        CHECK(error_of(shape({0x7fffffff, 1, 1}, {1, 1, 1})) == cudaSuccess);
        CHECK(error_of(shape({0x80000000U, 1, 1}, {1, 1, 1})) == bad_shape);
        CHECK(error_of(shape({1, 65535, 65535}, {1, 1, 1})) == cudaSuccess);
        CHECK(error_of(shape({1, 65536, 1}, {1, 1, 1})) == bad_shape);
        CHECK(error_of(shape({1, 1, 65536}, {1, 1, 1})) == bad_shape);
        CHECK(error_of(shape({1, 1, 1}, {1024, 1, 1})) == cudaSuccess);
        CHECK(error_of(shape({1, 1, 1}, {1025, 1, 1})) == bad_shape);
        CHECK(error_of(shape({1, 1, 1}, {1, 1, 64})) == cudaSuccess);
        CHECK(error_of(shape({1, 1, 1}, {1, 1, 65})) == bad_shape);
        CHECK(error_of(shape({1, 1, 1}, {32, 32, 1})) == cudaSuccess);
        CHECK(error_of(shape({1, 1, 1}, {32, 33, 1})) == bad_shape);
    }

    TEST_CASE("a cooperative launch needs all its blocks at once") {
        constexpr std::uint32_t multiprocessors = 132;
        LaunchShape launch = shape({multiprocessors * 8, 1, 1}, {256, 1, 1});
        CHECK_FALSE(check_cooperative(launch, h200(), multiprocessors));
        launch.grid.x += 1;
        const auto refusal = check_cooperative(launch, h200(), multiprocessors);
        REQUIRE(refusal);
        CHECK(refusal->error == cudaErrorCooperativeLaunchTooLarge);
        CHECK(refusal->message.find("1057 blocks resident at once") != std::string::npos);
        CHECK(refusal->message.find("132 multiprocessors hold 1056") != std::string::npos);
    }

    TEST_CASE("nothing to do is refused as CUDA does") {
        CHECK(error_of(shape({0, 1, 1}, {1, 1, 1})) == bad_shape);
        CHECK(error_of(shape({1, 1, 0}, {1, 1, 1})) == bad_shape);
        CHECK(error_of(shape({1, 1, 1}, {0, 1, 1})) == bad_shape);
    }

    TEST_CASE("shared memory: 48 KB, and more after opting in") {
        LaunchShape launch = shape({1, 1, 1}, {1, 1, 1}, 49152);
        CHECK(error_of(launch) == cudaSuccess);
        launch.dynamic_shared_bytes = 49153;
        CHECK(error_of(launch) == cudaErrorInvalidValue);
        launch.static_shared_bytes = 4096;
        launch.dynamic_shared_bytes = 45056;
        CHECK(error_of(launch) == cudaSuccess);
        launch.dynamic_shared_bytes = 45057;
        CHECK(error_of(launch) == cudaErrorInvalidValue);
        launch.static_shared_bytes = 0;
        launch.maximum_dynamic_shared = 60000;
        launch.dynamic_shared_bytes = 60000;
        CHECK(error_of(launch) == cudaSuccess);
        launch.dynamic_shared_bytes = 60001;
        CHECK(error_of(launch) == cudaErrorInvalidValue);
        launch.maximum_dynamic_shared = 100;
        launch.dynamic_shared_bytes = 101;
        CHECK(error_of(launch) == cudaErrorInvalidValue);
    }

    TEST_CASE("more than 48 KB of static shared memory: ptxas would have refused it") {
        LaunchShape launch = shape({1, 1, 1}, {1, 1, 1});
        launch.static_shared_bytes = 49156;
        CHECK(error_of(launch) == cudaErrorInvalidValue);
    }

    TEST_CASE("the message of too much shared memory names the opt-in only if it would help") {
        LaunchShape launch = shape({1, 1, 1}, {1, 1, 1}, 100000);
        CHECK(check_launch(launch, h200())->message.find("cudaFuncSetAttribute") != std::string::npos);
        launch.dynamic_shared_bytes = 300000;
        CHECK(check_launch(launch, h200())->message.find("cudaFuncSetAttribute") == std::string::npos);
    }

    TEST_CASE("registers and launch bounds limit the block") {
        LaunchShape launch = shape({1, 1, 1}, {1024, 1, 1});
        launch.registers = 255;
        CHECK(error_of(launch) == cudaErrorLaunchOutOfResources);
        CHECK(maximum_threads_per_block(launch, h200()) == 256);
        launch.registers = 64;
        CHECK(error_of(launch) == cudaSuccess);
        CHECK(maximum_threads_per_block(launch, h200()) == 1024);
        launch.maximum_threads = {256, 1, 1};
        launch.block = {257, 1, 1};
        CHECK(error_of(launch) == bad_shape);
        CHECK(maximum_threads_per_block(launch, h200()) == 256);
        launch.block = {256, 1, 1};
        CHECK(error_of(launch) == cudaSuccess);
        launch.required_threads = {128, 2, 1};
        CHECK(error_of(launch) == bad_shape);
        launch.block = {128, 2, 1};
        CHECK(error_of(launch) == cudaSuccess);
    }
}
