/// The .approx functions of f32 and f64: rsqrt, ex2, lg2, sin, cos, tanh.
///
/// They are computed in double and rounded to nearest, so they are closer to the true value than the hardware's, which
/// promises only a bound on the error. Compare with a tolerance.

#include "arithmetic.hpp"
#include "arithmetic_exact.hpp"
#include "arithmetic_numbers.hpp"
#include "arithmetic_rows.hpp"

namespace lanes::emulator {
namespace {

template <double (*function)(double), bool flushes>
float approximate(float a) {
    return output<flushes, false>(static_cast<float>(function(static_cast<double>(input<flushes>(a)))));
}

double exponential(double a) {
    return std::exp2(a);
}
double logarithm(double a) {
    return std::log2(a);
}
double sine(double a) {
    return std::sin(a);
}
double cosine(double a) {
    return std::cos(a);
}
double hyperbolic_tangent(double a) {
    return std::tanh(a);
}

template <bool flushes>
float reciprocal_square_root(float a) {
    const double root = std::sqrt(static_cast<double>(input<flushes>(a)));
    return output<flushes, false>(static_cast<float>(1.0 / root));
}

double reciprocal_square_root_f64(double a) {
    return output_f64(1.0 / std::sqrt(a), a);
}

template <double (*function)(double)>
Selection select_function(bool flushes) {
    return flushes ? on_lanes<approximate<function, true>>() : on_lanes<approximate<function, false>>();
}

Selection select_reciprocal_square_root(Form& form, bool flushes) {
    if (form.take("f32")) {
        return flushes ? on_rows<reciprocal_square_root<true>>() : on_rows<reciprocal_square_root<false>>();
    }
    form.take("f64");
    return flushes ? on_rows<of_upper_word<reciprocal_square_root_f64>>() : on_rows<reciprocal_square_root_f64>();
}

}  // namespace

Selection select_approximate(Form& form) {
    if (!form.take("approx")) return {};
    const bool flushes = form.take("ftz");
    const std::string& opcode = form.opcode();
    if (opcode == "rsqrt") return select_reciprocal_square_root(form, flushes);
    if (!form.take("f32")) return {};
    if (opcode == "ex2") return select_function<exponential>(flushes);
    if (opcode == "lg2") return select_function<logarithm>(flushes);
    if (opcode == "sin") return select_function<sine>(flushes);
    if (opcode == "cos") return select_function<cosine>(flushes);
    return opcode == "tanh" ? select_function<hyperbolic_tangent>(flushes) : Selection{};
}

}  // namespace lanes::emulator
