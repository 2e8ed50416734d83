#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/rig/saved_parameters.h"
#include "remote/served_robot.h"

namespace jointrig::app {

/// Where clients, viewers and ROS 2 reach a robot, and who gets in (docs/remote.md).
struct ServingOptions {
  remote::ServerOptions server;
  std::optional<std::string> viewers;  ///< HOST:PORT; none: no viewers
  std::vector<std::string> viewer_origins;
  std::optional<std::string> ros2;  ///< KEY=VALUE,... (remote/ros2_options.h); none: no ROS 2
  std::shared_ptr<SavedParameters> saved = {};  ///< null: clients write no parameters
};

/// For a verb whose robot clients reach only if that is asked for.
/// @param serve  HOST:PORT for clients, of `--serve`; none: they can't connect
/// @param asked  the other options
/// @returns none: nobody is served
/// Throws std::invalid_argument: it is told who may connect, and nobody may.
std::optional<ServingOptions> serving_wanted(const std::optional<std::string>& serve,
                                             const ServingOptions& asked);

}  // namespace jointrig::app
