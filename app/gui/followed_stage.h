#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "app/gui/scenario_stage.h"
#include "app/rig/rig.h"
#include "app/run/cycle_follower.h"
#include "app/run/scenario_plans.h"

namespace jointrig::app {

/// A scenario on a running robot, on a thread of its own as in `jointrig run` on real drives
/// (app/run/realtime_run.h): the loop hands over its cycles and does nothing else.
class FollowedStage {
 public:
  /// Binds the scenario to the rig. Throws FileError, or std::runtime_error.
  /// @param rig  started; outlives this stage, as does `ended`
  /// @param ended  true after the loop's end
  FollowedStage(const harness::Scenario& scenario, Rig& rig, const std::atomic<bool>& ended);
  /// The loop must have released follower(). Ends a running scenario.
  ~FollowedStage();
  FollowedStage(const FollowedStage&) = delete;
  FollowedStage& operator=(const FollowedStage&) = delete;

  /// Begins: the loop hands over cycles from now on.
  void start();
  [[nodiscard]] CycleFollower& follower() noexcept { return follower_; }
  [[nodiscard]] ScenarioStage& stage() noexcept { return stage_; }

 private:
  void follow(const std::stop_token& stop);

  Rig* rig_;
  const std::atomic<bool>* ended_;
  std::unique_ptr<harness::World> world_;  ///< null: real drives
  CycleFollower follower_;
  ScenarioStage stage_;
  ScenarioPlans plans_;  ///< behind the stage, so that it ends before
  std::jthread thread_;
};

}  // namespace jointrig::app
