/// @file
/// @brief run() and doctest's own code, compiled once for all programs of a build.
#include <lanes/main.hpp>
