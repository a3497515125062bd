#include <lanes/device.hpp>
#include <lanes/exercise/exercise.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <exception>
#include <fstream>
#include <iostream>
#include <optional>
#include <stdexcept>

namespace lanes {

namespace {

using nlohmann::json;

// A launch that nobody can count in is a mistake of the check program, and must not pass for a count of 0.
double count_of(const std::string& counter) {
    const auto value = counted(counter);
    if (!value) throw std::runtime_error("the emulator has no counter " + counter);
    return static_cast<double>(*value);
}

double measured(const Budget& budget) {
    double cost = 0;
    for (const auto& counter : budget.costs) cost += count_of(counter);
    if (budget.per.empty()) return cost;
    const double unit = count_of(budget.per);
    return unit == 0 ? 0 : cost / unit;
}

// What a run did: nothing wrong, a wrong result, or an error that the emulator or CUDA found.
struct Outcome {
    Comparison comparison;
    std::string cuda_error;
    bool fault = false;
};

Outcome outcome_of(const std::function<Comparison()>& run) {
    const auto errors = emulator_errors();
    Outcome outcome;
    try {
        outcome.comparison = run();
        check(cudaDeviceSynchronize());
    } catch (const std::exception& error) {
        outcome.cuda_error = error.what();
    }
    outcome.fault = emulator_errors() > errors;
    return outcome;
}

}  // namespace

// One line of the report. `lanes check` makes a message of it; see VerdictLine in common/lanes.
struct Exercise::Finding {
    bool passed = false;
    std::string kind;   // result, fault, cuda, budget, limit, prediction
    std::string input;  // or the name of a prediction
    std::string message;
    std::string why;
    json details = json::object();
};

Exercise::Exercise(const std::string& report) : report_(report) {}

void Exercise::section(const std::string& heading) {
    section_ = heading;
}

void Exercise::report(const Finding& finding) {
    json line = {{"passed", finding.passed},   {"kind", finding.kind}, {"input", finding.input},
                 {"message", finding.message}, {"why", finding.why},   {"section", section_},
                 {"details", finding.details}};
    const std::string text = line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
    failed_ |= !finding.passed;
    if (report_.empty()) {
        std::cout << text << std::flush;
        return;
    }
    std::ofstream file(report_, std::ios::app);
    file << text << std::flush;
    if (!file) throw std::runtime_error("cannot write " + report_);
}

void Exercise::input(const std::string& input, const std::function<Comparison()>& run, const std::string& why) {
    if (failed_) return;
    input_ = input;
    const Outcome outcome = outcome_of(run);
    if (outcome.fault)
        report({false, "fault", input, "", why});
    else if (!outcome.cuda_error.empty())
        report({false, "cuda", input, outcome.cuda_error, why});
    else
        report({bool(outcome.comparison), "result", input, outcome.comparison.message(), why});
}

void Exercise::at_most(const Budget& budget, const std::string& why) {
    if (failed_ || !on_emulator()) return;
    const double value = measured(budget);
    report({value <= budget.most,
            "budget",
            input_,
            budget.what,
            why,
            {{"costs", budget.costs}, {"per", budget.per}, {"value", value}, {"most", budget.most}}});
}

void Exercise::at_most(const std::string& what, double value, double most, const std::string& why) {
    if (failed_) return;
    report({value <= most, "limit", input_, what, why, {{"value", value}, {"most", most}}});
}

void Exercise::predict(int answer, const std::string& name, const Budget& truth,
                       const std::function<Comparison()>& launch, const Misconceptions& notes) {
    if (answer == -1) {
        report({false, "prediction", name, "not answered yet: " + truth.what, ""});
        return;
    }
    const Outcome outcome = outcome_of(launch);
    if (outcome.fault || !outcome.cuda_error.empty() || !outcome.comparison) {
        report({false, outcome.fault ? "fault" : "result", name,
                "the kernel must stay as it was: " + outcome.comparison.message() + outcome.cuda_error, ""});
        return;
    }
    if (!on_emulator()) {
        report({true, "result", name, "not counted on a GPU", ""});
        return;
    }
    predict(answer, name, truth.what, measured(truth), notes);
}

void Exercise::predict(int answer, const std::string& name, const std::string& what, double truth,
                       const Misconceptions& notes) {
    if (answer == -1) {
        report({false, "prediction", name, "not answered yet: " + what, ""});
        return;
    }
    const bool right = std::abs(truth - answer) < 1e-9;
    const auto note = notes.find(answer);
    const std::string verdict = right ? "is right" : answer < truth ? "is too few" : "is too many";
    report({right, "prediction", name, std::to_string(answer) + ' ' + what + ' ' + verdict,
            right || note == notes.end() ? "" : note->second});
}

}  // namespace lanes
