/// @file
/// @brief doctest's own main, compiled once for the tests of the harness, the tools and the emulator.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
