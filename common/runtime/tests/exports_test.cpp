#include <dlfcn.h>
#include <doctest/doctest.h>

#include <fstream>
#include <string>

TEST_SUITE("exports") {
    TEST_CASE("every name of the toolkit's libcudart is there, with its version") {
        void* library = dlopen(LANES_OUR_CUDART, RTLD_NOW | RTLD_LOCAL);
        REQUIRE_MESSAGE(library != nullptr, dlerror());
        std::ifstream names(LANES_TOOLKIT_NAMES);
        int count = 0;
        for (std::string name; std::getline(names, name); ++count) {
            CAPTURE(name);
            CHECK(dlvsym(library, name.c_str(), LANES_CUDART_NODE) != nullptr);
        }
        CHECK(count > 300);
    }

    TEST_CASE("another name of the same call is the same call") {
        void* library = dlopen(LANES_OUR_CUDART, RTLD_NOW | RTLD_LOCAL);
        REQUIRE(library != nullptr);
        CHECK(dlsym(library, "cudaMemcpyAsync_ptsz") == dlsym(library, "cudaMemcpyAsync"));
        CHECK(dlsym(library, "cudaMemcpy_ptds") == dlsym(library, "cudaMemcpy"));
        CHECK(dlsym(library, "cudaLaunchKernel_ptsz") == dlsym(library, "cudaLaunchKernel"));
    }

    TEST_CASE("nothing else is visible") {
        void* library = dlopen(LANES_OUR_CUDART, RTLD_NOW | RTLD_LOCAL);
        REQUIRE(library != nullptr);
        CHECK(dlsym(library, "_ZN5lanes7runtime7processEv") == nullptr);
    }
}
