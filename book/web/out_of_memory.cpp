/// @file
/// @brief A module that runs out of memory ends there: the page is told, and starts another.
///
/// Without exceptions, operator new of LLVM's library would return null, and address 0 can be written to.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

[[noreturn]] void end_module() {
    std::fputs("The module is out of memory.\n", stderr);
    std::abort();
}

/// Set before the first call of an export.
[[maybe_unused]] const std::new_handler previous_handler = std::set_new_handler(end_module);

}  // namespace

// The library of some distributions (Ubuntu 24.04) throws where others return null, and brings nothing to throw with.
extern "C" {
/// Room for an exception: there is none.
[[gnu::weak]] void* __cxa_allocate_exception(std::size_t /*bytes*/) noexcept {
    end_module();
}
/// Throws an exception: never called, as none can be allocated.
[[gnu::weak]] void __cxa_throw(void* /*exception*/, void* /*type*/, void (* /*destructor*/)(void*)) {
    end_module();
}
}
