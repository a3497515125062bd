/// @file
/// @brief Every form of an arithmetic or warp-exchange instruction that the emulator executes, as a list to run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::emulator {

/// Forms that share operands. In `pattern`, {a|b|} stands for "a", "b" or nothing; a dot between parts is written once
/// ("add{|.sat}.s32"). `operands` has one letter an operand, the destination first: p predicate, h 16-bit, r 32-bit,
/// l 64-bit, f f32, d f64 registers; i an immediate 5; "q|" in second place is the p of d|p; [hh] is a vector.
struct FormPattern {
    std::string_view pattern;
    std::string_view operands;
};

inline constexpr FormPattern form_patterns[] = {
    // integer
    {"{add|sub|mul.lo|mul.hi|div|rem|min|max}.{u16|s16}", "hhh"},
    {"{add|sub|mul.lo|mul.hi|div|rem|min|max}.{u32|s32}", "rrr"},
    {"{add|sub|mul.lo|mul.hi|div|rem|min|max}.{u64|s64}", "lll"},
    {"{add|sub}.sat.s32", "rrr"},
    {"{min|max}.relu.s32", "rrr"},
    {"{add|min|max}.{u16x2|s16x2}", "rrr"},
    {"{min|max}.relu.s16x2", "rrr"},
    {"mul.wide.{u16|s16}", "rhh"},
    {"mul.wide.{u32|s32}", "lrr"},
    {"{mad.lo|mad.hi|sad}.{u16|s16}", "hhhh"},
    {"{mad.lo|mad.hi|sad}.{u32|s32}", "rrrr"},
    {"{mad.lo|mad.hi|sad}.{u64|s64}", "llll"},
    {"mad.hi.sat.s32", "rrrr"},
    {"mad.wide.{u16|s16}", "rhhr"},
    {"mad.wide.{u32|s32}", "lrrl"},
    {"mul24.{lo|hi}.{u32|s32}", "rrr"},
    {"mad24.{lo|hi}.{u32|s32}", "rrrr"},
    {"mad24.hi.sat.s32", "rrrr"},
    {"{abs|neg}.s16", "hh"},
    {"{abs|neg}.s32", "rr"},
    {"{abs|neg}.s64", "ll"},
    {"{add|sub}{.cc|c|c.cc}.{u32|s32}", "rrr"},
    {"{add|sub}{.cc|c|c.cc}.{u64|s64}", "lll"},
    {"mad.{lo|hi}.cc.{u32|s32}", "rrrr"},
    {"madc.{lo|hi}{|.cc}.{u32|s32}", "rrrr"},
    {"mad.{lo|hi}.cc.{u64|s64}", "llll"},
    {"madc.{lo|hi}{|.cc}.{u64|s64}", "llll"},
    // bits
    {"{and|or|xor}.b16", "hhh"},
    {"{and|or|xor}.b32", "rrr"},
    {"{and|or|xor}.b64", "lll"},
    {"{and|or|xor}.pred", "ppp"},
    {"{not|cnot}.b16", "hh"},
    {"{not|cnot}.b32", "rr"},
    {"{not|cnot}.b64", "ll"},
    {"not.pred", "pp"},
    {"{shl.b16|shr.b16|shr.u16|shr.s16}", "hhr"},
    {"{shl.b32|shr.b32|shr.u32|shr.s32}", "rrr"},
    {"{shl.b64|shr.b64|shr.u64|shr.s64}", "llr"},
    {"shf.{l|r}.{wrap|clamp}.b32", "rrrr"},
    {"bfe.{u32|s32}", "rrrr"},
    {"bfe.{u64|s64}", "llrr"},
    {"bfi.b32", "rrrrr"},
    {"bfi.b64", "lllrr"},
    {"bfind{|.shiftamt}.{u32|s32}", "rr"},
    {"bfind{|.shiftamt}.{u64|s64}", "rl"},
    {"{brev|popc|clz}.b32", "rr"},
    {"brev.b64", "ll"},
    {"{popc|clz}.b64", "rl"},
    {"lop3.b32", "rrrri"},
    {"bmsk.{clamp|wrap}.b32", "rrr"},
    {"szext.{clamp|wrap}.{u32|s32}", "rrr"},
    {"fns.b32", "rrrr"},
    // bytes and halfwords
    {"prmt.b32{|.f4e|.b4e|.rc8|.ecl|.ecr|.rc16}", "rrrr"},
    {"dp4a.{u32|s32}.{u32|s32}", "rrrr"},
    {"dp2a.{lo|hi}.{u32|s32}.{u32|s32}", "rrrr"},
    {"{vadd|vsub|vavrg|vabsdiff|vmin|vmax}{2|4}{.u32.u32.u32|.s32.s32.s32}{|.sat|.add}", "rrrr"},
    // f32 and f64
    {"{add|sub|mul}{|.rn|.rz|.rm|.rp}{|.ftz}{|.sat}.f32", "fff"},
    {"{fma|mad}.{rn|rz|rm|rp}{|.ftz}{|.sat}.f32", "ffff"},
    {"div.{rn|rz|rm|rp|approx|full}{|.ftz}.f32", "fff"},
    {"{rcp|sqrt}.{rn|rz|rm|rp|approx}{|.ftz}.f32", "ff"},
    {"{abs|neg}{|.ftz}.f32", "ff"},
    {"{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f32", "fff"},
    {"copysign.f32", "fff"},
    {"{rsqrt|ex2|lg2|sin|cos}.approx{|.ftz}.f32", "ff"},
    {"tanh.approx.f32", "ff"},
    {"{add|sub|mul}{|.rn|.rz|.rm|.rp}.f64", "ddd"},
    {"{fma|mad}.{rn|rz|rm|rp}.f64", "dddd"},
    {"div.{rn|rz|rm|rp}.f64", "ddd"},
    {"{rcp|sqrt}.{rn|rz|rm|rp}.f64", "dd"},
    {"rcp.approx.ftz.f64", "dd"},
    {"rsqrt.approx{|.ftz}.f64", "dd"},
    {"{abs|neg}.f64", "dd"},
    {"{min|max|copysign}.f64", "ddd"},
    // f16 and bf16
    {"{add|sub|mul}{|.rn}{|.ftz}{|.sat}.f16", "hhh"},
    {"{add|sub|mul}{|.rn}{|.ftz}{|.sat}.f16x2", "rrr"},
    {"{add|sub|mul}{|.rn}.bf16", "hhh"},
    {"{add|sub|mul}{|.rn}.bf16x2", "rrr"},
    {"fma.rn{|.ftz}{|.sat|.relu}.f16", "hhhh"},
    {"fma.rn{|.ftz}{|.sat|.relu}.f16x2", "rrrr"},
    {"fma.rn{|.relu}.bf16", "hhhh"},
    {"fma.rn{|.relu}.bf16x2", "rrrr"},
    {"{abs|neg}{|.ftz}.f16", "hh"},
    {"{abs|neg}{|.ftz}.f16x2", "rr"},
    {"{abs|neg}.bf16", "hh"},
    {"{abs|neg}.bf16x2", "rr"},
    {"{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f16", "hhh"},
    {"{min|max}{|.ftz}{|.NaN}{|.xorsign.abs}.f16x2", "rrr"},
    {"{min|max}{|.NaN}{|.xorsign.abs}.bf16", "hhh"},
    {"{min|max}{|.NaN}{|.xorsign.abs}.bf16x2", "rrr"},
    {"{ex2|tanh}.approx.f16", "hh"},
    {"{ex2|tanh}.approx.f16x2", "rr"},
    {"{ex2.approx.ftz|tanh.approx}.bf16", "hh"},
    {"{ex2.approx.ftz|tanh.approx}.bf16x2", "rr"},
    // comparison and selection
    {"setp.{eq|ne|lt|le|gt|ge}.s16", "phh"},
    {"setp.{eq|ne|lt|le|gt|ge}.s32", "prr"},
    {"setp.{eq|ne|lt|le|gt|ge}.s64", "pll"},
    {"setp.{eq|ne|lt|le|gt|ge|lo|ls|hi|hs}.u16", "phh"},
    {"setp.{eq|ne|lt|le|gt|ge|lo|ls|hi|hs}.u32", "prr"},
    {"setp.{eq|ne|lt|le|gt|ge|lo|ls|hi|hs}.u64", "pll"},
    {"setp.{eq|ne}.b16", "phh"},
    {"setp.{eq|ne}.b32", "prr"},
    {"setp.{eq|ne}.b64", "pll"},
    {"setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}{|.ftz}.f32", "pff"},
    {"setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}.f64", "pdd"},
    {"setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}{|.ftz}.f16", "phh"},
    {"setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}.bf16", "phh"},
    {"setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}{|.ftz}.f16x2", "pq|rr"},
    {"setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}.bf16x2", "pq|rr"},
    {"setp.{lt|ge}.{and|or|xor}.s32", "prrp"},
    {"setp.{lt|ge}.{and|or|xor}.s32", "pq|rrp"},
    {"setp.{lt|ge}.{and|or|xor}.s32", "pq|rr!p"},
    {"setp.{lt|geu}.{and|or|xor}{|.ftz}.f32", "pq|ffp"},
    {"setp.lt.{and|or|xor}.f16x2", "pq|rrp"},
    {"setp.lt.s32", "pq|rr"},
    {"set.{eq|lt|ge}.{u32|s32|f32}.{u32|s32}", "rrr"},
    {"set.{eq|lt|ge}.{u32|s32}.{u16|s16}", "rhh"},
    {"set.{eq|lt|ge}.{u32|s32}.{u64|s64}", "rll"},
    {"set.{eq|ltu|num}{|.ftz}.{u32|s32|f32}.f32", "rff"},
    {"set.{eq|ltu|num}.{u32|s32|f32}.f64", "rdd"},
    {"set.{eq|ltu|num}{|.ftz}.{f16|u16|s16}.f16", "hhh"},
    {"set.{eq|ltu|num}{|.ftz}.{u32|s32}.f16", "rhh"},
    {"set.{eq|ltu|num}{|.ftz}.f16x2.f16x2", "rrr"},
    {"set.{eq|ltu|num}.{bf16|u16|s16}.bf16", "hhh"},
    {"set.{eq|ltu|num}.bf16x2.bf16x2", "rrr"},
    {"set.lt.{and|or|xor}.u32.s32", "rrrp"},
    {"selp.{b16|u16|s16}", "hhhp"},
    {"selp.{b32|u32|s32}", "rrrp"},
    {"selp.{b64|u64|s64}", "lllp"},
    {"selp.f32", "fffp"},
    {"selp.f64", "dddp"},
    {"slct.{b16|u16|s16}.s32", "hhhr"},
    {"slct.{b32|u32|s32}.s32", "rrrr"},
    {"slct.{b64|u64|s64}.s32", "lllr"},
    {"slct.{f32.s32|b32.s32}", "fffr"},
    {"slct.f64.s32", "dddr"},
    {"slct{|.ftz}.b32.f32", "rrrf"},
    {"slct{|.ftz}.b64.f32", "lllf"},
    {"testp.{finite|infinite|number|notanumber|normal|subnormal}.f32", "pf"},
    {"testp.{finite|infinite|number|notanumber|normal|subnormal}.f64", "pd"},
    // conversion
    {"cvt.{u8|s8|u16|s16}.{u8|s8|u16|s16}", "hh"},
    {"cvt.{u8|s8|u16|s16}.{u8|s8|u16|s16|u32|s32}", "rr"},
    {"cvt.{u32|s32}.{u32|s32}", "rr"},
    {"cvt.{u32|s32}.{u8|s8|u16|s16}", "rh"},
    {"cvt.{u8|s8|u16|s16}.{u32|s32}", "hr"},
    {"cvt.{u64|s64}.{u8|s8|u16|s16}", "lh"},
    {"cvt.{u64|s64}.{u8|s8|u16|s16|u32|s32}", "lr"},
    {"cvt.{u8|s8|u16|s16}.{u64|s64}", "hl"},
    {"cvt.{u8|s8|u16|s16|u32|s32}.{u64|s64}", "rl"},
    {"cvt.{u64|s64}.{u64|s64}", "ll"},
    // .sat where the destination lacks values of the source: PTX forbids it elsewhere
    {"cvt.sat.{u8.s8|u8.u16|u8.s16|s8.u8|s8.u16|s8.s16|u16.s8|u16.s16|s16.u16}", "hh"},
    {"cvt.sat.{u8.s8|u8.u16|u8.s16|s8.u8|s8.u16|s8.s16|u16.s8|u16.s16|s16.u16}", "rr"},
    {"cvt.sat.{u8|s8|u16|s16}.{u32|s32}", "rr"},
    {"cvt.sat.{u8|s8|u16|s16}.{u32|s32}", "hr"},
    {"cvt.sat.{u32.s32|s32.u32}", "rr"},
    {"cvt.sat.u32.{s8|s16}", "rh"},
    {"cvt.sat.u64.{s8|s16}", "lh"},
    {"cvt.sat.u64.{s8|s16|s32}", "lr"},
    {"cvt.sat.{u8|s8|u16|s16}.{u64|s64}", "hl"},
    {"cvt.sat.{u8|s8|u16|s16|u32|s32}.{u64|s64}", "rl"},
    {"cvt.sat.{u64.s64|s64.u64}", "ll"},
    {"cvt.{rni|rzi|rmi|rpi}{|.ftz}{|.sat}.{u8|s8|u16|s16}.f32", "hf"},
    {"cvt.{rni|rzi|rmi|rpi}{|.ftz}{|.sat}.{u8|s8|u16|s16|u32|s32}.f32", "rf"},
    {"cvt.{rni|rzi|rmi|rpi}{|.ftz}{|.sat}.{u64|s64}.f32", "lf"},
    {"cvt.{rni|rzi|rmi|rpi}{|.sat}.{u8|s8|u16|s16|u32|s32}.f64", "rd"},
    {"cvt.{rni|rzi|rmi|rpi}{|.sat}.{u64|s64}.f64", "ld"},
    {"cvt.{rni|rzi|rmi|rpi}.{u8.f16|s8.f16|u16.f16|s16.f16|u16.bf16|s16.bf16}", "hh"},
    {"cvt.{rni|rzi|rmi|rpi}.{u32|s32}.{f16|bf16}", "rh"},
    {"cvt.{rni|rzi|rmi|rpi}.{u64|s64}.{f16|bf16}", "lh"},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f32.{u8|s8|u16|s16}", "fh"},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f32.{u32|s32}", "fr"},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f32.{u64|s64}", "fl"},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f64.{u8|s8|u16|s16}", "dh"},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f64.{u32|s32}", "dr"},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f64.{u64|s64}", "dl"},
    {"cvt.{rn|rz|rm|rp}.{f16.u8|f16.s8|f16.u16|f16.s16|bf16.u16|bf16.s16}", "hh"},
    {"cvt.{rn|rz|rm|rp}.{f16|bf16}.{u32|s32}", "hr"},
    {"cvt.{rn|rz|rm|rp}.{f16|bf16}.{u64|s64}", "hl"},
    {"cvt{|.rni|.rzi|.rmi|.rpi}{|.ftz}{|.sat}.f32.f32", "ff"},
    {"cvt{|.rni|.rzi|.rmi|.rpi}{|.sat}.f64.f64", "dd"},
    {"cvt{|.rni|.rzi|.rmi|.rpi}{|.sat}.f16.f16", "hh"},
    {"cvt.{rni|rzi|rmi|rpi}.bf16.bf16", "hh"},
    {"cvt{|.ftz}{|.sat}.f64.f32", "df"},
    {"cvt.{rn|rz|rm|rp}{|.ftz}{|.sat}.f32.f64", "fd"},
    {"cvt{|.ftz}{|.sat}.f32.f16", "fh"},
    {"cvt{|.ftz}.f32.bf16", "fh"},
    {"cvt.f64.{f16|bf16}", "dh"},
    {"cvt.{rn|rz|rm|rp}{|.ftz}{|.sat}.f16.f32", "hf"},
    {"cvt.{rn|rz}{.relu|.satfinite|.relu.satfinite}.f16.f32", "hf"},
    {"cvt.{rn|rz}{|.relu}{|.satfinite}.bf16.f32", "hf"},
    {"cvt.{rm|rp}.bf16.f32", "hf"},
    {"cvt.{rn|rz|rm|rp}{|.sat}.f16.f64", "hd"},
    {"cvt.{rn|rz|rm|rp}.bf16.f64", "hd"},
    {"cvt.{rn|rz}{|.relu}{|.satfinite}.{f16x2|bf16x2}.f32", "rff"},
    {"cvt.rna{|.satfinite}.tf32.f32", "rf"},
    {"cvt.{rn|rz}{|.relu}{|.satfinite}.tf32.f32", "rf"},
    {"cvt.rn{|.relu}.satfinite.{e4m3x2|e5m2x2}.f32", "hff"},
    {"cvt.rn{|.relu}.satfinite.{e4m3x2|e5m2x2}.f16x2", "hr"},
    {"cvt.rn{|.relu}.f16x2.{e4m3x2|e5m2x2}", "rh"},
    {"cvt.pack.sat.{u16|s16}.s32", "rrr"},
    {"cvt.pack.sat.{u8|s8}.s32.b32", "rrrr"},
    // moves
    {"mov.{b16|u16|s16}", "hh"},
    {"mov.{b32|u32|s32}", "rr"},
    {"mov.{b64|u64|s64}", "ll"},
    {"mov.f32", "ff"},
    {"mov.f64", "dd"},
    {"mov.pred", "pp"},
    {"mov.pred", "pi"},
    {"mov.b32", "r[hh]"},
    {"mov.b32", "[hh]r"},
    {"mov.b64", "l[rr]"},
    {"mov.b64", "[rr]l"},
    {"mov.b64", "l[hhhh]"},
    {"mov.b64", "[hhhh]l"},
    {"cvta{|.to}.{global|shared|shared::cta|local|const}.u64", "ll"},
    {"isspacep.{global|shared|shared::cta|local|const|param}", "pl"},
    // between lanes; a member mask is the last operand
    {"shfl.sync.{up|down|bfly|idx}.b32", "rrrrm"},
    {"shfl.sync.{up|down|bfly|idx}.b32", "rq|rrrm"},
    {"shfl.{up|down|bfly|idx}.b32", "rrrr"},
    {"vote.sync.{all|any|uni}.pred", "ppm"},
    {"vote.sync.{all|any|uni}.pred", "p!pm"},
    {"vote.sync.ballot.b32", "rpm"},
    {"vote.{all|any|uni}.pred", "pp"},
    {"vote.ballot.b32", "rp"},
    {"match.any.sync.b32", "rrm"},
    {"match.any.sync.b64", "rlm"},
    {"match.all.sync.b32", "rq|rm"},
    {"match.all.sync.b64", "rq|lm"},
    {"redux.sync.{add|min|max}.{u32|s32}", "rrm"},
    {"redux.sync.{and|or|xor}.b32", "rrm"},
    {"redux.sync.{min|max}{|.abs}{|.NaN}.f32", "ffm"},
    {"activemask.b32", "r"},
    {"elect.sync", "rq|m"},
};

/// One form with its operands, see FormPattern.
struct SupportedForm {
    std::string name;
    std::string operands;
};

/// Appends every text that `pattern` stands for, each after `prefix`.
inline void expand_pattern(const std::string& prefix, std::string_view pattern, std::vector<std::string>& texts) {
    const std::size_t open = pattern.find('{');
    if (open == std::string_view::npos) {
        texts.push_back(prefix + std::string(pattern));
        return;
    }
    const std::size_t close = pattern.find('}', open);
    std::string_view choices = pattern.substr(open + 1, close - open - 1);
    const std::string begun = prefix + std::string(pattern.substr(0, open));
    while (true) {
        const std::size_t bar = choices.find('|');
        expand_pattern(begun + std::string(choices.substr(0, bar)), pattern.substr(close + 1), texts);
        if (bar == std::string_view::npos) return;
        choices.remove_prefix(bar + 1);
    }
}

/// All forms of all patterns.
inline std::vector<SupportedForm> supported_forms() {
    std::vector<SupportedForm> forms;
    for (const FormPattern& pattern : form_patterns) {
        std::vector<std::string> names;
        expand_pattern("", pattern.pattern, names);
        for (const std::string& name : names) forms.push_back({name, std::string(pattern.operands)});
    }
    return forms;
}

}  // namespace lanes::emulator
