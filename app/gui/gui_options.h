#pragma once
/// Options of `jointrig gui`.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "app/serve/client_options.h"
#include "app/serve/serving_options.h"

namespace jointrig::app {

struct GuiOptions {
  std::string what = "icub_upper_body";  ///< a robot, or a scenario with its robot
  std::optional<BackendKind> backend;    ///< of the whole robot; none: as its file says
  bool pin_base = false;
  bool motors = false;                    ///< a motor at each joint without an actuator
  std::vector<std::string> package_path;  ///< of a URDF's meshes; empty: robot.yaml's
  std::optional<double> speed_override;   ///< initial factor; none: 1
  /// PATH=VALUE: of a scenario its keys, or with robot. those of its robot; of a robot its keys.
  std::vector<std::string> settings;
  std::string scene;                  ///< around the robot: name or file; empty: its own
  std::string robot;                  ///< in place of the scenario's; empty: the scenario's
  std::optional<std::uint64_t> seed;  ///< of all noise; none: the robot's
  int width = 0;                      ///< 0: as at the last close, else 1920x1080
  int height = 0;
  std::optional<std::string> serve;   ///< HOST:PORT for clients; none: they can't connect
  ServingOptions serving;             ///< `server.listen` apart
  std::optional<RemoteRobot> remote;  ///< a robot that is served elsewhere, in place of one here
  std::filesystem::path screenshot;   ///< not empty: writes a picture after `seconds` and ends
  double seconds = 2.0;
};

}  // namespace jointrig::app
