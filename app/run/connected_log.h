#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/exchange/command_inbox.h"
#include "control/exchange/event_ring.h"
#include "harness/log/robot_log.h"

namespace jointrig::app {

/// Log of a robot that another program serves, from the cycles that come by the connection. One
/// thread at a time.
class ConnectedLog {
 public:
  /// Throws std::runtime_error when the file can't be created.
  /// @param inbox  has the senders' names; outlives this object, as does `config`
  ConnectedLog(const std::string& path, const RobotConfig& config, const CommandInbox& inbox,
               harness::RobotLogOptions options);

  /// Logs a cycle and its events.
  /// @param commands  sent since the cycle before: here nobody knows in which one the robot's loop
  ///                  has taken them
  void push(const Snapshot& snapshot, std::span<const Event> events,
            std::span<const Command> commands);
  [[nodiscard]] harness::RobotLogStatus status() const { return log_.status(); }
  harness::RobotLogStatus close() { return log_.close(); }

 private:
  EventRing ring_;
  harness::RobotLog log_;
};

}  // namespace jointrig::app
