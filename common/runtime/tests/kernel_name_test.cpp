#include <kernel_name.hpp>

#include <doctest/doctest.h>

using namespace lanes::runtime;

TEST_SUITE("kernel_name") {
    TEST_CASE("names become what a person wrote") {
        CHECK(demangle("_Z10vector_addPKfS0_Pfi") == "vector_add(float const*, float const*, float*, int)");
        CHECK(short_name(demangle("_Z10vector_addPKfS0_Pfi")) == "vector_add");
        CHECK(demangle("_Z6reduceILi256EEvPKfPfi") == "void reduce<256>(float const*, float*, int)");
        CHECK(short_name(demangle("_Z6reduceILi256EEvPKfPfi")) == "reduce<256>");
    }

    TEST_CASE("anonymous namespaces and extern C names stay whole") {
        CHECK(short_name(demangle("_ZN12_GLOBAL__N_16hiddenEPi")) == "(anonymous namespace)::hidden");
        CHECK(demangle("plain_kernel") == "plain_kernel");
        CHECK(short_name("plain_kernel") == "plain_kernel");
        CHECK(demangle("") == "");
    }

    TEST_CASE("an extern C kernel may be called as a mangled type is") {
        for (const char* name : {"f", "i", "x", "e", "St", "Pf"}) {
            CAPTURE(name);
            CHECK(demangle(name) == name);
        }
    }

    TEST_CASE("parentheses in template arguments do not end a name") {
        CHECK(short_name("void apply<(Mode)1>(float*)") == "apply<(Mode)1>");
        CHECK(short_name("void call<int (*)(int)>(int*)") == "call<int (*)(int)>");
    }

    TEST_CASE("messages get readable names, everywhere they occur") {
        CHECK(with_readable_names("_Z3addPf, block (0,0,0): _Z3addPf wrote") == "add, block (0,0,0): add wrote");
        CHECK(with_readable_names("_Z3addPf: the call of _Z4deepiPVi") == "add: the call of deep");
        CHECK(with_readable_names("ends with _Z3addPf") == "ends with add");
        CHECK(with_readable_names("_Z, _Zzz and nothing here") == "_Z, _Zzz and nothing here");
        CHECK(with_readable_names("read of float 4 by kernel f") == "read of float 4 by kernel f");
        CHECK(with_readable_names("") == "");
    }
}
