#include "ptx_labels.hpp"

#include <string>
#include <utility>

namespace lanes::emulator::ptx {

namespace {

std::string quoted(const Token& token) {
    return '"' + std::string(token.text.substr(0, 80)) + '"';
}

}  // namespace

void Labels::define(const Token& name, LabelKind kind, std::uint32_t index) {
    scopes_.back().labels.push_back({name, names_.intern(name.text), kind, index});
}

void Labels::refer(const Token& name, LabelKind kind, std::uint32_t instruction, std::uint32_t operand) {
    scopes_.back().references.push_back({name, names_.intern(name.text), kind, false, instruction, operand});
}

void Labels::refer_from_table(const Token& name, std::uint32_t table, std::uint32_t entry) {
    scopes_.back().references.push_back({name, names_.intern(name.text), LabelKind::instruction, true, table, entry});
}

Labels::Mark& Labels::mark_of(NameId name) {
    if (marks_.size() <= name) marks_.resize(name + std::size_t{1});
    return marks_[name];
}

bool Labels::mark(Reader& reader, const Scope& scope) {
    ++closing_;
    for (const Label& label : scope.labels) {
        Mark& mark = mark_of(label.name);
        if (mark.closing == closing_)
            return reader.fail_at(label.token, "label " + quoted(label.token) + " is there twice");
        mark = {closing_, &label};
    }
    return true;
}

bool Labels::close_scope(Reader& reader, Function& function) {
    const Scope scope = std::move(scopes_.back());
    scopes_.pop_back();
    if (!mark(reader, scope)) return false;
    std::vector<Reference>& around = scopes_.empty() ? unresolved_ : scopes_.back().references;
    for (const Reference& reference : scope.references) {
        const Mark& mark = mark_of(reference.name);
        if (mark.closing != closing_)
            around.push_back(reference);
        else if (!resolve(reader, reference, *mark.label, function))
            return false;
    }
    return true;
}

bool Labels::resolve(Reader& reader, const Reference& reference, const Label& label, Function& function) {
    if (label.kind != reference.wanted)
        return reader.fail_at(reference.token, quoted(reference.token) + (reference.wanted == LabelKind::table
                                                                              ? " is not a list of .branchtargets"
                                                                              : " does not mark an instruction"));
    const auto index = static_cast<std::int32_t>(label.index);
    if (reference.from_table)
        function.branch_targets[reference.holder][reference.place] = index;
    else
        function.body[reference.holder].operands[reference.place].index = index;
    return true;
}

bool Labels::finish(Reader& reader) {
    if (unresolved_.empty()) return true;
    const Token token = unresolved_.front().token;
    return reader.fail_at(token, quoted(token) + " is not declared");
}

}  // namespace lanes::emulator::ptx
