/// @file
/// @brief What most files of the emulator read, compiled once: a third of the time of the module's build.
#pragma once

#include <execution.hpp>
#include <nlohmann/json.hpp>
#include <ptx_reader.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>
