/// @file
/// @brief All results of one run of the benchmark, as tables and as JSON.
#pragma once

#include "measurements.hpp"

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace lanes::benchmark {

/// Where and when the benchmark ran.
struct Provenance {
    std::string processor;   ///< its name
    unsigned cores = 1;      ///< host threads that run at the same time
    double load_before = 0;  ///< processes that were ready to run in the minute before
    std::string date;        ///< UTC, "2026-11-29T22:00:00Z"
    std::string command;     ///< as it was called
};

/// What there is to say of this machine.
/// @param argc  of main
/// @param argv  of main
Provenance provenance_of(int argc, char** argv);

/// Results, section by section.
struct Report {
    Provenance provenance;
    std::vector<Speed> speeds;
    std::vector<Scale> scales;
    std::vector<Agreement> agreements;
    std::vector<CheckMemory> memory;
    Statistics start_up;  ///< milliseconds
    OtherInterpreter oclgrind;

    /// True if no kernel's counts depend on the number of host threads.
    bool counts_agree() const;
};

// Each prints one section.
void print(std::ostream& out, const Provenance& provenance);
void print(std::ostream& out, const std::vector<Speed>& speeds);
void print(std::ostream& out, const std::vector<Scale>& scales);
void print(std::ostream& out, const std::vector<Agreement>& agreements);
void print(std::ostream& out, const std::vector<CheckMemory>& memory);
void print_start_up(std::ostream& out, const Statistics& milliseconds);
void print(std::ostream& out, const OtherInterpreter& oclgrind);

/// The schema "thirty-two-lanes/speed/1": see README.md.
nlohmann::ordered_json to_json(const Report& report);

}  // namespace lanes::benchmark
