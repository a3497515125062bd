/// @file
/// @brief What compilers made of a program's kernels, as text: PTX by nvcc, machine code (SASS) by the assembler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanes::tools {

/// A kernel's instructions and labels, one a line.
struct KernelCode {
    std::string name;               ///< as in the source, with template arguments: `sum<256>`
    std::vector<std::string> code;  ///< `selp.b32 %r10, %r9, %r8, %p2;` or `0130: SEL R11, R2, R11, !P0`
    std::string symbol;             ///< as the file names it: mangled
};

/// The kernels of a program, for one architecture.
struct MachineCode {
    std::string target;               ///< `sm_90`
    std::vector<KernelCode> kernels;  ///< in the order of the text
};

/// @brief Reads what `nvcc -ptx` writes and `lanes ptx` prints. Directives and comments are left out.
/// @param text of one architecture
/// @param path the file, for messages
/// @return its kernels
/// @throws std::runtime_error if there is none, or a kernel does not end
MachineCode machine_code_of_ptx(std::string_view text, const std::string& path);

/// @brief Reads what `cuobjdump -sass` prints. Encodings are left out, and what fills a kernel's end.
/// @param text of one architecture
/// @param path the file, for messages
/// @return its kernels
/// @throws std::runtime_error if there is none, or there are several architectures
MachineCode machine_code_of_sass(std::string_view text, const std::string& path);

}  // namespace lanes::tools
