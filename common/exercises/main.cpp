// The program of every exercise's checks: `check [REPORT]`. lanes check runs it.
#include <lanes/exercise/exercise.hpp>

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
    try {
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
            std::cerr << "There is no GPU that this CUDA runtime can use.\n";
            return 2;
        }
        lanes::Exercise exercise(argc > 1 ? argv[1] : "");
        lanes::check_exercise(exercise);
        return exercise.status();
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
