/// @file
/// @brief cuBLAS as a ceiling, where it is installed: loaded while the program runs, so that it builds without.
#pragma once

#include <lanes/device.hpp>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <stdexcept>
#include <string>

/// @brief NVIDIA's own matrix product in single precision, with every multiplication in float: no TF32.
///
/// Only four functions are needed, so their types are declared here and no header of cuBLAS is.
class Cublas {
public:
    /// @brief Looks for the library that belongs to this CUDA toolkit, beside the CUDA runtime and on the usual paths.
    ///
    /// Not on the emulator: cuBLAS holds no PTX that it could run.
    /// @throws std::runtime_error if the library is there and cannot be used
    Cublas() : library_(open()) {
        if (library_ == nullptr) return;
        require(function<int(void**)>("cublasCreate_v2")(&handle_), "cublasCreate_v2");
        constexpr int pedantic_math = 2;  // CUBLAS_PEDANTIC_MATH
        require(function<int(void*, int)>("cublasSetMathMode")(handle_, pedantic_math), "cublasSetMathMode");
        sgemm_ = function<Sgemm>("cublasSgemm_v2");
    }
    Cublas(const Cublas&) = delete;
    Cublas& operator=(const Cublas&) = delete;
    /// Gives back what the library holds on the device.
    ~Cublas() {
        if (handle_ != nullptr) static_cast<void>(function<int(void*)>("cublasDestroy_v2")(handle_));
    }

    /// Whether the library was found.
    bool found() const { return handle_ != nullptr; }

    /// @brief Starts C = A B on the device.
    ///
    /// cuBLAS stores matrices column by column. Read that way, our C is its own transpose, and transposed
    /// C = A B reads C' = B' A': so the operands change places and nothing has to be copied.
    /// @param A M x K, row by row
    /// @param B K x N, row by row
    /// @param C M x N, row by row
    /// @param M rows of A and C, at least 1
    /// @param N columns of B and C, at least 1
    /// @param K columns of A and rows of B, at least 1
    /// @throws std::runtime_error if cuBLAS refuses
    void multiply(const float* A, const float* B, float* C, int M, int N, int K) const {
        constexpr int not_transposed = 0;  // CUBLAS_OP_N
        const float one = 1.0f;
        const float zero = 0.0f;
        require(sgemm_(handle_, not_transposed, not_transposed, N, M, K, &one, B, N, A, K, &zero, C, N),
                "cublasSgemm_v2");
    }

private:
    using Sgemm = int(void*, int, int, int, int, int, const float*, const float*, int, const float*, int, const float*,
                      float*, int);

    static void* open() {
        if (lanes::on_emulator()) return nullptr;
        const std::string name = "libcublas.so." + std::to_string(CUDART_VERSION / 1000);
        Dl_info runtime{};
        const bool known = dladdr(reinterpret_cast<const void*>(&cudaRuntimeGetVersion), &runtime) != 0;
        const std::string path = known && runtime.dli_fname != nullptr ? runtime.dli_fname : "";
        const std::string beside = path.substr(0, path.rfind('/') + 1) + name;
        if (void* library = dlopen(beside.c_str(), RTLD_NOW)) return library;
        return dlopen(name.c_str(), RTLD_NOW);
    }

    template <typename Function>
    Function* function(const char* name) const {
        void* symbol = dlsym(library_, name);
        if (symbol == nullptr) throw std::runtime_error(std::string("libcublas has no function ") + name);
        return reinterpret_cast<Function*>(symbol);
    }

    static void require(int status, const char* call) {
        if (status != 0) throw std::runtime_error(std::string(call) + " failed with status " + std::to_string(status));
    }

    void* library_ = nullptr;
    void* handle_ = nullptr;
    Sgemm* sgemm_ = nullptr;
};
