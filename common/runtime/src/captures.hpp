/// @file
/// @brief Stream capture: calls on a stream become nodes of a graph instead of being carried out.
///
/// The rules, and the error that each breach of them gives, are those of runtime 13.0 on an H200. A capture that a call
/// has broken stays invalid until it is ended.
#pragma once

#include "graphs.hpp"

#include <driver_types.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <vector>

namespace lanes::runtime {

/// The captures that are going on. Safe to use from several threads.
class Captures {
public:
    /// @param graphs  where captured graphs are made
    explicit Captures(Graphs& graphs) : graphs_(graphs) {}

    /// Begins a capture.
    /// @param stream    its stream, not the legacy one
    /// @param blocking  the stream waits for the legacy stream, and that one for it
    /// @param mode      a cudaStreamCaptureMode: which calls the capture forbids
    /// @return cudaErrorIllegalState if the stream is being captured
    cudaError_t begin(cudaStream_t stream, bool blocking, int mode);

    /// Ends a capture.
    /// @param stream  where it began
    /// @param graph   gets the graph, or null if the capture failed
    cudaError_t end(cudaStream_t stream, cudaGraph_t& graph);

    /// Whether a stream is being captured.
    cudaStreamCaptureStatus status(cudaStream_t stream) const;

    /// Whether some stream that waits for the legacy stream is being captured.
    bool touches_legacy_stream() const;

    /// Puts work on a stream.
    /// @return nothing if the stream is not being captured, and the work is to be done now; else how it went
    std::optional<cudaError_t> add(cudaStream_t stream, NodeWork work);

    /// Says that a call on a captured stream failed: the capture is invalid from now on.
    void invalidate(cudaStream_t stream);

    /// Records an event.
    /// @return nothing if the stream is not being captured
    std::optional<cudaError_t> record(cudaEvent_t event, cudaStream_t stream);

    /// Lets a stream wait for an event; it joins the event's capture.
    /// @return nothing if neither is part of a capture
    std::optional<cudaError_t> wait(cudaStream_t stream, bool blocking, cudaEvent_t event);

    /// Forgets an event that was recorded outside of any capture, or destroyed.
    void forget(cudaEvent_t event);

    /// For calls that wait, and those that may wait for the device: what a capture forbids.
    /// @return cudaErrorStreamCaptureUnsupported, or cudaSuccess if no capture minds
    cudaError_t check_unsafe();

    /// For work on the legacy stream, which all blocking streams would have to wait for.
    /// @return cudaErrorStreamCaptureImplicit, or cudaSuccess if no capture minds
    cudaError_t check_legacy_stream();

    /// For calls that ask about an event.
    /// @return cudaErrorCapturedEvent if it was recorded in a capture that goes on, cudaErrorInvalidValue if that
    ///         capture has ended, else cudaSuccess
    cudaError_t check_event(cudaEvent_t event);

    /// Forgets all captures.
    void clear();

private:
    struct Sequence {
        cudaGraph_t graph = nullptr;
        cudaStream_t origin = nullptr;
        int mode = 0;
        std::thread::id thread;
        bool valid = true;
        bool blocking = false;                                            // one of its streams is
        std::map<cudaStream_t, std::vector<cudaGraphNode_t>> last_nodes;  // by stream: what its next node waits for
    };
    struct RecordedEvent {
        std::weak_ptr<Sequence> sequence;
        std::vector<cudaGraphNode_t> nodes;
    };

    std::shared_ptr<Sequence> find(cudaStream_t stream) const;
    bool is_joined(const Sequence& sequence) const;

    Graphs& graphs_;
    mutable std::mutex mutex_;
    std::atomic<bool> any_{false};  // so that calls without a capture take no lock
    std::vector<std::shared_ptr<Sequence>> sequences_;
    std::unordered_map<cudaEvent_t, RecordedEvent> events_;
};

}  // namespace lanes::runtime
