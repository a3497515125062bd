#include "submission.hpp"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace lanes {

namespace {

// An open file, closed at the end.
class Descriptor {
public:
    explicit Descriptor(const std::filesystem::path& file)
        : number_(open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return number_; }
    bool is_plain() const {
        struct stat status {};
        return fstat(number_, &status) == 0 && S_ISREG(status.st_mode);
    }

private:
    int number_;
};

// At most one byte more than is allowed.
std::string read_some(int descriptor) {
    std::string text(submission_bytes + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        const auto got = read(descriptor, text.data() + size, text.size() - size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size += static_cast<std::size_t>(got);
    }
    text.resize(size);
    return text;
}

// The library's serializer knows what UTF-8 is.
std::string as_utf8(const std::string& text) {
    using nlohmann::json;
    return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

bool is_text(const std::string& text) {
    return text.find('\0') == std::string::npos && as_utf8(text) == text;
}

}  // namespace

Submission read_submission(const std::filesystem::path& file) {
    const Descriptor descriptor(file);
    if (descriptor.number() < 0) return {errno == ENOENT ? SubmissionState::missing : SubmissionState::not_plain, ""};
    if (!descriptor.is_plain()) return {SubmissionState::not_plain, ""};
    std::string text = read_some(descriptor.number());
    if (text.size() > submission_bytes) return {SubmissionState::too_large, ""};
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) return {SubmissionState::empty, ""};
    if (!is_text(text)) return {SubmissionState::not_text, ""};
    return {SubmissionState::readable, std::move(text)};
}

std::string sha256(const std::string& bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        text += digits[digest[i] / 16];
        text += digits[digest[i] % 16];
    }
    return text;
}

std::string printable(const std::string& text, std::size_t most) {
    std::string result = text.size() <= most ? text : text.substr(0, most) + "\n...";
    constexpr char first_printable = ' ';
    constexpr char deleted = 127;
    std::replace_if(
        result.begin(), result.end(),
        [](char c) { return (c >= 0 && c < first_printable && c != '\n' && c != '\t') || c == deleted; }, '?');
    return as_utf8(result);
}

}  // namespace lanes
