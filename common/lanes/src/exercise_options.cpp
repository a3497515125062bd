#include "exercise_options.hpp"

#include "exercise_commands.hpp"

#include <memory>
#include <string>

namespace lanes {

namespace {

constexpr const char* group = "Exercises";
constexpr const char* name_help =
    "The exercise, as `lanes list` has it; its number, a part of its name, or its file will do";
constexpr unsigned most_hints = 99;

// What all but `list` take.
struct Words {
    std::string name;
    std::string file;
    unsigned hint = 0;
    bool gpu = false;
    bool reveal = false;
};

// A command that takes the name of an exercise and does `run`.
CLI::App& add_command(CLI::App& app, std::function<int()>& action, const char* command, const char* description,
                      bool name_required, const std::shared_ptr<Words>& words, int (*run)(const Words&)) {
    CLI::App& added = *app.add_subcommand(command, description)->group(group);
    const std::string help = name_help + std::string(name_required ? "" : "; the first unsolved one if not given");
    added.add_option("name", words->name, help)->required(name_required)->type_name("NAME");
    added.callback([&action, words, run] { action = [words, run] { return run(*words); }; });
    return added;
}

}  // namespace

void add_exercise_commands(CLI::App& app, std::function<int()>& action) {
    const auto words = std::make_shared<Words>();
    app.add_subcommand("list", "List the exercises, and which of them are solved")->group(group)->callback([&action] {
        action = list_exercises;
    });
    CLI::App& check = add_command(app, action, "check", "Check an exercise", false, words,
                                  [](const Words& w) { return check_exercise(w.name, w.file, w.gpu); });
    check.add_option("--file", words->file, "Check this file instead, and keep no progress")->type_name("FILE");
    check.add_flag("--gpu", words->gpu, "Check the results on this machine's GPU; costs are not counted there");
    add_command(app, action, "watch", "Check an exercise whenever its file is saved", false, words,
                [](const Words& w) { return watch_exercises(w.name); });
    add_command(app, action, "hint", "Show the next hint of an exercise", false, words,
                [](const Words& w) { return show_hint(w.name, w.hint); })
        .add_option("number", words->hint, "This hint, and not the next one")
        ->check(CLI::Range(1U, most_hints).description(""))
        ->type_name("NUMBER");
    add_command(app, action, "reset", "Start an exercise anew", true, words,
                [](const Words& w) { return reset_exercise(w.name); });
    add_command(app, action, "solution", "Show the solution of a solved exercise", true, words, [](const Words& w) {
        return show_solution(w.name, w.reveal);
    }).add_flag("--reveal", words->reveal, "Show it although the exercise is not solved");
}

}  // namespace lanes
