#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "remote/served_robot.h"

namespace jointrig::remote {

/// True for an address that no other machine can reach: 127.x.y.z, localhost, [::1].
[[nodiscard]] bool is_loopback(const std::string& address);

/// Throws std::invalid_argument: not HOST:PORT, or an address that others can reach without TLS and
/// a token. The message names `options.option`, and what others could do there.
void check_listen(const ServerOptions& options,
                  std::string_view others_could = "move or stop the robot");

/// True if a web page of this origin may connect: none (no browser asks), a page of this machine,
/// of Foxglove, or one of `allowed`. Any other page that is open in a browser here could stop the
/// robot, since the loopback is within its reach.
[[nodiscard]] bool is_welcome(std::string_view origin, const std::vector<std::string>& allowed);

/// Content of a file. Throws std::invalid_argument with its path.
[[nodiscard]] std::string text_of_file(const std::string& path, const std::string& what);

/// The token of a file: its first line. Throws std::invalid_argument: shorter than 16 characters.
[[nodiscard]] std::string token_of_file(const std::string& path);

/// Takes the same time wherever they differ.
[[nodiscard]] bool same_secret(const std::string& a, const std::string& b) noexcept;

}  // namespace jointrig::remote
