#include "exercise_set.hpp"

#include "build_folder.hpp"
#include "command_name.hpp"
#include "nearest_name.hpp"

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

// "./sum.cu", "exercises/63_sum/", "sum.cu", ".": what a shell completes, or a person copies.
bool is_path(const std::string& name) {
    return name == "." || name.find('/') != std::string::npos || fs::path(name).extension() == ".cu";
}

// The exercise whose folder a path is, or is in; null if there is none. Where nothing is at the path, its own words say
// which is meant.
const ExerciseFolder* find_by_place(const ExerciseSet& set, const fs::path& path) {
    std::error_code error;
    const bool exists = fs::exists(path, error);
    const fs::path place = exists ? fs::canonical(path, error) : path.lexically_normal();
    for (const ExerciseFolder& exercise : set.exercises) {
        const fs::path folder = exists ? fs::canonical(exercise.folder, error) : fs::path(exercise.name);
        for (fs::path part = place; part != part.parent_path(); part = part.parent_path())
            if (part == folder || (!exists && part.filename() == folder)) return &exercise;
    }
    return nullptr;
}

Result<ExerciseFolder> choose_by_path(const ExerciseSet& set, const fs::path& path) {
    if (const ExerciseFolder* exercise = find_by_place(set, path)) return *exercise;
    std::error_code ignored;
    if (fs::exists(path, ignored))
        return Error{path.string() + " is no file of an exercise in " + (set.root / "exercises").string() +
                     "; for a file elsewhere: " + command_name() + " check NAME --file " + path.string()};
    const ExerciseFolder* named = nullptr;
    for (const ExerciseFolder& exercise : set.exercises)
        if (path == exercise.file.filename()) named = &exercise;
    if (named == nullptr) return Error{"there is no file " + path.string() + ", and no exercise has it"};
    return *named;
}

// Those that a part of a name stands for; a number stands for what begins with it.
std::vector<const ExerciseFolder*> exercises_like(const ExerciseSet& set, const std::string& name) {
    std::vector<const ExerciseFolder*> found;
    const bool is_number = std::all_of(name.begin(), name.end(), is_digit);
    for (const ExerciseFolder& exercise : set.exercises) {
        const auto at = exercise.name.find(name);
        if (!name.empty() && (is_number ? at == 0 : at != std::string::npos)) found.push_back(&exercise);
    }
    return found;
}

std::string no_exercise(const ExerciseSet& set, const std::string& name) {
    std::vector<std::string> names;
    std::vector<std::string> topics;
    for (const ExerciseFolder& exercise : set.exercises) {
        names.push_back(exercise.name);
        topics.push_back(exercise.topic);
    }
    std::string nearest = nearest_name(name, names);
    if (nearest.empty()) nearest = nearest_name(name, topics);
    const std::string advice =
        nearest.empty() ? "; `" + command_name() + " list` shows them all" : "; did you mean " + nearest + '?';
    return "there is no exercise " + (name.empty() ? "\"\"" : name) + advice;
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
    if (is_path(name)) return choose_by_path(set, name);
    for (const ExerciseFolder& exercise : set.exercises)
        if (name == exercise.name || name == exercise.topic ||
            without_dots(name) == exercise.name.substr(0, number_digits))
            return exercise;
    const auto alike = exercises_like(set, name);
    if (alike.size() == 1) return *alike.front();
    if (alike.empty()) return Error{no_exercise(set, name)};
    std::string names;
    for (const ExerciseFolder* exercise : alike) names += "\n  " + exercise->name;
    return Error{"several exercises have a name like " + name + ':' + names};
}

Result<ExerciseFolder> exercise_of_file(const ExerciseSet& set, const fs::path& file) {
    if (const ExerciseFolder* exercise = find_by_place(set, file)) return *exercise;
    for (const ExerciseFolder& exercise : set.exercises)
        if (file.filename() == exercise.file.filename()) return exercise;
    return Error{"which exercise is " + file.string() + " for? Say so: " + command_name() + " check NAME --file " +
                 file.string()};
}

std::optional<Section> find_section(const ExerciseSet& set, const ExerciseFolder& exercise,
                                    const std::string& heading) {
    std::error_code error;
    for (const auto& chapter : fs::directory_iterator(set.root / "chapters", error)) {
        const std::string name = chapter.path().filename().string();
        if (!is_exercise_name(name) || name[1] != exercise.name[0]) continue;
        const fs::path page = chapter.path() / (name.substr(number_digits + 1) + ".md");
        std::ifstream file(page);
        std::size_t number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            if (line == "## " + heading || line == "### " + heading) return Section{page, number};
        }
    }
    return std::nullopt;
}

std::string shown(const fs::path& path) {
    std::error_code error;
    const std::string relative = fs::relative(path, error).string();
    return error || relative.empty() || relative.size() > path.string().size() ? path.string() : relative;
}

}  // namespace lanes
