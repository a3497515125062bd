#include "reference.hpp"

#include "text_table.hpp"

#include <lanes/emulator/checks.hpp>
#include <lanes/emulator/counters.hpp>
#include <lanes/emulator/fault.hpp>

#include <string_view>

namespace lanes {

namespace {

using emulator::Check;
using emulator::FaultKind;

struct CheckMeaning {
    std::string_view name;
    bool is_default;
    std::string_view meaning;
};

bool is_default(Check check) {
    return emulator::Checks::all().has(check);
}

const CheckMeaning check_meanings[] = {
    {"race_shared", is_default(Check::race_shared), "two threads use the same shared bytes, one writes, in no order"},
    {"race_global", is_default(Check::race_global), "the same in device memory, within and between blocks"},
    {"uninitialized_read", is_default(Check::uninitialized_read), "shared or device memory read before it is written"},
    {"same_value_writes", is_default(Check::same_value_writes), "races also where both threads write the same value"},
    {"leaks", is_default(Check::leaks), "device memory that is not freed when the process ends"},
};

struct FaultMeaning {
    FaultKind kind;
    std::string_view severity;
    std::string_view meaning;
};

constexpr FaultMeaning fault_meanings[] = {
    {FaultKind::race_shared, "error", "two threads use the same shared bytes, one writes, and nothing orders them"},
    {FaultKind::race_global, "error", "the same in device memory"},
    {FaultKind::out_of_bounds, "error", "an access outside of every allocation, or of a shared variable"},
    {FaultKind::use_after_free, "error", "an access to device memory that was freed"},
    {FaultKind::misaligned, "error", "an address that is no multiple of the access's size"},
    {FaultKind::uninitialized_read, "error", "a read or an atomic of memory that nothing has written"},
    {FaultKind::barrier_divergence, "error", "a barrier that not all of a warp, or of a block, reach"},
    {FaultKind::barrier_after_exit, "warning", "a barrier that goes on without threads that have returned"},
    {FaultKind::invalid_mask, "error", "a member mask without the lane itself, or with lanes that never come"},
    {FaultKind::deadlock, "error", "nothing can go on, and no barrier is the reason"},
    {FaultKind::instruction_budget, "error", "a warp has executed more instructions than --budget allows"},
    {FaultKind::invalid_launch, "error", "a launch that was refused, also if the program handles the error"},
    {FaultKind::assertion, "error", "assert() failed in a kernel"},
    {FaultKind::trap, "error", "a kernel executed __trap()"},
    {FaultKind::unsupported, "error", "PTX that the emulator does not have, such as textures"},
};

}  // namespace

std::string counter_table() {
    constexpr std::size_t text_columns = 3;
    TextTable table({"counter", "trust", "what is counted"}, text_columns);
    for (std::size_t i = 0; i < emulator::counter_count; ++i) {
        const emulator::CounterInfo& counter = emulator::info(static_cast<emulator::Counter>(i));
        const bool is_exact = counter.exactness == emulator::Exactness::exact;
        table.add({std::string(counter.name), is_exact ? "exact" : "PTX", std::string(counter.description)});
    }
    return table.text() +
           "exact: what the hardware's counter of this name says. PTX: counted on PTX, of which the hardware executes "
           "a\n"
           "translation with other instructions.\n";
}

std::string check_table() {
    constexpr std::size_t text_columns = 3;
    TextTable table({"check", "default", "what it finds"}, text_columns);
    for (const CheckMeaning& check : check_meanings)
        table.add({std::string(check.name), check.is_default ? "on" : "off", std::string(check.meaning)});
    return table.text() +
           "races stands for race_shared and race_global, all for what is on by default.\n"
           "Bounds, use after free, alignment, barriers and member masks are always checked.\n";
}

std::string fault_table() {
    constexpr std::size_t text_columns = 3;
    TextTable table({"kind", "severity", "what is wrong"}, text_columns);
    for (const FaultMeaning& fault : fault_meanings)
        table.add(
            {std::string(emulator::name_of(fault.kind)), std::string(fault.severity), std::string(fault.meaning)});
    return table.text() + "barrier_divergence and invalid_mask are warnings where today's hardware goes on.\n";
}

}  // namespace lanes
