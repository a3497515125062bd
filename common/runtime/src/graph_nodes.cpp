// Nodes of graphs that a program puts together by hand.
#include "array_copies.hpp"
#include "call.hpp"
#include "enum_number.hpp"
#include "graph_work.hpp"
#include "transfer.hpp"

#include <cuda_runtime_api.h>

#include <vector>

using namespace lanes::runtime;

namespace {

// A graph, and the nodes that the new node waits for.
struct Place {
    cudaGraph_t graph;
    const cudaGraphNode_t* after;
    size_t count;
};

cudaError_t add(cudaGraphNode_t* node, const Place& place, NodeWork work) {
    if (node == nullptr || (place.after == nullptr && place.count != 0)) return cudaErrorInvalidValue;
    const std::vector<cudaGraphNode_t> after(place.after, place.after + place.count);
    const auto added = process().graphs.add(place.graph, after, std::move(work));
    if (!added) return cudaErrorInvalidValue;
    *node = *added;
    return cudaSuccess;
}

// Adds a node whose work `make` makes of what the caller said.
template <typename Make>
cudaError_t add_made(cudaGraphNode_t* node, const Place& place, Make make) {
    return use_device([&] {
        NodeWork work;
        const cudaError_t error = make(work);
        return error == cudaSuccess ? add(node, place, std::move(work)) : error;
    });
}

cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* before, const cudaGraphNode_t* nodes,
                             size_t count) {
    if (count != 0 && (before == nullptr || nodes == nullptr)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i)
        if (!process().graphs.add_dependency(graph, before[i], nodes[i])) return cudaErrorInvalidValue;
    return cudaSuccess;
}

}  // namespace

LANES_EXPORT cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                size_t count, const cudaKernelNodeParams* parameters) {
    return add_made(node, {graph, after, count}, [&](NodeWork& work) { return kernel_work(parameters, work); });
}

LANES_EXPORT cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                size_t count, const cudaMemcpy3DParms* box) {
    return add_made(node, {graph, after, count}, [&](NodeWork& work) {
        if (box == nullptr) return cudaErrorInvalidValue;
        work = {cudaGraphNodeTypeMemcpy, [copied = *box] { return copy_box("cudaGraphAddMemcpyNode", copied); }};
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t count, void* to,
                                                  const void* from, size_t bytes, cudaMemcpyKind kind) {
    return add_made(node, {graph, after, count}, [&](NodeWork& work) {
        work = {cudaGraphNodeTypeMemcpy, [to, from, bytes, direction = enum_number(kind)] {
                    return copy("cudaGraphAddMemcpyNode1D", to, from, bytes, direction);
                }};
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                size_t count, const cudaMemsetParams* parameters) {
    return add_made(node, {graph, after, count}, [&](NodeWork& work) { return fill_work(parameters, work); });
}

LANES_EXPORT cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                              size_t count, const cudaHostNodeParams* parameters) {
    return add_made(node, {graph, after, count}, [&](NodeWork& work) {
        if (parameters == nullptr || parameters->fn == nullptr) return cudaErrorInvalidValue;
        work = {cudaGraphNodeTypeHost, [host = *parameters] {
                    host.fn(host.userData);
                    return cudaSuccess;
                }};
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                               size_t count) {
    return add_made(node, {graph, after, count}, [](NodeWork&) { return cudaSuccess; });
}

// Edges may carry data about how much of a node another waits for. All of it, here.
#if CUDART_VERSION >= 13000
LANES_EXPORT cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* before,
                                                  const cudaGraphNode_t* nodes, const cudaGraphEdgeData* /*edges*/,
                                                  size_t count) {
    return use_device([&] { return add_dependencies(graph, before, nodes, count); });
}
#else
LANES_EXPORT cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* before,
                                                  const cudaGraphNode_t* nodes, size_t count) {
    return use_device([&] { return add_dependencies(graph, before, nodes, count); });
}

LANES_EXPORT cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* before,
                                                     const cudaGraphNode_t* nodes, const cudaGraphEdgeData* /*edges*/,
                                                     size_t count) {
    return use_device([&] { return add_dependencies(graph, before, nodes, count); });
}
#endif
