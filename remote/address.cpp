#include "remote/address.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "control/core/text.h"

namespace jointrig::remote {
namespace {

constexpr std::size_t kShortestToken = 16;
constexpr int kLargestPort = 65535;

bool is_port(const std::string& text) {
  const bool digits =
      !text.empty() && text.size() <= 5 &&
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits && std::stoi(text) <= kLargestPort;
}

}  // namespace

bool is_loopback(const std::string& address) {
  const std::string host = address.substr(0, address.rfind(':'));
  if (host == "localhost" || host == "[::1]") return true;
  const bool is_number = std::all_of(
      host.begin(), host.end(), [](unsigned char c) { return c == '.' || std::isdigit(c) != 0; });
  return is_number && host.starts_with("127.");
}

void check_listen(const ServerOptions& options, std::string_view others_could) {
  const std::string& address = options.listen;
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos || colon == 0 || !is_port(address.substr(colon + 1))) {
    throw std::invalid_argument(fmt::format("{}: \"{}\" is no HOST:PORT: give 127.0.0.1:4600, say",
                                            options.option, address));
  }
  const bool has_tls = !options.tls_cert.empty() && !options.tls_key.empty();
  if (options.tls_cert.empty() != options.tls_key.empty()) {
    throw std::invalid_argument("TLS needs both files: give --tls-cert and --tls-key");
  }
  if (is_loopback(address) || (has_tls && !options.token_file.empty())) return;
  throw std::invalid_argument(fmt::format(
      "{}: other machines can reach {}, and whoever does could {}: give --tls-cert, --tls-key and "
      "--token-file as well, or listen on 127.0.0.1 and come through an SSH tunnel",
      options.option, address, others_could));
}

bool is_welcome(std::string_view origin, const std::vector<std::string>& allowed) {
  constexpr std::string_view kFoxglove = "https://app.foxglove.dev";
  constexpr std::string_view kDesktop = "file://";  // Foxglove and Lichtblick as programs
  if (origin.empty() || origin == kFoxglove || origin == kDesktop) return true;
  if (std::find(allowed.begin(), allowed.end(), origin) != allowed.end()) return true;
  const std::size_t scheme = origin.find("://");
  if (scheme == std::string_view::npos) return false;
  const std::string host(origin.substr(scheme + 3));
  const bool has_port = host.rfind(':') != std::string::npos && !host.ends_with(']');
  return is_loopback(has_port ? host : host + ":80");
}

std::string text_of_file(const std::string& path, const std::string& what) {
  const std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in || text.str().empty()) {
    throw std::invalid_argument(fmt::format("{}: can't read {}", what, path));
  }
  return text.str();
}

std::string token_of_file(const std::string& path) {
  const std::string text = text_of_file(path, "token");
  const std::string token(trimmed(text.substr(0, text.find('\n'))));
  if (token.size() < kShortestToken) {
    throw std::invalid_argument(
        fmt::format("token: {} has {} characters in its first line: give {} or more, from "
                    "`openssl rand -hex 32`, say",
                    path, token.size(), kShortestToken));
  }
  return token;
}

bool same_secret(const std::string& a, const std::string& b) noexcept {
  unsigned differs = a.size() == b.size() ? 0U : 1U;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const char other = i < a.size() ? a[i] : static_cast<char>(~static_cast<unsigned char>(b[i]));
    differs |= static_cast<unsigned char>(other) ^ static_cast<unsigned char>(b[i]);
  }
  return differs == 0;
}

}  // namespace jointrig::remote
