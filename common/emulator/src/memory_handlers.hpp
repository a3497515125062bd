/// @file
/// @brief Who chooses the handler of a memory instruction: each stands beside its handlers.
///
///   memory_load.cpp     ld ldu               memory_async.cpp    cp.async
///   memory_store.cpp    st                   memory_matrix.cpp   ldmatrix stmatrix
///   memory_atomic.cpp   atom red             memory_barrier.cpp  mbarrier
///   memory_fence.cpp    fence membar prefetch
#pragma once

#include "memory_form.hpp"

#include <cstdint>
#include <string_view>

namespace lanes::emulator {

// Each returns the handler of the form and its row types; a Selection without a handler if it does not know the form.
Selection select_load(MemoryForm& form);
Selection select_store(MemoryForm& form);
Selection select_atomic(MemoryForm& form);
Selection select_async_copy(MemoryForm& form);
Selection select_matrix(MemoryForm& form);
Selection select_barrier(MemoryForm& form);
Selection select_fence(MemoryForm& form);
Selection select_hint(MemoryForm& form);

/// The handler by which a barrier in shared memory learns that cp.async copies of the lanes are complete.
/// @param counted  .noinc: the arrival is one of those expected
/// @param address_bytes  width of the address register: 4 or 8
Execute choose_arrival_after_copies(bool counted, std::uint32_t address_bytes);

}  // namespace lanes::emulator
