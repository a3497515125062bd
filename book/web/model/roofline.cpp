/// @file
/// @brief Export `roofline`: where a kernel lies below the two roofs of a machine.
#include <lanes/model/intensity.hpp>

#include "export.hpp"

namespace {

namespace model = lanes::model;

/// In: peak of the arithmetic (operations a second), bandwidth of the memory (bytes a second), then of the kernel its
/// operations, the bytes that it moved, and its seconds.
/// Out: the intensity at which the roofs meet, the kernel's intensity, its operations a second, the most at that
/// intensity, the part of it that was reached, and 0 if memory is the lower roof there, 1 if arithmetic is.
void compute_roofline(lanes::web::Call& call) {
    constexpr double least = 1e-12;
    constexpr double most = 1e30;
    const double peak = call.number("the peak", least, most);
    const double bandwidth = call.number("the bandwidth", least, most);
    const double flops = call.number("the operations", least, most);
    const double bytes = call.number("the bytes", least, most);
    const double seconds = call.number("the time", least, most);
    const double intensity = model::arithmetic_intensity(flops, bytes);
    const double ridge = model::ridge_intensity(peak, bandwidth);
    const double bound = model::roofline_bound(peak, bandwidth, intensity);
    call.put(ridge);
    call.put(intensity);
    call.put(flops / seconds);
    call.put(bound);
    call.put(flops / seconds / bound);
    call.put(intensity < ridge ? 0 : 1);
}

}  // namespace

LANES_WEB_EXPORT(roofline, compute_roofline)
