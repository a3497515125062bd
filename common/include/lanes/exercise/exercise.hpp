/// @file
/// @brief What the check program of an exercise is written with: inputs, budgets and predictions.
///
/// A check program includes this and the student's file, and defines check_exercise(). It is built once. `lanes check`
/// compiles the student's file alone, to PTX, and the emulator's runtime puts it in place of what was built in.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lanes/check.hpp"
#include "lanes/compare.hpp"

namespace lanes {

/// A limit on what one launch may cost: a counter, or a counter divided by another.
struct Budget {
    std::string what;                ///< in words: "sectors a load request"
    std::vector<std::string> costs;  ///< counters by Nsight Compute's base names; they are added up
    std::string per;                 ///< counter to divide by, or empty
    double most = 0;                 ///< the limit itself is still allowed
};

/// What a student often thinks, and what to say about it: wrong answer -> a sentence.
using Misconceptions = std::map<int, std::string>;

/// @brief The checks of one exercise, from the first to the first that fails.
///
/// Inputs go from small to large, so that the first that fails is the smallest. After a failed input nothing else is
/// tried: a kernel's fault ends all work on the device.
class Exercise {
public:
    /// @param report file that gets a line of JSON a check; empty for standard output
    explicit Exercise(const std::string& report);

    /// @brief The section of the book that the checks from here on are about.
    /// @param heading as it stands in the chapter
    void section(const std::string& heading);

    /// @brief Runs the student's kernels on one input.
    /// @param input what is special about it, in words: "n = 33"
    /// @param run   launches and compares; CUDA errors and the emulator's faults fail the check before the comparison
    /// @param why   what a failure on this input means, or empty
    void input(const std::string& input, const std::function<Comparison()>& run, const std::string& why = "");

    /// @brief Holds what the last launch cost against a budget. On a GPU it does nothing.
    /// @param budget the limit
    /// @param why    how the budget is usually missed, or empty
    void at_most(const Budget& budget, const std::string& why = "");

    /// @brief Holds a number of the launch against a limit that no counter measures.
    /// @param what  in words: "bytes of shared memory a block"
    /// @param value what the student's kernel has
    /// @param most  the limit itself is still allowed
    /// @param why   how the limit is usually missed, or empty
    void at_most(const std::string& what, double value, double most, const std::string& why = "");

    /// @brief Holds a prediction against what the emulator counts in a launch. All predictions of an exercise are
    /// tried.
    ///
    /// On a GPU only what the kernel computed is checked.
    /// @param symbol the student's constant, an int; -1 stands for no answer yet
    /// @param name   its name
    /// @param truth  what is counted; its limit is not used
    /// @param launch launches one kernel and checks what it computed
    /// @param notes  what to say about wrong answers that are often given
    template <typename Symbol>
    void prediction(const Symbol& symbol, const std::string& name, const Budget& truth,
                    const std::function<Comparison()>& launch, const Misconceptions& notes = {}) {
        predict(constant(symbol), name, truth, launch, notes);
    }

    /// @brief Holds a prediction against a number that the model gives, on any machine.
    /// @param symbol the student's constant, an int; -1 stands for no answer yet
    /// @param name   its name
    /// @param what   in words: "resident blocks"
    /// @param truth  the number
    /// @param notes  what to say about wrong answers that are often given
    template <typename Symbol>
    void prediction(const Symbol& symbol, const std::string& name, const std::string& what, double truth,
                    const Misconceptions& notes = {}) {
        predict(constant(symbol), name, what, truth, notes);
    }

    /// @brief The value of a student's constant.
    /// @param symbol declared `__constant__ int` in the student's file
    template <typename Symbol>
    static int constant(const Symbol& symbol) {
        int value = 0;
        check(cudaMemcpyFromSymbol(&value, symbol, sizeof value));
        return value;
    }

    /// The exit status: 0 if all checks passed.
    int status() const { return failed_ ? 1 : 0; }

private:
    struct Finding;
    void predict(int answer, const std::string& name, const Budget& truth, const std::function<Comparison()>& launch,
                 const Misconceptions& notes);
    void predict(int answer, const std::string& name, const std::string& what, double truth,
                 const Misconceptions& notes);
    void report(const Finding& finding);

    std::string report_;
    std::string section_;
    std::string input_;
    bool failed_ = false;
};

/// @brief The checks, defined by each check program.
/// @param exercise collects what they find
void check_exercise(Exercise& exercise);

}  // namespace lanes
