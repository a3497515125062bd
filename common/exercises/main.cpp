// The program of every exercise's checks: `check [REPORT]`. lanes check runs it.
#include <lanes/exercise/exercise.hpp>

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
    try {
        lanes::Exercise exercise(argc > 1 ? argv[1] : "");
        lanes::check_exercise(exercise);
        return exercise.status();
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 2;
    }
}
