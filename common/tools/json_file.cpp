#include "json_file.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace lanes::tools {

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file) throw std::runtime_error("cannot read " + path);
    return text;
}

Json read_json(const std::string& path) {
    try {
        return Json::parse(read_text(path));
    } catch (const Json::parse_error& error) {
        throw std::runtime_error(path + " is not JSON: " + error.what());
    }
}

void write_json(const std::string& path, const Json& json) {
    std::ofstream file(path, std::ios::binary);
    file << json.dump(2) << '\n';
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace lanes::tools
