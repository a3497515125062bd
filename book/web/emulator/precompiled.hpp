/// @file
/// @brief What most files of the emulator read, compiled once: small files take 0.4 s instead of 1 s.
///
/// Not the JSON library, which few read: it would take all others as long again.
#pragma once

#include <execution.hpp>
#include <ptx_reader.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>
