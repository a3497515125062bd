// lanes-exercise-test ROOT NAME BUILT: proves of one exercise that its skeleton fails as it should, that its solution
// passes, and that each wrong answer of solutions/NAME fails in words of its own.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t fewest_wrong_answers = 3;
constexpr std::ptrdiff_t hints_wanted = 3;
constexpr const char* skeleton = "skeleton";

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw std::runtime_error(file.string() + " cannot be read");
    return {std::istreambuf_iterator<char>(stream), {}};
}

bool contains(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

struct Run {
    int status = 0;
    std::string output;
};

// Paths of a build and of ours: quotes are enough.
Run run(const std::string& command) {
    FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
    Run result;
    std::array<char, 4096> buffer{};
    for (std::size_t got = 1; got > 0;) {
        got = fread(buffer.data(), 1, buffer.size(), pipe);
        result.output.append(buffer.data(), got);
    }
    const int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
}

// Lines "NAME | words" of messages.txt: what must be said about the skeleton and about each wrong answer.
std::map<std::string, std::string> read_messages(const fs::path& file) {
    std::map<std::string, std::string> messages;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        const auto bar = line.find(" | ");
        if (line.empty() || line[0] == '#') continue;
        if (bar == std::string::npos || bar + 3 == line.size())
            throw std::runtime_error(file.string() + ": no words in: " + line);
        messages[line.substr(0, line.find(' '))] = line.substr(bar + 3);
    }
    return messages;
}

class ExerciseTest {
public:
    ExerciseTest(const fs::path& root, const std::string& name, const fs::path& built)
        : name_(name),
          topic_(name.substr(name.find('_') + 1)),
          folder_(root / "exercises" / name),
          solutions_(root / "solutions" / name),
          built_(built),
          messages_(read_messages(solutions_ / "messages.txt")) {}

    bool passes() {
        expect_hints();
        expect_failure(skeleton, built_ / (topic_ + ".cu"));
        const Run solved = check(built_ / "solution.cu");
        expect(solved.status == 0, "the solution does not pass", solved.output);
        std::size_t wrong_answers = 0;
        for (const auto& entry : fs::directory_iterator(solutions_))
            if (entry.path().extension() == ".patch") {
                expect_patch_fails(entry.path());
                ++wrong_answers;
            }
        expect(wrong_answers >= fewest_wrong_answers, "there are fewer than three wrong answers", "");
        expect(messages_.size() == wrong_answers + 1, "messages.txt has a line for something that is not there", "");
        return passed_;
    }

private:
    void expect(bool condition, const std::string& complaint, const std::string& output) {
        if (condition) return;
        std::cerr << name_ << ": " << complaint << '\n' << output << '\n';
        passed_ = false;
    }

    void expect_hints() {
        std::istringstream lines(text_of(folder_ / "hints.md"));
        std::ptrdiff_t hints = 0;
        for (std::string line; std::getline(lines, line);) hints += line.compare(0, 3, "## ") == 0 ? 1 : 0;
        expect(hints == hints_wanted, "hints.md must have three hints", "");
    }

    Run check(const fs::path& file) const {
        const fs::path lanes = built_.parent_path().parent_path() / "bin" / "lanes";
        return run('"' + lanes.string() + "\" check " + name_ + " --file \"" + file.string() + '"');
    }

    void expect_failure(const std::string& answer, const fs::path& file) {
        const auto words = messages_.find(answer);
        expect(words != messages_.end(), "messages.txt has no line for " + answer, "");
        if (words == messages_.end()) return;
        const Run result = check(file);
        expect(result.status == 1, answer + " does not fail", result.output);
        expect(contains(result.output, words->second), answer + ": expected \"" + words->second + "\", got",
               result.output);
        expect(contains(result.output, "  Read  "), answer + ": its section is not in the chapter", result.output);
        for (const auto& [other, other_words] : messages_)
            expect(other == answer || !contains(result.output, other_words), answer + " is taken for " + other,
                   result.output);
    }

    void expect_patch_fails(const fs::path& patch) {
        const fs::path wrong = built_ / patch.stem() / (topic_ + ".cu");  // no name that tells it apart
        fs::create_directories(wrong.parent_path());
        const Run patched = run("patch --silent --fuzz=0 -o \"" + wrong.string() + "\" \"" +
                                (solutions_ / (topic_ + ".cu")).string() + "\" \"" + patch.string() + '"');
        expect(patched.status == 0, patch.string() + " does not apply", patched.output);
        if (patched.status == 0) expect_failure(patch.stem().string(), wrong);
    }

    std::string name_;
    std::string topic_;
    fs::path folder_;
    fs::path solutions_;
    fs::path built_;
    std::map<std::string, std::string> messages_;
    bool passed_ = true;
};

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 4) throw std::runtime_error("usage: lanes-exercise-test ROOT NAME BUILT");
        return ExerciseTest(argv[1], argv[2], argv[3]).passes() ? 0 : 1;
    } catch (const std::exception& error) {
        std::cerr << "lanes-exercise-test: " << error.what() << '\n';
        return 1;
    }
}
