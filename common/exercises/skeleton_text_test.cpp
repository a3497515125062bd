#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "skeleton_text.hpp"

using lanes::exercises::Version;
using lanes::exercises::version_of;

namespace {

const std::string source =
    "void f() {\n"
    "    // [solution]\n"
    "    g();\n"
    "    // [skeleton]\n"
    "    //|     // TODO: call g\n"
    "    //|\n"
    "    // [/solution]\n"
    "}\n";

std::string error_of(const std::string& text) {
    try {
        version_of(text, Version::skeleton);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_SUITE("skeleton_text") {
    TEST_CASE("the solution has no markers and nothing of the skeleton") {
        CHECK(version_of(source, Version::solution) == "void f() {\n    g();\n}\n");
    }

    TEST_CASE("the skeleton has its own lines with their own indentation") {
        CHECK(version_of(source, Version::skeleton) == "void f() {\n    // TODO: call g\n\n}\n");
    }

    TEST_CASE("text without regions is the same in both") {
        const std::string plain = "int a;\n// [other]\n";
        CHECK(version_of(plain, Version::skeleton) == plain);
        CHECK(version_of(plain, Version::solution) == plain);
    }

    TEST_CASE("markers that do not match are refused, with the line") {
        CHECK(error_of("// [skeleton]\n") == "line 1: there is no place for // [skeleton] here");
        CHECK(error_of("x\n// [/solution]\n") == "line 2: there is no place for // [/solution] here");
        CHECK(error_of("// [solution]\n// [/solution]\n") == "line 2: there is no place for // [/solution] here");
        CHECK(error_of("// [solution]\n// [skeleton]\n") == "line 2: // [/solution] is missing");
        CHECK(error_of("// [solution]\n// [skeleton]\ng();\n") == "line 3: a line of a skeleton begins with //|");
    }
}
