/// @file
/// @brief doctest's own main, compiled once for all host tests of the harness and the tools.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
