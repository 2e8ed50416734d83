#include "app/gui/remote_options.h"

#include "app/version.h"

namespace jointrig::app {

RemoteOptions remote_options(const RemoteRobot& robot) {
  RemoteOptions options;
  options.client = client_options(robot, "panel");
  options.robot = robot.robot;
  options.version = std::string(kVersion);
  return options;
}

}  // namespace jointrig::app
