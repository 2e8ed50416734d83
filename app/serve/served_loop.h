#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "app/realtime/realtime.h"
#include "app/realtime/wall_clock_pacer.h"
#include "app/rig/rig.h"
#include "app/serve/serving.h"
#include "harness/log/robot_log.h"

namespace jointrig::app {

/// A rig that runs in real time on a thread of its own, for clients:
///
///     loop     has the lease ended? → Loop::step → newest snapshot, the log's ring
///     server   commands → inbox;  events, newest snapshot → clients
///
/// The loop never waits for the server.
class ServedLoop {
 public:
  /// Throws as Rig.
  /// @param backend  of the whole robot; none: as its file says
  ServedLoop(const RobotConfig& config, std::optional<BackendKind> backend,
             std::optional<double> speed_override);
  /// Ends the loop; motors off.
  ~ServedLoop();
  ServedLoop(const ServedLoop&) = delete;
  ServedLoop& operator=(const ServedLoop&) = delete;

  /// Logs every cycle, command and event. Call before start(). Throws std::runtime_error if the
  /// file can't be created.
  void start_log(const std::string& path);
  /// Serves clients and viewers. Call before start(). Throws as Serving::start.
  void serve(const ServingOptions& options) { serving_.start(options); }
  /// Throws as Rig::start.
  /// @returns what the system granted
  RealtimeSetup start(const RealtimeOptions& options);
  /// Ends the loop and the log. Throws std::runtime_error if the log could not be written.
  void stop();

  [[nodiscard]] Rig& rig() noexcept { return rig_; }
  [[nodiscard]] Serving& serving() noexcept { return serving_; }
  /// Why the log ended, which is no reason to end the loop; empty while it is written.
  [[nodiscard]] std::string log_failure() const;
  /// Reason why the loop ended by itself; absent while it runs.
  [[nodiscard]] std::optional<std::string> why_ended() const;

 private:
  void run(const std::stop_token& stop);
  void end() noexcept;

  WallClockPacer pacer_;
  Rig rig_;
  Serving serving_;
  std::unique_ptr<harness::RobotLog> log_;
  std::atomic<bool> ended_{false};
  std::jthread thread_;
};

}  // namespace jointrig::app
