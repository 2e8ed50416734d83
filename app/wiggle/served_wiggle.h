#pragma once
/// A robot that another program serves, under a wiggle test: each cycle comes over the connection,
/// and commands go back under the lease. A cycle that is lost on the way is not looked at.

#include <memory>
#include <vector>

#include "app/wiggle/wiggled_robot.h"
#include "remote/connection.h"

namespace jointrig::app {

class ServedWiggle final : public WiggledRobot {
 public:
  /// Takes the lease. Throws std::runtime_error with a sentence.
  /// @param config  of the robot by its files here; outlives it
  ServedWiggle(const RobotConfig& config, std::unique_ptr<remote::Connection> connection,
               bool take_over);
  [[nodiscard]] const RobotConfig& config() const override { return *config_; }
  [[nodiscard]] CommandInbox& inbox() override { return inbox_; }
  /// Throws where the connection, or the lease, is lost, or a command is refused.
  bool step() override;
  [[nodiscard]] const Snapshot& snapshot() const override { return *snapshot_; }
  /// Gives the lease back: the robot holds.
  void release() { connection_->release(); }

 private:
  void send_commands();
  void look();
  void look_for_refusals() const;

  const RobotConfig* config_;
  std::unique_ptr<remote::Connection> connection_;
  CommandInbox inbox_;
  std::unique_ptr<Snapshot> snapshot_ = std::make_unique<Snapshot>();
  std::vector<Event> events_;
};

}  // namespace jointrig::app
