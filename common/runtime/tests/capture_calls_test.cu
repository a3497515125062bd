// Stream capture. Every expectation here holds on an H200 with runtime 13.0, too.
#include "device_copy.hpp"
#include "expect_faults.hpp"
#include "kernels.cuh"

#include <functional>
#include <vector>

using lanes::runtime::tests::bad_shape;
using lanes::runtime::tests::DeviceCopy;
using lanes::runtime::tests::FaultsExpected;

namespace {

// Two streams, an event, and a number on the device that launches append digits to.
class Fixture {
public:
    Fixture() : value(std::vector<int>{0}) {
        REQUIRE_CUDA(cudaStreamCreate(&stream));
        REQUIRE_CUDA(cudaStreamCreate(&other));
        REQUIRE_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    ~Fixture() {
        CHECK_CUDA(cudaSuccess, cudaEventDestroy(event));
        CHECK_CUDA(cudaSuccess, cudaStreamDestroy(other));
        CHECK_CUDA(cudaSuccess, cudaStreamDestroy(stream));
        cudaGetLastError();
    }
    Fixture(const Fixture&) = delete;
    Fixture& operator=(const Fixture&) = delete;

    void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) const {
        REQUIRE_CUDA(cudaStreamBeginCapture(stream, mode));
    }
    void append(int digit, cudaStream_t where) const { append_digit<<<1, 1, 0, where>>>(value.get(), digit); }
    // Ends the capture and runs its graph once.
    int run() const {
        cudaGraph_t graph = nullptr;
        REQUIRE_CUDA(cudaStreamEndCapture(stream, &graph));
        REQUIRE(graph != nullptr);
        cudaGraphExec_t executable = nullptr;
        REQUIRE_CUDA(cudaGraphInstantiate(&executable, graph, 0));
        CHECK_CUDA(cudaSuccess, cudaGraphDestroy(graph));
        REQUIRE_CUDA(cudaGraphLaunch(executable, stream));
        REQUIRE_CUDA(cudaStreamSynchronize(stream));
        CHECK_CUDA(cudaSuccess, cudaGraphExecDestroy(executable));
        return value.host()[0];
    }

    // The other stream's work comes after that of the captured stream so far.
    void fork() const {
        REQUIRE_CUDA(cudaEventRecord(event, stream));
        REQUIRE_CUDA(cudaStreamWaitEvent(other, event, 0));
    }
    void join() const {
        REQUIRE_CUDA(cudaEventRecord(event, other));
        REQUIRE_CUDA(cudaStreamWaitEvent(stream, event, 0));
    }
    cudaStreamCaptureStatus status(cudaStream_t of) const {
        cudaStreamCaptureStatus result = cudaStreamCaptureStatusNone;
        REQUIRE_CUDA(cudaStreamIsCapturing(of, &result));
        return result;
    }

    DeviceCopy<int> value;
    cudaStream_t stream = nullptr;
    cudaStream_t other = nullptr;
    cudaEvent_t event = nullptr;
};

void check_breaks(cudaError_t error, const std::function<cudaError_t(const Fixture&)>& call) {
    const Fixture fixture;
    fixture.begin();
    fixture.append(1, fixture.stream);
    CHECK_CUDA(error, call(fixture));
    CHECK(fixture.status(fixture.stream) == cudaStreamCaptureStatusInvalidated);
    cudaGraph_t graph = nullptr;
    CHECK_CUDA(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(fixture.stream, &graph));
    CHECK(graph == nullptr);
    CHECK(fixture.status(fixture.stream) == cudaStreamCaptureStatusNone);
}

}  // namespace

TEST_SUITE("captures") {
    TEST_CASE("what is captured runs when the graph does, as often as it does, and not before") {
        const Fixture fixture;
        fixture.begin();
        CHECK(fixture.status(fixture.stream) == cudaStreamCaptureStatusActive);
        fixture.append(1, fixture.stream);
        fixture.append(2, fixture.stream);
        int host = -1;
        int* const pointer = &host;
        REQUIRE_CUDA(cudaMemcpyAsync(pointer, fixture.value.get(), 4, cudaMemcpyDeviceToHost, fixture.stream));
        CHECK(host == -1);
        cudaGraph_t graph = nullptr;
        REQUIRE_CUDA(cudaStreamEndCapture(fixture.stream, &graph));
        CHECK(fixture.value.host()[0] == 0);
        cudaGraphExec_t executable = nullptr;
        REQUIRE_CUDA(cudaGraphInstantiate(&executable, graph, 0));
        REQUIRE_CUDA(cudaGraphLaunch(executable, fixture.stream));
        REQUIRE_CUDA(cudaGraphLaunch(executable, fixture.stream));
        REQUIRE_CUDA(cudaStreamSynchronize(fixture.stream));
        CHECK(host == 1212);
        CHECK_CUDA(cudaSuccess, cudaGraphExecDestroy(executable));
        CHECK_CUDA(cudaSuccess, cudaGraphDestroy(graph));
    }

    TEST_CASE("fills and host functions are captured; other streams are not") {
        const Fixture fixture;
        fixture.append(9, fixture.other);
        fixture.begin();
        REQUIRE_CUDA(cudaMemsetAsync(fixture.value.get(), 0, 4, fixture.stream));
        fixture.append(1, fixture.stream);
        int calls = 0;
        REQUIRE_CUDA(cudaLaunchHostFunc(
            fixture.stream, [](void* data) { ++*static_cast<int*>(data); }, &calls));
        fixture.append(8, fixture.other);
        CHECK(calls == 0);
        CHECK(fixture.run() == 1);
        CHECK(calls == 1);
    }

    TEST_CASE("events take a capture to other streams and back") {
        const Fixture fixture;
        fixture.begin();
        fixture.append(1, fixture.stream);
        fixture.fork();
        CHECK(fixture.status(fixture.other) == cudaStreamCaptureStatusActive);
        fixture.append(2, fixture.other);
        fixture.join();
        fixture.append(3, fixture.stream);
        CHECK(fixture.run() == 123);
        CHECK(fixture.status(fixture.other) == cudaStreamCaptureStatusNone);
    }

    TEST_CASE("a stream that does not come back makes the capture fail") {
        const Fixture fixture;
        fixture.begin();
        fixture.append(1, fixture.stream);
        fixture.fork();
        fixture.append(2, fixture.other);
        cudaGraph_t graph = nullptr;
        CHECK_CUDA(cudaErrorStreamCaptureUnjoined, cudaStreamEndCapture(fixture.stream, &graph));
        CHECK(graph == nullptr);
        CHECK(fixture.status(fixture.other) == cudaStreamCaptureStatusNone);
    }

    TEST_CASE("a capture ends on the stream where it began") {
        const Fixture fixture;
        fixture.begin();
        fixture.append(1, fixture.stream);
        fixture.fork();
        cudaGraph_t graph = nullptr;
        CHECK_CUDA(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(fixture.other, &graph));
        CHECK_CUDA(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(fixture.stream, &graph));
    }

    TEST_CASE("captures begin once, and not on the legacy stream") {
        const Fixture fixture;
        cudaGraph_t graph = nullptr;
        CHECK_CUDA(cudaErrorIllegalState, cudaStreamEndCapture(fixture.stream, &graph));
        CHECK_CUDA(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
        fixture.begin();
        CHECK_CUDA(cudaErrorIllegalState, cudaStreamBeginCapture(fixture.stream, cudaStreamCaptureModeGlobal));
        cudaStreamCaptureStatus status{};
        CHECK_CUDA(cudaErrorStreamCaptureImplicit, cudaStreamIsCapturing(nullptr, &status));
        fixture.append(1, fixture.stream);
        CHECK(fixture.run() == 1);
    }

    TEST_CASE("calls that wait or allocate break a capture") {
        void* pointer = nullptr;
        int host = 0;
        const auto unsupported = [](const std::function<cudaError_t(const Fixture&)>& call) {
            check_breaks(cudaErrorStreamCaptureUnsupported, call);
        };
        unsupported([](const Fixture&) { return cudaDeviceSynchronize(); });
        unsupported([](const Fixture& f) { return cudaStreamSynchronize(f.stream); });
        unsupported([](const Fixture& f) { return cudaStreamQuery(f.other); });
        unsupported([](const Fixture& f) { return cudaEventQuery(f.event); });
        unsupported([&](const Fixture&) { return cudaMalloc(&pointer, 16); });
        unsupported([&](const Fixture&) { return cudaMallocHost(&pointer, 16); });
        unsupported([](const Fixture&) { return cudaFree(nullptr); });
        const auto implicit = [](const std::function<cudaError_t(const Fixture&)>& call) {
            check_breaks(cudaErrorStreamCaptureImplicit, call);
        };
        implicit([&](const Fixture& f) { return cudaMemcpy(&host, f.value.get(), 4, cudaMemcpyDeviceToHost); });
        implicit([](const Fixture& f) { return cudaMemset(f.value.get(), 0, 4); });
        implicit([](const Fixture& f) { return cudaMemsetAsync(f.value.get(), 0, 4, nullptr); });
        check_breaks(cudaErrorCapturedEvent, [](const Fixture& f) {
            REQUIRE_CUDA(cudaEventRecord(f.event, f.stream));
            return cudaEventQuery(f.event);
        });
        const FaultsExpected expected;
        check_breaks(bad_shape, [](const Fixture& f) {
            append_digit<<<0, 1, 0, f.stream>>>(f.value.get(), 1);
            return cudaGetLastError();
        });
    }

    TEST_CASE("an event of a capture that has ended has never happened, until it is recorded again") {
        const Fixture fixture;
        fixture.begin();
        fixture.append(1, fixture.stream);
        REQUIRE_CUDA(cudaEventRecord(fixture.event, fixture.stream));
        CHECK(fixture.run() == 1);
        CHECK_CUDA(cudaErrorInvalidValue, cudaEventQuery(fixture.event));
        CHECK_CUDA(cudaErrorInvalidValue, cudaEventSynchronize(fixture.event));
        CHECK_CUDA(cudaErrorInvalidValue, cudaStreamWaitEvent(fixture.other, fixture.event, 0));
        CHECK_CUDA(cudaSuccess, cudaEventRecord(fixture.event, fixture.other));
        CHECK_CUDA(cudaSuccess, cudaEventSynchronize(fixture.event));
    }

    TEST_CASE("captures do not wait for what is outside, nor join each other") {
        check_breaks(cudaErrorStreamCaptureIsolation, [](const Fixture& f) {
            cudaEvent_t outside = nullptr;
            REQUIRE_CUDA(cudaEventCreate(&outside));
            REQUIRE_CUDA(cudaEventRecord(outside, f.other));
            const cudaError_t error = cudaStreamWaitEvent(f.stream, outside, 0);
            REQUIRE_CUDA(cudaEventDestroy(outside));
            return error;
        });
        check_breaks(cudaErrorStreamCaptureMerge, [](const Fixture& f) {
            REQUIRE_CUDA(cudaStreamBeginCapture(f.other, cudaStreamCaptureModeGlobal));
            REQUIRE_CUDA(cudaEventRecord(f.event, f.stream));
            const cudaError_t error = cudaStreamWaitEvent(f.other, f.event, 0);
            cudaGraph_t graph = nullptr;
            CHECK_CUDA(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(f.other, &graph));
            return error;
        });
    }

    TEST_CASE("a stream that is destroyed takes its capture with it") {
        cudaStream_t stream = nullptr;
        REQUIRE_CUDA(cudaStreamCreate(&stream));
        REQUIRE_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        CHECK_CUDA(cudaSuccess, cudaStreamDestroy(stream));
        CHECK_CUDA(cudaSuccess, cudaDeviceSynchronize());
    }

    TEST_CASE("a relaxed capture lets a program allocate") {
        const Fixture fixture;
        fixture.begin(cudaStreamCaptureModeRelaxed);
        fixture.append(4, fixture.stream);
        void* pointer = nullptr;
        CHECK_CUDA(cudaSuccess, cudaMalloc(&pointer, 16));
        CHECK_CUDA(cudaSuccess, cudaFree(pointer));
        CHECK(fixture.run() == 4);
    }
}
