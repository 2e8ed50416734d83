#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "app/serve/served_planner.h"
#include "app/serve/serving_options.h"
#include "harness/log/robot_log.h"
#include "remote/cycle_tap.h"
#include "remote/hold_on_loss.h"
#include "remote/parameter_tap.h"
#include "remote/ros2_link.h"
#include "remote/served_robot.h"
#include "remote/viewer_server.h"

namespace jointrig::app {

/// Serves a rig that another object runs: `jointrig serve`'s loop, or a panel's.
///
///     loop     before_cycle() → Loop::step → after_cycle()        never waits for the server
///     server   commands → inbox;  events, newest snapshot, channels of the log → clients, viewers,
///     ROS 2
///
/// Connections begin with start() and end with this object, whether the loop runs or not; the robot
/// holds at the end of a lease while the loop calls before_cycle().
class Serving {
 public:
  /// Connects the sender of the holds. The rig outlives it, and may run.
  /// @param notes  Rig::robot_notes()
  Serving(Rig& rig, std::vector<std::string> notes);
  /// Ends all connections. The loop must have ended, or no longer call it.
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  /// Loads the server and opens its ports. Throws std::invalid_argument or std::runtime_error with
  /// a sentence: no server in this build, an address that can't be had, others let in unchecked.
  void start(const ServingOptions& options);

  /// Access of a server to the robot, for one that another made in place of start()'s.
  [[nodiscard]] remote::ServedRobot served();

  // The loop's thread; neither allocates nor waits.

  /// Ends a lease that is over and stops the robot then. Also while time is paused, or nobody could
  /// take the lease.
  void before_cycle() noexcept { hold_.before_cycle(rig_->stack().snapshot()); }
  /// Hands the cycle to viewers and to who follows each, if there are any, and parameters that were
  /// set in it to who reads them.
  void after_cycle() noexcept;

  // After start(); any thread.

  /// A sign of life of this process, while it holds the lease; the server's own thread gives some,
  /// too.
  void heard() noexcept { watch_.heard(); }
  [[nodiscard]] remote::Server& server() noexcept { return *server_; }
  /// Parameters in force, as of ParameterExchange::read().
  [[nodiscard]] std::optional<ParameterTable> parameters() const {
    return parameters_.exchange().read();
  }
  /// Where ROS 2 finds the robot, for a terminal; empty: it doesn't.
  [[nodiscard]] std::string ros2() const { return ros2_ ? ros2_->sentence() : std::string(); }
  /// Null: none are served.
  [[nodiscard]] const remote::ViewerServer* viewers() const noexcept { return viewers_.get(); }
  /// HOST:PORT with the real port; empty: no clients are served.
  [[nodiscard]] const std::string& address() const noexcept { return address_; }
  /// "ws://HOST:PORT"; empty: no viewers are served.
  [[nodiscard]] const std::string& viewer_address() const noexcept { return viewer_address_; }

 private:
  void start_viewers(const ServingOptions& options);
  [[nodiscard]] remote::SavedChanges save_parameters(bool only_compare);

  Rig* rig_;
  std::vector<std::string> notes_;
  remote::HolderWatch watch_;
  remote::HoldOnLoss hold_;
  remote::CycleTap cycles_;
  remote::ParameterTap parameters_;
  ServedPlanner planner_;
  std::shared_ptr<SavedParameters> saved_;  ///< null: clients write no parameters
  std::unique_ptr<remote::Server> server_;
  std::unique_ptr<remote::Ros2Link> ros2_;         ///< uses server_
  std::unique_ptr<remote::ViewerServer> viewers_;  ///< likewise
  std::unique_ptr<harness::RobotLog> live_;        ///< to the viewers
  const std::atomic<bool>* is_watched_ = nullptr;  ///< by a viewer
  std::string address_;
  std::string viewer_address_;
};

/// Hands the rig's newest cycle with its commands to a log. The loop's thread.
void push_cycle(harness::RobotLog& log, Rig& rig) noexcept;

}  // namespace jointrig::app
