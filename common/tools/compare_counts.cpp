#include "compare_counts.hpp"

#include <stdexcept>

namespace lanes::tools {

namespace {

/// The case of a name, or null.
const Json* case_named(const Json& counts, const std::string& name) {
    for (const auto& counted_case : counts.at("cases")) {
        if (counted_case.at("name") == name) return &counted_case;
    }
    return nullptr;
}

std::vector<std::string> counters_in_both(const Json& first, const Json& second) {
    std::vector<std::string> counters;
    for (const auto& [counter, count] : first.items()) {
        if (second.contains(counter)) counters.push_back(counter);
    }
    return counters;
}

std::vector<std::string> names_of(const Json& counts) {
    std::vector<std::string> names;
    for (const auto& [counter, count] : counts.items()) names.push_back(counter);
    return names;
}

/// What is different about one counter of a case; empty if nothing is.
std::string difference(const std::string& counter, const Json& left, const Json& right) {
    if (!left.contains(counter) || !right.contains(counter)) return counter + " is not in both files";
    if (left.at(counter) == right.at(counter)) return "";
    return counter + " is " + left.at(counter).dump() + " and " + right.at(counter).dump();
}

void compare_case(const Json& first, const Json& second, const std::vector<std::string>& asked,
                  CountsComparison& result) {
    const std::string prefix = first.at("name").get<std::string>() + ": ";
    if (first.at("parameters") != second.at("parameters")) {
        result.differences.push_back(prefix + "other parameters, " + first.at("parameters").dump() + " and " +
                                     second.at("parameters").dump());
        return;
    }
    const auto& left = first.at("counters");
    const auto& right = second.at("counters");
    const auto counters = asked.empty() ? counters_in_both(left, right) : asked;
    if (counters.empty()) result.differences.push_back(prefix + "no counter that both files have");
    for (const auto& counter : counters) {
        if (left.contains(counter) && right.contains(counter)) ++result.compared;
        const auto text = difference(counter, left, right);
        if (!text.empty()) result.differences.push_back(prefix + text);
    }
}

}  // namespace

CountsComparison compare_counts(const Json& first, const Json& second, const std::vector<std::string>& counters,
                                bool predicted) {
    if (first.at("program") != second.at("program")) {
        throw std::runtime_error("the files are of different programs: " + first.at("program").dump() + " and " +
                                 second.at("program").dump());
    }
    CountsComparison result;
    for (const auto& counted_case : first.at("cases")) {
        const std::string name = counted_case.at("name");
        const Json* const other = case_named(second, name);
        if (other == nullptr)
            result.differences.push_back(name + " is in the first file only");
        else
            compare_case(counted_case, *other, predicted ? names_of(counted_case.at("predicted")) : counters, result);
    }
    for (const auto& counted_case : second.at("cases")) {
        const std::string name = counted_case.at("name");
        if (case_named(first, name) == nullptr) result.differences.push_back(name + " is in the second file only");
    }
    if (result.compared == 0 && result.differences.empty()) throw std::runtime_error("the files hold no cases");
    return result;
}

}  // namespace lanes::tools
