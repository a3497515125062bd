#include "graphs.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace lanes::runtime {

namespace {

cudaGraphNode_t handle_of(const void* node) {
    return static_cast<cudaGraphNode_t>(const_cast<void*>(node));
}

}  // namespace

Graphs::Graph* Graphs::find(cudaGraph_t graph) const {
    const auto found = graphs_.find(graph);
    return found == graphs_.end() ? nullptr : found->second.get();
}

Graphs::Node* Graphs::find(cudaGraphNode_t node) const {
    const auto found = nodes_.find(node);
    return found == nodes_.end() ? nullptr : found->second;
}

Graphs::Node* Graphs::find(cudaGraph_t graph, cudaGraphNode_t node) const {
    Node* const found = find(node);
    return found != nullptr && found->graph == graph ? found : nullptr;
}

cudaGraph_t Graphs::add_graph() {
    auto graph = std::make_unique<Graph>();
    const auto handle = static_cast<cudaGraph_t>(static_cast<void*>(graph.get()));
    graphs_.emplace(handle, std::move(graph));
    return handle;
}

cudaGraphNode_t Graphs::add_node(Graph& graph, cudaGraph_t handle, const std::vector<cudaGraphNode_t>& after,
                                 NodeWork work) {
    graph.nodes.push_back(std::make_unique<Node>(Node{handle, after, std::move(work)}));
    Node* const node = graph.nodes.back().get();
    nodes_.emplace(handle_of(node), node);
    return handle_of(node);
}

cudaGraph_t Graphs::create() {
    const std::lock_guard lock(mutex_);
    return add_graph();
}

bool Graphs::destroy(cudaGraph_t graph) {
    const std::lock_guard lock(mutex_);
    const Graph* const found = find(graph);
    if (found == nullptr) return false;
    for (const auto& node : found->nodes) nodes_.erase(handle_of(node.get()));
    graphs_.erase(graph);
    return true;
}

void Graphs::clear() {
    const std::lock_guard lock(mutex_);
    nodes_.clear();
    graphs_.clear();
}

std::optional<cudaGraph_t> Graphs::clone(cudaGraph_t graph) {
    const std::lock_guard lock(mutex_);
    const Graph* const original = find(graph);
    if (original == nullptr) return std::nullopt;
    const cudaGraph_t copy = add_graph();
    std::unordered_map<cudaGraphNode_t, cudaGraphNode_t> copies;
    for (const auto& node : original->nodes)
        copies[handle_of(node.get())] = add_node(*find(copy), copy, {}, node->work);
    for (const auto& node : original->nodes)
        for (const cudaGraphNode_t before : node->after)
            find(copies[handle_of(node.get())])->after.push_back(copies[before]);
    return copy;
}

std::optional<cudaGraphNode_t> Graphs::add(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                           NodeWork work) {
    const std::lock_guard lock(mutex_);
    Graph* const found = find(graph);
    if (found == nullptr) return std::nullopt;
    for (const cudaGraphNode_t before : after)
        if (find(graph, before) == nullptr) return std::nullopt;
    return add_node(*found, graph, after, std::move(work));
}

bool Graphs::add_dependency(cudaGraph_t graph, cudaGraphNode_t before, cudaGraphNode_t node) {
    const std::lock_guard lock(mutex_);
    Node* const later = find(graph, node);
    if (later == nullptr || find(graph, before) == nullptr) return false;
    if (std::find(later->after.begin(), later->after.end(), before) != later->after.end()) return false;
    later->after.push_back(before);
    return true;
}

std::optional<std::vector<cudaGraphNode_t>> Graphs::nodes(cudaGraph_t graph) const {
    const std::lock_guard lock(mutex_);
    const Graph* const found = find(graph);
    if (found == nullptr) return std::nullopt;
    std::vector<cudaGraphNode_t> result;
    for (const auto& node : found->nodes) result.push_back(handle_of(node.get()));
    return result;
}

std::optional<std::vector<cudaGraphNode_t>> Graphs::dependencies(cudaGraphNode_t node) const {
    const std::lock_guard lock(mutex_);
    const Node* const found = find(node);
    return found == nullptr ? std::nullopt : std::optional(found->after);
}

std::optional<cudaGraphNodeType> Graphs::type(cudaGraphNode_t node) const {
    const std::lock_guard lock(mutex_);
    const Node* const found = find(node);
    return found == nullptr ? std::nullopt : std::optional(found->work.type);
}

// Nodes whose dependencies are done, again and again, each time in the order in which they were added.
std::optional<GraphSteps> Graphs::steps(cudaGraph_t graph) const {
    const std::lock_guard lock(mutex_);
    const Graph* const found = find(graph);
    if (found == nullptr) return std::nullopt;
    GraphSteps result;
    std::unordered_set<cudaGraphNode_t> done;
    while (result.size() < found->nodes.size()) {
        const std::size_t before = result.size();
        for (const auto& node : found->nodes) {
            const bool is_ready = std::all_of(node->after.begin(), node->after.end(),
                                              [&](cudaGraphNode_t earlier) { return done.contains(earlier); });
            if (!is_ready || !done.insert(handle_of(node.get())).second) continue;
            result.push_back({handle_of(node.get()), node->work});
        }
        if (result.size() == before) return std::nullopt;
    }
    return result;
}

}  // namespace lanes::runtime
