/// @file
/// @brief What makes a function visible outside of a WebAssembly module.
#pragma once

#ifdef __wasm__
/// Puts a function into the module's table of exports under its own name.
#define LANES_WEB_VISIBLE(name) __attribute__((export_name(#name)))
#else
/// Nothing: the linker of this machine shows every function.
#define LANES_WEB_VISIBLE(name)
#endif
