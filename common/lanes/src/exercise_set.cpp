#include "exercise_set.hpp"

#include "build_folder.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace lanes {

namespace {

namespace fs = std::filesystem;
using emulator::Error;
using emulator::Result;

constexpr std::size_t number_digits = 2;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_exercise_name(const std::string& name) {
    return name.size() > number_digits + 1 && is_digit(name[0]) && is_digit(name[1]) && name[number_digits] == '_';
}

bool is_checkout(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(folder / "exercises" / "README.md", ignored) &&
           fs::is_directory(folder / "chapters", ignored);
}

fs::path find_root() {
    std::error_code ignored;
    for (fs::path folder = fs::current_path(ignored); !folder.empty(); folder = folder.parent_path()) {
        if (is_checkout(folder)) return folder;
        if (folder == folder.root_path()) break;
    }
    return LANES_SOURCE_FOLDER;
}

// "kind: predict" of the lines between two "---", and the first heading.
void read_front_matter(ExerciseFolder& exercise) {
    std::ifstream file(exercise.folder / "README.md");
    const std::string key = "kind: ";
    const std::string heading = "# ";
    for (std::string line; std::getline(file, line) && exercise.title.empty();) {
        if (line.compare(0, key.size(), key) == 0) exercise.kind = line.substr(key.size());
        if (line.compare(0, heading.size(), heading) == 0) exercise.title = line.substr(heading.size());
    }
}

ExerciseFolder read_exercise(const fs::path& folder) {
    ExerciseFolder exercise;
    exercise.name = folder.filename().string();
    exercise.topic = exercise.name.substr(number_digits + 1);
    exercise.folder = folder;
    exercise.file = folder / (exercise.topic + ".cu");
    exercise.built = build_folder() / "exercises" / exercise.name;
    read_front_matter(exercise);
    return exercise;
}

// "1.2" is another way to write "12".
std::string without_dots(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '.'), text.end());
    return text;
}

}  // namespace

Result<ExerciseSet> find_exercises() {
    ExerciseSet set;
    set.root = find_root();
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(set.root / "exercises", error))
        if (is_exercise_name(entry.path().filename().string())) set.exercises.push_back(read_exercise(entry.path()));
    if (set.exercises.empty())
        return Error{"there are no exercises in " + (set.root / "exercises").string() +
                     "; run this inside a checkout of the book"};
    std::sort(set.exercises.begin(), set.exercises.end(),
              [](const ExerciseFolder& a, const ExerciseFolder& b) { return a.name < b.name; });
    return set;
}

Result<ExerciseFolder> choose_exercise(const ExerciseSet& set, const std::string& name) {
    std::vector<const ExerciseFolder*> parts;
    for (const ExerciseFolder& exercise : set.exercises) {
        const std::string number = exercise.name.substr(0, number_digits);
        if (name == exercise.name || name == exercise.topic || without_dots(name) == number) return exercise;
        if (exercise.name.find(name) != std::string::npos) parts.push_back(&exercise);
    }
    if (parts.size() == 1) return *parts.front();
    std::string known;
    for (const ExerciseFolder& exercise : set.exercises) known += "\n  " + exercise.name;
    return Error{(parts.empty() ? "there is no exercise " : "several exercises have a name like ") + name +
                 "; there are" + known};
}

std::string find_section(const ExerciseSet& set, const ExerciseFolder& exercise, const std::string& heading) {
    std::error_code error;
    for (const auto& chapter : fs::directory_iterator(set.root / "chapters", error)) {
        const std::string name = chapter.path().filename().string();
        if (!is_exercise_name(name) || name[1] != exercise.name[0]) continue;
        const fs::path page = chapter.path() / (name.substr(number_digits + 1) + ".md");
        std::ifstream file(page);
        std::size_t number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            if (line == "## " + heading || line == "### " + heading) return shown(page) + ':' + std::to_string(number);
        }
    }
    return "";
}

std::string shown(const fs::path& path) {
    std::error_code error;
    const std::string relative = fs::relative(path, error).string();
    return error || relative.empty() || relative.size() > path.string().size() ? path.string() : relative;
}

}  // namespace lanes
