/// @file
/// @brief Runs every comparable form on this machine's GPU and writes what it computes. See README.md.
///
/// It needs the CUDA driver's interface only; the driver compiles the PTX.

#include <cuda.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "form_kernel.hpp"
#include "form_results.hpp"

using namespace lanes::emulator::hardware;

namespace {

constexpr std::size_t kernels_in_a_module = 100;

void check(CUresult result, const std::string& what) {
    if (result == CUDA_SUCCESS) return;
    const char* text = nullptr;
    cuGetErrorString(result, &text);
    throw std::runtime_error(what + ": " + (text != nullptr ? text : "unknown error"));
}

/// Device memory for 8-byte words, released at the end.
class DeviceWords {
public:
    explicit DeviceWords(const std::vector<std::uint64_t>& words) : bytes_(8 * words.size()) {
        if (bytes_ == 0) return;
        check(cuMemAlloc(&address_, bytes_), "cuMemAlloc");
        check(cuMemcpyHtoD(address_, words.data(), bytes_), "cuMemcpyHtoD");
    }
    ~DeviceWords() { cuMemFree(address_); }
    DeviceWords(const DeviceWords&) = delete;
    DeviceWords& operator=(const DeviceWords&) = delete;

    void read(std::vector<std::uint64_t>& words) const {
        check(cuMemcpyDtoH(words.data(), address_, bytes_), "cuMemcpyDtoH");
    }
    CUdeviceptr* argument() { return &address_; }

private:
    CUdeviceptr address_ = 0;
    std::size_t bytes_;
};

FormResults run(CUmodule module, const FormCase& form, const std::string& name) {
    CUfunction kernel = nullptr;
    check(cuModuleGetFunction(&kernel, module, name.c_str()), "cuModuleGetFunction of " + form.key);
    std::vector<std::uint64_t> words(form.threads() * form.results, 0xeeeeeeeeeeeeeeeeu);
    DeviceWords sources(form.operands);
    DeviceWords results(words);
    void* arguments[] = {sources.argument(), results.argument()};
    const auto blocks = static_cast<unsigned>(form.threads() / FormCase::warp_threads);
    check(cuLaunchKernel(kernel, blocks, 1, 1, FormCase::warp_threads, 1, 1, 0, nullptr, arguments, nullptr),
          "launch of " + form.key);
    check(cuCtxSynchronize(), form.key);
    results.read(words);
    return results_of(form, words);
}

std::vector<FormResults> run_all(const std::vector<FormCase>& cases) {
    std::vector<FormResults> results;
    for (std::size_t first = 0; first < cases.size(); first += kernels_in_a_module) {
        const std::size_t count = std::min(kernels_in_a_module, cases.size() - first);
        const std::string text = module_text(std::span(cases).subspan(first, count), first);
        char log[4096] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
        CUmodule module = nullptr;
        check(cuModuleLoadDataEx(&module, text.c_str(), 2, options, values), std::string("compiling PTX: ") + log);
        for (std::size_t i = first; i < first + count; ++i) results.push_back(run(module, cases[i], kernel_name(i)));
        check(cuModuleUnload(module), "cuModuleUnload");
    }
    return results;
}

std::string describe(CUdevice device) {
    char name[256] = "";
    int driver = 0;
    int major = 0;
    int minor = 0;
    check(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
    check(cuDriverGetVersion(&driver), "cuDriverGetVersion");
    check(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device), "cuDeviceGetAttribute");
    check(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device), "cuDeviceGetAttribute");
    return std::string(name) + ", compute capability " + std::to_string(major) + "." + std::to_string(minor) +
           ", driver " + std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10) +
           ". Written by run_on_gpu.";
}

void write_file(const std::string& path) {
    CUdevice device = 0;
    CUcontext context = nullptr;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    const std::vector<FormCase> cases = form_cases();
    const std::vector<FormResults> results = run_all(cases);
    std::ofstream file(path);
    write_results(file, describe(device), results);
    file.close();
    if (!file) throw std::runtime_error(path + " could not be written");
    std::cout << results.size() << " forms on " << describe(device) << "\n";
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::cerr << "usage: run_on_gpu FILE, to write the results to\n";
        return 2;
    }
    try {
        write_file(arguments[1]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
