/// @file
/// @brief The doctest side of counted cases: every prediction against the emulator's counter.
#pragma once

#include <doctest/doctest.h>

#include <iostream>

#include "lanes/cases.hpp"
#include "lanes/check.hpp"
#include "lanes/device.hpp"

namespace lanes {

/// @brief Runs every case inside a doctest TEST_CASE and, on the emulator, CHECKs each prediction against its counter.
///
/// On a GPU the launches are checked for errors only, and one line says that counts come from Nsight Compute.
/// @param cases at least one
/// @throws std::invalid_argument for cases that could not be counted, see require_sound(); CudaError
inline void check_cases(const CountedCases& cases) {
    require_sound(cases);
    for (const auto& counted_case : cases) {
        INFO("case ", counted_case.name, ", kernel ", counted_case.kernel);
        counted_case.launch();
        check_launch(counted_case.kernel);
        if (!on_emulator()) continue;
        for (const auto& prediction : counted_case.predicted) {
            INFO("counter ", prediction.first);
            const auto count = counted(prediction.first);
            CHECK_MESSAGE(count.has_value(), "the emulator has no counter of this name");
            if (count) CHECK(*count == prediction.second);
        }
    }
    if (!on_emulator()) {
        std::cout << "Counts were not compared: on a GPU they come from Nsight Compute, with --counts.\n";
    }
}

}  // namespace lanes
