/// @file
/// @brief What a name means at a point of the text: PTX names are scoped by `{}`.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanes::emulator::ptx {

/// A name's number: equal names have equal numbers.
using NameId = std::uint32_t;

/// What a name stands for.
enum class NameKind : std::uint8_t {
    none,
    reg,              ///< `index` into Function::registers
    vector_register,  ///< `count` registers from `index` on
    parameter,        ///< of the function: a parameter or a returned value; `count` is the size of an element
    variable,         ///< `index` into Function::variables, `count` the size of an element
    global,           ///< `index` into Module::variables, `count` the size of an element
    function          ///< `index` into Module::functions
};

/// What a name stands for, and since when.
struct Binding {
    NameKind kind = NameKind::none;
    std::uint32_t index = 0;
    std::uint32_t count = 0;
    std::uint32_t scope = 0;  ///< depth of the scope that declared it; 0 is the module
    std::uint32_t order = 0;  ///< the greater was declared later
};

/// The table of names. Names are views into the text and live as long as it.
class Names {
public:
    Names() : scopes_(1) {}

    NameId intern(std::string_view name);
    std::string_view text(NameId id) const { return entries_[id].text; }

    void open_scope() { scopes_.emplace_back(); }
    /// Forgets what the scope declared.
    void close_scope();
    std::uint32_t depth() const { return static_cast<std::uint32_t>(scopes_.size() - 1); }

    /// Declares a name in the current scope; false if the scope has it already.
    bool declare(NameId id, NameKind kind, std::uint32_t index, std::uint32_t count = 1);
    /// Declares the registers base0 ... base(count-1), as `.reg .b32 base<count>` does.
    bool declare_range(NameId base, std::uint32_t index, std::uint32_t count);
    /// Declares or replaces a name of the module.
    void bind_global(NameId id, NameKind kind, std::uint32_t index, std::uint32_t count = 1);

    /// What the name means here: the innermost declaration. A member of a range is found as a register.
    Binding find(NameId id) const;

    /// Number of times this was called for the name since the last reset_uses: 1 for the first.
    std::uint32_t count_use(NameId id);
    /// Starts counting anew, for the next function.
    void reset_uses() { ++uses_epoch_; }

private:
    struct Entry {
        std::string_view text;
        Binding own;
        std::vector<Binding> ranges;  ///< of the registers this name is the base of, the innermost last
        std::uint32_t uses = 0;
        std::uint32_t uses_epoch = 0;
    };
    struct Scope {
        std::vector<std::pair<NameId, Binding>> hidden;  ///< what its names meant before
        std::vector<NameId> ranges;                      ///< bases of the ranges it declared
    };

    const Binding* find_range(std::string_view base, std::uint32_t number) const;
    Binding find_in_range(std::string_view name) const;

    std::unordered_map<std::string_view, NameId> ids_;
    std::vector<Entry> entries_;
    std::vector<Scope> scopes_;
    std::uint32_t order_ = 0;
    std::uint32_t uses_epoch_ = 1;
};

}  // namespace lanes::emulator::ptx
