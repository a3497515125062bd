#include "captures.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace lanes::runtime {

std::shared_ptr<Captures::Sequence> Captures::find(cudaStream_t stream) const {
    const auto found = std::find_if(sequences_.begin(), sequences_.end(),
                                    [stream](const auto& sequence) { return sequence->last_nodes.contains(stream); });
    return found == sequences_.end() ? nullptr : *found;
}

cudaError_t Captures::begin(cudaStream_t stream, bool blocking, int mode) {
    const std::lock_guard lock(mutex_);
    if (find(stream)) return cudaErrorIllegalState;
    auto sequence = std::make_shared<Sequence>();
    sequence->graph = graphs_.create();
    sequence->origin = stream;
    sequence->mode = mode;
    sequence->thread = std::this_thread::get_id();
    sequence->blocking = blocking;
    sequence->last_nodes[stream];
    sequences_.push_back(std::move(sequence));
    any_ = true;
    return cudaSuccess;
}

// Every node leads to the stream where the capture began.
bool Captures::is_joined(const Sequence& sequence) const {
    std::set<cudaGraphNode_t> reached;
    std::vector<cudaGraphNode_t> open = sequence.last_nodes.at(sequence.origin);
    while (!open.empty()) {
        const cudaGraphNode_t node = open.back();
        open.pop_back();
        if (!reached.insert(node).second) continue;
        const auto before = graphs_.dependencies(node);
        if (before) open.insert(open.end(), before->begin(), before->end());
    }
    const auto nodes = graphs_.nodes(sequence.graph);
    return nodes && nodes->size() == reached.size();
}

cudaError_t Captures::end(cudaStream_t stream, cudaGraph_t& graph) {
    const std::lock_guard lock(mutex_);
    graph = nullptr;
    const auto sequence = find(stream);
    if (!sequence) return cudaErrorIllegalState;
    if (sequence->origin != stream) {
        sequence->valid = false;
        return cudaErrorStreamCaptureUnmatched;
    }
    if (sequence->mode != cudaStreamCaptureModeRelaxed && sequence->thread != std::this_thread::get_id())
        return cudaErrorStreamCaptureWrongThread;
    std::erase(sequences_, sequence);
    any_ = !sequences_.empty();
    const cudaError_t error = !sequence->valid        ? cudaErrorStreamCaptureInvalidated
                              : !is_joined(*sequence) ? cudaErrorStreamCaptureUnjoined
                                                      : cudaSuccess;
    if (error == cudaSuccess)
        graph = sequence->graph;
    else
        graphs_.destroy(sequence->graph);
    return error;
}

cudaStreamCaptureStatus Captures::status(cudaStream_t stream) const {
    if (!any_) return cudaStreamCaptureStatusNone;
    const std::lock_guard lock(mutex_);
    const auto sequence = find(stream);
    if (!sequence) return cudaStreamCaptureStatusNone;
    return sequence->valid ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusInvalidated;
}

bool Captures::touches_legacy_stream() const {
    if (!any_) return false;
    const std::lock_guard lock(mutex_);
    return std::any_of(sequences_.begin(), sequences_.end(), [](const auto& sequence) { return sequence->blocking; });
}

std::optional<cudaError_t> Captures::add(cudaStream_t stream, NodeWork work) {
    if (!any_) return std::nullopt;
    const std::lock_guard lock(mutex_);
    const auto sequence = find(stream);
    if (!sequence) return std::nullopt;
    if (!sequence->valid) return cudaErrorStreamCaptureInvalidated;
    auto& last = sequence->last_nodes[stream];
    const auto node = graphs_.add(sequence->graph, last, std::move(work));
    if (!node) return cudaErrorUnknown;  // somebody destroyed a graph that nobody was given
    last = {*node};
    return cudaSuccess;
}

void Captures::invalidate(cudaStream_t stream) {
    if (!any_) return;
    const std::lock_guard lock(mutex_);
    if (const auto sequence = find(stream)) sequence->valid = false;
}

std::optional<cudaError_t> Captures::record(cudaEvent_t event, cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    const auto sequence = find(stream);
    if (!sequence) return std::nullopt;
    if (!sequence->valid) return cudaErrorStreamCaptureInvalidated;
    events_[event] = {sequence, sequence->last_nodes[stream]};
    return cudaSuccess;
}

std::optional<cudaError_t> Captures::wait(cudaStream_t stream, bool blocking, cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    const auto mine = find(stream);
    const auto recorded = events_.find(event);
    if (recorded == events_.end()) {
        if (!mine) return std::nullopt;
        if (!mine->valid) return cudaErrorStreamCaptureInvalidated;
        mine->valid = false;
        return cudaErrorStreamCaptureIsolation;
    }
    const auto sequence = recorded->second.sequence.lock();
    if (!sequence) return cudaErrorInvalidValue;  // that capture has ended
    if (!sequence->valid || (mine && !mine->valid)) return cudaErrorStreamCaptureInvalidated;
    if (mine && mine != sequence) {
        mine->valid = false;
        sequence->valid = false;
        return cudaErrorStreamCaptureMerge;
    }
    auto& last = sequence->last_nodes[stream];
    for (const cudaGraphNode_t node : recorded->second.nodes)
        if (std::find(last.begin(), last.end(), node) == last.end()) last.push_back(node);
    sequence->blocking = sequence->blocking || blocking;
    return cudaSuccess;
}

void Captures::forget(cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    events_.erase(event);
}

void Captures::clear() {
    const std::lock_guard lock(mutex_);
    sequences_.clear();
    events_.clear();
    any_ = false;
}

cudaError_t Captures::check_unsafe() {
    if (!any_) return cudaSuccess;
    const std::lock_guard lock(mutex_);
    bool forbidden = false;
    for (const auto& sequence : sequences_) {
        const bool minds =
            sequence->mode == cudaStreamCaptureModeGlobal ||
            (sequence->mode == cudaStreamCaptureModeThreadLocal && sequence->thread == std::this_thread::get_id());
        if (!minds) continue;
        sequence->valid = false;
        forbidden = true;
    }
    return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t Captures::check_legacy_stream() {
    if (!any_) return cudaSuccess;
    const std::lock_guard lock(mutex_);
    bool forbidden = false;
    for (const auto& sequence : sequences_) {
        if (!sequence->blocking) continue;
        sequence->valid = false;
        forbidden = true;
    }
    return forbidden ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaError_t Captures::check_event(cudaEvent_t event) {
    const std::lock_guard lock(mutex_);
    const auto recorded = events_.find(event);
    if (recorded == events_.end()) return cudaSuccess;
    const auto sequence = recorded->second.sequence.lock();
    if (!sequence) return cudaErrorInvalidValue;
    sequence->valid = false;
    return cudaErrorCapturedEvent;
}

}  // namespace lanes::runtime
