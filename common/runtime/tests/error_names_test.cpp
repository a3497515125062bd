#include <error_names.hpp>

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstring>
#include <string>

using namespace lanes::runtime;

TEST_SUITE("error_names") {
    TEST_CASE("names and descriptions are those of the toolkit's own library") {
        void* library = dlopen(LANES_TOOLKIT_CUDART, RTLD_NOW | RTLD_LOCAL);
        REQUIRE_MESSAGE(library != nullptr, dlerror());
        const auto name = reinterpret_cast<const char* (*)(int)>(dlsym(library, "cudaGetErrorName"));
        const auto description = reinterpret_cast<const char* (*)(int)>(dlsym(library, "cudaGetErrorString"));
        REQUIRE((name != nullptr && description != nullptr));
        int known = 0;
        for (int code = 0; code <= 10001; ++code) {
            const std::string expected = name(code);
            if (expected == "unrecognized error code") continue;
            ++known;
            CAPTURE(code);
            CHECK(error_name(code) == expected);
            // Version 12 describes a few errors in other words.
            if (CUDART_VERSION >= 13000) CHECK(std::string(error_description(code)) == description(code));
            CHECK_FALSE(std::string(error_description(code)).empty());
        }
        CHECK(known > 100);
    }

    TEST_CASE("what is no error code is named so") {
        CHECK(std::strcmp(error_name(-1), "unrecognized error code") == 0);
        CHECK(std::strcmp(error_description(12345), "unrecognized error code") == 0);
    }
}
