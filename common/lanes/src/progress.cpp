#include "progress.hpp"

#include "temporary_file.hpp"

#include <fstream>
#include <sstream>

namespace lanes {

Progress read_progress(const std::filesystem::path& file) {
    Progress progress;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        std::istringstream words(line);
        std::string name;
        std::string word;
        ExerciseProgress exercise;
        if (!(words >> name >> word >> exercise.hints) || word != "hints") continue;
        exercise.solved = static_cast<bool>(words >> word) && word == "solved";
        progress[name] = exercise;
    }
    return progress;
}

std::string write_progress(const std::filesystem::path& file, const Progress& progress) {
    std::ostringstream text;
    for (const auto& [name, exercise] : progress)
        text << name << " hints " << exercise.hints << (exercise.solved ? " solved" : "") << '\n';
    TemporaryFile temporary(file.string());
    const std::string error =
        temporary.error().empty() ? temporary.replace(text.str(), file.string()) : temporary.error();
    return error.empty() ? "" : file.string() + " cannot be written: " + error;
}

}  // namespace lanes
