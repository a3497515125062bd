#include "sandbox.hpp"

#include "confined_child.hpp"
#include "files.hpp"
#include "program_file.hpp"
#include "temporary_file.hpp"

#include <algorithm>
#include <system_error>

namespace lanes {

namespace {

namespace fs = std::filesystem;

// Compilers, linkers' tables, headers and libraries, where Linux distributions have them.
constexpr const char* system_folders[] = {
    "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec",     "/usr/include",
    "/bin",     "/lib",     "/lib32",     "/lib64",     "/etc/ld.so.cache", "/etc/alternatives"};

bool is_inside(const fs::path& path, const fs::path& folder) {
    const auto relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

void add(std::vector<std::string>& command, std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
}

// On today's systems /bin, /lib and /lib64 are links into /usr.
void add_system_folder(std::vector<std::string>& command, const fs::path& folder) {
    std::error_code error;
    if (fs::is_symlink(folder, error))
        add(command, {"--symlink", fs::read_symlink(folder, error).string(), folder.string()});
    else if (fs::exists(folder, error))
        add(command, {"--ro-bind", folder.string(), folder.string()});
}

std::vector<std::string> prefix_of(const std::string& bubblewrap, const fs::path& toolkit, const fs::path& hidden) {
    std::vector<std::string> command{bubblewrap, "--unshare-all", "--die-with-parent", "--new-session"};
    bool holds_hidden = is_inside(hidden, toolkit);
    for (const fs::path folder : system_folders) {
        add_system_folder(command, folder);
        holds_hidden |= is_inside(hidden, folder);
    }
    const bool is_hidden = is_inside(toolkit, hidden);
    if (!is_hidden) add(command, {"--ro-bind", toolkit.string(), toolkit.string()});
    if (holds_hidden) add(command, {"--tmpfs", hidden.string()});
    if (is_hidden) add(command, {"--ro-bind", toolkit.string(), toolkit.string()});
    add(command, {"--dev", "/dev", "--tmpfs", "/tmp"});
    return command;
}

// What bubblewrap says when it cannot do its work here, or empty.
std::string failure_of(std::vector<std::string> command) {
    constexpr Limits limits{std::chrono::seconds(10), 0, 1 << 16};
    const TemporaryFile output(temporary_folder() + "/lanes-sandbox");
    add(command, {"--", "/usr/bin/true"});
    const ConfinedResult result = run_confined(command, {}, limits, output.path());
    if (result.status == 0 && result.start_error.empty()) return "";
    const std::string said = text_or_nothing(output.path());
    const std::string text = said.substr(0, said.find('\n'));
    return "bubblewrap does not work here: " + (text.empty() ? "status " + std::to_string(result.status) : text);
}

}  // namespace

Sandbox::Sandbox(SandboxChoice choice, const fs::path& toolkit, const fs::path& hidden) {
    if (choice == SandboxChoice::none) {
        obstacle_ = "bubblewrap is not wanted";
        return;
    }
    const auto bubblewrap = find_program("bwrap");
    if (!bubblewrap) {
        obstacle_ = "bubblewrap is not installed";
        return;
    }
    prefix_ = prefix_of(*bubblewrap, toolkit, hidden);
    obstacle_ = failure_of(prefix_);
    if (!obstacle_.empty()) prefix_.clear();
}

std::vector<std::string> Sandbox::command(const std::vector<std::string>& program, const Visible& visible) const {
    if (!isolates()) return program;
    std::vector<std::string> command = prefix_;
    for (const fs::path& path : visible.to_read) add(command, {"--ro-bind", path.string(), path.string()});
    const std::string output = visible.to_write.string();
    add(command, {"--bind", output, output, "--chdir", output, "--"});
    command.insert(command.end(), program.begin(), program.end());
    return command;
}

}  // namespace lanes
