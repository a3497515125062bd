#include "kernel_statements.hpp"

#include <arithmetic_forms.hpp>

#include <cctype>
#include <string_view>

namespace lanes::fuzz {

namespace {

using emulator::expand_pattern;
using emulator::SupportedForm;

// "rq|rrm" becomes "$r|$p, $r, $r, $m".
std::string places_of(std::string_view operands) {
    std::string text;
    bool separate = false;
    for (const char letter : operands) {
        if (letter == '|') continue;
        if (letter == 'q') {
            text += "|$p";
            continue;
        }
        const bool closes = letter == ']';
        if (separate && !closes) text += ", ";
        separate = letter != '[' && letter != '!';
        if (letter == '[')
            text += '{';
        else if (closes)
            text += '}';
        else if (letter == '!')
            text += '!';
        else
            text += std::string("$") + letter;
    }
    return text;
}

// What the lanes that happen to be together are is no property of the program.
bool is_orderly(const std::string& name) {
    return name != "activemask.b32";
}

std::vector<Statement> expand(std::initializer_list<std::string_view> orderly,
                              std::initializer_list<std::string_view> unordered) {
    std::vector<Statement> statements;
    const auto add = [&](std::string_view pattern, bool is_orderly) {
        std::vector<std::string> texts;
        expand_pattern("", pattern, texts);
        for (std::string& text : texts) statements.push_back({std::move(text), is_orderly});
    };
    for (const std::string_view pattern : orderly) add(pattern, true);
    for (const std::string_view pattern : unordered) add(pattern, false);
    return statements;
}

}  // namespace

const std::vector<Statement>& arithmetic_statements() {
    static const std::vector<Statement> statements = [] {
        std::vector<Statement> list;
        for (const SupportedForm& form : emulator::supported_forms())
            list.push_back({form.name + " " + places_of(form.operands), is_orderly(form.name)});
        for (const char* const special : {"laneid", "warpid", "tid.x", "tid.y", "ctaid.x", "ntid.x", "nctaid.x",
                                          "lanemask_lt", "lanemask_ge", "lanemask_eq", "dynamic_smem_size"})
            list.push_back({"mov.u32 $r, %" + std::string(special), true});
        return list;
    }();
    return statements;
}

// Braces are choices in a pattern, so vectors are written with <>.
const std::vector<Statement>& memory_statements() {
    static const std::vector<Statement> statements = [] {
        auto list = expand(
            {
                "ld.shared.{u32|s32|b32} $r, [$s]",
                "ld.shared.{u8|s8|u16|s16} {$h|$r}, [$s]",
                "ld.shared.{u64 $l|f64 $d|f32 $f}, [$s]",
                "ld.shared.{v2.u32 <$r, $r>|v4.f32 <$f, $f, $f, $f>|v2.u64 <$l, $l>|v4.u8 <$h, $h, $h, $h>}, [$s]",
                "st.shared.{u8 [$s], $h|u16 [$s], $h|u32 [$s], $r|u64 [$s], $l|f32 [$s], $f|f64 [$s], $d}",
                "st.shared.{v2.u32 [$s], <$r, $r>|v4.f32 [$s], <$f, $f, $f, $f>|v2.u64 [$s], <$l, $l>}",
                "ld.global{|.ca|.cg|.nc}.{u32 $r|u64 $l|f32 $f|f64 $d|u8 $h|s16 $h|s8 $r}, [{$g|$n}]",
                "ld.global{|.nc}.{v2.u32 <$r, $r>|v4.f32 <$f, $f, $f, $f>|v2.f64 <$d, $d>|v2.u8 <$h, $h>}, [{$g|$n}]",
                "st.global{|.wb|.cs}.{u8 [$g], $h|u16 [$g], $h|u32 [$g], $r|u64 [$g], $l|f32 [$g], $f|f64 [$g], $d}",
                "st.global.{v2.u32 [$g], <$r, $r>|v4.f32 [$g], <$f, $f, $f, $f>|v2.u64 [$g], <$l, $l>}",
                "ld.local.{u32 $r|u64 $l|f32 $f|u8 $h|v4.u32 <$r, $r, $r, $r>}, [$o]",
                "st.local.{u32 [$o], $r|u64 [$o], $l|f32 [$o], $f|u8 [$o], $h|v4.u32 [$o], <$r, $r, $r, $r>}",
                "ld.const.{u32 $r|u64 $l|f32 $f|u8 $h}, [constants+$i]",
                "ld.{u32 $r|u64 $l|f32 $f|u8 $h}, [$x]",
                "st.{u32 [$x], $r|u64 [$x], $l|f32 [$x], $f|u8 [$x], $h}",
                "red.{shared.add.u32 [$s]|global.add.u32 [$g]}, $r",
                "cp.async.ca.shared.global [$s], [{$g|$n}], {4|8|16|16, $r}",
                "cp.async.cg.shared.global [$s], [{$g|$n}], 16",
                "cp.async.{commit_group|wait_all|wait_group $i}",
                "ldmatrix.sync.aligned.m8n8.{x1|x1.trans}.shared.b16 <$r>, [$s]",
                "ldmatrix.sync.aligned.m8n8.{x2|x2.trans}.shared.b16 <$r, $r>, [$s]",
                "ldmatrix.sync.aligned.m8n8.{x4|x4.trans}.shared.b16 <$r, $r, $r, $r>, [$s]",
                "stmatrix.sync.aligned.m8n8.x1.shared.b16 [$s], <$r>",
                "prefetch.global.{L1|L2} [$g]",
                "mov.u64 $l, {cells|stack|variable|leaf}",
                "mov.u32 $r, {cells|dynamic}",
            },
            {
                "{ld.volatile|ld.relaxed.gpu|ld.acquire.gpu}.global.u32 $r, [$g]",
                "{st.volatile|st.relaxed.gpu|st.release.gpu}.global.u32 [$g], $r",
                "ld.volatile.shared.u32 $r, [$s]",
                "st.volatile.shared.u32 [$s], $r",
                "atom.{shared|shared.cta|acquire.shared}.{add|min|max|inc|dec|exch}.u32 $r, [$s], $r",
                "atom.shared.{and|or|xor|exch}.b32 $r, [$s], $r",
                "atom.shared.cas.b32 $r, [$s], $r, $r",
                "atom.shared.cas.b64 $l, [$s], $l, $l",
                "atom.shared.add.{f32 $f, [$s], $f|f64 $d, [$s], $d|u64 $l, [$s], $l|noftz.f16x2 $r, [$s], $r}",
                "atom.{global|global.gpu|acq_rel.gpu.global}.{add|min|max|inc|dec}.u32 $r, [$g], $r",
                "atom.global.{and|or|xor|exch}.b32 $r, [$g], $r",
                "atom.global.cas.{b16 $h, [$g], $h, $h|b32 $r, [$g], $r, $r|b64 $l, [$g], $l, $l}",
                "atom.global.{min|max}.s64 $l, [$g], $l",
                "atom.global.add.{f32 $f, [$g], $f|f64 $d, [$g], $d|noftz.f16 $h, [$g], $h}",
                "atom.add.u32 $r, [$x], $r",
                "red.shared.{min|max}.s32 [$s], $r",
                "red.global.{min|max}.s32 [$g], $r",
                "red.global.add.{f32 [$g], $f|f64 [$g], $d|u64 [$g], $l}",
                "ld.global.u32 $r, [variable+$i]",
                "mov.u32 $r, %clock",
            });
        for (Statement& statement : list)
            for (char& letter : statement.text) {
                if (letter == '<') letter = '{';
                if (letter == '>') letter = '}';
            }
        return list;
    }();
    return statements;
}

const std::vector<Statement>& synchronisation_statements() {
    static const std::vector<Statement> statements = expand(
        {
            "{bar.sync 0|barrier.sync 0|bar.sync $i|bar.sync 1, 32|bar.sync 1, 64|barrier.sync.aligned $i, 32}",
            "bar.sync 0",
            "bar.warp.sync $m",
            "bar.red.{popc.u32 $r|and.pred $p|or.pred $p}, {0|$i}, {$p|!$p}",
            "bar.arrive {1, 64|2, 32|$i, 96}",
            "bar.sync $r",
            "nanosleep.u32 20",
        },
        {
            "{membar.cta|membar.gl|membar.sys|fence.acq_rel.gpu|fence.sc.cta}",
            "mbarrier.init.shared.b64 [$s], {1|$r}",
            "mbarrier.inval.shared.b64 [$s]",
            "mbarrier.arrive.shared.b64 $l, [$s]",
            "mbarrier.arrive_drop.shared.b64 $l, [$s]",
            "mbarrier.arrive.expect_tx.shared.b64 $l, [$s], $r",
            "mbarrier.{expect_tx|complete_tx}.relaxed.cta.shared.b64 [$s], $r",
            "mbarrier.test_wait.shared.b64 $p, [$s], $l",
            "mbarrier.try_wait.parity.shared.b64 $p, [$s], $r",
            "cp.async.mbarrier.arrive{|.noinc}.shared.b64 [$s]",
        });
    return statements;
}

}  // namespace lanes::fuzz
