#pragma once

#include <array>
#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/followed_stage.h"
#include "app/gui/loop_guest.h"
#include "app/gui/scenario_stage.h"
#include "app/realtime/realtime.h"
#include "app/realtime/wall_clock_pacer.h"
#include "app/rig/rig.h"
#include "app/rig/sim_world.h"
#include "app/run/relayed_world.h"
#include "control/exchange/triple_buffer.h"
#include "gui/panel/simulation.h"
#include "gui/plot/trace_ring.h"
#include "gui/scene3d/push_hand.h"
#include "gui/scene3d/world_pose.h"
#include "harness/log/robot_log.h"
#include "sim/push_spring.h"

namespace jointrig::app {

/// A rig that runs in real time on a thread of its own, for a window to look at:
///
///     loop     requests to the world, a push → Loop::step → trace ring, newest snapshot, where the
///              world is
///     window   trace ring → plots;  snapshot, events, world → panel;  panel → inbox, requests, a
///              push
///
/// The loop never waits for the window. A window that is more than the ring behind loses cycles,
/// which are counted.
class LiveLoop final : public gui::Simulation, public gui::PushPort {
 public:
  static constexpr double kRingSeconds = 2.0;  ///< choice: a frame that takes longer is a fault

  /// @param held_until_driven  of a simulation: SimOptions
  /// Throws what Rig throws.
  LiveLoop(const RobotConfig& config, BackendKind backend, const sim::PlantOptions& plant = {},
           std::optional<double> speed_override = {}, bool held_until_driven = false);
  /// Ends the loop; motors off.
  ~LiveLoop() override;

  /// Puts a scenario on stage, in the loop's thread; before start(). Throws what ScenarioStage
  /// throws.
  ScenarioStage& stage(const harness::Scenario& scenario);
  /// Plays a scenario on the robot as it stands, while the loop runs, in place of one that is over.
  /// Throws what ScenarioStage throws; nothing has happened then.
  ScenarioStage& play(const harness::Scenario& scenario);
  /// What was put on stage or played last; null: nothing.
  [[nodiscard]] ScenarioStage* stage() noexcept;

  /// Every cycle, command and event from now on. Throws std::runtime_error where there can be no
  /// such file.
  void start_log(const std::string& path, harness::RobotLogOptions options);
  /// Ends the log; waits a few ms for the loop to let go of it.
  harness::RobotLogStatus stop_log();

  /// Throws what Rig::start throws.
  void start(const RealtimeOptions& options);

  [[nodiscard]] Rig& rig() noexcept { return rig_; }
  /// What the plots keep of every cycle.
  [[nodiscard]] gui::TraceRing& ring() noexcept { return ring_; }
  /// The newest snapshot; false where there is none yet. After start(); the window's thread.
  bool newest(Snapshot& snapshot) noexcept { return rig_.loop().exchange().read(snapshot); }
  /// Why the loop ended by itself; absent while it runs.
  [[nodiscard]] std::optional<std::string> why_ended() const;

  [[nodiscard]] bool paused() const override { return paused_.load(std::memory_order_relaxed); }
  void pause(bool paused) override { paused_.store(paused, std::memory_order_relaxed); }
  void step(int cycles) override { steps_.fetch_add(cycles, std::memory_order_relaxed); }
  [[nodiscard]] double speed() const override { return pacer_.real_time_factor(); }
  void set_speed(double factor) override { pacer_.set_real_time_factor(factor); }
  [[nodiscard]] std::vector<std::string> fault_types() const override { return fault_names_; }
  void inject(JointIndex joint, std::size_t fault_type) override;
  void end_faults(JointIndex joint) override;

  /// A window that freezes stops saying so, and lets go.
  static constexpr double kPushFor = 0.2;  ///< s of robot time after it was said last: a choice
  void push(const gui::Push& push) override;
  void let_go() override { push({}); }

  /// The simulated world as of the newest cycle; null where none is simulated. The window's thread.
  [[nodiscard]] const gui::WorldPose* world();

 private:
  void prepare_faults(const RobotConfig& config);
  void run(const std::stop_token& stop, const RealtimeOptions& options,
           std::promise<void>& started);
  bool may_step() noexcept;
  void pull() noexcept;
  void show_world() noexcept;
  void write_log(harness::RobotLog& log) noexcept;

  WallClockPacer pacer_;
  Rig rig_;
  std::optional<SimWorld> world_;
  std::optional<RelayedWorld> relayed_;
  std::vector<std::string> fault_names_;
  std::vector<std::vector<harness::World::Handle>> faults_;  ///< by joint, by type
  std::optional<ScenarioStage> stage_;  ///< of the loop's thread, once that runs
  gui::TraceRing ring_;
  std::unique_ptr<harness::RobotLog> log_;
  LoopGuest<harness::RobotLog> log_guest_;
  LoopGuest<CycleFollower> follower_guest_;
  TripleBuffer<gui::Push> pushes_;
  TripleBuffer<gui::WorldPose> worlds_;
  std::optional<sim::PushSpring> spring_;
  std::uint64_t push_cycle_ = 0;  ///< in which it was said last
  std::atomic<bool> paused_{false};
  std::atomic<int> steps_{0};
  std::atomic<bool> ended_{false};
  std::unique_ptr<FollowedStage> followed_;
  bool has_world_ = false;  ///< the window's
  bool was_paused_ = true;  ///< the loop's; the time until its thread is up isn't its own
  std::jthread thread_;
};

}  // namespace jointrig::app
