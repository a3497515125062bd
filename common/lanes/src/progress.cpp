#include "progress.hpp"

#include "files.hpp"
#include "submission.hpp"
#include "temporary_file.hpp"

#include <sstream>
#include <system_error>

namespace lanes {

std::string content_hash(const std::string& text) {
    constexpr std::size_t digits = 16;
    return sha256(text).substr(0, digits);
}

emulator::Result<Progress> read_progress(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return Progress();
    const auto text = read_text(file.string());
    if (!text) return text.error();
    Progress progress;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name;
        std::string word;
        ExerciseProgress exercise;
        if (!(words >> name >> word >> exercise.hints) || word != "hints") continue;
        if (words >> word && word == "solved") words >> exercise.solved;
        progress[name] = exercise;
    }
    return progress;
}

std::string write_progress(const std::filesystem::path& file, const Progress& progress) {
    std::ostringstream text;
    for (const auto& [name, exercise] : progress)
        text << name << " hints " << exercise.hints << (exercise.solved.empty() ? "" : " solved ") << exercise.solved
             << '\n';
    TemporaryFile temporary(file.string());
    const std::string error =
        temporary.error().empty() ? temporary.replace(text.str(), file.string()) : temporary.error();
    return error.empty() ? "" : file.string() + " cannot be written: " + error;
}

}  // namespace lanes
