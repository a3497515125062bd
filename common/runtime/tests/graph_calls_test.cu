// Graphs that are put together node by node. Every expectation here holds on an H200 with runtime 13.0, too.
#include "device_copy.hpp"
#include "expect_faults.hpp"
#include "kernels.cuh"

#include <algorithm>
#include <vector>

using lanes::runtime::tests::bad_shape;
using lanes::runtime::tests::DeviceCopy;
using lanes::runtime::tests::FaultsExpected;

namespace {

// append_digit as a node of a graph.
cudaGraphNode_t add_digit(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, int* value, int digit) {
    void* arguments[] = {&value, &digit};
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(append_digit);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(1);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    REQUIRE_CUDA(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &parameters));
    return node;
}

cudaError_t depend(cudaGraph_t graph, cudaGraphNode_t before, cudaGraphNode_t node) {
#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(graph, &before, &node, nullptr, 1);
#else
    return cudaGraphAddDependencies(graph, &before, &node, 1);
#endif
}

cudaGraph_t make_graph() {
    cudaGraph_t graph = nullptr;
    REQUIRE_CUDA(cudaGraphCreate(&graph, 0));
    return graph;
}

// Instantiates a graph, runs it and destroys what it made of it.
void run_once(cudaGraph_t graph) {
    cudaGraphExec_t executable = nullptr;
    REQUIRE_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    REQUIRE_CUDA(cudaGraphLaunch(executable, nullptr));
    REQUIRE_CUDA(cudaDeviceSynchronize());
    REQUIRE_CUDA(cudaGraphExecDestroy(executable));
}

}  // namespace

TEST_SUITE("graphs") {
    TEST_CASE("nodes run after those they depend on, whatever the order in which they were added") {
        const DeviceCopy<int> value(std::vector<int>{0});
        cudaGraph_t graph = make_graph();
        const cudaGraphNode_t last = add_digit(graph, {}, value.get(), 3);
        const cudaGraphNode_t first = add_digit(graph, {}, value.get(), 1);
        const cudaGraphNode_t middle = add_digit(graph, {first}, value.get(), 2);
        CHECK_CUDA(cudaSuccess, depend(graph, middle, last));
        run_once(graph);
        CHECK(value.host()[0] == 123);
        CHECK_CUDA(cudaSuccess, cudaGraphDestroy(graph));
    }

    TEST_CASE("fills, copies, host functions and nodes that do nothing") {
        const DeviceCopy<int> value(std::vector<int>{0, 0, 0, 0});
        cudaGraph_t graph = make_graph();
        cudaMemsetParams fill{};
        fill.dst = value.get();
        fill.value = 0x01020304;
        fill.elementSize = 4;
        fill.width = 4;
        fill.height = 1;
        cudaGraphNode_t filled = nullptr;
        REQUIRE_CUDA(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
        int host[4] = {};
        cudaGraphNode_t copied = nullptr;
        REQUIRE_CUDA(cudaGraphAddMemcpyNode1D(&copied, graph, &filled, 1, host, value.get(), sizeof host,
                                              cudaMemcpyDeviceToHost));
        int seen = 0;
        struct Look {
            const int* from;
            int* to;
        } look{host, &seen};
        cudaHostNodeParams function{};
        function.fn = [](void* data) { *static_cast<Look*>(data)->to = *static_cast<Look*>(data)->from; };
        function.userData = &look;
        cudaGraphNode_t looked = nullptr;
        REQUIRE_CUDA(cudaGraphAddHostNode(&looked, graph, &copied, 1, &function));
        cudaGraphNode_t nothing = nullptr;
        REQUIRE_CUDA(cudaGraphAddEmptyNode(&nothing, graph, &looked, 1));
        run_once(graph);
        CHECK(std::all_of(host, host + 4, [](int element) { return element == 0x01020304; }));
        CHECK(seen == 0x01020304);
        cudaGraphNodeType type{};
        CHECK_CUDA(cudaSuccess, cudaGraphNodeGetType(copied, &type));
        CHECK(type == cudaGraphNodeTypeMemcpy);
        std::size_t count = 0;
        CHECK_CUDA(cudaSuccess, cudaGraphGetNodes(graph, nullptr, &count));
        CHECK(count == 4);
        cudaGraphNode_t root = nullptr;
        count = 1;
        CHECK_CUDA(cudaSuccess, cudaGraphGetRootNodes(graph, &root, &count));
        CHECK(count == 1);
        CHECK(root == filled);
        CHECK_CUDA(cudaSuccess, cudaGraphDestroy(graph));
    }

    TEST_CASE("a box is copied by a node as by cudaMemcpy3D") {
        const DeviceCopy<int> value(std::vector<int>{1, 2, 3, 4});
        int host[4] = {};
        cudaGraph_t graph = make_graph();
        cudaMemcpy3DParms box{};
        box.srcPtr = make_cudaPitchedPtr(value.get(), 8, 8, 2);
        box.dstPtr = make_cudaPitchedPtr(host, 8, 8, 2);
        box.extent = make_cudaExtent(8, 2, 1);
        box.kind = cudaMemcpyDeviceToHost;
        cudaGraphNode_t node = nullptr;
        REQUIRE_CUDA(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &box));
        run_once(graph);
        CHECK(host[3] == 4);
        CHECK_CUDA(cudaSuccess, cudaGraphDestroy(graph));
    }

    TEST_CASE("what was instantiated outlives its graph, and can be changed") {
        const DeviceCopy<int> value(std::vector<int>{0});
        cudaGraph_t graph = make_graph();
        const cudaGraphNode_t node = add_digit(graph, {}, value.get(), 1);
        cudaGraphExec_t executable = nullptr;
        REQUIRE_CUDA(cudaGraphInstantiate(&executable, graph, 0));
        CHECK_CUDA(cudaSuccess, cudaGraphUpload(executable, nullptr));
        int* pointer = value.get();
        int digit = 7;
        void* arguments[] = {&pointer, &digit};
        cudaKernelNodeParams parameters{};
        parameters.func = reinterpret_cast<void*>(append_digit);
        parameters.gridDim = dim3(1);
        parameters.blockDim = dim3(1);
        parameters.kernelParams = arguments;
        CHECK_CUDA(cudaSuccess, cudaGraphExecKernelNodeSetParams(executable, node, &parameters));
        REQUIRE_CUDA(cudaGraphLaunch(executable, nullptr));
        cudaGraph_t other = make_graph();
        add_digit(other, {}, value.get(), 8);
        cudaGraphExecUpdateResultInfo info{};
        CHECK_CUDA(cudaSuccess, cudaGraphExecUpdate(executable, other, &info));
        CHECK_CUDA(cudaSuccess, cudaGraphDestroy(other));
        CHECK_CUDA(cudaSuccess, cudaGraphDestroy(graph));
        REQUIRE_CUDA(cudaGraphLaunch(executable, nullptr));
        REQUIRE_CUDA(cudaDeviceSynchronize());
        CHECK(value.host()[0] == 78);
        CHECK_CUDA(cudaSuccess, cudaGraphExecDestroy(executable));
        CHECK_CUDA(cudaErrorInvalidValue, cudaGraphLaunch(nullptr, nullptr));
        cudaGetLastError();
    }

    TEST_CASE("a copy of a graph is a graph of its own") {
        const DeviceCopy<int> value(std::vector<int>{0});
        cudaGraph_t graph = make_graph();
        const cudaGraphNode_t first = add_digit(graph, {}, value.get(), 1);
        add_digit(graph, {first}, value.get(), 2);
        cudaGraph_t copy = nullptr;
        REQUIRE_CUDA(cudaGraphClone(&copy, graph));
        REQUIRE_CUDA(cudaGraphDestroy(graph));
        run_once(copy);
        CHECK(value.host()[0] == 12);
        REQUIRE_CUDA(cudaGraphDestroy(copy));
    }

    TEST_CASE("what is no graph, no node or no order is refused") {
        const FaultsExpected expected;
        const DeviceCopy<int> value(std::vector<int>{0});
        cudaGraph_t graph = nullptr;
        CHECK_CUDA(cudaErrorInvalidValue, cudaGraphCreate(&graph, 1));
        graph = make_graph();
        const cudaGraphNode_t first = add_digit(graph, {}, value.get(), 1);
        const cudaGraphNode_t second = add_digit(graph, {first}, value.get(), 2);
        CHECK_CUDA(cudaErrorInvalidValue, depend(graph, first, second));
        CHECK_CUDA(cudaSuccess, depend(graph, second, first));
        cudaGraphExec_t executable = nullptr;
        CHECK_CUDA(cudaErrorInvalidValue, cudaGraphInstantiate(&executable, graph, 0));
        cudaGraphNode_t node = nullptr;
        cudaKernelNodeParams parameters{};
        parameters.func = reinterpret_cast<void*>(do_nothing);
        parameters.blockDim = dim3(1);
        parameters.gridDim = dim3(0);
        CHECK_CUDA(bad_shape, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
        parameters.gridDim = dim3(1);
        parameters.func = nullptr;
        CHECK_CUDA(cudaErrorInvalidDeviceFunction, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
        CHECK_CUDA(cudaErrorInvalidValue, cudaGraphAddEmptyNode(&node, nullptr, nullptr, 0));
        cudaMemsetParams fill{};
        fill.dst = value.get();
        fill.elementSize = 3;
        fill.width = fill.height = 1;
        CHECK_CUDA(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &fill));
        CHECK_CUDA(cudaErrorInvalidValue, cudaGraphInstantiate(&executable, nullptr, 0));
        CHECK_CUDA(cudaErrorInvalidValue, cudaGraphExecDestroy(nullptr));
        CHECK_CUDA(cudaSuccess, cudaGraphDestroy(graph));
        CHECK_CUDA(cudaErrorInvalidValue, cudaGraphDestroy(nullptr));
        cudaGetLastError();
    }
}
