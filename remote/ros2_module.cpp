#include "remote/ros2_module.h"

/// Fills `link`: a unique_ptr is no type of C's.
extern "C" __attribute__((visibility("default"))) void jointrig_make_ros2_link(
    const jointrig::remote::ServedRobot& robot, jointrig::remote::Server& server,
    const std::string& options, const std::function<void(const std::string&)>& tell,
    std::unique_ptr<jointrig::remote::Ros2Link>& link) {
  link = jointrig::remote::make_ros2_link(robot, server, options, tell);
}
