/// @file
/// @brief Graphs: pieces of work with an order between them, put together once and run as often as a program likes.
#pragma once

#include <driver_types.h>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace lanes::runtime {

/// A piece of work that can be run any number of times. It returns what the call that stands for it would.
using Work = std::function<cudaError_t()>;

/// What a node does.
struct NodeWork {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;  ///< kernel, copy, fill, host function or nothing
    Work run;                                         ///< empty for a node that does nothing
};

/// A step of a graph that is ready to run.
struct GraphStep {
    cudaGraphNode_t node = nullptr;  ///< the node it was made from
    NodeWork work;                   ///< what it does
};

/// The steps of a graph in an order that keeps all its dependencies.
using GraphSteps = std::vector<GraphStep>;

/// All graphs of the process. Safe to use from several threads. Handles that were never given out, or whose graph was
/// destroyed, are found out and not followed.
class Graphs {
public:
    /// Makes an empty graph.
    cudaGraph_t create();

    /// Destroys a graph with its nodes.
    /// @return false if there is none
    bool destroy(cudaGraph_t graph);

    /// Makes a graph with copies of another one's nodes.
    /// @return nothing if there is no such graph
    std::optional<cudaGraph_t> clone(cudaGraph_t graph);

    /// Adds a node.
    /// @param graph  where
    /// @param after  nodes of the same graph that must run before it
    /// @param work   what it does
    /// @return the node, or nothing if there is no such graph or one of `after` is none of its nodes
    std::optional<cudaGraphNode_t> add(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, NodeWork work);

    /// Adds the dependency of a node on another of the same graph.
    /// @param graph   of both
    /// @param before  runs first
    /// @param node    runs later
    /// @return false if one of the three is not there, or the dependency is there already
    bool add_dependency(cudaGraph_t graph, cudaGraphNode_t before, cudaGraphNode_t node);

    /// The nodes of a graph in the order in which they were added; nothing if there is no such graph.
    std::optional<std::vector<cudaGraphNode_t>> nodes(cudaGraph_t graph) const;

    /// The nodes that a node waits for; nothing if there is no such node.
    std::optional<std::vector<cudaGraphNode_t>> dependencies(cudaGraphNode_t node) const;

    /// What kind of node it is; nothing if there is no such node.
    std::optional<cudaGraphNodeType> type(cudaGraphNode_t node) const;

    /// The steps of a graph, ready to run.
    /// @return nothing if there is no such graph, or if its dependencies form a circle
    std::optional<GraphSteps> steps(cudaGraph_t graph) const;

    /// Destroys all graphs.
    void clear();

private:
    struct Node {
        cudaGraph_t graph = nullptr;
        std::vector<cudaGraphNode_t> after;
        NodeWork work;
    };
    struct Graph {
        std::vector<std::unique_ptr<Node>> nodes;
    };

    Graph* find(cudaGraph_t graph) const;
    Node* find(cudaGraphNode_t node) const;
    Node* find(cudaGraph_t graph, cudaGraphNode_t node) const;
    cudaGraph_t add_graph();
    cudaGraphNode_t add_node(Graph& graph, cudaGraph_t handle, const std::vector<cudaGraphNode_t>& after,
                             NodeWork work);

    mutable std::mutex mutex_;
    std::unordered_map<cudaGraph_t, std::unique_ptr<Graph>> graphs_;
    std::unordered_map<cudaGraphNode_t, Node*> nodes_;
};

}  // namespace lanes::runtime
