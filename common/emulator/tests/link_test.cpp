#include "ptx_launch.hpp"

using namespace lanes::emulator;
using namespace lanes::emulator::tests;

namespace {

Result<std::unique_ptr<Image>> link_texts(const std::vector<std::string>& texts, DeviceMemory& memory) {
    std::vector<ptx::Module> modules;
    for (const std::string& text : texts) modules.push_back(value_of(ptx::parse(text)));
    return Image::link(std::move(modules), memory);
}

template <typename T>
T at(const DeviceVariable* variable, std::size_t index = 0) {
    REQUIRE(variable != nullptr);
    return reinterpret_cast<const T*>(variable->address)[index];
}

const char* const answer = R"(
.visible .func (.param .b32 func_retval0) answer()
{
    .reg .b32 %r<2>;
    ld.global.u32 %r1, [number];
    st.param.b32 [func_retval0], %r1;
    ret;
}
)";

const std::string call_answer = R"(
    {
        .param .b32 retval0;
        call.uni (retval0), answer, ();
        ld.param.b32 %r1, [retval0];
    }
)";

}  // namespace

TEST_CASE("a kernel calls a function of another module, which reads a variable of a third") {
    TestProgram program(std::vector<std::string>{
        kernel_of(call_answer, ".extern .func (.param .b32 func_retval0) answer();\n"),
        module_of(std::string(".extern .global .u32 number;\n") + answer),
        module_of(".visible .global .u32 number = 42;\n"),
    });
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    CHECK(program.launch("k", {}, {32, 1, 1}, out.address()).faults.empty());
    CHECK(out[5] == 42);
}

TEST_CASE("what is not visible stays in its module") {
    TestProgram program(std::vector<std::string>{
        kernel_of(call_answer, std::string(".global .u32 number = 1;\n") + answer),
        module_of(".global .u32 number = 2;\n"),
    });
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    CHECK(program.launch("k", {}, {32, 1, 1}, out.address()).faults.empty());
    CHECK(out[5] == 1);
}

TEST_CASE("two definitions are an error, unless one is weak") {
    DeviceMemory memory;
    const std::string strong = module_of(".visible .global .u32 number = 1;\n");
    const std::string weak = module_of(".weak .global .u32 number = 2;\n");
    const auto twice = link_texts({strong, strong}, memory);
    REQUIRE(!twice);
    CHECK(twice.error().message.find("'number'") != std::string::npos);
    for (const auto& texts : {std::vector{weak, strong}, std::vector{strong, weak}}) {
        const auto image = link_texts(texts, memory);
        REQUIRE(image);
        CHECK(at<std::uint32_t>((*image)->find_variable("number")) == 1);
    }
    const auto weak_only = link_texts({weak, weak}, memory);
    REQUIRE(weak_only);
    CHECK(at<std::uint32_t>((*weak_only)->find_variable("number")) == 2);
}

TEST_CASE("initial values: numbers, zeros, addresses of variables and functions") {
    TestProgram program(kernel_of(call_answer, std::string(R"(
.visible .global .align 4 .f32 floats[3] = {0f3F800000, 0f40000000};
.visible .global .u32 number = 7;
.visible .const .align 8 .u64 pointers[2] = {generic(number), floats+4};
.visible .global .align 8 .u64 function = answer;
.visible .global .align 16 .b8 zeros[64];
)") + answer));
    const DeviceVariable* const floats = program.image->find_variable("floats");
    CHECK(at<float>(floats, 0) == 1.0f);
    CHECK(at<float>(floats, 1) == 2.0f);
    CHECK(at<float>(floats, 2) == 0.0f);
    CHECK(floats->bytes == 12);
    const DeviceVariable* const pointers = program.image->find_variable("pointers");
    CHECK(pointers->space == ptx::Space::constant);
    CHECK(at<std::uint64_t>(pointers, 0) == program.image->find_variable("number")->address);
    CHECK(at<std::uint64_t>(pointers, 1) == floats->address + 4);
    CHECK(at<std::uint64_t>(program.image->find_variable("function")) != 0);
    for (std::size_t i = 0; i < 64; ++i) CHECK(at<std::uint8_t>(program.image->find_variable("zeros"), i) == 0);
    CHECK(program.image->find_variable("nothing") == nullptr);
}

TEST_CASE("an initial value that names nothing is an error") {
    DeviceMemory memory;
    const auto image =
        link_texts({module_of(".global .u64 pointer = somewhere;\n.extern .global .u32 somewhere;\n")}, memory);
    REQUIRE(!image);
    CHECK(image.error().message.find("'somewhere'") != std::string::npos);
    CHECK(memory.used() == 0);
}

TEST_CASE("an image gives its device memory back") {
    DeviceMemory memory;
    {
        const auto image = link_texts({module_of(".visible .global .align 4 .b8 large[1000];\n")}, memory);
        REQUIRE(image);
        CHECK(memory.used() >= 1000);
    }
    CHECK(memory.used() == 0);
}

TEST_CASE("kernels are found by name, with parameters, limits and shared bytes") {
    TestProgram program(module_of(R"(
.shared .align 8 .b8 first[20];
.shared .align 16 .b8 second[16];
.shared .align 4 .b8 unused[1000];
.extern .shared .align 16 .b8 dynamic[];
.func helper()
{
    .shared .align 4 .b8 third[5];
    .reg .b32 %r<2>;
    mov.u32 %r1, third;
    mov.u32 %r1, second;
    ret;
}
.visible .entry k(.param .u32 k_param_0, .param .u64 k_param_1, .param .align 4 .b8 k_param_2[12], .param .u8 k_param_3)
.reqntid 64, 2, 1
{
    .reg .b32 %r<3>;
    mov.u32 %r1, first;
    mov.u32 %r2, dynamic;
    call.uni helper;
    ret;
}
)"));
    const Kernel* const kernel = program.image->find_kernel("k");
    REQUIRE(kernel != nullptr);
    CHECK(kernel == program.image->find_kernel("k"));
    CHECK(program.image->find_kernel("helper") == nullptr);
    REQUIRE(program.image->kernels().size() == 1);
    REQUIRE(kernel->parameters.size() == 4);
    CHECK(kernel->parameters[1].offset == 8);
    CHECK(kernel->parameters[2].offset == 16);
    CHECK(kernel->parameters[2].bytes == 12);
    CHECK(kernel->parameters[3].offset == 28);
    CHECK(kernel->parameter_bytes == 29);
    CHECK(kernel->required_threads[0] == 64);
    CHECK(kernel->required_threads[1] == 2);
    // first at 0, third at 20 (the helper's own before those of the module), second at 32
    CHECK(kernel->static_shared_bytes == 48);
}

TEST_CASE("shared variables do not overlap, and dynamic memory begins behind them") {
    TestProgram program(kernel_of(R"(
        mov.u32 %r3, a;
        mov.u32 %r4, b;
        mov.u32 %r5, dynamic;
        mov.u32 %r6, %total_smem_size;
        mov.u32 %r7, %dynamic_smem_size;
        setp.eq.u32 %p1, %r2, 0;
        @%p1 mov.u32 %r1, %r3;
        setp.eq.u32 %p1, %r2, 1;
        @%p1 mov.u32 %r1, %r4;
        setp.eq.u32 %p1, %r2, 2;
        @%p1 mov.u32 %r1, %r5;
        setp.eq.u32 %p1, %r2, 3;
        @%p1 mov.u32 %r1, %r6;
        setp.eq.u32 %p1, %r2, 4;
        @%p1 mov.u32 %r1, %r7;
    )",
                                  R"(
.shared .align 4 .b8 a[6];
.shared .align 4 .b8 b[10];
.extern .shared .align 16 .b8 dynamic[];
)"));
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    program.config.dynamic_shared_bytes = 100;
    CHECK(program.launch("k", {}, {32, 1, 1}, out.address()).faults.empty());
    CHECK(out[0] == 0);
    CHECK(out[1] == 8);
    CHECK(out[2] == 32);
    CHECK(out[3] == 132);
    CHECK(out[4] == 100);
}

TEST_CASE("what a block keeps for the system lies behind all that is the program's, and is not counted to it") {
    TestProgram program(kernel_of(R"(
        setp.eq.u32 %p1, %r2, 0;
        @%p1 mov.u32 %r1, %reserved_smem_offset_begin;
        setp.eq.u32 %p1, %r2, 1;
        @%p1 mov.u32 %r1, %reserved_smem_offset_1;
        setp.eq.u32 %p1, %r2, 2;
        @%p1 mov.u32 %r1, %reserved_smem_offset_end;
        setp.eq.u32 %p1, %r2, 3;
        @%p1 mov.u32 %r1, %reserved_smem_offset_cap;
        setp.eq.u32 %p1, %r2, 4;
        @%p1 mov.u32 %r1, %total_smem_size;
        setp.eq.u32 %p1, %r2, 5;
        mov.u32 %r3, %reserved_smem_offset_0;
        @%p1 ld.shared.u32 %r1, [%r3];
    )",
                                  R"(
.shared .align 4 .b8 a[6];
)"));
    DeviceArray<std::uint32_t> out(program.memory, 32, 0);
    program.config.dynamic_shared_bytes = 100;
    CHECK(program.launch("k", {}, {32, 1, 1}, out.address()).faults.empty());
    CHECK(out[0] % 8 == 0);
    CHECK(out[0] >= out[4]);
    CHECK(out[1] == out[0]);
    CHECK(out[2] == out[0] + 1024);
    CHECK(out[3] == 1024);
    CHECK(out[4] < 128);
    CHECK(out[5] == 0);  // the system has set it
}

TEST_CASE("several threads may ask for kernels at once") {
    TestProgram program(kernel_of("add.u32 %r1, %r0, 1;\n"));
    std::vector<const Kernel*> found(8, nullptr);
    StdThreads threads(8);
    threads.run([&](unsigned i) { found[i] = program.image->find_kernel("k"); });
    for (const Kernel* kernel : found) CHECK(kernel == found[0]);
}
