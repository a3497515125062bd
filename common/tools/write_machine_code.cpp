/// @file
/// @brief lanes-machine-code: what compilers made of a program's kernels, as JSON for the book.
#include <CLI/CLI.hpp>
#include <lanes/snippet_hashes.hpp>

#include <cstddef>
#include <filesystem>
#include <string>

#include "json_file.hpp"
#include "machine_code.hpp"
#include "run_tool.hpp"

namespace {

using namespace lanes::tools;

/// The command line.
struct Request {
    std::string ptx;
    std::string sass;
    std::string source;
    std::string toolkit;
    std::string output;
    std::size_t longest = 400;
};

void add_options(CLI::App& app, Request& request) {
    app.footer(
        "lanes ptx PROGRAM > FILE          lanes-machine-code --ptx FILE --source SOURCE ...\n"
        "cuobjdump -sass PROGRAM > FILE    lanes-machine-code --sass FILE --source SOURCE ...\n"
        "Exit status: 0, 1 for files that cannot be read, 2 for a wrong command line.");
    auto* const ptx = app.add_option("--ptx", request.ptx, "What `lanes ptx` prints");
    app.add_option("--sass", request.sass, "What `cuobjdump -sass` prints")->excludes(ptx);
    app.add_option("--source", request.source, "The program's source, whose snippets are recorded")->required();
    app.add_option("--toolkit", request.toolkit, "Version of nvcc: 13.0.88")->required();
    app.add_option("--longest", request.longest, "Lines of the longest kernel that is written, 400 if not given");
    app.add_option("--output", request.output, "JSON file to write")->required();
}

Json hashes_of(const std::string& source) {
    read_text(source);  // fails, where snippet_hashes() would only warn
    Json hashes = Json::object();
    for (const auto& [name, hash] : lanes::snippet_hashes(source)) hashes[name] = hash;
    return hashes;
}

void write(const Request& request) {
    const bool is_ptx = !request.ptx.empty();
    const std::string& path = is_ptx ? request.ptx : request.sass;
    const MachineCode code =
        is_ptx ? machine_code_of_ptx(read_text(path), path) : machine_code_of_sass(read_text(path), path);
    Json kernels = Json::array(), symbols = Json::object();
    for (const KernelCode& kernel : code.kernels) {
        symbols[kernel.name] = kernel.symbol;
        if (kernel.code.size() <= request.longest) kernels.push_back({{"name", kernel.name}, {"code", kernel.code}});
    }
    const std::filesystem::path source(request.source);
    write_json(request.output, {{"schema", "thirty-two-lanes/machine-code/1"},
                                {"program", source.stem().string()},
                                {"form", is_ptx ? "ptx" : "sass"},
                                {"target", code.target},
                                {"toolkit", request.toolkit},
                                {"source", source.filename().string()},
                                {"sources", hashes_of(request.source)},
                                {"symbols", symbols},
                                {"kernels", kernels}});
}

}  // namespace

/// Writes the file; see --help.
int main(int argc, char** argv) {
    CLI::App app("Writes the instructions of a program's kernels as JSON.", "lanes-machine-code");
    Request request;
    add_options(app, request);
    return run_tool(app, argc, argv, [&] {
        if (request.ptx.empty() && request.sass.empty()) throw CLI::RequiredError("--ptx or --sass");
        write(request);
        return 0;
    });
}
