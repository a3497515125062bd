// Graphs: made, instantiated, launched and destroyed.
#include "enum_number.hpp"
#include "graph_work.hpp"
#include "stream_work.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

using namespace lanes::runtime;

namespace {

// Flags that change how a graph is freed or where its launch begins, which makes no difference here.
constexpr unsigned long long known_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    if (executable == nullptr) return cudaErrorInvalidValue;
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
        print_message("note", "the emulator has no graphs that kernels launch");
        return cudaErrorNotSupported;
    }
    if ((flags & ~known_flags) != 0) return cudaErrorInvalidValue;
    auto steps = process().graphs.steps(graph);
    if (!steps) return cudaErrorInvalidValue;
    *executable = process().executable_graphs.add(std::move(*steps));
    return cudaSuccess;
}

// Gives up to *count nodes and the number of all of them.
cudaError_t list(const std::optional<std::vector<cudaGraphNode_t>>& nodes, cudaGraphNode_t* result, size_t* count) {
    if (!nodes || count == nullptr) return cudaErrorInvalidValue;
    if (result != nullptr) {
        const size_t room = *count;
        for (size_t i = 0; i < room; ++i) result[i] = i < nodes->size() ? (*nodes)[i] : nullptr;
        *count = std::min(room, nodes->size());
    } else {
        *count = nodes->size();
    }
    return cudaSuccess;
}

std::optional<std::vector<cudaGraphNode_t>> roots(cudaGraph_t graph) {
    auto nodes = process().graphs.nodes(graph);
    if (nodes)
        std::erase_if(*nodes, [](cudaGraphNode_t node) {
            const auto before = process().graphs.dependencies(node);
            return before && !before->empty();
        });
    return nodes;
}

// A graph may take the place of the one it looks like: as many nodes, of the same kinds, in the same order.
cudaGraphExecUpdateResult update(GraphSteps& steps, const GraphSteps& newer, cudaGraphNode_t& error_node) {
    if (steps.size() != newer.size()) return cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; i < steps.size(); ++i) {
        error_node = newer[i].node;
        if (steps[i].work.type != newer[i].work.type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    error_node = nullptr;
    steps = newer;
    return cudaGraphExecUpdateSuccess;
}

cudaError_t update(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
    auto steps = process().executable_graphs.get(executable);
    const auto newer = process().graphs.steps(graph);
    if (!steps || !newer || info == nullptr) return cudaErrorInvalidValue;
    *info = {};
    info->result = update(*steps, *newer, info->errorNode);
    if (info->result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    return process().executable_graphs.set(executable, *steps) ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

LANES_EXPORT cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return use_device([&] {
        if (graph == nullptr || flags != 0) return cudaErrorInvalidValue;
        *graph = process().graphs.create();
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return use_device([&] { return process().graphs.destroy(graph) ? cudaSuccess : cudaErrorInvalidValue; });
}

LANES_EXPORT cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    return use_device([&] {
        const auto copy = clone == nullptr ? std::nullopt : process().graphs.clone(graph);
        if (!copy) return cudaErrorInvalidValue;
        *clone = *copy;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return use_device([&] { return list(process().graphs.nodes(graph), nodes, count); });
}

LANES_EXPORT cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return use_device([&] { return list(roots(graph), nodes, count); });
}

LANES_EXPORT cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return use_device([&] {
        const auto found = process().graphs.type(node);
        if (!found || type == nullptr) return cudaErrorInvalidValue;
        *type = *found;
        return cudaSuccess;
    });
}

LANES_EXPORT cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                              unsigned long long flags) {
    return use_device([&] { return instantiate(executable, graph, flags); });
}

LANES_EXPORT cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                       unsigned long long flags) {
    return use_device([&] { return instantiate(executable, graph, flags); });
}

LANES_EXPORT cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeEmpty, [executable] {
        return process().executable_graphs.get(executable) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

LANES_EXPORT cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    return submit(stream, cudaGraphNodeTypeGraph, [executable] {
        const auto steps = process().executable_graphs.get(executable);
        return steps ? run(*steps) : cudaErrorInvalidValue;
    });
}

LANES_EXPORT cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    return use_device(
        [&] { return process().executable_graphs.remove(executable) ? cudaSuccess : cudaErrorInvalidValue; });
}

LANES_EXPORT cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                             cudaGraphExecUpdateResultInfo* info) {
    return use_device([&] { return update(executable, graph, info); });
}

LANES_EXPORT cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                          const cudaKernelNodeParams* parameters) {
    return use_device([&] {
        NodeWork work;
        if (const cudaError_t error = kernel_work(parameters, work); error != cudaSuccess) return error;
        auto steps = process().executable_graphs.get(executable);
        if (!steps) return cudaErrorInvalidValue;
        const auto step = std::find_if(steps->begin(), steps->end(), [node](const GraphStep& candidate) {
            return candidate.node == node && candidate.work.type == cudaGraphNodeTypeKernel;
        });
        if (step == steps->end()) return cudaErrorInvalidValue;
        step->work = std::move(work);
        return process().executable_graphs.set(executable, *steps) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
