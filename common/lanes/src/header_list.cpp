#include "header_list.hpp"

#include <filesystem>

namespace lanes {

const std::vector<std::string> allowed_headers{"cooperative_groups.h",
                                               "cooperative_groups/memcpy_async.h",
                                               "cooperative_groups/reduce.h",
                                               "cooperative_groups/scan.h",
                                               "cuda_bf16.h",
                                               "cuda_fp16.h",
                                               "cuda_pipeline.h",
                                               "cuda_runtime.h",
                                               "device_launch_parameters.h",
                                               "mma.h",
                                               "cuda/atomic",
                                               "cuda/barrier",
                                               "cuda/pipeline",
                                               "cuda/std/array",
                                               "cuda/std/cstddef",
                                               "cuda/std/cstdint",
                                               "cuda/std/limits",
                                               "cuda/std/type_traits",
                                               "cuda/std/utility",
                                               "assert.h",
                                               "float.h",
                                               "limits.h",
                                               "math.h",
                                               "stddef.h",
                                               "stdint.h",
                                               "stdio.h",
                                               "algorithm",
                                               "array",
                                               "bit",
                                               "cassert",
                                               "cfloat",
                                               "climits",
                                               "cmath",
                                               "concepts",
                                               "cstddef",
                                               "cstdint",
                                               "cstdio",
                                               "limits",
                                               "numeric",
                                               "type_traits",
                                               "utility"};

std::string allowed_headers_source() {
    std::string source;
    for (const std::string& header : allowed_headers)
        source.append("#if __has_include(<")
            .append(header)
            .append(">)\n#include <")
            .append(header)
            .append(">\n#endif\n");
    return source;
}

std::vector<std::string> opened_files(const std::string& rule) {
    std::vector<std::string> files;
    std::string word;
    const auto finish = [&] {
        if (!word.empty()) files.push_back(std::filesystem::path(word).lexically_normal().string());
        word.clear();
    };
    const auto colon = rule.find(": ");
    for (std::size_t i = colon == std::string::npos ? rule.size() : colon + 2; i < rule.size(); ++i) {
        const bool escapes = rule[i] == '\\' && i + 1 < rule.size();
        if (escapes && (rule[i + 1] == ' ' || rule[i + 1] == '#'))
            word += rule[++i];
        else if (rule[i] == ' ' || rule[i] == '\n' || (escapes && rule[i + 1] == '\n'))
            finish();
        else
            word += rule[i];
    }
    finish();
    return files;
}

std::string first_forbidden(const std::vector<std::string>& opened, const std::set<std::string>& allowed) {
    for (const std::string& file : opened)
        if (!allowed.contains(file)) return file;
    return "";
}

}  // namespace lanes
