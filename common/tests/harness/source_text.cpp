#include "lanes/source_text.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "lanes/snippet_hashes.hpp"

namespace {

bool same(const std::string& left, const std::string& right) {
    return lanes::text_hash(left) == lanes::text_hash(right);
}

/// The message of the SourceError, or "none".
std::string error_of(const std::string& source) {
    try {
        lanes::snippets_in(source, "a.cu");
        return "none";
    } catch (const lanes::SourceError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("hash: 16 hexadecimal digits that do not change between builds") {
    CHECK(lanes::text_hash("") == "cbf29ce484222325");
    CHECK(lanes::text_hash("x") == lanes::text_hash("x"));
    CHECK(lanes::text_hash("out[i] = in[i];").size() == 16);
}

TEST_CASE("hash: comments and spacing do not count") {
    CHECK(same("a = b + 1;", "a=b+1; // add"));
    CHECK(same("a = b;", "a /* the\n result */ = b;"));
    CHECK(same("f(a, b);", "f(\n    a,\n    b);\r\n"));
    CHECK(same("a = -b;", "a=-b;"));
    CHECK(same("k<<<g, b>>>(p);", "k <<< g,b >>> ( p );"));
    CHECK(same("if (x) {\n}", "if(x){}"));
    CHECK(same("a = 1;\\\n b = 2;", "a = 1; b = 2;"));
    CHECK(same("x; // one \\\n still comment\ny;", "x; y;"));
}

TEST_CASE("hash: code does count") {
    CHECK_FALSE(same("a = b + 1;", "a = b + 2;"));
    CHECK_FALSE(same("int a;", "inta;"));
    CHECK_FALSE(same("a + +b", "a ++b"));
    CHECK_FALSE(same("1.0e-3", "1.0e - 3"));
    CHECK_FALSE(same("a = b; c();", "a = b; // c();"));
    CHECK_FALSE(same("x > > y", "x >> y"));
}

TEST_CASE("hash: what looks like a comment or space inside a literal is text") {
    CHECK_FALSE(same(R"(f("a  b"))", R"(f("a b"))"));
    CHECK_FALSE(same(R"(f("//x"); g)", R"(f("//y"); g)"));
    CHECK_FALSE(same(R"(f("\"//x"))", R"(f("\"//y"))"));
    CHECK_FALSE(same(R"(c = '"'; // a
d)",
                     R"(c = '"'; e)"));
    CHECK(same(R"(c = '"'; // a)", R"(c = '"';)"));
    CHECK(same(R"(c = '\''; // a)", R"(c = '\'';)"));
}

TEST_CASE("hash: raw strings end at their own delimiter") {
    CHECK_FALSE(same("R\"(a // b)\"", "R\"(a // c)\""));
    CHECK_FALSE(same("R\"x(a)\" // b)x\"", "R\"x(a)\" // c)x\""));
    CHECK(same("R\"(a)\" // b", "R\"(a)\""));
    for (const std::string prefix : {"R", "LR", "uR", "UR", "u8R"}) {
        CAPTURE(prefix);
        CHECK_FALSE(same(prefix + "\"(\" // b)\"", prefix + "\"(\" // c)\""));
    }
    CHECK_FALSE(same("u8R\"(a\\\nb)\"", "u8R\"(a b)\""));
    CHECK(same("R + \"a\" // b", "R+\"a\""));
}

TEST_CASE("hash: digit separators open no character literal") {
    CHECK(same("n = 1'000'000; // million", "n = 1'000'000;"));
    CHECK(same("n = 1'000; // thousand", "n = 1'000;"));
    CHECK_FALSE(same("n = 1'000;", "n = 1'001;"));
    CHECK(same("x = 0x1p-24; y", "x=0x1p-24;y"));
}

TEST_CASE("hash: a directive ends with its line, other lines do not matter") {
    CHECK_FALSE(same("#define A b\nc", "#define A b c"));
    CHECK(same("#define A \\\n b\nc", "#define A b\nc"));
    CHECK(same("#pragma unroll // all\nfor", "#pragma unroll\nfor"));
    CHECK_FALSE(same("#pragma unroll\nfor", "for"));
}

TEST_CASE("hash: unfinished literals and comments end with the text or the line") {
    CHECK(lanes::text_hash("/* no end") == lanes::text_hash(""));
    CHECK_FALSE(same("a 'b", "a 'c"));
    CHECK_FALSE(same("#error don't\na", "#error don't\nb"));
    CHECK_FALSE(same("R\"(no end", "R\"(no e"));
    CHECK_FALSE(same("\"\\", "\"x"));
}

TEST_CASE("snippets: name, first line, text without shared indentation, hash") {
    const auto snippets = lanes::snippets_in("a\n  // [one]\n    if (x)\n\n        y();\n  // [/one]\nb\n", "a.cu");
    REQUIRE(snippets.size() == 1);
    CHECK(snippets[0].name == "one");
    CHECK(snippets[0].first_line == 3);
    CHECK(snippets[0].text == "if (x)\n\n    y();\n");
    CHECK(snippets[0].hash == lanes::text_hash("if(x)y();"));
}

TEST_CASE("snippets: they nest, and inner markers are not shown") {
    const auto snippets = lanes::snippets_in("// [outer]\na;\n// [inner-2]\nb;\n// [/inner-2]\n// [/outer]", "a.cu");
    REQUIRE(snippets.size() == 2);
    CHECK(snippets[0].name == "outer");
    CHECK(snippets[0].text == "a;\nb;\n");
    CHECK(snippets[1].name == "inner-2");
    CHECK(snippets[1].first_line == 4);
}

TEST_CASE("snippets: Windows line ends") {
    const auto snippets = lanes::snippets_in("// [one]\r\na;\r\n// [/one]\r\n", "a.cu");
    REQUIRE(snippets.size() == 1);
    CHECK(snippets[0].text == "a;\n");
}

TEST_CASE("snippets: only whole lines of the exact form are markers") {
    for (const std::string line : {"x; // [one]", "// [one] text", "//[one]", "/// [one]", "// [0, 1)", "// []",
                                   "// [two words]", "// [/]", "// [one"}) {
        CAPTURE(line);
        CHECK(lanes::snippets_in(line, "a.cu").empty());
    }
}

TEST_CASE("snippets: markers that do not match are errors with file and line") {
    CHECK(error_of("// [a]\nx\n") == "a.cu:2: // [a] is never closed");
    CHECK(error_of("x\n// [/a]\n") == "a.cu:2: // [/a] closes a snippet that is not open");
    CHECK(error_of("// [a]\nx\n// [b]\ny\n// [/a]\n// [/b]\n") ==
          "a.cu:5: // [/a] where // [/b] is due: snippets nest, they do not overlap");
    CHECK(error_of("// [a]\nx\n// [/a]\n// [a]\ny\n// [/a]\n") == "a.cu:4: there already is a snippet [a]");
    CHECK(error_of("// [a]\n// only a comment\n// [/a]\n") == "a.cu:3: snippet [a] has no code");
}

TEST_CASE("snippet_hashes: of the source and of the CUDA headers beside it; a name in two files is an error") {
    const auto folder = std::filesystem::temp_directory_path() / ("lanes_snippet_hashes_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
    write("chapter.cu", "// [one]\na;\n// [/one]\n");
    write("part.cuh", "// [two]\nb;\n// [/two]\n");
    write("host.hpp", "// [three]\nc;\n// [/three]\n");
    const auto hashes = lanes::snippet_hashes(folder / "chapter.cu");
    CHECK(hashes.size() == 2);
    CHECK(hashes.at("one") == lanes::text_hash("a;"));
    CHECK(hashes.at("two") == lanes::text_hash("b;"));
    write("part.cuh", "// [one]\nb;\n// [/one]\n");
    CHECK_THROWS_AS(lanes::snippet_hashes(folder / "chapter.cu"), std::invalid_argument);
    std::filesystem::remove_all(folder);
    CHECK(lanes::snippet_hashes(folder / "chapter.cu").empty());
}
