#include "command.hpp"

#include <files.hpp>
#include <launch.hpp>
#include <launch_argument.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>

using namespace lanes;
using lanes::tests::CommandResult;
using lanes::tests::Folder;
using lanes::tests::lanes_command;
using nlohmann::json;

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// output[i] = input[i] + n, for i < n.
constexpr const char* ptx = R"ptx(
.version 7.0
.target sm_75
.address_size 64
.visible .entry add_number(.param .u64 in, .param .u64 out, .param .u32 number)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r1, [number];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd3, %r2, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r3, [%rd4];
    add.u32 %r4, %r3, %r1;
    add.s64 %rd5, %rd2, %rd3;
    st.global.u32 [%rd5], %r4;
    ret;
}
)ptx";

// One kernel that reads a texture, and one that does not.
constexpr const char* textured_ptx = R"ptx(
.version 7.0
.target sm_75, texmode_unified
.address_size 64
.global .texref image;
.global .surfref canvas;
.visible .entry plain(.param .u64 out)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<3>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, 7;
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry textured(.param .u64 out)
{
    .reg .b64 %rd<3>;
    .reg .f32 %f<9>;
    ld.param.u64 %rd1, [out];
    mov.f32 %f1, 0f00000000;
    tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [image, {%f1, %f1}];
    st.global.f32 [%rd1], %f2;
    ret;
}
)ptx";

// Two blocks, each of which waits until the other has come.
constexpr const char* meeting_ptx = R"ptx(
.version 7.0
.target sm_75
.address_size 64
.visible .entry meet(.param .u64 flags)
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [flags];
    mov.u32 %r1, %ctaid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r2, 1;
    st.release.gpu.global.u32 [%rd3], %r2;
    xor.b32 %r3, %r1, 1;
    mul.wide.u32 %rd4, %r3, 4;
    add.s64 %rd5, %rd1, %rd4;
$L__again:
    ld.acquire.gpu.global.u32 %r4, [%rd5];
    setp.eq.u32 %p1, %r4, 0;
    @%p1 bra $L__again;
    ret;
}
)ptx";

std::string write_ptx(const Folder& folder, const std::string& text = ptx) {
    std::ofstream(folder.file("kernel.ptx")) << text;
    return folder.file("kernel.ptx");
}

void check_refused(std::vector<std::string> arguments, const std::string& part) {
    const CommandResult result = lanes_command(arguments);
    CHECK(result.status == 2);
    CHECK_MESSAGE(contains(result.errors, part), result.errors);
}

}  // namespace

TEST_SUITE("launch_argument") {
    TEST_CASE("numbers of every type") {
        for (const char* text : {"u8:255", "s8:-128", "u16:65535", "s16:-1", "u32:0xff", "s32:-7", "u64:5", "s64:-5",
                                 "f32:2.5", "f64:-1e300"}) {
            CAPTURE(text);
            const auto argument = parse_argument(text);
            REQUIRE(argument);
            CHECK_FALSE(argument->is_array);
            CHECK(argument->values.size() == emulator::ptx::size_of(argument->type));
        }
    }

    TEST_CASE("arrays: listed, filled, unset") {
        const auto listed = parse_argument("f32:[1,2.5,-3]");
        REQUIRE(listed);
        CHECK(listed->is_array);
        CHECK(listed->count == 3);
        CHECK(describe_array(listed->type, listed->values, 8) == "[1, 2.5, -3]");
        CHECK(describe_array(listed->type, listed->values, 2) == "[1, 2.5, ...]");
        const auto filled = parse_argument("u8[4]:7");
        REQUIRE(filled);
        CHECK(describe_array(filled->type, filled->values, 8) == "[7, 7, 7, 7]");
        const auto unset = parse_argument("s64[256]");
        REQUIRE(unset);
        CHECK(unset->is_array);
        CHECK(unset->count == 256);
        CHECK(unset->values.empty());
    }

    TEST_CASE("arrays from a file") {
        const Folder folder;
        const float elements[3] = {1.5F, -2.0F, 3.0F};
        CHECK(write_file(folder.file("in.bin"), std::as_bytes(std::span(elements))).empty());
        const auto argument = parse_argument("f32:@" + folder.file("in.bin"));
        REQUIRE(argument);
        CHECK(argument->is_array);
        CHECK(argument->count == 3);
        CHECK(describe_array(argument->type, argument->values, 8) == "[1.5, -2, 3]");
        const auto uneven = parse_argument("f64:@" + folder.file("in.bin"));
        REQUIRE_FALSE(uneven);
        CHECK(contains(uneven.error().message, "12 bytes"));
        const auto missing = parse_argument("f32:@" + folder.file("none.bin"));
        REQUIRE_FALSE(missing);
        CHECK(contains(missing.error().message, "none.bin cannot be read"));
        const auto no_file = parse_argument("f32:@" + folder.path());
        REQUIRE_FALSE(no_file);
        CHECK(contains(no_file.error().message, "it is a folder"));
    }

    TEST_CASE("where an array goes") {
        const auto save = parse_save("2=a=b.bin");
        REQUIRE(save);
        CHECK(save->position == 2);
        CHECK(save->path == "a=b.bin");
        for (const char* text : {"", "2", "2=", "=x", "-1=x", "x=y"}) {
            CAPTURE(text);
            CHECK_FALSE(parse_save(text));
        }
    }

    TEST_CASE("what is no argument is refused") {
        for (const char* text :
             {"", "5", "i32:5", "u32", "u32:", "u32:-1", "u32:1.5", "u8:256", "f32:x", "f32:[]", "f32:[1,]x",
              "f32:[1,,2]", "u32[:5", "u32[0]", "u32[-1]:5", "u32[2]:x", "u32[99999999999]"}) {
            CAPTURE(text);
            const auto argument = parse_argument(text);
            CHECK_FALSE(argument);
            if (!argument) CHECK_FALSE(argument.error().message.empty());
        }
    }

    TEST_CASE("extents") {
        CHECK(*parse_extents("7") == emulator::Dim3{7, 1, 1});
        CHECK(*parse_extents("7,8") == emulator::Dim3{7, 8, 1});
        CHECK(*parse_extents("7,8,9") == emulator::Dim3{7, 8, 9});
        for (const char* text : {"", "x", "1,", "1,2,3,4", "-1", "1;2", "1 "}) {
            CAPTURE(text);
            CHECK_FALSE(parse_extents(text));
        }
    }
}

TEST_SUITE("launch") {
    TEST_CASE("a kernel runs with arguments from the command line") {
        const Folder folder;
        const CommandResult result = lanes_command({"launch", write_ptx(folder), "--block", "4", "--arg",
                                                    "u32:[10,20,30,40]", "--arg", "u32[4]", "--arg", "u32:5"});
        CHECK_MESSAGE(result.status == 0, result.errors);
        CHECK(result.output == "argument 0: [10, 20, 30, 40]\nargument 1: [15, 25, 35, 45]\n");
        CHECK(contains(result.errors, "add_number"));
    }

    TEST_CASE("arrays go from file to file") {
        const Folder folder;
        const std::uint32_t in[4] = {1, 2, 3, 4};
        CHECK(write_file(folder.file("in.bin"), std::as_bytes(std::span(in))).empty());
        const CommandResult result =
            lanes_command({"launch", write_ptx(folder), "--block", "4", "--arg", "u32:@" + folder.file("in.bin"),
                           "--arg", "u32[4]", "--arg", "u32:5", "--save", "1=" + folder.file("out.bin")});
        CHECK_MESSAGE(result.status == 0, result.errors);
        const std::uint32_t expected[4] = {6, 7, 8, 9};
        const auto out = read_file(folder.file("out.bin"));
        REQUIRE(out);
        CHECK(std::ranges::equal(*out, std::as_bytes(std::span(expected))));
    }

    TEST_CASE("its report has the form of lanes run") {
        const Folder folder;
        const CommandResult result =
            lanes_command({"launch", "--json", folder.file("report.json"), "--kernel", "add_number", "--block", "32",
                           "--arg", "u32[32]:1", "--arg", "u32[32]", "--arg", "u32:1", write_ptx(folder)});
        CHECK_MESSAGE(result.status == 0, result.errors);
        const json report = json::parse(tests::read_text(folder.file("report.json")));
        CHECK(report["exit_code"] == 0);
        CHECK(report["launches"][0]["kernel"] == "add_number");
        CHECK(report["launches"][0]["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld"] == 4);
    }

    TEST_CASE("blocks may wait for each other if the launch is cooperative") {
        const Folder folder;
        const std::string file = write_ptx(folder, meeting_ptx);
        const std::vector<std::string> words = {"launch",   file,       "--grid",   "2",         "--arg",
                                                "u32[2]:0", "--budget", "10000000", "--threads", "1"};
        const CommandResult alone = lanes_command(words);
        CHECK(alone.status == 3);
        CHECK_MESSAGE(contains(alone.errors, "budget"), alone.errors);
        std::vector<std::string> together = words;
        together.emplace_back("--cooperative");
        const CommandResult met = lanes_command(together);
        CHECK_MESSAGE(met.status == 0, met.errors);
        CHECK(met.output == "argument 0: [1, 1]\n");
        check_refused({"launch", file, "--cooperative", "--grid", "100000", "--block", "1024", "--arg", "u32[2]:0"},
                      "all its 100000 blocks resident at once");
    }

    TEST_CASE("a fault is said, and changes the exit status") {
        const Folder folder;
        const CommandResult result = lanes_command(
            {"launch", write_ptx(folder), "--block", "5", "--arg", "u32[5]:1", "--arg", "u32[4]", "--arg", "u32:5"});
        CHECK(result.status == 3);
        CHECK(contains(result.errors, "lanes: error: add_number"));
    }

    TEST_CASE("a file with textures: kernels that do not read them run, and the others say what is missing") {
        const Folder folder;
        const std::string file = write_ptx(folder, textured_ptx);
        const CommandResult plain = lanes_command({"launch", file, "--kernel", "plain", "--arg", "u32[1]"});
        CHECK_MESSAGE(plain.status == 0, plain.errors);
        CHECK(plain.output == "argument 0: [7]\n");
        const CommandResult textured = lanes_command(
            {"launch", file, "--kernel", "textured", "--json", folder.file("report.json"), "--arg", "f32[1]"});
        CHECK(textured.status == 3);
        CHECK(contains(textured.errors, "tex.2d"));
        const json report = json::parse(tests::read_text(folder.file("report.json")));
        CHECK(report["faults"][0]["kind"] == "unsupported");
    }

    TEST_CASE("what cannot be launched is refused, and the message says why") {
        const Folder folder;
        const std::string file = write_ptx(folder);
        check_refused({"launch"}, "file");
        check_refused({"launch", "/nonexistent.ptx"}, "cannot be read");
        check_refused({"launch", file}, "takes 3 arguments (u64, u64, u32, where a pointer is a u64); 0 were given");
        check_refused({"launch", file, "--kernel", "other"}, "there are add_number");
        check_refused({"launch", file, "--arg", "u32:1", "--arg", "u32[4]", "--arg", "u32:5"}, "8 bytes");
        check_refused({"launch", file, "--arg", "u32:x", "--arg", "u32[4]", "--arg", "u32:5"}, "\"x\"");
        check_refused({"launch", file, "--grid", "1;2"}, "--grid");
        check_refused({"launch", file, "--shared", "many"}, "--shared: \"many\" is not a number of bytes");
        check_refused({"launch", file, "--shared", "-5"}, "\"-5\" is not a number of bytes");
        const auto save_refused = [&](const std::string& save, const std::string& part) {
            check_refused({"launch", file, "--arg", "u32[4]:1", "--arg", "u32[4]", "--arg", "u32:5", "--save", save},
                          part);
        };
        save_refused("2=" + folder.file("out.bin"), "argument 2 is no array");
        save_refused("7=" + folder.file("out.bin"), "argument 7 is no array");
        save_refused("out.bin", "write N=FILE");
        save_refused("1=" + folder.file("none/out.bin"), "cannot be written");
        check_refused({"launch", file, "--block", "1025", "--arg", "u32[4]", "--arg", "u32[4]", "--arg", "u32:5"},
                      "1025");
        check_refused({"launch", write_ptx(folder, "no PTX at all\n")}, "kernel.ptx");
    }
}
