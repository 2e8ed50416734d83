#pragma once
/// A scenario in real time, on two threads of which the first never waits for the second:
///
///     loop       requests to the world → Loop::step → telemetry ring, the log's ring
///     follower   telemetry ring → Runner::on_cycle → commands to the inbox, requests to the world
///
/// The loop's thread is real-time where that is permitted, and does nothing else. The follower is
/// scheduled as usual; a third thread writes the log (RobotLog). What the follower asks for acts a
/// cycle or a few later than in a headless run, where one thread does all (scenario_job.cpp).
///
/// A follower that misses cycles (cycle_follower.h) leaves a run that the runner can't judge
/// (Runner::note_missed). The log has a ring of its own and misses nothing of it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/realtime/realtime.h"
#include "app/rig/rig.h"
#include "app/run/cycle_follower.h"
#include "app/run/relayed_world.h"
#include "harness/log/robot_log.h"
#include "harness/runner/runner.h"

namespace jointrig::app {

/// What takes part in a run; all of it outlives it.
struct RealtimeParts {
  Rig* rig = nullptr;                 ///< not started yet
  harness::Runner* runner = nullptr;  ///< on rig's stack and, where there is one, on `world`
  RelayedWorld* world = nullptr;      ///< null: a backend without truth, faults and disturbances
  harness::RobotLog* log = nullptr;   ///< null: none; must not wait when it is full
  const std::atomic<bool>* interrupted = nullptr;  ///< set: the run ends
};

class RealtimeRun {
 public:
  explicit RealtimeRun(const RealtimeParts& parts,
                       double ring_seconds = CycleFollower::kRingSeconds);

  /// Starts the rig and runs until the scenario is finished, the backend ends or it is interrupted;
  /// then turns the motors off. The calling thread becomes the loop's; the runner is finished when
  /// this returns. Throws what Rig::start throws.
  /// @param on_look  called by the follower's thread each time before it looks for cycles, some
  ///                 thousand times a second
  /// @returns what the system granted
  RealtimeSetup run(const RealtimeOptions& options, const std::function<void()>& on_look = {});

  /// How many cycles the follower was behind the loop when it was worst. Not while it runs.
  [[nodiscard]] std::size_t most_behind() const noexcept { return follower_.most_behind(); }

  // The two halves, each of its own thread.

  /// One cycle; false: the backend has ended. Allocates nothing, locks nothing.
  bool step() noexcept;
  /// Lets the runner see all cycles that wait.
  void follow();

 private:
  void hand_over() noexcept;
  void follow_until(const std::stop_token& loop_ended, const std::function<void()>& on_look);
  void break_off();
  [[nodiscard]] bool is_interrupted() const noexcept;

  RealtimeParts parts_;
  CycleFollower follower_;
  std::vector<double> truth_;          ///< the loop's
  std::atomic<bool> finished_{false};  ///< the runner has seen enough
};

}  // namespace jointrig::app
