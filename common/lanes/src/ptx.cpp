#include "ptx.hpp"

#include "files.hpp"
#include "program_file.hpp"
#include "report_output.hpp"

#include <profiles.hpp>

#include <iostream>

namespace lanes {

int print_ptx(const std::string& program, const std::string& device) {
    const auto profile = runtime::find_profile(device);
    if (!profile) return refuse(profile.error().message);
    const auto path = find_program(program);
    if (!path) return refuse("no program " + program);
    const auto bytes = read_file(*path);
    if (!bytes) return refuse(bytes.error().message);
    const auto ptx = ptx_of_program(*bytes, (*profile)->compute_capability);
    if (!ptx) return refuse(*path + ": " + ptx.error().message);
    if (ptx->empty()) return refuse(*path + " holds no code for a GPU");
    std::cout << *ptx;
    return 0;
}

}  // namespace lanes
