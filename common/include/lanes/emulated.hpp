/// @file
/// @brief What the emulator's libcudart offers beyond CUDA: counts and faults, for a program that runs under it.
///
/// On a GPU these functions do not exist. So a program does not link them: it asks for them with
/// `dlsym(RTLD_DEFAULT, "lanesEmulatorCounter")` and gets a null pointer when a real GPU runs its kernels.
#pragma once

extern "C" {

/// What runs the kernels.
/// @return a text such as "emulator, as an sm_89"; it lives as long as the process
const char* lanesEmulatorDescription();

/// Reads a counter of the last finished launch of this process, whichever host thread launched it.
/// @param name   a counter's Nsight Compute base name, such as "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
/// @param value  where the count goes
/// @return 0 on success; 1 if there is no counter of that name, or no launch has finished yet
int lanesEmulatorCounter(const char* name, unsigned long long* value);

/// Counts the faults of this process so far: a fault that a kernel repeats counts once a launch. Faults that were
/// expected count too.
/// @param errors    number of faults of severity error; may be null
/// @param warnings  number of faults of severity warning; may be null
/// @return 0
int lanesEmulatorFaults(unsigned long long* errors, unsigned long long* warnings);

/// Announces faults on purpose. While they are expected, faults are reported with `"expected": true`, and they do not
/// change the exit status of `lanes run`.
/// @param expected  1 from here on, 0 to go back
void lanesEmulatorExpectFaults(int expected);
}
