#include "devices.hpp"

#include "text_table.hpp"

#include <options.hpp>
#include <profiles.hpp>

#include <lanes/model/occupancy.hpp>
#include <lanes/table.hpp>

namespace lanes {

std::string device_table() {
    constexpr std::size_t text_columns = 2;
    TextTable table({"device", "card", "multiprocessors", "threads/SM", "shared KiB/SM", "L2 MiB", "memory MiB"},
                    text_columns);
    for (const runtime::DeviceProfile& profile : runtime::device_profiles()) {
        const unsigned capability = profile.compute_capability;
        const auto limits = *model::multiprocessor_limits({capability / 10, capability % 10});
        const bool is_default = profile.option() == runtime::default_device;
        table.add({profile.option(), std::string(profile.card), grouped(profile.multiprocessors),
                   grouped(limits.threads()), grouped(limits.shared_bytes / model::kilobyte),
                   grouped(profile.l2_bytes >> 20), grouped(profile.memory_mib)},
                  is_default ? "(default)" : "");
    }
    return table.text() +
           "Properties are those of the card; kernels run on this machine's processor, so times are not the card's.\n";
}

}  // namespace lanes
