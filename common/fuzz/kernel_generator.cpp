#include "kernel_generator.hpp"

#include "kernel_statements.hpp"

#include <array>
#include <cctype>
#include <iomanip>
#include <sstream>
#include <vector>

namespace lanes::fuzz {

namespace {

constexpr unsigned registers_each = 6;
constexpr unsigned deepest = 3;
constexpr unsigned most_statements = 60;

// What every module has: cells of shared memory, a variable, constants, a function that takes and returns.
constexpr std::string_view prologue = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 16 .b8 variable[64];
.const .align 8 .b8 constants[256] = {1, 2, 3, 4, 5, 6, 7, 8};
.shared .align 16 .b8 cells[2048];
.extern .shared .align 16 .b8 dynamic[];
.global .align 1 .b8 format[8] = {37, 100, 32, 37, 115, 10, 0, 0};
.extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 arguments);
)";

constexpr std::string_view registers = R"(.reg .pred %p<6>;
.reg .b16 %h<6>;
.reg .b32 %r<6>;
.reg .b64 %l<6>;
.reg .f32 %f<6>;
.reg .f64 %d<6>;
.reg .b32 %a<2>, %turn<4>, %thread, %cell;
.reg .b64 %la<2>, %data, %own, %result, %input;
.reg .pred %again;
.local .align 16 .b8 stack[64];
)";

// Registers begin with values that differ from lane to lane, and a few that mean something to instructions.
constexpr std::string_view first_values = R"(mov.u32 %r0, %thread;
mov.u32 %r1, 7;
mov.u32 %r2, %laneid;
mov.u32 %r3, 0x80000001;
shl.b32 %r4, %thread, 4;
mov.u32 %r5, 0;
cvt.u64.u32 %l0, %thread;
mov.u64 %l1, 0x7ff0000000000001;
mul.wide.u32 %l2, %thread, 16;
mov.u64 %l3, 5;
mov.u64 %l4, -1;
mov.u64 %l5, 0;
cvt.rn.f32.u32 %f0, %thread;
mov.f32 %f1, 0f7fc00000;
mov.f32 %f2, 0f00000001;
mov.f32 %f3, 0f3fc00000;
mov.f32 %f4, 0fff800000;
mov.f32 %f5, 0f00000000;
cvt.rn.f64.u32 %d0, %thread;
mov.f64 %d1, 0d3ff8000000000000;
mov.f64 %d2, 0d7ff8000000000000;
mov.f64 %d3, 0d0000000000000001;
mov.f64 %d4, 0dfff0000000000000;
mov.f64 %d5, 0d0000000000000000;
cvt.u16.u32 %h0, %thread;
mov.b16 %h1, 0x7c00;
mov.b16 %h2, 0x3c01;
mov.b16 %h3, -1;
mov.b16 %h4, 1;
mov.b16 %h5, 0;
setp.lt.u32 %p0, %thread, 5;
setp.eq.u32 %p1, %r2, 31;
setp.ne.u32 %p2, %r5, 0;
setp.eq.u32 %p3, %r5, 0;
setp.gt.u32 %p4, %thread, 32;
and.pred %p5, %p3, %p0;
)";

class Generator {
public:
    explicit Generator(ByteSource& choices) : choices_(choices) {}

    GeneratedKernel generate() {
        kernel_.separate_blocks = !choices_.one_in(4);
        static constexpr std::array<emulator::Dim3, 8> blocks{
            {{32, 1, 1}, {64, 1, 1}, {40, 1, 1}, {1, 1, 1}, {96, 1, 1}, {33, 1, 1}, {16, 4, 1}, {4, 4, 3}}};
        kernel_.block = choices_.pick(blocks);
        kernel_.grid = {1 + choices_.below(4), 1, 1};
        kernel_.dynamic_shared_bytes = 16 * choices_.below(9);
        kernel_.seed = choices_.byte();
        text_ << prologue;
        append_function("leaf", false);
        append_function("chain", true);
        append_kernel();
        kernel_.text = text_.str();
        return std::move(kernel_);
    }

private:
    // A function of a number and a pointer. `chain` calls itself as often as the number's last bits say, or more often.
    void append_function(const std::string& name, bool recursive) {
        in_function_ = true;
        text_ << ".visible .func (.param .b32 answer) " << name << " (.param .b32 number, .param .b64 pointer)\n{\n"
              << registers << "mov.u32 %thread, %tid.x;\nmov.u32 %cell, cells;\n"
              << first_values << "ld.param.b32 %r0, [number];\nld.param.b64 %l0, [pointer];\n";
        if (recursive) {
            text_ << "and.b32 %turn3, %r0, " << (choices_.one_in(16) ? "0xffff" : "3") << ";\n"
                  << "setp.eq.u32 %again, %turn3, 0;\n@%again bra RETURN;\nsub.u32 %turn3, %turn3, 1;\n";
            append_call("chain", "%turn3");
        }
        append_statements(deepest - 1, 3);
        text_ << "RETURN:\nst.param.b32 [answer], %r0;\nret;\n}\n";
        in_function_ = false;
    }

    void append_kernel() {
        text_ << ".visible .entry k(.param .u64 k_data, .param .u64 k_results, .param .u64 k_input)\n{\n"
              << registers << R"(ld.param.u64 %data, [k_data];
ld.param.u64 %result, [k_results];
ld.param.u64 %input, [k_input];
mov.u32 %r0, %ntid.x;
mov.u32 %r1, %ntid.y;
mov.u32 %r2, %tid.z;
mov.u32 %r3, %tid.y;
mad.lo.u32 %r2, %r2, %r1, %r3;
mov.u32 %r3, %tid.x;
mad.lo.u32 %thread, %r2, %r0, %r3;
mov.u32 %r0, %ctaid.x;
mad.wide.u32 %data, %r0, )"
              << block_data_bytes << ", %data;\nmad.wide.u32 %own, %thread, 16, %data;\nmad.lo.u32 %r1, %r0, "
              << kernel_.block.count() << ", %thread;\nmad.wide.u32 %result, %r1, " << thread_result_bytes
              << ", %result;\nmov.u32 %cell, cells;\n"
              << first_values;
        append_statements(0, most_statements);
        append_results();
        text_ << "ret;\n}\n";
    }

    void append_results() {
        unsigned offset = 0;
        const auto store = [&](std::string_view type, std::string_view name, unsigned bytes) {
            for (unsigned i = 0; i < registers_each; ++i, offset += bytes)
                text_ << "st.global." << type << " [%result+" << offset << "], %" << name << i << ";\n";
        };
        store("u64", "l", 8);
        store("f64", "d", 8);
        store("u32", "r", 4);
        store("f32", "f", 4);
        store("u16", "h", 2);
        text_ << "mov.u32 %r0, 0;\n";
        for (unsigned i = 0; i < registers_each; ++i) text_ << "@%p" << i << " or.b32 %r0, %r0, " << (1U << i) << ";\n";
        text_ << "st.global.u32 [%result+" << offset << "], %r0;\n";
    }

    void append_statements(unsigned depth, unsigned most) {
        const unsigned count = 1 + choices_.below(most);
        for (unsigned i = 0; i < count && !choices_.empty(); ++i) append_statement(depth);
    }

    void append_statement(unsigned depth) {
        const std::uint32_t kind = choices_.below(32);
        if (kind < 12) return append(choices_.pick(arithmetic_statements()));
        if (kind < 20) return append(choices_.pick(memory_statements()));
        if (kind < 22) return append(choices_.pick(synchronisation_statements()));
        if (kind < 25) return append_condition(depth);
        if (kind < 27) return append_loop(depth);
        if (kind == 27 && !in_function_) return append_call(choices_.one_in(2) ? "chain" : "leaf", any_register('r'));
        if (kind == 28) return append_exit();
        if (kind == 29 && !in_function_) return append_print();
        if (kind == 30) return append_switch(depth);
        text_ << "bar.sync 0;\n";
    }

    void append(const Statement& statement) {
        if (!statement.orderly) kernel_.orderly = false;
        const std::string guard = choices_.one_in(4) ? guard_text() : "";
        std::string line;
        for (std::size_t i = 0; i < statement.text.size(); ++i) {
            if (statement.text[i] != '$')
                line += statement.text[i];
            else
                line += filled(statement.text[++i]);
        }
        text_ << guard << line << ";\n";
    }

    std::string filled(char place) {
        switch (place) {
            case 'm':
                return member_mask();
            case 'i':
                return std::to_string(choices_.below(33));
            case 's':
                return shared_address();
            case 'g':
                return global_address();
            case 'n':
                return in_function_ ? "variable+" + std::to_string(choices_.below(64))
                                    : "%input+" + std::to_string(choices_.byte() * 4);
            case 'o':
                return "stack+" + std::to_string(choices_.below(80));
            case 'x':
                return generic_address();
            default:
                return any_register(place);
        }
    }

    std::string any_register(char kind) {
        return std::string("%") + kind + std::to_string(choices_.below(registers_each));
    }

    std::string guard_text() { return (choices_.one_in(2) ? "@!" : "@") + any_register('p') + " "; }

    std::string member_mask() {
        switch (choices_.below(4)) {
            case 0:
            case 1:
                return "0xffffffff";
            case 2:
                return any_register('r');
            default:
                return std::to_string(choices_.word());
        }
    }

    // Mostly inside and aligned; each is wide enough to be neither.
    std::string offset_mask() {
        static constexpr std::array<std::string_view, 8> masks{"0x7f0", "0x7f0", "0x7fc", "0x3f0",
                                                               "0x7f8", "0x7ff", "0xfff", "-1"};
        return std::string(choices_.pick(masks));
    }

    std::string shared_address() {
        switch (choices_.below(4)) {
            case 0:
                text_ << "mad.lo.u32 %a0, %thread, 16, %cell;\n";
                return "%a0+" + std::to_string(4 * choices_.below(4));
            case 1:
                return "cells+" + std::to_string(4 * choices_.below(513));
            case 2:
                text_ << "and.b32 %a0, " << any_register('r') << ", " << offset_mask()
                      << ";\nadd.u32 %a0, %a0, %cell;\n";
                return "%a0";
            default:
                return "dynamic+" + std::to_string(choices_.below(160));
        }
    }

    std::string global_address() {
        if (in_function_) return foreign_address();
        switch (choices_.below(4)) {
            case 0:
                return "%own+" + std::to_string(4 * choices_.below(4));
            case 1:
                return kernel_.separate_blocks ? "%own" : foreign_address();
            default:
                // 0x7ff at most, and an access of 16 bytes at an address that is no multiple of 16 is a fault.
                text_ << "and.b64 %la0, " << any_register('l') << ", " << (choices_.one_in(2) ? "0x7f0" : "0x7ff")
                      << ";\nadd.u64 %la0, %la0, %data;\n";
                return "%la0";
        }
    }

    // Anywhere: inside, outside, in memory of other blocks.
    std::string foreign_address() {
        kernel_.separate_blocks = false;
        switch (choices_.below(3)) {
            case 0:
                return any_register('l');
            case 1:
                return "variable+" + std::to_string(choices_.below(80));
            default:
                if (in_function_) return "%l0+" + std::to_string(4 * choices_.below(16));
                text_ << "and.b64 %la0, " << any_register('l') << ", 0x1fff;\nadd.u64 %la0, %la0, %data;\n";
                return "%la0";
        }
    }

    std::string generic_address() {
        static constexpr std::array<std::string_view, 4> variables{"cells", "stack", "cells", "dynamic"};
        const std::string_view variable = choices_.pick(variables);
        text_ << "mov.u64 %la1, " << variable << ";\ncvta." << (variable == "stack" ? "local" : "shared")
              << ".u64 %la1, %la1;\n";
        return "%la1+" + std::to_string(4 * choices_.below(33));
    }

    std::string new_label() { return "L" + std::to_string(labels_++); }

    void append_condition(unsigned depth) {
        if (depth == deepest) return;
        const std::string otherwise = new_label();
        const std::string end = new_label();
        text_ << guard_text() << "bra " << otherwise << ";\n";
        append_statements(depth + 1, 6);
        const bool has_else = choices_.one_in(2);
        if (has_else) text_ << "bra " << end << ";\n";
        text_ << otherwise << ":\n";
        if (has_else) append_statements(depth + 1, 6);
        text_ << end << ":\n";
    }

    // Turns a fixed number of times, a number that differs from lane to lane, or for ever.
    void append_loop(unsigned depth) {
        if (depth == deepest) return;
        const std::string turn = "%turn" + std::to_string(depth);
        const std::string begin = new_label();
        const bool endless = choices_.one_in(64);
        text_ << "and.b32 " << turn << ", " << (choices_.one_in(2) ? any_register('r') : "7") << ", 7;\n"
              << begin << ":\n";
        append_statements(depth + 1, 6);
        if (endless) {
            text_ << guard_text() << "bra " << begin << ";\n";
            return;
        }
        text_ << "setp.ne.u32 %again, " << turn << ", 0;\nsub.u32 " << turn << ", " << turn << ", 1;\n@%again bra "
              << begin << ";\n";
    }

    void append_call(const std::string& function, const std::string& number) {
        text_ << (choices_.one_in(4) ? guard_text() + "bra " : "// ") << new_label() << ";\n";
        const std::string end = "L" + std::to_string(labels_ - 1);
        const std::string pointer = in_function_ || !choices_.one_in(2) ? "%l0" : "%own";
        text_ << "{\n.param .b32 number_;\n.param .b64 pointer_;\n.param .b32 answer_;\nst.param.b32 [number_], "
              << number << ";\nst.param.b64 [pointer_], " << pointer << ";\n";
        if (choices_.one_in(4)) {
            text_ << "prototype_" << end << ": .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n"
                  << "mov.u64 %la0, " << function << ";\ncall (answer_), %la0, (number_, pointer_), prototype_" << end
                  << ";\n";
        } else {
            text_ << "call.uni (answer_), " << function << ", (number_, pointer_);\n";
        }
        text_ << "ld.param.b32 " << any_register('r') << ", [answer_];\n}\n" << end << ":\n";
    }

    void append_exit() {
        static constexpr std::array<std::string_view, 4> ways{"exit", "ret", "exit", "trap"};
        text_ << guard_text() << (in_function_ ? "exit" : choices_.pick(ways)) << ";\n";
    }

    // Prints through pointers that are right, or any.
    void append_print() {
        const std::string format = choices_.one_in(8) ? any_register('l') : "format";
        text_ << "{\n.param .b64 format_;\n.param .b64 arguments_;\n.param .b32 status_;\n";
        if (format == "format") text_ << "mov.u64 %la0, format;\ncvta.global.u64 %la0, %la0;\n";
        text_ << "mov.u64 %la1, stack;\ncvta.local.u64 %la1, %la1;\nst.local.u32 [stack], " << any_register('r')
              << ";\nst.local.u64 [stack+8], " << (choices_.one_in(8) ? any_register('l') : "%la0")
              << ";\nst.param.b64 [format_], " << (format == "format" ? "%la0" : format)
              << ";\nst.param.b64 [arguments_], %la1;\ncall.uni (status_), vprintf, (format_, arguments_);\n}\n";
        kernel_.orderly = false;
    }

    void append_switch(unsigned depth) {
        if (depth == deepest) return;
        const std::string end = new_label();
        const std::array<std::string, 3> arms{new_label(), new_label(), end};
        const std::string selector = choices_.one_in(8) ? any_register('r') : "%a1";
        text_ << "and.b32 %a1, " << any_register('r') << ", 1;\ntable_" << end << ": .branchtargets " << arms[0] << ", "
              << arms[1] << ", " << arms[2] << ";\n@" << any_register('p') << " brx.idx " << selector << ", table_"
              << end << ";\n";
        for (unsigned i = 0; i < 2; ++i) {
            text_ << arms[i] << ":\n";
            append_statements(depth + 1, 4);
            if (choices_.one_in(2)) text_ << "bra " << end << ";\n";
        }
        text_ << end << ":\n";
    }

    ByteSource& choices_;
    GeneratedKernel kernel_;
    std::ostringstream text_;
    bool in_function_ = false;
    unsigned labels_ = 0;
};

}  // namespace

GeneratedKernel generate_kernel(ByteSource& choices) {
    return Generator(choices).generate();
}

}  // namespace lanes::fuzz
