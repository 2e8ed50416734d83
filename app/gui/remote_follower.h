#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/remote_loop.h"
#include "app/gui/scenario_stage.h"
#include "app/run/connected_commands.h"
#include "app/run/connected_log.h"
#include "harness/log/robot_log.h"
#include "harness/runner/scenario.h"
#include "remote/connection.h"

namespace jointrig::app {

/// Follows each cycle of a robot that is served elsewhere, for a scenario and a log of its panel. A
/// connection of its own brings the cycles, and holds no lease; the scenario's commands go by the
/// panel's connection, which holds it.
///
///     its thread   cycles → stage, log;   the stage's commands → the panel's connection
///     window       begins and ends both
///
/// There is one follower of each cycle at a robot (Client::follow_cycles): this one connects when
/// something is begun, and leaves when nothing goes on any more.
///
/// The window waits for a cycle's judgement at most.
class RemoteFollower {
 public:
  /// @param loop  outlives this object
  explicit RemoteFollower(RemoteLoop& loop);
  /// Ends a running scenario and the log.
  ~RemoteFollower();
  RemoteFollower(const RemoteFollower&) = delete;
  RemoteFollower& operator=(const RemoteFollower&) = delete;

  // The window's thread.

  /// Plays a scenario on the robot in its present state, in place of a finished one. Throws as
  /// ScenarioStage, and std::runtime_error without a connection, both without any effect.
  ScenarioStage& play(const harness::Scenario& scenario);

  /// Logs every cycle, event and command of the panel from now on. Throws std::runtime_error if the
  /// file can't be created.
  void start_log(const std::string& path, harness::RobotLogOptions options);
  /// State of the log that was started and not yet stopped: a full disk or a lost connection ends
  /// it.
  [[nodiscard]] harness::RobotLogStatus log_status() const;
  harness::RobotLogStatus stop_log();

 private:
  void run(const std::stop_token& stop);
  void follow(const std::stop_token& stop);
  [[nodiscard]] std::unique_ptr<remote::Connection> connect() const;
  [[nodiscard]] bool is_wanted() const;
  [[nodiscard]] bool is_playing() const { return stage_ && !stage_->finished(); }
  void take_cycle();
  void send();
  void look();
  [[nodiscard]] std::string why_ended();
  void end(const std::string& why, harness::Outcome outcome);

  RemoteLoop* loop_;
  std::unique_ptr<Snapshot> snapshot_ = std::make_unique<Snapshot>();  ///< its thread's
  std::vector<Event> events_;                                          ///< likewise
  std::unique_ptr<remote::Connection> cycles_;                         ///< likewise; null: none

  mutable std::mutex mutex_;  ///< of all up to the next line
  std::condition_variable_any wanted_;
  ConnectedCommands commands_;
  std::shared_ptr<remote::Connection> panels_;  ///< that `commands_` use; null: nothing was played
  std::vector<Command> sent_;                   ///< after the last cycle
  std::unique_ptr<ScenarioStage> stage_;
  std::optional<ConnectedLog> log_;
  std::string why_log_ended_;  ///< empty: it goes on, or its file failed

  std::jthread thread_;
};

}  // namespace jointrig::app
