/// mov, cvta and isspacep.

#include "arithmetic_reference.hpp"

using namespace lanes::emulator;

namespace {

using Word = std::uint32_t;
using Long = std::uint64_t;

}  // namespace

TEST_CASE("mov copies bits") {
    check_form<std::uint16_t>(
        "mov.u16", [](std::uint16_t a) { return a; }, edge_integers<std::uint16_t>());
    check_form<Word>(
        "mov.b32", [](Word a) { return a; }, edge_integers<Word>());
    check_form<Long>(
        "mov.u64", [](Long a) { return a; }, edge_integers<Long>());
    check_form<float>(
        "mov.f32", [](float a) { return a; }, edge_floats<float>());
    check_form<double>(
        "mov.f64", [](double a) { return a; }, edge_floats<double>());
    check_form<bool>(
        "mov.pred", [](bool a) { return a; }, std::vector<bool>{false, true});
    ArithmeticFixture warp;
    warp.declare("%r", "b32");
    warp.declare("%p", "pred");
    warp.execute("mov.b32 %r, 0x3f800000");
    CHECK(warp.row<float>("%r")[31] == 1.0f);
    warp.execute("mov.pred %p, 1", 0x0000fff0u);
    CHECK(warp.predicate("%p") == 0x0000fff0u);
}

TEST_CASE("mov packs and unpacks vectors, the first element lowest") {
    ArithmeticFixture warp;
    for (const char* name : {"%h0", "%h1", "%h2", "%h3"}) warp.declare(name, "b16");
    for (const char* name : {"%r0", "%r1"}) warp.declare(name, "b32");
    warp.declare("%l", "b64");
    warp.fill<Long>("%l", [](unsigned lane) { return 0x1111222233334444u + lane; });
    warp.execute("mov.b64 {%r0, %r1}, %l");
    CHECK(warp.row<Word>("%r0")[3] == 0x33334447u);
    CHECK(warp.row<Word>("%r1")[3] == 0x11112222u);
    warp.execute("mov.b64 {%h0, %h1, %h2, %h3}, %l");
    CHECK(warp.row<std::uint16_t>("%h0")[31] == 0x4463u);
    CHECK(warp.row<std::uint16_t>("%h1")[31] == 0x3333u);
    CHECK(warp.row<std::uint16_t>("%h2")[31] == 0x2222u);
    CHECK(warp.row<std::uint16_t>("%h3")[31] == 0x1111u);
    warp.execute("mov.b32 %r0, {%h3, %h0}");
    CHECK(warp.row<Word>("%r0")[31] == 0x44631111u);
    warp.execute("mov.b32 {%h0, _}, %r1");
    CHECK(warp.row<std::uint16_t>("%h0")[0] == 0x2222u);
    warp.execute("mov.b64 %l, {%r1, 5}", 0x00000001u);
    CHECK(warp.row<Long>("%l")[0] == 0x0000000511112222u);
    CHECK(warp.row<Long>("%l")[1] == 0x1111222233334445u);
    warp.execute("mov.b64 %l, {%h3, %h2, %h1, %h0}");
    CHECK(warp.row<Long>("%l")[9] == 0x2222333322221111u);
    CHECK_FALSE(bool(warp.select("mov.b64 %l, {%r0, %r1, %r0}")));
    CHECK_FALSE(bool(warp.select("mov.b32 {%r0, %r1}, %l")));
}

TEST_CASE("cvta moves shared and local addresses into their windows and back") {
    const std::vector<Long> offsets = {0, 4, 0x12340, 0xffffffffu};
    check_form<Long>(
        "cvta.shared.u64", [](Long a) { return shared_window + a; }, offsets);
    check_form<Long>(
        "cvta.local.u64", [](Long a) { return local_window + a; }, offsets);
    check_form<Long>(
        "cvta.to.shared.u64", [](Long a) { return a - shared_window; },
        std::vector<Long>{shared_window, shared_window + 0x1000});
    check_form<Long>(
        "cvta.to.local.u64", [](Long a) { return a - local_window; },
        std::vector<Long>{local_window, local_window + 0x1000});
    const std::vector<Long> addresses = {0x7f0000001000u, 0, 64};
    for (const std::string space : {"global", "const"}) {
        check_form<Long>(
            "cvta." + space + ".u64", [](Long a) { return a; }, addresses);
        check_form<Long>(
            "cvta.to." + space + ".u64", [](Long a) { return a; }, addresses);
    }
}

TEST_CASE("isspacep tells the windows apart") {
    const std::vector<Long> addresses = {0,
                                         0x7f0000001000u,
                                         shared_window,
                                         shared_window + window_bytes - 1,
                                         shared_window + window_bytes,
                                         shared_window - 1,
                                         local_window,
                                         local_window + window_bytes - 1,
                                         local_window + window_bytes};
    const auto shared = [](Long a) { return a >= shared_window && a < shared_window + window_bytes; };
    const auto local = [](Long a) { return a >= local_window && a < local_window + window_bytes; };
    check_form<bool>("isspacep.shared", shared, addresses);
    check_form<bool>("isspacep.local", local, addresses);
    check_form<bool>(
        "isspacep.global", [&](Long a) { return !shared(a) && !local(a); }, addresses);
    check_form<bool>(
        "isspacep.const", [](Long) { return false; }, addresses);
}
