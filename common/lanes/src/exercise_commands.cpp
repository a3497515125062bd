#include "exercise_commands.hpp"

#include "exercise_check.hpp"
#include "exercise_set.hpp"
#include "files.hpp"
#include "hints.hpp"
#include "progress.hpp"
#include "report_output.hpp"
#include "text_table.hpp"
#include "verdict_text.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

namespace lanes {

namespace {

namespace fs = std::filesystem;
using emulator::Error;
using emulator::Result;

fs::path progress_file(const ExerciseSet& set) {
    return set.root / "exercises" / "progress.txt";
}

const ExerciseFolder* first_unsolved(const ExerciseSet& set) {
    const Progress progress = read_progress(progress_file(set));
    for (const ExerciseFolder& exercise : set.exercises) {
        const auto found = progress.find(exercise.name);
        if (found == progress.end() || !found->second.solved) return &exercise;
    }
    return nullptr;
}

// The named exercise, or the first that is not solved.
Result<ExerciseFolder> chosen(const ExerciseSet& set, const std::string& name) {
    if (!name.empty()) return choose_exercise(set, name);
    if (const ExerciseFolder* next = first_unsolved(set)) return *next;
    return Error{"all exercises are solved; name one of `lanes list`"};
}

Colour colour_of_output() {
    const char* terminal = std::getenv("TERM");
    const bool plain =
        std::getenv("NO_COLOR") != nullptr || terminal == nullptr || std::string_view(terminal) == "dumb";
    return plain || isatty(STDOUT_FILENO) == 0 ? Colour::none : Colour::terminal;
}

// `path`, or with the first number behind it under which nothing is kept yet: work that was kept stays.
fs::path free_name(const std::string& path) {
    fs::path name = path;
    for (int number = 2; fs::exists(fs::symlink_status(name)); ++number) name = path + '.' + std::to_string(number);
    return name;
}

bool same_bytes(const fs::path& one, const fs::path& other) {
    const auto first = read_file(one.string());
    const auto second = read_file(other.string());
    return first && second && *first == *second;
}

std::string keep_solved(const ExerciseSet& set, const ExerciseFolder& exercise) {
    Progress progress = read_progress(progress_file(set));
    progress[exercise.name].solved = true;
    return write_progress(progress_file(set), progress);
}

std::string next_steps(const ExerciseSet& set, const ExerciseFolder& exercise) {
    const ExerciseFolder* next = first_unsolved(set);
    return "  Ours: lanes solution " + exercise.name + '\n' +
           (next == nullptr ? "  That was the last one.\n" : "  Next: " + shown(next->file) + '\n');
}

// Checks an exercise's own file; keeps progress and says what comes next.
int check_own_file(const ExerciseSet& set, const ExerciseFolder& exercise) {
    const auto result = check_file(exercise, exercise.file);
    if (!result) return refuse(result.error().message);
    std::cout << verdict_text(set, exercise, *result, colour_of_output());
    if (!result->passed) return status_not_passed;
    if (const auto error = keep_solved(set, exercise); !error.empty()) return refuse(error);
    std::cout << next_steps(set, exercise);
    return 0;
}

using Stamp = std::optional<fs::file_time_type>;

Stamp stamp_of(const fs::path& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    return error ? Stamp{} : Stamp{time};
}

// Editors replace a file or write it in place; either way its time changes. Asking for it also works over NFS and SSH.
void wait_for_save(const fs::path& file, const Stamp& before) {
    constexpr std::chrono::milliseconds pause(100);
    while (!stamp_of(file) || stamp_of(file) == before) std::this_thread::sleep_for(pause);
}

// Until it passes.
int watch(const ExerciseSet& set, const ExerciseFolder& exercise) {
    std::cout << "Watching " << shown(exercise.file) << "; Ctrl-C ends it.\n";
    while (true) {
        const Stamp before = stamp_of(exercise.file);
        const int status = check_own_file(set, exercise);
        std::cout << std::endl;
        if (status != status_not_passed) return status;
        wait_for_save(exercise.file, before);
    }
}

Result<std::string> text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream.is_open()) return Error{file.string() + " cannot be read"};
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace

int list_exercises() {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const Progress progress = read_progress(progress_file(*set));
    constexpr std::size_t text_columns = 4;
    TextTable table({"exercise", "", "kind", "title"}, text_columns);
    std::size_t solved = 0;
    for (const ExerciseFolder& exercise : set->exercises) {
        const auto found = progress.find(exercise.name);
        const bool done = found != progress.end() && found->second.solved;
        solved += done ? 1 : 0;
        table.add({exercise.name, done ? "solved" : "", exercise.kind, exercise.title});
    }
    std::cout << table.text() << solved << " of " << set->exercises.size() << " solved\n";
    if (const ExerciseFolder* next = first_unsolved(*set))
        std::cout << "Next: read " << shown(next->folder / "README.md") << ", edit " << shown(next->file)
                  << ", then lanes check " << next->name << '\n';
    return 0;
}

int check_exercise(const std::string& name, const std::string& file, bool gpu) {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const auto exercise = chosen(*set, name);
    if (!exercise) return refuse(exercise.error().message);
    if (file.empty() && !gpu) return check_own_file(*set, *exercise);
    const fs::path checked = file.empty() ? exercise->file : fs::path(file);
    const auto result = gpu ? check_file_on_gpu(*set, *exercise, checked) : check_file(*exercise, checked);
    if (!result) return refuse(result.error().message);
    std::cout << verdict_text(*set, *exercise, *result, colour_of_output());
    if (gpu && result->passed) std::cout << "  Results only. Without --gpu, costs are checked as well.\n";
    return result->passed ? 0 : status_not_passed;
}

int watch_exercises(const std::string& name) {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    do {
        const auto exercise = chosen(*set, name);
        if (!exercise) return refuse(exercise.error().message);
        if (const int status = watch(*set, *exercise); status != 0) return status;
    } while (name.empty() && first_unsolved(*set) != nullptr);
    return 0;
}

int show_hint(const std::string& name) {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const auto exercise = chosen(*set, name);
    if (!exercise) return refuse(exercise.error().message);
    const auto text = text_of(exercise->folder / "hints.md");
    if (!text) return refuse(text.error().message);
    const auto hints = hints_in(*text);
    if (hints.empty()) return refuse(exercise->name + " has no hints");
    Progress progress = read_progress(progress_file(*set));
    unsigned& shown_so_far = progress[exercise->name].hints;
    const std::size_t next = shown_so_far % hints.size();
    std::cout << exercise->name << ", hint " << next + 1 << " of " << hints.size() << "\n\n" << hints[next];
    ++shown_so_far;
    const auto error = write_progress(progress_file(*set), progress);
    return error.empty() ? 0 : refuse(error);
}

int reset_exercise(const std::string& name) {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const auto exercise = choose_exercise(*set, name);
    if (!exercise) return refuse(exercise.error().message);
    const fs::path original = exercise->built / exercise->file.filename();
    const fs::path kept = free_name(exercise->file.string() + ".before_reset");
    std::error_code error;
    if (!fs::exists(original, error)) return refuse(original.string() + " is not there; build the target exercises");
    const bool existed = fs::exists(exercise->file, error);
    if (existed && same_bytes(exercise->file, original)) {
        std::cout << shown(exercise->file) << " is as it was in the beginning, already.\n";
        return 0;
    }
    if (existed) fs::rename(exercise->file, kept, error);
    if (!error) fs::copy_file(original, exercise->file, error);
    if (error) return refuse(exercise->file.string() + " cannot be written: " + error.message());
    std::cout << shown(exercise->file) << " is as it was in the beginning.";
    if (existed) std::cout << " Your work is in " << shown(kept) << '.';
    std::cout << '\n';
    return 0;
}

int show_solution(const std::string& name, bool reveal) {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const auto exercise = choose_exercise(*set, name);
    if (!exercise) return refuse(exercise.error().message);
    if (!reveal && !read_progress(progress_file(*set))[exercise->name].solved)
        return refuse(exercise->name + " is not solved yet; `lanes hint " + exercise->name +
                      "` helps, and --reveal shows the solution all the same");
    const auto text = text_of(exercise->built / "solution.cu");
    if (!text) return refuse(text.error().message);
    std::cout << *text;
    return 0;
}

}  // namespace lanes
