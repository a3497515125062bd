#include "line_attribution.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace lanes::emulator {

namespace {

/// Pieces of paths under which toolkits, and nobody else, install headers.
constexpr std::array<std::string_view, 11> toolkit_pieces{"/targets/x86_64-linux/include/",
                                                          "/targets/sbsa-linux/include/",
                                                          "/include/cuda/",
                                                          "/include/cccl/",
                                                          "/libcudacxx/",
                                                          "/cooperative_groups/",
                                                          "/cub/",
                                                          "/thrust/",
                                                          "/cuda/std/",
                                                          "/nvidia/cu",
                                                          "/crt/"};

/// Headers with device code, by name: for toolkits that are installed straight into /usr/include, or anywhere else.
constexpr std::array<std::string_view, 24> toolkit_names{
    "/cooperative_groups.h",
    "/cuda_awbarrier.h",
    "/cuda_awbarrier_helpers.h",
    "/cuda_awbarrier_primitives.h",
    "/cuda_bf16.hpp",
    "/cuda_fp16.hpp",
    "/cuda_fp4.hpp",
    "/cuda_fp6.hpp",
    "/cuda_fp8.hpp",
    "/cuda_pipeline.h",
    "/cuda_pipeline_helpers.h",
    "/cuda_pipeline_primitives.h",
    "/cuComplex.h",
    "/device_atomic_functions.hpp",
    "/device_functions.hpp",
    "/math_functions.hpp",
    "/sm_20_atomic_functions.hpp",
    "/sm_20_intrinsics.hpp",
    "/sm_30_intrinsics.hpp",
    "/sm_32_atomic_functions.hpp",
    "/sm_32_intrinsics.hpp",
    "/sm_60_atomic_functions.hpp",
    "/sm_61_intrinsics.hpp",
    "/vector_functions.hpp",
};

}  // namespace

bool is_toolkit_file(std::string_view path) {
    const auto holds_piece = [&](std::string_view piece) { return path.find(piece) != std::string_view::npos; };
    const auto is_named = [&](std::string_view name) { return path.ends_with(name); };
    return std::any_of(toolkit_pieces.begin(), toolkit_pieces.end(), holds_piece) ||
           std::any_of(toolkit_names.begin(), toolkit_names.end(), is_named);
}

LineAttribution::LineAttribution(const ptx::Module& module) : module_(module) {
    for (const ptx::File& file : module.files) {
        if (is_toolkit_file(file.name)) toolkit_files_.push_back(file.number);
    }
    std::sort(toolkit_files_.begin(), toolkit_files_.end());
}

bool LineAttribution::is_users(const ptx::Location& location) const {
    return !std::binary_search(toolkit_files_.begin(), toolkit_files_.end(), location.file);
}

SourceLine LineAttribution::line_of(std::int32_t location) const {
    const ptx::Location* frame = nullptr;
    for (std::int32_t next = location; next >= 0; next = frame->inlined_at) {
        frame = &module_.locations[static_cast<std::size_t>(next)];
        if (is_users(*frame)) break;
    }
    if (frame == nullptr) return {};
    const std::string* const name = module_.file_name(frame->file);
    if (name == nullptr) return {};
    return {*name, frame->line};
}

}  // namespace lanes::emulator
