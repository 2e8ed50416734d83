#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "control/core/snapshot.h"
#include "control/exchange/event_ring.h"
#include "remote/lease.h"
#include "remote/ros2_bus.h"
#include "remote/ros2_messages.h"
#include "remote/ros2_options.h"
#include "remote/ros2_refusals.h"
#include "remote/served_robot.h"

namespace jointrig::remote {

/// Sends a robot's state to a DDS domain, from the newest snapshots, on a thread of its own. Time
/// is robot time, which the clock tells.
class Ros2Publisher {
 public:
  /// All of it outlives the publisher.
  /// @param sender  of the commands that come in by ROS 2: their refusals are reported
  Ros2Publisher(const ServedRobot& robot, const Lease& lease, Ros2Bus& bus,
                const Ros2Options& options, std::uint16_t sender, Ros2Refusals& refusals);

 private:
  void run(const std::stop_token& stop);
  void publish(const Snapshot& now);
  void publish_wrenches(const Snapshot& now, harness::TimeStamp stamp);
  void publish_diagnostics(const Snapshot& now, harness::TimeStamp stamp);
  void note_refusals();

  const ServedRobot* robot_;
  const Lease* lease_;
  Ros2Refusals* refusals_;
  std::uint16_t sender_;
  std::uint64_t cycles_each_;  ///< between two messages
  std::uint64_t cycles_between_diagnostics_;
  EventRing::Reader events_;
  std::unique_ptr<Ros2Writer> joint_states_;
  std::unique_ptr<Ros2Writer> clock_;
  std::unique_ptr<Ros2Writer> diagnostics_;
  std::vector<std::unique_ptr<Ros2Writer>> wrenches_;  ///< by arm
  std::vector<std::string> names_;
  std::vector<double> q_, v_, tau_;
  CdrBuffer buffer_;
  std::vector<DiagnosticStatus> told_;
  std::uint64_t told_cycle_ = 0;
  std::jthread thread_;  ///< last: it uses the others
};

}  // namespace jointrig::remote
