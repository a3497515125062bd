#include "form_operands.hpp"

#include <algorithm>
#include <map>

#include "edge_values.hpp"

namespace lanes::emulator::hardware {
namespace {

using Values = std::vector<std::uint64_t>;

/// "add.cc.u32" is {"add", "cc", "u32"}.
std::vector<std::string> parts_of(const std::string& name) {
    std::vector<std::string> parts(1);
    for (const char letter : name) {
        if (letter == '.') {
            parts.emplace_back();
        } else {
            parts.back() += letter;
        }
    }
    return parts;
}

bool contains(const std::vector<std::string>& parts, const std::string& part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
}

bool exchanges_lanes(const std::string& opcode) {
    const std::vector<std::string> opcodes = {"shfl", "vote", "match", "redux", "activemask", "elect"};
    return contains(opcodes, opcode);
}

/// The kind of a source by its register and the form's last type.
ValueKind kind_of(const std::vector<std::string>& parts, const std::string& register_type) {
    const std::string& type = parts.back();
    if (register_type == "pred") return ValueKind::predicate;
    if (register_type == "f32") return ValueKind::f32;
    if (register_type == "f64") return ValueKind::f64;
    if (register_type == "b64") return ValueKind::integer64;
    if (register_type == "b16") {
        if (type == "f16") return ValueKind::f16;
        if (type == "bf16") return ValueKind::bf16;
        return type == "e4m3x2" || type == "e5m2x2" ? ValueKind::float_pair : ValueKind::integer16;
    }
    if (type == "f16x2") return ValueKind::f16_pair;
    if (type == "bf16x2") return ValueKind::bf16_pair;
    if (type == "s16x2" || type == "u16x2") return ValueKind::s16_pair;
    const std::string& opcode = parts.front();
    const bool of_bytes = opcode == "dp4a" || opcode == "dp2a" || (opcode[0] == 'v' && opcode != "vote");
    return of_bytes ? ValueKind::bytes : ValueKind::integer32;
}

/// Values for sources that are no plain numbers, by opcode: one list a source. A source without a list has numbers.
const std::map<std::string, std::vector<Values>>& special_operands() {
    const Values number = edge_values(ValueKind::integer32, Richness::few);
    const Values position = edge_values(ValueKind::shift, Richness::few);
    const Values amount = edge_values(ValueKind::shift, Richness::some);
    const Values two = {0xf0ca96e1u, 0x12345678u};
    static const std::map<std::string, std::vector<Values>> operands = {
        {"shl", {{}, amount}},
        {"shr", {{}, amount}},
        {"shf", {number, number, amount}},
        {"bfe", {{}, position, position}},
        {"bmsk", {amount, amount}},
        {"szext", {{}, amount}},
        {"prmt", {two, {0x89abcdefu, 0x01fe807fu}, edge_values(ValueKind::selector, Richness::some)}},
        {"lop3", {two, {0xccccaaaau, 0x0f0f3c5au}, {0xaaaa5555u, 0x9abcdef0u}}},
        // A base beyond 31 is undefined.
        {"fns",
         {{0, 1, 0x80000001u, 0xf0ca96e1u, 0xffffffffu}, {0, 1, 8, 30, 31}, {0, 1, 2, 33, ~0u, ~0u - 1, ~0u - 31}}},
        {"shfl", {{}, {0, 1, 2, 5, 16, 31, 32, 33}, {0x1f, 0, 0x0f, 0x181f, 0x1c03}}},
    };
    return operands;
}

Values bit_field_insert_operands(std::size_t source, bool wide) {
    const std::uint64_t ones = wide ? ~std::uint64_t{0} : 0xffffffffu;
    if (source == 0) return {0x9abcdef112345678u & ones, ones};
    if (source == 1) return {0x0fedcba987654321u & ones, 0};
    return edge_values(ValueKind::shift, Richness::few);
}

/// For instructions of a warp: one warp of different values, one where all are equal.
Values exchanged_values(ValueKind kind) {
    Values values(FormCase::warp_threads, 0);
    const Values edges = edge_values(kind, Richness::some);
    for (std::size_t lane = 0; lane < FormCase::warp_threads; ++lane) values.push_back(edges[lane % edges.size()]);
    for (std::size_t lane = 0; lane < FormCase::warp_threads; ++lane) values.push_back(edges.back());
    return values;
}

/// 16-bit values for mov of four of them, which are too many to combine.
Values quarter_values() {
    return {0x1234u, 0x8001u, 0xfffeu};
}

Richness richness_for(std::size_t sources) {
    if (sources <= 1) return Richness::many;
    return sources == 2 ? Richness::some : Richness::few;
}

/// The values of one source of a form.
Values values_of(const std::vector<std::string>& parts, const std::string& register_type, std::size_t source,
                 std::size_t sources) {
    const std::string& opcode = parts.front();
    const ValueKind kind = kind_of(parts, register_type);
    if (opcode == "bfi") return bit_field_insert_operands(source, parts.back() == "b64");
    const auto special = special_operands().find(opcode);
    if (special != special_operands().end() && source < special->second.size() && !special->second[source].empty()) {
        return special->second[source];
    }
    if (opcode == "shfl") return edge_values(kind, Richness::some);
    if (exchanges_lanes(opcode)) return exchanged_values(kind);
    if (sources == 4 && opcode == "mov") return quarter_values();
    if (kind == ValueKind::bytes) return edge_values(kind, source < 2 ? Richness::some : Richness::few);
    return edge_values(kind, richness_for(sources));
}

/// Every combination of the lists, the first source changing fastest; then the first ones again, to fill a warp.
void combine(FormCase& form, const std::vector<Values>& lists) {
    form.count = 1;
    for (const Values& list : lists) form.count *= list.size();
    if (lists.empty()) form.count = FormCase::warp_threads;
    const std::size_t warps = (form.count + FormCase::warp_threads - 1) / FormCase::warp_threads;
    for (std::size_t thread = 0; thread < warps * FormCase::warp_threads; ++thread) {
        std::size_t index = thread % form.count;
        for (const Values& list : lists) {
            form.operands.push_back(list[index % list.size()]);
            index /= list.size();
        }
    }
}

FormCase case_of(const SupportedForm& form, const std::string& immediate) {
    FormCase result{form.name + " " + form.operands, FormInstance(form, immediate), false, false, false, 0, 0, 0, {}};
    const bool has_immediate = form.operands.find('i') != std::string::npos;
    if (has_immediate) result.key += " " + immediate;
    const std::vector<std::string> parts = parts_of(form.name);
    const std::string& opcode = parts.front();
    result.takes_carry = opcode == "addc" || opcode == "subc" || opcode == "madc";
    result.gives_carry = contains(parts, "cc");
    result.takes_borrow = opcode == "sub" || opcode == "subc";
    std::vector<std::string> types = result.form.types();
    types.pop_back();  // of the fixture's carry
    types.erase(types.begin(), types.begin() + static_cast<std::ptrdiff_t>(result.form.destinations()));
    // The mask of lanes is the last operand, and not one to combine: all lanes come.
    const bool masked = form.operands.back() == 'm';
    std::vector<Values> lists;
    for (std::size_t source = 0; source < types.size(); ++source) {
        const bool is_mask = masked && source + 1 == types.size();
        lists.push_back(is_mask ? Values{0xffffffffu} : values_of(parts, types[source], source, types.size() - masked));
    }
    if (result.takes_carry) lists.push_back({0, 1});
    result.sources = lists.size();
    result.results = result.form.destinations() + result.gives_carry;
    combine(result, lists);
    return result;
}

std::vector<std::string> immediates_for(const SupportedForm& form) {
    if (form.name != "lop3.b32") return {"5"};
    return {"0x96", "0xe8", "0xca", "0x01", "0x80", "0xfe", "0x3c", "0x1b", "0x00", "0xff"};
}

}  // namespace

std::size_t FormCase::result_bytes(std::size_t result) const {
    if (result >= form.destinations()) return 4;
    const std::string& type = form.types()[result];
    return type == "pred" ? 1 : width_of(type);
}

std::uint32_t FormCase::fingerprint() const {
    // FNV-1a, 64 bits folded to 32.
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const std::uint64_t value : operands) {
        for (unsigned shift = 0; shift < 64; shift += 8) hash = (hash ^ (value >> shift & 0xffu)) * 0x100000001b3u;
    }
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

const std::vector<IncomparableForm>& incomparable_forms() {
    static const std::vector<IncomparableForm> forms = {
        {"cvta", "", "an address is the device's own"},
        {"isspacep", "", "an address is the device's own"},
        {"shfl.up", "", "without .sync for GPUs before compute capability 7.0 only"},
        {"shfl.down", "", "without .sync for GPUs before compute capability 7.0 only"},
        {"shfl.bfly", "", "without .sync for GPUs before compute capability 7.0 only"},
        {"shfl.idx", "", "without .sync for GPUs before compute capability 7.0 only"},
        {"vote.all", "", "without .sync for GPUs before compute capability 7.0 only"},
        {"vote.any", "", "without .sync for GPUs before compute capability 7.0 only"},
        {"vote.uni", "", "without .sync for GPUs before compute capability 7.0 only"},
        {"vote.ballot", "", "without .sync for GPUs before compute capability 7.0 only"},
        {"redux", ".f32", "of compute capability 10.0, not 9.0"},
        {"cvt.rn", ".satfinite.tf32", "of compute capability 10.0, not 9.0"},
        {"cvt.rz", ".satfinite.tf32", "of compute capability 10.0, not 9.0"},
    };
    return forms;
}

const IncomparableForm* find_incomparable(const SupportedForm& form) {
    for (const IncomparableForm& entry : incomparable_forms()) {
        const bool begins = form.name.rfind(std::string(entry.opcode) + ".", 0) == 0;
        if (begins && form.name.find(entry.modifier) != std::string::npos) return &entry;
    }
    return nullptr;
}

std::vector<FormCase> form_cases() {
    std::vector<FormCase> cases;
    for (const SupportedForm& form : supported_forms()) {
        if (find_incomparable(form) != nullptr) continue;
        for (const std::string& immediate : immediates_for(form)) cases.push_back(case_of(form, immediate));
    }
    return cases;
}

}  // namespace lanes::emulator::hardware
