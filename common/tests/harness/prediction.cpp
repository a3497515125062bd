#include "lanes/prediction.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>

namespace {

using Address = std::optional<std::uint64_t>;

}  // namespace

TEST_CASE("traffic_of: adds up warps; threads without an address move nothing") {
    const auto all = lanes::traffic_of(64, 4, [](std::size_t thread) { return Address(thread * 4); });
    CHECK(all.requests == 2);
    CHECK(all.sectors == 8);
    const auto nine = lanes::traffic_of(64, 4, [](std::size_t t) { return t < 9 ? Address(t * 4) : std::nullopt; });
    CHECK(nine.requests == 1);
    CHECK(nine.sectors == 2);
}

TEST_CASE("shared_traffic_of: adds up wavefronts and conflicts of all warps") {
    using lanes::model::SharedOperation;
    const auto row = [](std::size_t thread) { return Address(thread * 4); };
    const auto column = [](std::size_t thread) { return Address(thread * 128); };
    const auto rows = lanes::shared_traffic_of(SharedOperation::load, 64, 4, row);
    CHECK(rows.wavefronts == 2);
    CHECK(rows.conflicts == 0);
    auto columns = lanes::shared_traffic_of(SharedOperation::store, 64, 4, column);
    CHECK(columns.wavefronts == 64);
    CHECK(columns.conflicts == 62);
    columns *= 3;
    columns += rows;
    CHECK(columns.wavefronts == 194);
    CHECK(columns.conflicts == 186);
}

TEST_CASE("shared_load_counts and shared_store_counts go by Nsight Compute's names") {
    const lanes::SharedTraffic traffic{.wavefronts = 5, .conflicts = 3};
    CHECK(lanes::shared_load_counts(traffic) ==
          lanes::Counts{{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 5},
                        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", 3}});
    CHECK(lanes::shared_store_counts(traffic) ==
          lanes::Counts{{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", 5},
                        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st", 3}});
}
