/// @file
/// @brief Streams and events as the caller sees them: opaque handles that can be checked.
#pragma once

#include <driver_types.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

namespace lanes::runtime {

/// A stream. Work runs when it is issued, so a stream is only a name with properties.
struct Stream {
    unsigned flags = 0;         ///< cudaStreamDefault or cudaStreamNonBlocking
    int priority = 0;           ///< 0 is the lowest
    unsigned long long id = 0;  ///< unique in the process
};

/// An event.
struct Event {
    unsigned flags = 0;                                             ///< of cudaEventCreateWithFlags
    std::optional<std::chrono::steady_clock::time_point> recorded;  ///< when the work before it was done
};

/// Objects behind handles. A handle that was never given out, or was destroyed, is found out and not followed.
template <typename Object, typename Handle>
class HandleTable {
public:
    /// Adds an object.
    /// @return its handle
    Handle add(Object object) {
        const std::lock_guard lock(mutex_);
        auto owned = std::make_unique<Object>(std::move(object));
        const auto handle = reinterpret_cast<Handle>(owned.get());
        objects_.emplace(handle, std::move(owned));
        return handle;
    }

    /// Removes an object.
    /// @return false if there is none
    bool remove(Handle handle) {
        const std::lock_guard lock(mutex_);
        return objects_.erase(handle) != 0;
    }

    /// A copy of an object, or nothing if the handle has none.
    std::optional<Object> get(Handle handle) const {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return std::nullopt;
        return *found->second;
    }

    /// Replaces an object.
    /// @return false if there is none
    bool set(Handle handle, Object object) {
        const std::lock_guard lock(mutex_);
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return false;
        *found->second = std::move(object);
        return true;
    }

    /// Removes all objects.
    void clear() {
        const std::lock_guard lock(mutex_);
        objects_.clear();
    }

private:
    mutable std::mutex mutex_;
    std::unordered_map<Handle, std::unique_ptr<Object>> objects_;
};

}  // namespace lanes::runtime
