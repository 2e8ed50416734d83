#pragma once
/// A robot in a DDS domain as ROS 2 uses it, without ROS (docs/remote.md): state out, commands in
/// under the lease.

#include <functional>
#include <memory>
#include <string>

#include "remote/ros2_options.h"
#include "remote/served_robot.h"

namespace jointrig::remote {

class Ros2Link {
 public:
  Ros2Link() = default;
  Ros2Link(const Ros2Link&) = delete;
  Ros2Link& operator=(const Ros2Link&) = delete;
  /// Leaves the domain; a lease of one of its processes ends.
  virtual ~Ros2Link() = default;
  /// Domain, address and topics, for a terminal.
  [[nodiscard]] virtual std::string sentence() const = 0;
};

/// Joins the domain. The server and all of the robot outlive the link.
/// @param options  as of read_ros2_options(); ROS_DOMAIN_ID is read here
/// @param tell     told why a message was refused; any thread
/// Throws std::invalid_argument or std::runtime_error with a sentence.
[[nodiscard]] std::unique_ptr<Ros2Link> make_ros2_link(
    const ServedRobot& robot, Server& server, const std::string& options,
    std::function<void(const std::string& sentence)> tell);

}  // namespace jointrig::remote
