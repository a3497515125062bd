/// @file
/// @brief A form of the list as an instruction: "add.s32 %r0, %r1, %r2".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "arithmetic_forms.hpp"

namespace lanes::emulator {

/// Declares registers for the operands of a form and writes the instruction: "add.s32 %d0, %r1, %r2".
class FormInstance {
public:
    explicit FormInstance(const SupportedForm& form, const std::string& immediate = "5")
        : form_(form), immediate_(immediate) {
        for (const char letter : form.operands) append(letter);
        registers_.emplace_back("carry");
        types_.emplace_back("pred");
    }

    std::string text() const { return form_.name + " " + operands_; }
    /// Registers in the order of the text, then the carry; the first `destinations()` are written.
    const std::vector<std::string>& registers() const { return registers_; }
    const std::vector<std::string>& types() const { return types_; }
    std::size_t destinations() const { return destinations_; }
    bool writes(std::size_t index) const {
        const bool carries = form_.name.find("cc") != std::string::npos;
        return index < destinations_ || (carries && registers_[index] == "carry");
    }

private:
    static std::string type_of(char letter) {
        switch (letter) {
            case 'p':
            case 'q':
                return "pred";
            case 'h':
                return "b16";
            case 'r':
            case 'm':
                return "b32";
            case 'l':
                return "b64";
            case 'f':
                return "f32";
            default:
                return "f64";
        }
    }

    void append(char letter) {
        if (letter == '[') {
            separate();
            operands_ += "{";
            in_vector_ = true;
            first_of_vector_ = true;
        } else if (letter == ']') {
            operands_ += "}";
            in_vector_ = false;
            if (destinations_ == 0) destinations_ = registers_.size();
        } else if (letter == '!') {
            separate();
            operands_ += "!";
            negated_ = true;
        } else if (letter == 'q') {
            operands_ += "|" + add(letter);
            destinations_ = 2;
        } else if (letter != '|') {
            separate();
            operands_ += letter == 'i' ? immediate_ : add(letter);
        }
    }

    void separate() {
        const bool nothing_before = operands_.empty() || negated_ || first_of_vector_;
        negated_ = false;
        first_of_vector_ = false;
        if (!nothing_before) operands_ += ", ";
    }

    std::string add(char letter) {
        registers_.push_back("%" + std::string(1, letter) + std::to_string(registers_.size()));
        types_.push_back(type_of(letter));
        if (destinations_ == 0 && !in_vector_) destinations_ = 1;
        return registers_.back();
    }

    SupportedForm form_;
    std::string immediate_;
    std::string operands_;
    std::vector<std::string> registers_;
    std::vector<std::string> types_;
    std::size_t destinations_ = 0;
    bool in_vector_ = false;
    bool first_of_vector_ = false;
    bool negated_ = false;
};

/// Bytes of a register of a type that FormInstance::types() names; of a predicate the 4 that hold a warp's bits.
inline std::size_t width_of(const std::string& type) {
    if (type == "b16") return 2;
    return type == "b64" || type == "f64" ? 8 : 4;
}

}  // namespace lanes::emulator
