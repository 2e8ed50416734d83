#include "app/serve/client_options.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <stdexcept>

#include "control/core/text.h"

namespace jointrig::app {
namespace {

constexpr const char* kUsualPort = ":4600";
constexpr int kLargestPort = 65535;

bool is_port(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() <= 5 &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits && std::stoi(text) > 0 && std::stoi(text) <= kLargestPort;
}

/// With the usual port where none is given. The brackets of [::1] are no port's.
std::string with_port(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  const bool has_port = colon != std::string::npos && !address.ends_with(']');
  const bool is_good = !address.empty() && address.find_first_of(" /") == std::string::npos &&
                       (!has_port || (colon > 0 && is_port(address.substr(colon + 1))));
  if (!is_good) {
    throw std::invalid_argument(fmt::format(
        "--connect: \"{}\" is no HOST or HOST:PORT: give 127.0.0.1:4600, say", address));
  }
  return has_port ? address : address + kUsualPort;
}

std::string token_of(const std::filesystem::path& file) {
  if (file.empty()) return {};
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::string token(trimmed(line));
  if (token.empty()) {
    throw std::invalid_argument(
        fmt::format("--token-file: {} has no token in its first line", file.string()));
  }
  return token;
}

std::string with_host(const std::string& name) {
  std::array<char, 64> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) return name;
  return name + "@" + host.data();
}

}  // namespace

remote::ClientOptions client_options(const RemoteRobot& robot, const std::string& name) {
  remote::ClientOptions options;
  options.address = with_port(robot.address);
  options.name = with_host(name);
  options.rate = robot.rate;
  options.tls_ca = robot.tls_ca.string();
  options.token = token_of(robot.token_file);
  return options;
}

}  // namespace jointrig::app
