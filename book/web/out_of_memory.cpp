/// @file
/// @brief A module that runs out of memory ends there: the page is told, and starts another.
///
/// Without exceptions, operator new of LLVM's library would return null, and address 0 can be written to.
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
