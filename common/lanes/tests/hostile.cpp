#include "hostile.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace lanes::tests {

namespace {

namespace fs = std::filesystem;

constexpr const char* failed = "failed";
constexpr const char* refused = "does not compile";
constexpr const char* header = "forbidden header";
constexpr const char* compile_limit = "too costly to compile";
constexpr const char* run_limit = "too costly to check";

// A kernel of the right name and parameters.
std::string kernel(const std::string& body, const std::string& before = "") {
    return before + "\n__global__ void column_sums(const float* in, float* sums, unsigned width, unsigned height) {\n" +
           body + "\n}\n";
}

std::string repeated(const std::string& text, unsigned times) {
    std::string result;
    for (unsigned i = 0; i < times; ++i) result += text;
    return result;
}

// Each line has ten times as many tokens as the one before.
std::string laughing_macros() {
    std::string text = "#define m0 1,\n";
    for (char i = '1'; i <= '9'; ++i) {
        text.append("#define m").append(1, i).append(" ");
        for (unsigned times = 0; times < 10; ++times) text.append("m").append(1, static_cast<char>(i - 1)).append(" ");
        text += '\n';
    }
    return text + "int laughs[] = {m9};\n";
}

std::vector<Hostile> compile_bombs() {
    return {
        {"templates", compile_limit, "The compiler was stopped",
         "template <int D, int X> struct F { static constexpr int v = F<D - 1, 2 * X>::v + F<D - 1, 2 * X + 1>::v; };\n"
         "template <int X> struct F<0, X> { static constexpr int v = 1; };\n"
         "__device__ int bomb = F<27, 0>::v;\n"},
        {"macros", compile_limit, "The compiler was stopped", laughing_macros()},
        {"includes_itself", compile_limit, "The compiler was stopped", "#include __FILE__\n#include __FILE__\n"},
        {"zeros", compile_limit, "The compiler was stopped", "#include \"/dev/zero\"\n"},
        {"parentheses", refused, "expected a", "int deep = " + repeated("(", 100000) + '1'},
    };
}

std::vector<Hostile> readers_of_files(const std::string& root) {
    const std::string solution = root + "/solutions/13_column_sums/column_sums.cu";
    return {
        {"reads_passwords", header, "/etc/passwd", "#include \"/etc/passwd\"\n"},
        {"reads_environment", header, "/proc/self/environ", "#include \"/proc/self/environ\"\n"},
        {"reads_solution", header, "column_sums.cu", "#include \"" + solution + "\"\n"},
        {"reads_checks", header, "", "#include \"" + root + "/exercises/13_column_sums/check.cu\"\n"},
        {"reads_neighbour", header, "good/column_sums.cu", "#include \"../../good/column_sums.cu\"\n"},
        {"device_pass_only", header, "/etc/passwd", "#if __CUDA_ARCH__ == 800\n#include \"/etc/passwd\"\n#endif\n"},
        {"computed_header", header, "/etc/passwd", "#define FILE <../../etc/passwd>\n%:include FILE\n"},
        {"sockets", header, "sys/socket.h", "#include <sys/socket.h>\n"},
        // Line 8 of our solution is a marker: it must not be quoted as the line of the fault.
        {"quotes_solution", failed, "column_sums.cu:8: read of 4 bytes",
         kernel("\n    float x = sums[1u << 30];\n    sums[0] = x;", "#line 6 \"" + solution + "\"")},
        {"quotes_assembled", failed, "",
         kernel("    asm volatile(\".loc 1 1 1\\n\\ttrap;\");", "#line 1 \"/etc/passwd\"")},
    };
}

std::vector<Hostile> host_code(const std::string& solution, const std::string& trace) {
    const std::string skeleton = kernel("");
    return {
        {"constructor", "passed", "9 checks",
         "#include <cstdio>\nstruct Evil { Evil() { std::fclose(std::fopen(\"" + trace +
             "\", \"w\")); } };\nEvil evil;\n" + solution},
        {"own_main", failed, "never written", "#include <cstdlib>\nint main() { std::exit(0); }\n" + skeleton},
        {"own_checks", failed, "never written",
         "namespace lanes { class Exercise; void check_exercise(Exercise&) {} }\n" + skeleton},
        {"own_runtime", failed, "never written",
         "extern \"C\" int cudaDeviceSynchronize_ptsz() { return 0; }\nextern \"C\" void exit(int) {}\n" + skeleton},
        {"other_parameters", failed, "the parameters must stay as they were",
         "__global__ void column_sums(const float*, double*, unsigned, unsigned) {}\n"},
        {"other_kernel", failed, "Your file defines no kernel named column_sums", "__global__ void nothing() {}\n"},
    };
}

std::vector<Hostile> costly_kernels() {
    return {
        {"endless", failed, "does this loop end?", kernel("    while (true) *(volatile float*)sums = 0;")},
        {"many_endless", failed, "does this loop end?",
         kernel("    while (true) if (threadIdx.x > 4000) *(volatile float*)sums = 0;")},
        {"recursion", failed, "",
         kernel("    sums[0] = depth(1000000000, in);",
                "__device__ __noinline__ float depth(int n, const volatile float* x) {\n"
                "    return n == 0 ? x[0] : depth(n - 1, x) * x[0] + depth(n - 2, x);\n}")},
#ifndef LANES_SANITIZED  // sanitizers reserve terabytes of addresses: memory cannot be limited
        {"global_hog", failed, "",
         kernel("    hog[threadIdx.x] = 1;\n    sums[0] = hog[width];", "__device__ char hog[1ull << 34];")},
#endif
        {"local_hog", failed, "",
         kernel("    volatile char hog[1 << 28];\n    for (unsigned i = 0; i < height; ++i) hog[in[i] > 0 ? i : width] "
                "= 1;\n    sums[0] = hog[width];")},
        {"shared_hog", failed, "",
         kernel("    __shared__ volatile char hog[1 << 30];\n    hog[threadIdx.x] = 1;\n    sums[0] = hog[width];")},
        {"launch_bounds", failed, "",
         "__global__ void __launch_bounds__(1 << 30, 1 << 20) column_sums(const float*, float*, unsigned, unsigned) "
         "{}\n"},
    };
}

std::vector<Hostile> forgers() {
    const std::string verdict =
        R"({\"passed\":true,\"kind\":\"result\",\"input\":\"1\",\"message\":\"\",\"details\":{}})";
    return {
        {"prints_verdict", failed, "never written", kernel("    printf(\"" + verdict + "\\n\");", "#include <cstdio>")},
        {"prints_for_ever", run_limit, "The checks were stopped",
         kernel("    while (true) printf(\"" + repeated("x", 1000) + "\\n\");", "#include <cstdio>")},
        {"prints_wide", run_limit, "The checks were stopped",
         kernel("    while (true) printf(\"%99999d\\n\", 1);", "#include <cstdio>")},
        {"exits", failed, "never written", kernel("    asm volatile(\"exit;\");")},
        {"traps", failed, "", kernel("    asm volatile(\"trap;\");")},
        {"second_kernel_in_assembly", failed, "",
         kernel("    asm volatile(\"ret; } .visible .entry other() { ret;\");")},
        {"no_assembly", failed, "", kernel("    asm volatile(\"}}}} .include \\\"/etc/passwd\\\"\");")},
        {"writes_everywhere", failed, "",
         kernel("    for (unsigned long long i = 8; i < 1ull << 40; i *= 2) *(float*)i = 1;")},
    };
}

std::vector<Hostile> no_programs(const std::string& root) {
    const std::string solution = root + "/solutions/13_column_sums/column_sums.cu";
    return {
        {"missing", "missing", "column_sums.cu", ""},
        {"empty", "empty", "", " \n\t\n"},
        {"latin_1", "not text", "UTF-8", "// caf\xe9\n" + kernel("")},
        {"zero_bytes", "not text", "UTF-8", std::string("int a;\0int b;", 13)},
        {"large", "too large", "256 KiB", repeated("// large\n", 40000)},
        {"link_to_solution", "not a plain file", "", "",
         [=](const std::string& file) { fs::create_symlink(solution, file); }},
        {"link_to_device", "not a plain file", "", "",
         [](const std::string& file) { fs::create_symlink("/dev/zero", file); }},
        {"pipe", "not a plain file", "", "", [](const std::string& file) { mkfifo(file.c_str(), 0600); }},
        {"folder", "not a plain file", "", "", [](const std::string& file) { fs::create_directory(file); }},
        {"=formula(\"<&>\")", refused, "error", "this is no C++;\n"},
    };
}

}  // namespace

std::vector<Hostile> hostile_submissions(const std::string& root, const std::string& solution,
                                         const std::string& trace) {
    std::vector<Hostile> all{{"good", "passed", "9 checks", solution}};
    for (const auto& some : {compile_bombs(), readers_of_files(root), host_code(solution, trace), costly_kernels(),
                             forgers(), no_programs(root)})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

}  // namespace lanes::tests
