/// @file
/// @brief Labels and the references to them, which may come first.
#pragma once

#include "ptx_names.hpp"
#include "ptx_reader.hpp"

#include <lanes/emulator/ptx.hpp>

#include <cstdint>
#include <vector>

namespace lanes::emulator::ptx {

/// What a label marks.
enum class LabelKind : std::uint8_t {
    instruction,  ///< `index` into Function::body
    table,        ///< of `.branchtargets`: `index` into Function::branch_targets
    prototype     ///< of `.callprototype` or `.calltargets`
};

/// Resolves labels when their scope ends: by then all of them are known. A reference that its own scope cannot resolve
/// waits for the scope around it.
class Labels {
public:
    explicit Labels(Names& names) : names_(names) {}

    void open_scope() { scopes_.emplace_back(); }
    /// Resolves what it can; fails on a label that is there twice.
    bool close_scope(Reader& reader, Function& function);
    /// Fails if references are left after the last scope.
    bool finish(Reader& reader);

    void define(const Token& name, LabelKind kind, std::uint32_t index);
    /// Operand `operand` of instruction `instruction` names a label of this kind.
    void refer(const Token& name, LabelKind kind, std::uint32_t instruction, std::uint32_t operand);
    /// Entry `entry` of table `table` names an instruction.
    void refer_from_table(const Token& name, std::uint32_t table, std::uint32_t entry);

private:
    struct Label {
        Token token;
        NameId name;
        LabelKind kind;
        std::uint32_t index;
    };
    struct Reference {
        Token token;
        NameId name;
        LabelKind wanted;
        bool from_table;
        std::uint32_t holder;  ///< instruction or table
        std::uint32_t place;   ///< operand or entry
    };
    struct Scope {
        std::vector<Label> labels;
        std::vector<Reference> references;
    };
    /// The label of a name in the scope that is being closed.
    struct Mark {
        std::uint32_t closing = 0;
        const Label* label = nullptr;
    };

    bool mark(Reader& reader, const Scope& scope);
    static bool resolve(Reader& reader, const Reference& reference, const Label& label, Function& function);
    Mark& mark_of(NameId name);

    Names& names_;
    std::vector<Scope> scopes_;
    std::vector<Mark> marks_;  ///< by NameId
    std::vector<Reference> unresolved_;
    std::uint32_t closing_ = 0;
};

}  // namespace lanes::emulator::ptx
