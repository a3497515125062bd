#include "command.hpp"

#include <progress.hpp>

#include <doctest/doctest.h>

#include <fstream>

using namespace lanes;

TEST_SUITE("progress") {
    TEST_CASE("what was written is read") {
        const tests::Folder folder;
        const std::string file = folder.file("progress.txt");
        CHECK(write_progress(file, {{"12_pitch", {2, "abc"}}, {"13_sums", {0, ""}}}) == "");
        CHECK(tests::read_text(file) == "12_pitch hints 2 solved abc\n13_sums hints 0\n");
        const auto progress = read_progress(file);
        REQUIRE(progress);
        REQUIRE(progress->size() == 2);
        CHECK(progress->at("12_pitch").hints == 2);
        CHECK(progress->at("12_pitch").solved == "abc");
        CHECK(progress->at("13_sums").solved.empty());
    }

    TEST_CASE("no file, and lines that nobody understands, are no progress") {
        const tests::Folder folder;
        const std::string file = folder.file("progress.txt");
        CHECK(read_progress(file)->empty());
        std::ofstream(file) << "\n12_pitch\n12_pitch hints\n12_pitch hints x\n12_pitch solved 3\n";
        CHECK(read_progress(file)->empty());
    }

    TEST_CASE("a file that cannot be read is not taken for none") {
        const tests::Folder folder;
        CHECK_FALSE(read_progress(folder.path()));
    }

    TEST_CASE("a folder that is not there is an error that names the file") {
        CHECK(write_progress("/nowhere/progress.txt", {}).find("/nowhere/progress.txt cannot be written") == 0);
    }
}
