#include "exercise_commands.hpp"

#include "command_name.hpp"
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
#include <functional>
#include <iostream>
#include <map>
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

// What is known; nothing if the file cannot be read. Whoever changes it reads it again, and is refused.
Progress known_progress(const ExerciseSet& set) {
    const auto progress = read_progress(progress_file(set));
    return progress ? *progress : Progress();
}

// Changes what is kept of one exercise.
// Why it could not be kept, or empty: a file that cannot be read is not written over.
std::string keep(const ExerciseSet& set, const ExerciseFolder& exercise,
                 const std::function<void(ExerciseProgress&)>& change) {
    auto progress = read_progress(progress_file(set));
    if (!progress) return progress.error().message;
    change((*progress)[exercise.name]);
    return write_progress(progress_file(set), *progress);
}

// How far an exercise is. Only the file that passed is solved: it may have been changed since.
enum class State { open, solved, changed };

State state_of(const ExerciseFolder& exercise, const Progress& progress) {
    const auto found = progress.find(exercise.name);
    if (found == progress.end() || found->second.solved.empty()) return State::open;
    return found->second.solved == content_hash(text_or_nothing(exercise.file.string())) ? State::solved
                                                                                         : State::changed;
}

const ExerciseFolder* first_unsolved(const ExerciseSet& set) {
    const Progress progress = known_progress(set);
    for (const ExerciseFolder& exercise : set.exercises)
        if (state_of(exercise, progress) != State::solved) return &exercise;
    return nullptr;
}

// The named exercise, or the first that is not solved.
Result<ExerciseFolder> chosen(const ExerciseSet& set, const std::string& name) {
    if (!name.empty()) return choose_exercise(set, name);
    if (const ExerciseFolder* next = first_unsolved(set)) return *next;
    return Error{"all exercises are solved; name one of `" + command_name() + " list`"};
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

bool same_text(const fs::path& one, const fs::path& other) {
    const auto first = read_text(one.string());
    const auto second = read_text(other.string());
    return first && second && *first == *second;
}

// A note is no failure: what was asked for was done.
void note(const std::string& message) {
    std::cerr << "lanes: note: " << message << '\n';
}

fs::path solution_of(const ExerciseFolder& exercise) {
    return exercise.built / "solution.cu";
}

// Students get the book without solutions.
bool has_solution(const ExerciseFolder& exercise) {
    std::error_code ignored;
    return fs::exists(solution_of(exercise), ignored);
}

std::string next_steps(const ExerciseSet& set, const ExerciseFolder& exercise) {
    const ExerciseFolder* next = first_unsolved(set);
    return (has_solution(exercise) ? "  Our solution: " + command_name() + " solution " + exercise.name + '\n' : "") +
           (next == nullptr ? "  That was the last one.\n" : "  Next: " + shown(next->file) + '\n');
}

// Why a file cannot be checked, and what to do: of one that is the exercise's own.
std::string with_remedy(const std::string& message, const ExerciseFolder& exercise) {
    std::error_code ignored;
    if (fs::is_regular_file(exercise.file, ignored)) return message;
    return message + "; `" + command_name() + " reset " + exercise.name + "` makes the file anew";
}

void print_verdict(const ExerciseSet& set, const ExerciseFolder& exercise, const CheckResult& result) {
    std::cout << printed_text(result) << verdict_text(set, exercise, result, {colour_of_output(), command_name()});
}

// Keeps that a file passed: the one that was checked, and not one that was saved meanwhile.
void keep_solved(const ExerciseSet& set, const ExerciseFolder& exercise, const std::string& checked) {
    if (checked != content_hash(text_or_nothing(exercise.file.string()))) return;
    const auto error = keep(set, exercise, [&](ExerciseProgress& progress) { progress.solved = checked; });
    if (!error.empty()) note("that it is solved cannot be kept: " + error);
}

// Checks an exercise's own file; keeps progress and says what comes next.
int check_own_file(const ExerciseSet& set, const ExerciseFolder& exercise) {
    const std::string checked = content_hash(text_or_nothing(exercise.file.string()));
    const auto result = check_file(exercise, exercise.file);
    if (!result) return refuse(with_remedy(result.error().message, exercise));
    print_verdict(set, exercise, *result);
    if (!result->passed) return status_not_passed;
    keep_solved(set, exercise, checked);
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
// A file that is away for longer than an editor needs is missed.
void wait_for_save(const fs::path& file, const Stamp& before) {
    constexpr std::chrono::milliseconds pause(100);
    constexpr int patience = 10;
    for (int away = 0; !stamp_of(file) || stamp_of(file) == before; std::this_thread::sleep_for(pause)) {
        away = stamp_of(file) ? 0 : away + 1;
        if (away == patience) std::cout << shown(file) << " is gone; waiting until it is there again." << std::endl;
    }
}

// Until it passes.
int watch(const ExerciseSet& set, const ExerciseFolder& exercise) {
    std::cout << "Watching " << shown(exercise.file) << "; Ctrl-C ends it." << std::endl;
    while (true) {
        const Stamp before = stamp_of(exercise.file);
        const int status = before ? check_own_file(set, exercise) : status_not_passed;
        std::cout << std::endl;
        if (status != status_not_passed) return status;
        wait_for_save(exercise.file, before);
    }
}

// The exercise that a file elsewhere is checked as.
Result<ExerciseFolder> chosen_for(const ExerciseSet& set, const std::string& name, const std::string& file) {
    if (name.empty() && !file.empty()) return exercise_of_file(set, file);
    return chosen(set, name);
}

std::string after_last_hint(const ExerciseFolder& exercise) {
    const std::string command = command_name();
    const std::string solution = ", `" + command + " solution " + exercise.name + " --reveal` shows our solution";
    return "That was the last one: `" + command + " hint " + exercise.name + "` begins with the first again" +
           (has_solution(exercise) ? solution : "") + ".\n";
}

const char* word_of(State state) {
    switch (state) {
        case State::solved:
            return "solved";
        case State::changed:
            return "changed since";
        case State::open:
            break;
    }
    return "";
}

}  // namespace

int list_exercises() {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const auto progress = read_progress(progress_file(*set));
    if (!progress) return refuse(progress.error().message);
    constexpr std::size_t text_columns = 4;
    TextTable table({"exercise", "", "kind", "title"}, text_columns);
    std::map<State, std::size_t> counts;
    for (const ExerciseFolder& exercise : set->exercises) {
        const State state = state_of(exercise, *progress);
        ++counts[state];
        table.add({exercise.name, word_of(state), exercise.kind, exercise.title});
    }
    std::cout << table.text() << counts[State::solved] << " of " << set->exercises.size() << " solved\n";
    if (counts[State::changed] > 0)
        std::cout << counts[State::changed] << " passed once, and changed since: check again\n";
    if (const ExerciseFolder* next = first_unsolved(*set))
        std::cout << "Next: read " << shown(next->folder / "README.md") << ", edit " << shown(next->file) << ", then "
                  << command_name() << " check " << next->name << '\n';
    return 0;
}

int check_exercise(const std::string& name, const std::string& file, bool gpu) {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const auto exercise = chosen_for(*set, name, file);
    if (!exercise) return refuse(exercise.error().message);
    if (file.empty() && !gpu) return check_own_file(*set, *exercise);
    const fs::path checked = file.empty() ? exercise->file : fs::path(file);
    const auto result = gpu ? check_file_on_gpu(*set, *exercise, checked) : check_file(*exercise, checked);
    if (!result) return refuse(result.error().message);
    print_verdict(*set, *exercise, *result);
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

int show_hint(const std::string& name, unsigned number) {
    const auto set = find_exercises();
    if (!set) return refuse(set.error().message);
    const auto exercise = chosen(*set, name);
    if (!exercise) return refuse(exercise.error().message);
    const auto text = read_text((exercise->folder / "hints.md").string());
    if (!text) return refuse(text.error().message);
    const auto hints = hints_in(*text);
    if (number > hints.size())
        return refuse(exercise->name + " has " + std::to_string(hints.size()) + " hints, and none of number " +
                      std::to_string(number));
    const unsigned shown_so_far = known_progress(*set)[exercise->name].hints;
    const std::size_t next = number > 0 ? number : shown_so_far % hints.size() + 1;
    std::cout << exercise->name << ", hint " << next << " of " << hints.size() << "\n\n" << hints[next - 1];
    if (next == hints.size()) std::cout << '\n' << after_last_hint(*exercise);
    const auto error = keep(*set, *exercise, [&](ExerciseProgress& progress) {
        progress.hints = number > 0 ? number : progress.hints + 1;
    });
    if (!error.empty())
        note("which hint comes next cannot be kept: " + error + ". `" + command_name() + " hint " + exercise->name +
             ' ' + std::to_string(next % hints.size() + 1) + "` shows it.");
    return 0;
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
    const bool existed = fs::exists(fs::symlink_status(exercise->file, error));
    if (existed && same_text(exercise->file, original)) {
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
    if (!reveal && known_progress(*set)[exercise->name].solved.empty())
        return refuse(exercise->name + " is not solved yet; `" + command_name() + " hint " + exercise->name +
                      "` helps, and --reveal shows the solution all the same");
    if (!has_solution(*exercise))
        return refuse("there is no solution in " + solution_of(*exercise).string() +
                      ": this copy of the book came without, or the target exercises is not built");
    const auto text = read_text(solution_of(*exercise).string());
    if (!text) return refuse(text.error().message);
    std::cout << *text;
    return 0;
}

}  // namespace lanes
