#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "compare_counts.hpp"
#include "counted_launches.hpp"
#include "json_file.hpp"
#include "kernel_name.hpp"
#include "merge_counts.hpp"
#include "ncu_csv.hpp"

namespace {

using lanes::tools::base_name;
using lanes::tools::CountedLaunch;
using lanes::tools::Json;

const std::string headings =
    R"csv("ID","Process ID","Process Name","Kernel Name","Block Size","sectors__op_ld.sum","sm__warps.avg.pct")csv"
    "\n"
    R"csv("","","","","","sector","%")csv"
    "\n";

const std::string row = R"csv("0","77","coalescing","copy(const float *, float *)","(256, 1, 1)","163,680","81.5")csv"
                        "\n";

/// The message of the error that reading `text` gives, or "none".
std::string ncu_error(const std::string& text) {
    try {
        lanes::tools::launches_of_ncu(text, "a.csv");
        return "none";
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Json times_with_case(const std::string& kernel, const Json& predicted) {
    return {{"program", "coalescing"},
            {"provenance", {{"device", "NVIDIA H200"}}},
            {"sources", Json::object()},
            {"cases",
             {{{"name", "offset_1"}, {"kernel", kernel}, {"parameters", Json::object()}, {"predicted", predicted}}}}};
}

Json counts_with(const Json& parameters, const Json& counters) {
    return {{"program", "coalescing"},
            {"cases", {{{"name", "offset_1"}, {"parameters", parameters}, {"counters", counters}}}}};
}

std::string merge_error(const Json& times, const std::vector<CountedLaunch>& launches) {
    try {
        lanes::tools::merge_counts(times, launches, "emulator");
        return "none";
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("base_name: no return type, namespace, template or parameters") {
    CHECK(base_name("copy(const float *, float *, unsigned long)") == "copy");
    CHECK(base_name("copy") == "copy");
    CHECK(base_name("void copy<4>(const float *)") == "copy");
    CHECK(base_name("void chapter::copy<std::vector<int, std::allocator<int> > >(float *)") == "copy");
    CHECK(base_name("(anonymous namespace)::copy(float *)") == "copy");
    CHECK(base_name("void <unnamed>::copy<float>(float *)") == "copy");
    CHECK(base_name("void cub::detail::Kernel<(anonymous namespace)::Policy, int>(int *, T2 (*)(int))") == "Kernel");
    CHECK(base_name("").empty());
}

TEST_CASE("ncu: the raw page, with noise around it") {
    const auto launches = lanes::tools::launches_of_ncu(
        "==PROF== Connected\ncoalescing on ...\n" + headings + row + "==PROF== done\n", "a");
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].kernel == "copy(const float *, float *)");
    CHECK(launches[0].counters == Json{{"sectors__op_ld", 163680}, {"sm__warps.avg.pct", 81.5}});
}

TEST_CASE("ncu: Windows line ends and doubled quotes") {
    std::string text = headings + R"csv("0","7","a","say ""x""(int)","","1","2")csv" + "\n";
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 2) text.insert(i, "\r");
    const auto launches = lanes::tools::launches_of_ncu(text, "a.csv");
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].kernel == "say \"x\"(int)");
    CHECK(launches[0].counters == Json{{"sectors__op_ld", 1}, {"sm__warps.avg.pct", 2}});
}

TEST_CASE("ncu: what it says about the device is no count") {
    const auto launches = lanes::tools::launches_of_ncu(
        "\"ID\",\"Kernel Name\",\"device__attribute_display_name\",\"sectors__op_ld.sum\"\n"
        "\"\",\"\",\"\",\"sector\"\n"
        "\"0\",\"copy\",\"NVIDIA H200\",\"8\"\n",
        "a.csv");
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].counters == Json{{"sectors__op_ld", 8}});
}

TEST_CASE("ncu: averages that come along with a sum are left out, and those that were asked for are kept") {
    const auto launches = lanes::tools::launches_of_ncu(
        "\"ID\",\"Kernel "
        "Name\",\"profiler__replayer_bytes.sum\",\"l1__sectors.avg\",\"l1__sectors.max\",\"l1__sectors.min\","
        "\"l1__sectors.sum\",\"sm__warps.avg\"\n"
        "\"\",\"\",\"byte\",\"sector\",\"sector\",\"sector\",\"sector\",\"warp\"\n"
        "\"0\",\"copy\",\"9\",\"4\",\"5\",\"3\",\"8\",\"2.5\"\n",
        "a.csv");
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].counters == Json{{"l1__sectors", 8}, {"sm__warps.avg", 2.5}});
}

TEST_CASE("ncu: what is no raw page says what to do") {
    CHECK(contains(ncu_error(""), "no table"));
    CHECK(contains(ncu_error("==ERROR== ERR_NVGPUCTRPERM\n"), "no table"));
    CHECK(contains(ncu_error(R"csv("ID","Kernel Name","Metric Name","Metric Value")csv"
                             "\n"),
                   "--page raw"));
    CHECK(contains(ncu_error(headings), "no launch"));
    CHECK(contains(ncu_error(headings + R"csv("0","77","coal)csv" + "\n"), "cut off"));
    CHECK(contains(ncu_error(headings + row + headings + row), "more than one run"));
    CHECK(contains(ncu_error("\"ID\",\"Kernel Name\"\n\"\",\"\"\n\"0\",\"copy\"\n"), "no column with a metric"));
}

TEST_CASE("ncu: a missing or scaled value is an error, not a zero") {
    CHECK(contains(ncu_error(headings + R"csv("0","7","a","copy","","","81.5")csv" + "\n"), "is no number"));
    CHECK(contains(ncu_error(headings + R"csv("0","7","a","copy","","n/a","81.5")csv" + "\n"), "is no number"));
    CHECK(
        contains(ncu_error("\"ID\",\"Kernel Name\",\"dram__bytes.sum\"\n\"\",\"\",\"Mbyte\"\n\"0\",\"copy\",\"1.2\"\n"),
                 "--print-units base"));
}

TEST_CASE("merge: counts join the case of the same number") {
    const auto merged = lanes::tools::merge_counts(times_with_case("copy", {{"sectors", 160}}),
                                                   {{"void copy<4>(float *)", {{"sectors", 160}}, Json::array()}},
                                                   "Nsight Compute 2025.3");
    CHECK(merged.at("schema") == "thirty-two-lanes/counts/1");
    CHECK(merged.at("provenance").at("counted_by") == "Nsight Compute 2025.3");
    CHECK(merged.at("provenance").at("device") == "NVIDIA H200");
    CHECK(merged.at("cases").at(0).at("counters").at("sectors") == 160);
    CHECK_FALSE(merged.at("cases").at(0).contains("lines"));
}

TEST_CASE("merge: another kernel, another number of launches, a wrong prediction are errors") {
    const auto times = times_with_case("copy", {{"sectors", 160}});
    const CountedLaunch copy{"copy(float *)", {{"sectors", 160}}, Json::array()};
    CHECK(merge_error(times, {copy}) == "none");
    CHECK(contains(merge_error(times, {{"copy_all(float *)", copy.counters, copy.lines}}), "launches copy, but"));
    CHECK(contains(merge_error(times, {}), "1 cases, but 0 launches"));
    CHECK(contains(merge_error(times, {copy, copy}), "1 cases, but 2 launches"));
    CHECK(contains(merge_error(times, {{copy.kernel, {{"sectors", 128}}, copy.lines}}),
                   "offset_1: sectors is predicted to be 160, counted were 128"));
    CHECK(contains(merge_error(times, {{copy.kernel, {{"requests", 1}}, copy.lines}}), "was not counted"));
}

TEST_CASE("emulator's report: launches in order; a failed program counts nothing") {
    const Json report{{"exit_code", 0},
                      {"launches",
                       {{{"kernel", "copy(float *)"},
                         {"counters", {{"sectors", 4}}},
                         {"lines", {{{"file", "a.cu"}, {"line", 3}}}}}}}};
    const auto launches = lanes::tools::launches_of_emulator(report, "lanes.json");
    REQUIRE(launches.size() == 1);
    CHECK(launches[0].kernel == "copy(float *)");
    CHECK(launches[0].lines.size() == 1);
    Json failed = report;
    failed["exit_code"] = 1;
    CHECK_THROWS_AS(lanes::tools::launches_of_emulator(failed, "lanes.json"), std::runtime_error);
    CHECK_THROWS_AS(lanes::tools::launches_of_emulator(Json::array(), "lanes.json"), std::runtime_error);
}

TEST_CASE("compare: equal counts, of which there must be some") {
    const auto file = counts_with({{"offset", 1}}, {{"sectors", 160}, {"requests", 32}});
    const auto same = lanes::tools::compare_counts(file, file, {});
    CHECK(same.compared == 2);
    CHECK(same.differences.empty());
    CHECK(lanes::tools::compare_counts(file, file, {"sectors"}).compared == 1);
    Json empty = file;
    empty["cases"] = Json::array();
    CHECK_THROWS_AS(lanes::tools::compare_counts(empty, empty, {}), std::runtime_error);
    Json other = file;
    other["program"] = "tiling";
    CHECK_THROWS_AS(lanes::tools::compare_counts(file, other, {}), std::runtime_error);
}

TEST_CASE("compare: only what a case predicts, if so asked") {
    auto file = counts_with({{"offset", 1}}, {{"sectors", 160}, {"wavefronts", 48}});
    file["cases"][0]["predicted"] = {{"sectors", 160}};
    auto other = file;
    other["cases"][0]["counters"]["wavefronts"] = 64;
    CHECK(lanes::tools::compare_counts(file, other, {}).differences.size() == 1);
    const auto predicted = lanes::tools::compare_counts(file, other, {}, true);
    CHECK(predicted.compared == 1);
    CHECK(predicted.differences.empty());
    other["cases"][0]["counters"]["sectors"] = 128;
    CHECK(lanes::tools::compare_counts(file, other, {}, true).differences ==
          std::vector<std::string>{"offset_1: sectors is 160 and 128"});
}

TEST_CASE("compare: each kind of difference is named") {
    const auto file = counts_with({{"offset", 1}}, {{"sectors", 160}});
    const auto difference = [&](const Json& other, const std::vector<std::string>& counters) {
        const auto result = lanes::tools::compare_counts(file, other, counters);
        return result.differences.empty() ? std::string("none") : result.differences.front();
    };
    CHECK(difference(counts_with({{"offset", 1}}, {{"sectors", 128}}), {}) == "offset_1: sectors is 160 and 128");
    CHECK(contains(difference(counts_with({{"offset", 2}}, {{"sectors", 160}}), {}), "other parameters"));
    CHECK(contains(difference(counts_with({{"offset", 1}}, {{"requests", 1}}), {}), "no counter that both files have"));
    CHECK(contains(difference(file, {"requests"}), "requests is not in both files"));
    Json renamed = file;
    renamed["cases"][0]["name"] = "offset_2";
    const auto result = lanes::tools::compare_counts(file, renamed, {});
    CHECK(result.differences ==
          std::vector<std::string>{"offset_1 is in the first file only", "offset_2 is in the second file only"});
}
