/// @file
/// @brief The emulator's inside: decoded operations, a warp's registers, a block, and how handlers see them.
///
/// A warp's registers are rows: 32 values side by side, so one dispatch serves 32 lanes and the compiler vectorises the
/// inner loop. A row of 16-bit registers is 64 bytes, of 32-bit ones 128, of 64-bit ones 256. A predicate register is
/// a LaneMask, one bit a lane. Immediates and special registers are rows too, so handlers see rows only.
#pragma once

#include "memory_recent.hpp"

#include <lanes/emulator/emulator.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanes::emulator {

inline constexpr unsigned warp_size = 32;
/// Bit i stands for lane i.
using LaneMask = std::uint32_t;
inline constexpr LaneMask all_lanes = 0xffffffffu;
/// Byte offset of a row in a warp's register file.
using Slot = std::uint32_t;
inline constexpr Slot no_slot = 0xffffffffu;

struct AsyncCopies;  // pending cp.async of a warp: memory_async.hpp
struct LaneAccess;   // where the lanes of an access go: memory_access.hpp
struct Operation;
struct Warp;

/// Executes a data operation for `lanes` (active and not predicated off, never 0). Lanes outside keep their values.
/// A handler that finds a fault calls `raise` and returns.
using Execute = void (*)(Warp& warp, const Operation& operation, LaneMask lanes);

/// What the interpreter loop does with an operation.
enum class Flow : std::uint8_t {
    data,          ///< call `execute`, go on
    branch,        ///< target, reconvergence
    branch_index,  ///< brx.idx
    call,
    call_return,    ///< ret in a device function
    exit,           ///< exit, ret in a kernel
    barrier,        ///< bar/barrier .sync .arrive .red
    warp_barrier,   ///< bar.warp.sync
    warp_exchange,  ///< shfl, vote, match, redux .sync: needs its member mask complete, then `execute`
    trap,
    unsupported
};

/// What a memory operation orders. `volatile` and `.mmio` count as relaxed: they are strong, but order nothing else.
enum class MemoryOrder : std::uint8_t { weak, relaxed, acquire, release, acquire_release };

/// Offsets in a block's shared memory.
struct SharedRange {
    std::uint32_t begin = 0;
    std::uint32_t end = 0xffffffffu;  ///< behind the last byte; of dynamic shared memory, the end of all
    bool operator==(const SharedRange&) const = default;
};

/// One decoded instruction.
struct Operation {
    Execute execute = nullptr;
    Flow flow = Flow::data;
    bool guard_negated = false;
    std::uint8_t width = 0;     ///< bytes of one element of a memory access
    std::uint8_t elements = 1;  ///< elements of a vector access
    Slot guard = no_slot;       ///< predicate row, no_slot if unconditional
    Slot destination = no_slot;
    Slot destination2 = no_slot;  ///< the p of d|p, or the carry-out
    std::array<Slot, 4> source{no_slot, no_slot, no_slot, no_slot};
    std::int64_t immediate = 0;             ///< offset of an address, or a constant of the handler
    std::uint32_t target = 0;               ///< branch target: index of an operation
    std::uint32_t reconvergence = 0;        ///< immediate post-dominator of a branch: index of an operation
    std::uint32_t extra = 0;                ///< index into a side table (vector slots, calls, messages)
    std::uint32_t line = 0;                 ///< index into Program::lines
    std::uint32_t index = 0;                ///< its own index: where its counts go
    MemoryOrder order = MemoryOrder::weak;  ///< of a memory operation: from Selection::order
    bool waits = false;                     ///< a branch back over an operation that may wait for other threads
    std::uint8_t value_bytes = 0;           ///< of a store: bytes of a lane's value in the row of each element
    SharedRange variable{};                 ///< the shared variable that an access must stay in, if that is known
};

/// Counts kept for each operation while a launch runs; added up by source line at its end.
using OperationCounters = std::vector<CounterSet>;

struct Block;

/// A warp while it runs. Control state (groups of lanes, joins) lives in warp.hpp; handlers need only this.
struct Warp {
    std::byte* registers = nullptr;  ///< 64-byte aligned
    Block* block = nullptr;
    std::uint32_t index = 0;         ///< in the block
    LaneMask live = 0;               ///< lanes that have not exited
    CounterSet* counters = nullptr;  ///< of the operation being executed
    std::byte* local = nullptr;      ///< 32 lanes of local memory, `local_stride` bytes apart
    std::uint64_t local_stride = 0;
    std::uint64_t local_bytes = 0;              ///< of local memory that a lane may touch
    std::shared_ptr<AsyncCopies> async_copies;  ///< made by the warp's first cp.async; a new warp starts without

    template <typename T>
    T* row(Slot slot) {
        return reinterpret_cast<T*>(registers + slot);
    }
    LaneMask& predicate(Slot slot) { return *reinterpret_cast<LaneMask*>(registers + slot); }
};

/// Address windows of generic addresses. Global addresses are host addresses; these ranges are no host addresses.
inline constexpr std::uint64_t shared_window = 0xffff'0000'0000'0000ull;
inline constexpr std::uint64_t local_window = 0xfffe'0000'0000'0000ull;
inline constexpr std::uint64_t window_bytes = std::uint64_t{1} << 32;

/// Where an access stands in the life of a cp.async. Its shared write may happen at any moment from `issued` to
/// `completed`; the emulator makes it visible at `completed`, the wait.
enum class AsyncPhase : std::uint8_t { none, issued, completed };

/// The addresses of all 32 lanes of an access, if they lie in rows: the lanes of a row, neighbours by number, touch
/// addresses side by side, or all the same one. A warp of a block 32 threads wide makes one row, of a block 16 wide
/// two.
struct LaneRows {
    std::uint32_t count = 0;  ///< 1, 2 or 4 rows of 32, 16 or 8 lanes; 0: the addresses are in no such order
    std::uint64_t step = 0;   ///< distance of neighbours in a row: the access's size, or 0
    std::array<std::uint64_t, 4> first{};  ///< address of each row's first lane

    bool exist() const { return count != 0; }
    unsigned lanes() const { return warp_size >> shift(); }
    std::uint64_t last(std::uint32_t row) const { return first[row] + (lanes() - 1) * step; }
    std::uint64_t of(unsigned lane) const { return first[lane >> (5 - shift())] + (lane & (lanes() - 1)) * step; }

private:
    unsigned shift() const { return count >> 1; }  // the logarithm of the count
};

/// One memory access of one warp, for whoever watches.
struct Access {
    const Warp& warp;
    const Operation& operation;
    ptx::Space space;  ///< global, shared or local
    bool reads;
    bool writes;
    bool atomic;
    std::uint32_t bytes;  ///< a lane's bytes, vector included
    LaneMask lanes;
    LaneAccess& located;
    AsyncPhase phase = AsyncPhase::none;
    LaneRows rows{};  ///< the addresses, if they lie in rows

    /// The addresses, one for each lane; offsets from the window for shared and local memory. Lanes that do not take
    /// part have that of the first one that does. Rows are quicker to look at.
    const std::uint64_t* addresses() const;
};

struct BlockBarrier;  // barrier.hpp

/// Watches a block's accesses and barriers: the checks for races and unset memory are observers.
class Observer {
public:
    virtual ~Observer() = default;
    /// The block's threads are about to start; its shared memory is unset.
    virtual void on_block_start(Block&) {}
    /// Before the access takes place.
    virtual void on_access(const Access& access) = 0;
    /// Threads have met at barrier `number`: those that `barrier` says wait, and any that only arrived.
    virtual void on_block_barrier(Block& block, const BlockBarrier& barrier, std::uint32_t number) = 0;
    /// Lanes of the warp arrived at the barrier of that number without waiting.
    virtual void on_barrier_arrival(Warp&, std::uint32_t) {}
    /// Lanes of one warp have synchronised.
    virtual void on_warp_barrier(Warp& warp, LaneMask lanes) = 0;
    /// Lanes of the warp executed a fence.
    virtual void on_fence(Warp&) {}
};

class CheckSession;  // check_session.hpp

/// What the launch's workers share.
struct LaunchState {
    const Kernel& kernel;
    const Program& program;
    const LaunchConfig& config;
    DeviceMemory& memory;
    std::atomic<bool> stop{false};  ///< set by the first error
    /// Number of the lowest block with an error: lower ones run to their end, so that which error is reported does not
    /// depend on the number of workers.
    std::atomic<std::uint64_t> failed_block{~std::uint64_t{0}};
    Mutex mutex{};  ///< guards what follows
    std::vector<Fault> faults{};
    LaunchStatus status = LaunchStatus::success;
    Mutex print_mutex{};             ///< held while LaunchConfig::print runs
    CheckSession* checks = nullptr;  ///< of this launch
    std::uint64_t workspace = 0;     ///< of a cooperative launch: where its blocks count who has come to grid.sync()
};

/// A block while it runs, on one worker.
struct Block {
    LaunchState* launch = nullptr;
    Dim3 index{0, 0, 0};
    std::byte* shared = nullptr;
    std::uint32_t shared_bytes = 0;  ///< static and dynamic, and what the program needs of the system's own
    std::vector<Observer*> observers;
    RecentAccesses recent;      ///< speeds up the next accesses; best kept from block to block of one worker
    std::uint64_t number = 0;   ///< x + grid.x * (y + grid.y * z)
    std::uint32_t threads = 0;  ///< of each block of the launch
    bool stopped = false;       ///< an error was raised in this block
};

/// Reports a fault of `lane` at `operation`. Adds kernel, block, thread and source line to the message, merges repeats,
/// and stops the launch if the severity is error. `what` is the part after the position:
/// "write of 4 bytes at 0x... is 4 bytes past the end of a 400-byte allocation".
void raise(Warp& warp, const Operation& operation, unsigned lane, FaultKind kind, Severity severity, std::string what,
           const Operation* other = nullptr);

/// A source position of an operation: the innermost frame in the user's own files.
struct SourceLine {
    std::string file;
    std::uint32_t line = 0;
};

/// A shared variable of a kernel, for messages ("As[4][0]" is beyond PTX; "As + 144 bytes" is not).
struct SharedVariable {
    std::string name;
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
};

/// A row that holds the same value in every lane of every warp.
struct ConstantRow {
    Slot slot = no_slot;
    std::uint32_t width = 4;  ///< bytes of a lane's value: 2, 4 or 8; 0 for a predicate, true if `bits` is not 0
    std::uint64_t bits = 0;
};

/// Special registers a program reads, with the row that holds them. Filled when a warp starts.
struct SpecialRow {
    Slot slot = no_slot;
    std::string name;         ///< "%tid.x"
    std::uint32_t width = 4;  ///< bytes of a lane's value, as in ConstantRow
};

/// What the emulator itself does instead of a device function that has no PTX.
enum class Builtin : std::uint8_t { none, vprintf, assertfail, malloc, free };

/// Where a parameter or a return value of a device function lies in its frame of local memory.
struct FramePart {
    std::uint32_t offset = 0;
    std::uint32_t bytes = 0;
};

/// The row of one register.
struct RegisterRow {
    Slot slot = no_slot;
    std::uint32_t width = 4;  ///< bytes of a lane's value, as in ConstantRow
};

/// A function of a Program. Its registers have rows of their own, and its frame of local memory a place of its own:
/// lanes that are in the same function at different times use different columns. Only a function that can be in one
/// lane twice needs more: a call saves its rows, and its frame lies on the lane's stack, where `frame_base` says.
struct ProgramFunction {
    std::string name;
    std::uint32_t begin = 0;  ///< first operation
    std::uint32_t end = 0;    ///< behind its last operation
    bool recursive = false;
    std::vector<RegisterRow> rows;  ///< of its registers, if recursive
    Slot frame_base = no_slot;      ///< 64-bit row: where the lane's frame begins; no_slot if it begins at 0
    std::uint32_t frame_bytes = 0;  ///< of one activation, if recursive
    std::vector<FramePart> parameters;
    std::vector<FramePart> returns;
    std::uint64_t address = 0;  ///< what a pointer to it holds
};

/// A value that a call hands over: from the frame of one function to that of another, or from a row.
struct CallArgument {
    FramePart place;     ///< in the caller's frame
    Slot row = no_slot;  ///< if not no_slot: the value is in this row and `place.bytes` wide
};

/// A call of a Program.
struct CallSite {
    std::int32_t function = -1;  ///< index into Program::functions; -1: by the address in row `target`
    Builtin builtin = Builtin::none;
    Slot target = no_slot;
    std::uint32_t caller = 0;  ///< index into Program::functions
    std::vector<CallArgument> arguments;
    std::vector<CallArgument> returns;
};

/// A decoded kernel with every device function it can call.
struct Program {
    std::vector<Operation> operations;
    std::vector<SourceLine> lines;
    std::vector<std::vector<Slot>> vectors;  ///< slots of vector operands
    std::vector<std::string> messages;       ///< of unsupported operations
    std::vector<ConstantRow> constants;
    std::vector<SpecialRow> specials;
    std::vector<RegisterRow> unset_rows;  ///< of registers that may be read before they are written
    std::vector<SharedVariable> shared_variables;
    std::uint32_t register_bytes = 0;        ///< of one warp's register file
    std::vector<ProgramFunction> functions;  ///< the kernel first
    std::vector<CallSite> calls;
    std::vector<std::vector<std::uint32_t>> branch_lists;  ///< operations that a brx.idx chooses from
    std::uint32_t static_shared_bytes = 0;
    std::uint32_t dynamic_shared_offset = 0;  ///< where dynamic shared memory begins
    std::uint32_t reserved_shared_bytes = 0;  ///< shared memory of the system that the program asks for by its address
    std::uint32_t local_bytes = 0;            ///< frames that have a place of their own
    std::uint32_t stack_bytes = 0;            ///< behind them: a thread's frames of recursive functions
};

/// How an arithmetic or warp-exchange instruction is executed: chosen once, when the kernel is decoded.
struct Selection {
    Execute execute = nullptr;
    Flow flow = Flow::data;                   ///< data or warp_exchange
    ptx::Type destination = ptx::Type::none;  ///< type of the row written; none if there is none
    std::array<ptx::Type, 4> source{};      ///< row type each source operand must have; an immediate becomes such a row
    std::int64_t immediate = 0;             ///< goes to Operation::immediate
    bool reads_carry = false;               ///< addc, subc, madc: the carry row is the last source
    bool writes_carry = false;              ///< .cc: the carry row is destination2
    MemoryOrder order = MemoryOrder::weak;  ///< goes to Operation::order
};

/// Chooses the handler of an arithmetic, logic, comparison, selection, conversion, bit, mov/cvta between registers, or
/// shfl/vote/match/redux/activemask instruction.
///
/// Operands of the Operation it will be called with: destination, destination2 (the p of d|p), and sources in the order
/// of the text. `registers` are the function's, for widths that differ from the instruction's type.
/// @return the selection, or an error that names the unsupported form, such as "wmma.mma.sync.aligned..."
Result<Selection> select_arithmetic(const ptx::Instruction& instruction, const std::vector<ptx::Register>& registers);

/// Chooses the handler of ld, ldu, st, atom, red, prefetch, fence, membar, cp.async, ldmatrix, mbarrier and their kin.
///
/// Operands of the Operation it will be called with: a scalar destination goes to `destination` (no_slot for `_`).
/// Every other operand takes the next source in the order of the text: an address its base row (no_slot if the address
/// is a constant), a register or immediate its row, of the type in Selection::source. So a load has source[0] =
/// address, a store or red source[0] = address and source[1] = value, cas source[1..2], cp.async source[0] = shared
/// destination, source[1] = global source. `immediate` is the offset of the first address (a symbol's address is part
/// of it), `target` that of a second one (as int32). A vector operand, loaded or stored, takes no source: its slots are
/// `vectors[extra]`, no_slot for `_`. `width` and `elements` are set by the decoder.
///
/// Addresses are offsets from 0 in .shared, .local and .param (of a kernel: into LaunchConfig::parameters); device
/// addresses in .global and .const. The .param space of a device function is the core's: it decodes such an ld or st
/// as one in .local. Block::shared and Warp::local are aligned to 16 bytes at least, as is Warp::local_stride.
Result<Selection> select_memory(const ptx::Instruction& instruction, const std::vector<ptx::Register>& registers);

}  // namespace lanes::emulator
