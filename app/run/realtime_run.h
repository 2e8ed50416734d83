#pragma once
/// A scenario in real time, on two threads; the first never waits for the second:
///
///     loop       requests to the world → Loop::step → telemetry ring, the log's ring
///     follower   telemetry ring → Runner::on_cycle → commands to the inbox, requests to the world
///
/// The loop's thread is real-time if that is permitted, and does nothing else. The follower is
/// scheduled as usual; a third thread writes the log (RobotLog). Commands of the follower act a
/// cycle or a few later than in a headless run, where one thread does all (scenario_job.cpp).
///
/// If the follower misses cycles (cycle_follower.h), the runner can't judge the run
/// (Runner::note_missed). The log has a ring of its own and is not affected.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/realtime/realtime.h"
#include "app/rig/rig.h"
#include "app/run/cycle_follower.h"
#include "app/run/onlooker.h"
#include "app/run/relayed_world.h"
#include "harness/log/robot_log.h"
#include "harness/runner/runner.h"

namespace jointrig::app {

/// Parts of a run; all of them outlive it.
struct RealtimeParts {
  Rig* rig = nullptr;                 ///< not started yet
  harness::Runner* runner = nullptr;  ///< made for rig's stack and, if there is one, for `world`
  RelayedWorld* world = nullptr;      ///< null: a backend without truth, faults and disturbances
  harness::RobotLog* log = nullptr;   ///< null: none; must not wait when its ring is full
  const std::atomic<bool>* interrupted = nullptr;  ///< set: the run ends
  Onlooker* onlooker = nullptr;                    ///< null: nobody looks on
};

class RealtimeRun {
 public:
  explicit RealtimeRun(const RealtimeParts& parts,
                       double ring_seconds = CycleFollower::kRingSeconds);

  /// Starts the rig and runs until the scenario is finished, the backend ends or it is interrupted;
  /// then turns the motors off. The calling thread becomes the loop's; the runner is finished when
  /// this returns. Throws as Rig::start.
  /// @param on_look  the follower's thread calls it each time before it polls for cycles, some
  /// thousand times a second
  /// @returns what the system granted
  RealtimeSetup run(const RealtimeOptions& options, const std::function<void()>& on_look = {});

  /// Largest number of cycles that the follower was behind the loop. Not while it runs.
  [[nodiscard]] std::size_t most_behind() const noexcept { return follower_.most_behind(); }

  // The two halves, each for its own thread.

  /// Runs one cycle; returns false if the backend has ended. Allocates nothing, locks nothing.
  bool step() noexcept;
  /// Passes all waiting cycles to the runner.
  void follow(const std::function<void()>& on_look = nullptr);

 private:
  void hand_over() noexcept;
  void follow_until(const std::stop_token& loop_ended, const std::function<void()>& on_look);
  void break_off();
  [[nodiscard]] bool is_interrupted() const noexcept;

  RealtimeParts parts_;
  CycleFollower follower_;
  std::vector<double> truth_;          ///< the loop's thread
  std::atomic<bool> finished_{false};  ///< the runner has finished
};

}  // namespace jointrig::app
