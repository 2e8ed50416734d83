#pragma once
/// The options of a command line that fill ServingOptions. Apart from these, since CLI11 costs each
/// file that reads it seconds of compile time.

#include <optional>
#include <string>

#include "app/cli_fwd.h"
#include "app/serve/serving_options.h"

namespace jointrig::app {

/// Adds `--viewers` and `--ros2`, and what tells who gets in: TLS, token, origins, number of
/// clients. They fill `options`, which outlives the verb.
void add_serving_options(CLI::App& verb, ServingOptions& options);

/// Adds `--serve`, for a verb whose robot clients reach only if that is asked for.
void add_serve_option(CLI::App& verb, std::optional<std::string>& serve);

}  // namespace jointrig::app
