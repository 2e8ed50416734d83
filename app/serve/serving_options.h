#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "remote/served_robot.h"

namespace jointrig::app {

/// Where clients and viewers reach a robot, and who gets in (docs/remote.md).
struct ServingOptions {
  remote::ServerOptions server;
  std::optional<std::string> viewers;  ///< HOST:PORT; none: no viewers
  std::vector<std::string> viewer_origins;
};

/// Adds `--viewers`, and what tells who gets in: TLS, token, origins, number of clients. They fill
/// `options`, which outlives the verb.
void add_serving_options(CLI::App& verb, ServingOptions& options);

}  // namespace jointrig::app
