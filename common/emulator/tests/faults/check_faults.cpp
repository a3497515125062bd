/// Runs a program of this folder under `lanes run` and compares what is reported with what its source says.
///
/// check_faults LANES SOURCE PROGRAM mistake|corrected [SEED]
///
/// With a seed, warps take turns in that random order.
///
/// Every line of a comment "expect KIND ..." must be named by a fault of that kind, as its line or its other line, and
/// no fault may name another. A comment "without a line: KIND" stands for a fault that names none. The corrected
/// program must be silent and exit with 0.

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Place = std::pair<std::string, int>;  // kind and line

struct Expectation {
    std::set<Place> places;
    std::string options;
};

std::vector<std::string> words_behind(const std::string& line, const std::string& mark) {
    const std::size_t found = line.find(mark);
    if (found == std::string::npos) return {};
    std::istringstream rest(line.substr(found + mark.size()));
    return {std::istream_iterator<std::string>(rest), {}};
}

Expectation read_source(const std::filesystem::path& source) {
    std::ifstream file(source);
    if (!file) throw std::runtime_error("cannot read " + source.string());
    Expectation expectation;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        for (const std::string& kind : words_behind(line, "// expect ")) expectation.places.emplace(kind, number);
        for (const std::string& kind : words_behind(line, "// without a line: ")) expectation.places.emplace(kind, 0);
        const std::string mark = "// options: ";
        if (line.rfind(mark, 0) == 0) expectation.options = line.substr(mark.size());
    }
    return expectation;
}

/// Adds a place that a fault names: line 0 if it names none, -1 if that is a line of another file.
void add_place(const nlohmann::json& fault, const char* file, const char* line, const std::string& source,
               std::set<Place>& places) {
    const std::string name = std::filesystem::path(fault.value(file, "")).filename().string();
    places.emplace(fault.at("kind"), name.empty() ? 0 : name == source ? fault.value(line, 0) : -1);
}

std::set<Place> places_of(const nlohmann::json& report, const std::string& source) {
    std::set<Place> places;
    for (const nlohmann::json& fault : report.at("faults")) {
        std::cout << fault.at("kind") << ": " << fault.at("message") << '\n';
        add_place(fault, "file", "line", source, places);
        if (fault.value("other_line", 0) != 0) add_place(fault, "other_file", "other_line", source, places);
    }
    return places;
}

void print(const char* title, const std::set<Place>& places) {
    std::cout << title << ":\n";
    for (const auto& [kind, line] : places) std::cout << "  " << kind << " at line " << line << '\n';
}

bool has_errors(const nlohmann::json& report) {
    for (const nlohmann::json& fault : report.at("faults"))
        if (fault.at("severity") == "error") return true;
    return false;
}

/// @param seed  of the schedule; empty for lock step
int check(const std::string& lanes, const std::filesystem::path& source, const std::string& program, bool corrected,
          const std::string& seed) {
    const std::string name = source.filename().string();
    Expectation expected = read_source(source);
    if (corrected) expected.places.clear();
    if (!seed.empty()) expected.options += " --schedule " + seed;
    const std::string report_file = program + seed + ".json";
    std::filesystem::remove(report_file);
    const std::string command =
        '"' + lanes + "\" run " + expected.options + " --json \"" + report_file + "\" \"" + program + '"';
    const int status = std::system(command.c_str());
    std::ifstream file(report_file);
    if (!file) throw std::runtime_error("no report was written");
    const nlohmann::json report = nlohmann::json::parse(file);
    const std::set<Place> found = places_of(report, name);
    bool good = found == expected.places;
    if (!good) {
        print("expected", expected.places);
        print("found", found);
    }
    const bool failed = status != 0;
    if (failed != has_errors(report)) {
        std::cout << "lanes run ended with status " << status << '\n';
        good = false;
    }
    return good ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 5 && count != 6) {
        std::cerr << "use: check_faults LANES SOURCE PROGRAM mistake|corrected [SEED]\n";
        return 2;
    }
    try {
        return check(arguments[1], arguments[2], arguments[3], std::string(arguments[4]) == "corrected",
                     count == 6 ? arguments[5] : "");
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
