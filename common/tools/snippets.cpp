/// @file
/// @brief lanes-snippets: the named pieces of source files, as JSON for the book.
#include <CLI/CLI.hpp>
#include <lanes/source_text.hpp>

#include <string>
#include <vector>

#include "json_file.hpp"
#include "run_tool.hpp"

namespace {

using lanes::tools::Json;

/// All snippets of all sources, in order.
Json snippets_of(const std::vector<std::string>& sources) {
    Json snippets = Json::array();
    for (const auto& source : sources) {
        const std::string text = lanes::tools::read_text(source);
        for (const auto& snippet : lanes::snippets_in(text, source)) {
            snippets.push_back({{"name", snippet.name},
                                {"file", source},
                                {"first_line", snippet.first_line},
                                {"text", snippet.text},
                                {"hash", snippet.hash}});
        }
    }
    return snippets;
}

}  // namespace

/// Exit status: 0, 1 for a source that cannot be read or whose markers do not match, 2 for a wrong command line.
int main(int argc, char** argv) {
    CLI::App app("Writes the snippets of source files, the lines between `// [name]` and `// [/name]`, as JSON.",
                 "lanes-snippets");
    std::vector<std::string> sources;
    std::string output;
    app.add_option("sources", sources, "Source files")->required();
    app.add_option("--output", output, "JSON file to write")->required();
    return lanes::tools::run_tool(app, argc, argv, [&] {
        lanes::tools::write_json(output, {{"snippets", snippets_of(sources)}});
        return 0;
    });
}
