#include "form_results.hpp"

#include <algorithm>
#include <charconv>
#include <istream>
#include <map>
#include <ostream>

namespace lanes::emulator::hardware {
namespace {

constexpr std::size_t line_width = 118;
constexpr std::size_t longest_run = 100000;  ///< more results than any form has

std::string hexadecimal(std::uint64_t value) {
    char digits[16];
    return {digits, std::to_chars(digits, digits + sizeof digits, value, 16).ptr};
}

std::string lines_of(const std::vector<std::uint64_t>& values) {
    std::string text;
    std::string line;
    for (auto first = values.begin(); first != values.end();) {
        const auto next = std::find_if(first, values.end(), [&](std::uint64_t value) { return value != *first; });
        std::string word = hexadecimal(*first);
        if (next - first > 1) word += "*" + std::to_string(next - first);
        if (line.size() + 1 + word.size() > line_width) {
            text += line + "\n";
            line.clear();
        }
        line += " " + word;
        first = next;
    }
    return text + line + "\n";
}

/// Appends the numbers of a line; false if something in it is none.
bool append_values(const std::string& line, std::vector<std::uint64_t>& values) {
    const char* next = line.data();
    const char* const end = next + line.size();
    while (next != end) {
        if (*next != ' ') return false;
        std::uint64_t value = 0;
        std::size_t times = 1;
        std::from_chars_result parsed = std::from_chars(next + 1, end, value, 16);
        if (parsed.ec == std::errc{} && parsed.ptr != end && *parsed.ptr == '*') {
            parsed = std::from_chars(parsed.ptr + 1, end, times);
        }
        if (parsed.ec != std::errc{} || times > longest_run) return false;
        values.insert(values.end(), times, value);
        next = parsed.ptr;
    }
    return true;
}

/// Splits "KEY COUNT FINGERPRINT" from its end, since a key has spaces.
bool parse_heading(const std::string& line, FormResults& form, std::size_t& count) {
    const std::size_t last = line.rfind(' ');
    if (last == std::string::npos || last == 0) return false;
    const std::size_t middle = line.rfind(' ', last - 1);
    if (middle == std::string::npos) return false;
    form.key = line.substr(0, middle);
    const char* const text = line.data();
    const auto number = std::from_chars(text + middle + 1, text + last, count);
    const auto fingerprint = std::from_chars(text + last + 1, text + line.size(), form.fingerprint, 16);
    return number.ec == std::errc{} && number.ptr == text + last && fingerprint.ec == std::errc{} &&
           fingerprint.ptr == text + line.size();
}

}  // namespace

FormResults results_of(const FormCase& form, std::span<const std::uint64_t> buffer) {
    FormResults results{form.key, form.fingerprint(), {}};
    for (std::size_t i = 0; i < form.count * form.results; ++i) {
        const std::size_t bits = 8 * form.result_bytes(i % form.results);
        results.values.push_back(buffer[i] & ~std::uint64_t{0} >> (64 - bits));
    }
    return results;
}

void write_results(std::ostream& stream, const std::string& comment, const std::vector<FormResults>& results) {
    stream << "# " << comment << "\n";
    std::map<std::vector<std::uint64_t>, std::string> seen;
    for (const FormResults& form : results) {
        stream << form.key << " " << form.values.size() << " " << hexadecimal(form.fingerprint) << "\n";
        const auto [earlier, is_new] = seen.emplace(form.values, form.key);
        if (is_new) {
            stream << lines_of(form.values);
        } else {
            stream << "= " << earlier->second << "\n";
        }
    }
}

std::vector<FormResults> read_results(std::istream& stream, std::string& problem) {
    std::vector<FormResults> results;
    std::vector<std::size_t> counts;
    std::map<std::string, std::size_t> places;
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        bool good = true;
        if (line[0] == ' ') {
            good = !results.empty() && append_values(line, results.back().values);
        } else if (line[0] == '=') {
            const auto earlier = places.find(line.substr(std::min<std::size_t>(2, line.size())));
            good = earlier != places.end();
            if (good) results.back().values = results[earlier->second].values;
        } else {
            results.emplace_back();
            counts.push_back(0);
            good = parse_heading(line, results.back(), counts.back());
            good = good && places.emplace(results.back().key, results.size() - 1).second;
        }
        if (!good) {
            problem = "line " + std::to_string(number) + " cannot be read: " + line;
            return results;
        }
    }
    for (std::size_t i = 0; i < results.size() && problem.empty(); ++i) {
        if (results[i].values.size() != counts[i]) problem = results[i].key + " has too few or too many results";
    }
    return results;
}

}  // namespace lanes::emulator::hardware
