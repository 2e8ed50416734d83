#pragma once
/// `jointrig board`: runs all boards of a robot on their buses, until it is interrupted; or prints
/// the EDS of one.

#include <string>
#include <vector>

#include "app/boards/board_host.h"

namespace jointrig::app {

struct BoardVerbOptions {
  std::string robot;
  std::string eds;  ///< only print the EDS of joint, force_torque or imu; no robot is needed
  std::vector<std::string> settings;  ///< `path=value` of robot.yaml
  BoardHostOptions host;
};

/// Returns the exit code: 0; throws an exception with a sentence if it can't start.
int board_verb(const BoardVerbOptions& options);

}  // namespace jointrig::app
