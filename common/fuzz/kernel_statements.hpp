/// @file
/// @brief The straight-line instructions that generated kernels are made of.
#pragma once

#include <string>
#include <vector>

namespace lanes::fuzz {

/// A line of PTX with places to fill in: $p predicate, $h 16-bit, $r 32-bit, $l 64-bit, $f f32, $d f64 registers;
/// $m a member mask; $i a small number; $s, $g, $n, $o, $x an address in shared memory, in global memory, in global
/// memory that is only read, in local memory, of any space.
struct Statement {
    std::string text;     ///< without guard and semicolon
    bool orderly = true;  ///< see GeneratedKernel::orderly
};

/// Every arithmetic and exchange form that the emulator supports.
const std::vector<Statement>& arithmetic_statements();
/// Loads, stores, copies and reductions of memory.
const std::vector<Statement>& memory_statements();
/// Barriers, fences, and what else threads do to wait for each other.
const std::vector<Statement>& synchronisation_statements();

}  // namespace lanes::fuzz
