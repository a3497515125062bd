/// @file
/// @brief A parsed PTX module: what the text says, names resolved, nothing decided yet.
///
/// The parser turns text into this; `decode` turns this into operations on 32-wide register rows.
#pragma once

#include <lanes/emulator/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanes::emulator::ptx {

/// Fundamental types of the PTX ISA, section 5.2.
enum class Type : std::uint8_t {
    none,    ///< no type
    pred,    ///< one bit a lane
    b8,      ///< 8 bits
    b16,     ///< 16 bits
    b32,     ///< 32 bits
    b64,     ///< 64 bits
    b128,    ///< 128 bits
    u8,      ///< unsigned integer of 8 bits
    u16,     ///< unsigned integer of 16 bits
    u32,     ///< unsigned integer of 32 bits
    u64,     ///< unsigned integer of 64 bits
    s8,      ///< signed integer of 8 bits
    s16,     ///< signed integer of 16 bits
    s32,     ///< signed integer of 32 bits
    s64,     ///< signed integer of 64 bits
    f16,     ///< IEEE half
    f16x2,   ///< two halves
    bf16,    ///< the upper half of a float
    bf16x2,  ///< two of them
    f32,     ///< float
    f64      ///< double
};

/// Size of a value of the type in bytes; 0 for `pred` and `none`.
std::uint32_t size_of(Type type);
/// Type named by a modifier such as "u32", or Type::none.
Type type_from_name(std::string_view name);
/// The PTX spelling, such as "u32".
std::string_view name_of(Type type);

/// State spaces.
enum class Space : std::uint8_t {
    generic,   ///< an address whose space is only known when the program runs
    global,    ///< device memory
    constant,  ///< `.const`
    shared,    ///< of a block
    local,     ///< of a thread
    param      ///< of a kernel's or a function's parameters and returned values
};

/// One frame of a source position. `inlined_at` is an index into Module::locations, -1 for the outermost frame.
struct Location {
    std::uint32_t file = 0;        ///< number given by a `.file` directive: see Module::file_name
    std::uint32_t line = 0;        ///< 1-based
    std::uint32_t column = 0;      ///< 1-based, 0 if unknown
    std::int32_t inlined_at = -1;  ///< less than the frame's own index
};

/// A register of a function. Registers are scoped by `{}` in PTX; here each declaration has its own index.
struct Register {
    std::string name;        ///< "%r12", or "v.x" of a vector register v
    Type type = Type::none;  ///< as declared
};

/// What an operand of an instruction is.
enum class OperandKind : std::uint8_t {
    reg,  ///< a register, `index` into Function::registers; `name` is a selector such as "b0" of video instructions
    immediate,  ///< a number: `bits` holds the integer value, or the bit pattern of a 0f/0d literal
    special,    ///< a special register: `name` is "%tid.x", "%laneid", ...
    address,    ///< [base + offset]; base: register (`index` >= 0) or symbol (`name`), or neither. `elements`: what
                ///< follows a comma in the brackets (coordinates of a texture or tensor)
    symbol,  ///< a variable or function by `name` (mov of an address, call target, `.param` of a call), plus `offset`
    label,   ///< a branch target, `index` into Function::body; of brx.idx, into Function::branch_targets
    vector,  ///< {a, b, ...} in `elements`
    discard  ///< `_`
};

/// One operand.
struct Operand {
    OperandKind kind = OperandKind::discard;  ///< says what the other members mean
    std::int32_t index = -1;                  ///< of a register or label; -1 if there is none
    std::uint64_t bits = 0;                   ///< of an immediate
    std::int64_t offset = 0;                  ///< in bytes, of an address or symbol
    bool is_float = false;  ///< an immediate written 0f..., 0d... or as a decimal fraction (then `bits` is an f64)
    Type literal_type = Type::none;  ///< f32 for 0f..., f64 for 0d... and decimal fractions, s64 or u64 otherwise
    bool negated = false;            ///< `!%p` or `-%r` in front of the operand
    std::string name;                ///< of a symbol, special register or label
    std::vector<Operand> elements;   ///< of a vector
};

/// One instruction: `@!%p1 ld.global.v4.f32 {...}, [%rd1+16];`
///
/// `operands` are in the order of the text. `d|p` (setp, shfl, match) gives two operands, d then p, and `dual` is true.
/// A call has: operands[0] a vector of return symbols (maybe empty), operands[1] the target, operands[2] a vector of
/// argument symbols or registers (maybe empty).
struct Instruction {
    std::string opcode;                  ///< "ld", "setp", "bra": up to the first dot
    std::vector<std::string> modifiers;  ///< "global", "v4", "f32": without dots, in order
    std::vector<Operand> operands;       ///< in the order of the text
    std::int32_t guard = -1;             ///< predicate register of `@%p`, -1 if none
    bool guard_negated = false;          ///< `@!%p`
    bool dual = false;                   ///< operands 0 and 1 were written d|p
    std::int32_t location = -1;          ///< index into Module::locations, -1 if there is no line information
    std::uint32_t text_line = 0;         ///< line of the PTX text, 1-based

    /// True if `modifier` (without a dot) is one of the modifiers.
    bool has(std::string_view modifier) const;
    /// The last modifier that names a type: the type of the operation.
    Type type() const;
};

/// A part of a variable's initial value that is the address of another symbol: the low `bytes` bytes of
/// (address + addend) >> shift, stored at `offset`.
struct SymbolReference {
    std::uint64_t offset = 0;  ///< from the start of the variable
    std::string symbol;        ///< a variable or function of the module
    std::int64_t addend = 0;   ///< in bytes
    bool generic = false;      ///< written generic(symbol)
    std::uint32_t bytes = 8;   ///< size of the element it initialises
    std::uint32_t shift = 0;   ///< of a mask form: 8 for 0xFF00(symbol)
};

/// A variable in memory, of a module or of a function.
///
/// The variables of one function have names of their own: where PTX declares `param0` in several scopes, the second is
/// called "param0.2", as is a variable that hides one of the module. Operands use these names.
struct Variable {
    std::string name;                         ///< as in PTX, or made unique
    Space space = Space::global;              ///< where it lives
    Type element = Type::none;                ///< type of one element
    std::uint64_t bytes = 0;                  ///< 0 for `extern .shared x[]`
    std::uint32_t alignment = 1;              ///< in bytes, a power of two
    bool external = false;                    ///< `.extern`: defined elsewhere, or dynamic shared memory
    bool visible = false;                     ///< `.visible`: other modules may refer to it
    bool weak = false;                        ///< `.weak` or `.common`: any one of several definitions will do
    bool managed = false;                     ///< `.attribute(.managed)`
    std::vector<std::uint8_t> initial;        ///< empty: zeros; otherwise all `bytes` of them
    std::vector<SymbolReference> references;  ///< addresses to put into `initial`
};

/// A kernel or a device function.
struct Function {
    std::string name;                  ///< as in PTX: mangled for C++
    bool kernel = false;               ///< `.entry`
    bool external = false;             ///< declared, not defined here
    bool visible = false;              ///< `.visible`: other modules may call it
    bool weak = false;                 ///< `.weak`: any one of several definitions will do
    std::vector<Variable> returns;     ///< space param
    std::vector<Variable> parameters;  ///< space param, in order
    std::vector<Register> registers;   ///< of all its scopes
    std::vector<Variable> variables;   ///< shared, local and call-site param variables declared in the body
    std::vector<Instruction> body;     ///< labels are indices into it; body.size() is the end
    std::vector<std::vector<std::int32_t>> branch_targets;  ///< of brx.idx: operand `index` selects one list
    std::uint32_t required_threads[3] = {0, 0, 0};          ///< .reqntid, 0 if absent
    std::uint32_t maximum_threads[3] = {0, 0, 0};           ///< .maxntid, 0 if absent
    std::uint32_t minimum_blocks = 0;                       ///< .minnctapersm
    std::uint32_t required_cluster[3] = {0, 0, 0};          ///< .reqnctapercluster in blocks, 0 if absent
};

/// A file of `.file`.
struct File {
    std::uint32_t number = 0;  ///< what Location::file refers to
    std::string name;          ///< a path
};

/// A whole PTX module. `files` are ordered by number, one of each. A function declared several times is there once.
struct Module {
    std::uint32_t version_major = 0;  ///< 8 of `.version 8.7`
    std::uint32_t version_minor = 0;  ///< 7 of `.version 8.7`
    std::uint32_t target = 0;         ///< 89 for sm_89
    std::vector<Variable> variables;  ///< of the module, and `.global` and `.const` ones of its functions
    std::vector<Function> functions;  ///< in the order of their first declaration
    std::vector<File> files;          ///< of `.file`
    std::vector<Location> locations;  ///< all different

    /// Name of a `.file`, or nullptr.
    const std::string* file_name(std::uint32_t number) const;
};

/// Parses PTX text.
///
/// @param text  the module; a trailing NUL is allowed
/// @return the module, or an error that names the line and quotes it
Result<Module> parse(std::string_view text);

}  // namespace lanes::emulator::ptx
