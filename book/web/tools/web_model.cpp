/// @file
/// @brief lanes-web-model: the exports of the page's model on this machine, so that a test can compare.
///
/// usage: lanes-web-model NAME NUMBER...    prints the answer, a number a line
///        lanes-web-model                   does so for each line of its input, and prints a line for each
///        lanes-web-model --list            prints the names of all exports
/// What the export refuses goes to standard error and the status is 1; for a line of the input, it stands in the
/// answer's place after "error: ".
#include "../model/export.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// More than any figure asks for; the page has the same.
constexpr std::size_t capacity = 65536;

/// What a call answered: numbers, or the message of one that was refused.
struct Answer {
    std::vector<double> numbers;
    std::string error;
};

Answer call(const std::string& name, const std::vector<double>& input) {
    lanes::web::Export* const function = lanes::web::NamedExport::find(name);
    if (function == nullptr) return {{}, "There is no export " + name + "; --list prints those there are."};
    Answer answer{std::vector<double>(capacity), {}};
    const int written =
        function(input.data(), static_cast<int>(input.size()), answer.numbers.data(), static_cast<int>(capacity));
    answer.numbers.resize(written < 0 ? 0 : static_cast<std::size_t>(written));
    if (written < 0) answer.error = lanes_error();
    return answer;
}

/// All the digits that a double has.
std::string text_of(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", value);
    return text.data();
}

/// A call in words, "NAME NUMBER...".
Answer call_in_words(const std::vector<std::string>& words) {
    std::vector<double> input;
    for (std::size_t i = 1; i < words.size(); ++i) {
        char* end = nullptr;
        input.push_back(std::strtod(words[i].c_str(), &end));
        if (end == words[i].c_str() || *end != '\0') return {{}, "'" + words[i] + "' is not a number."};
    }
    return call(words[0], input);
}

void answer_lines() {
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream in(line);
        const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
        if (words.empty()) continue;
        const Answer answer = call_in_words(words);
        if (!answer.error.empty()) std::cout << "error: " << answer.error;
        for (std::size_t i = 0; i < answer.numbers.size(); ++i)
            std::cout << (i == 0 ? "" : " ") << text_of(answer.numbers[i]);
        std::cout << '\n';
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty()) {
        answer_lines();
        return EXIT_SUCCESS;
    }
    if (words[0] == "--list") {
        for (const auto* named = lanes::web::NamedExport::first(); named != nullptr; named = named->next())
            std::cout << named->name() << '\n';
        return EXIT_SUCCESS;
    }
    const Answer answer = call_in_words(words);
    for (const double number : answer.numbers) std::cout << text_of(number) << '\n';
    if (!answer.error.empty()) std::cerr << "lanes-web-model: " << answer.error << '\n';
    return answer.error.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}
