/// @file
/// @brief The locks of the emulator: those of the standard library where there are threads, and nothing elsewhere.
///
/// WebAssembly without threads has a standard library without mutexes.
#pragma once

#ifdef __STDCPP_THREADS__
#include <mutex>
#include <shared_mutex>
#endif

namespace lanes::emulator {

#ifdef __STDCPP_THREADS__
/// One thread at a time may hold it.
using Mutex = std::mutex;
/// One thread that writes, or several that read, may hold it.
using SharedMutex = std::shared_mutex;
/// Holds a Mutex as long as it lives.
using Lock = std::scoped_lock<Mutex>;
/// Holds a SharedMutex for writing as long as it lives.
using WriteLock = std::unique_lock<SharedMutex>;
/// Holds a SharedMutex for reading as long as it lives.
using ReadLock = std::shared_lock<SharedMutex>;
#else
/// The only thread always holds it.
struct Mutex {};
/// The only thread always holds it.
using SharedMutex = Mutex;
/// Nothing to do for the only thread.
class Lock {
public:
    /// The parameter is what would be held.
    explicit Lock(Mutex& /*mutex*/) {}
};
/// Nothing to do for the only thread.
using WriteLock = Lock;
/// Nothing to do for the only thread.
using ReadLock = Lock;
#endif

}  // namespace lanes::emulator
