#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/followed_stage.h"
#include "app/gui/loop_guest.h"
#include "app/gui/robot_feed.h"
#include "app/gui/scenario_stage.h"
#include "app/realtime/realtime.h"
#include "app/realtime/wall_clock_pacer.h"
#include "app/rig/rig.h"
#include "app/rig/sim_world.h"
#include "app/run/relayed_world.h"
#include "app/serve/serving.h"
#include "control/exchange/event_ring.h"
#include "control/exchange/triple_buffer.h"
#include "gui/panel/simulation.h"
#include "gui/plot/trace_ring.h"
#include "gui/scene3d/push_hand.h"
#include "gui/scene3d/world_pose.h"
#include "harness/log/robot_log.h"
#include "sim/push_spring.h"

namespace jointrig::app {

/// Something that the window has done to the simulated world.
struct WorldAct {
  enum class Kind : std::uint8_t { kBegan, kEnded, kPulled };
  Kind kind = Kind::kBegan;
  int number = 0;    ///< of a fault
  std::string step;  ///< of a fault that began: as a scenario has it
};

/// A rig that runs in real time on a thread of its own, for a window:
///
///     loop     requests to the world, a push → Loop::step → trace ring, newest snapshot, pose of
///     the
///              world
///     window   trace ring → plots;  snapshot, events, world → panel;  panel → inbox, requests, a
///              push
///
/// The loop never waits for the window. A window that is more than the ring behind loses cycles,
/// which are counted.
class LiveLoop final : public RobotFeed, public gui::Simulation, public gui::PushPort {
 public:
  static constexpr double kRingSeconds = 2.0;  ///< choice: a longer frame is a fault

  /// @param backend  of the whole robot; none: as its file says
  /// @param held_until_driven  for a simulation: SimOptions
  /// Throws as Rig, and std::invalid_argument for a backend that keeps no clock.
  LiveLoop(const RobotConfig& config, std::optional<BackendKind> backend,
           const sim::PlantOptions& plant = {}, std::optional<double> speed_override = {},
           bool held_until_driven = false);
  /// Ends the loop; motors off.
  ~LiveLoop() override;

  /// Makes the stage of a scenario, in the loop's thread; call before start(). Throws as
  /// ScenarioStage.
  ScenarioStage& stage(const harness::Scenario& scenario);
  /// Plays a scenario on the robot in its present state, while the loop runs, in place of a
  /// finished one. Throws as ScenarioStage, without any effect.
  ScenarioStage& play(const harness::Scenario& scenario);
  /// The present or last stage; null: none.
  [[nodiscard]] ScenarioStage* stage() noexcept;

  /// Logs every cycle, command and event from now on. Throws std::runtime_error if the file can't
  /// be created.
  void start_log(const std::string& path, harness::RobotLogOptions options);
  /// State of the log that was started and not yet stopped: a full disk ends it, never the loop.
  [[nodiscard]] harness::RobotLogStatus log_status() const { return log_->status(); }
  /// Ends the log; waits a few ms until the loop releases it.
  harness::RobotLogStatus stop_log();

  /// Gives the robot to clients and viewers from now on. Throws as Serving::start, without any
  /// effect.
  /// @param notes  Rig::robot_notes(), from before the start
  Serving& serve(const ServingOptions& options, std::vector<std::string> notes);
  /// Ends their connections; waits for the end of a cycle.
  void stop_serving();

  /// Throws as Rig::start.
  void start(const RealtimeOptions& options);

  [[nodiscard]] Rig& rig() noexcept { return rig_; }

  // RobotFeed

  [[nodiscard]] gui::PanelRobot panel_robot() override;
  [[nodiscard]] CommandInbox& inbox() override { return rig_.stack().inbox(); }
  /// Plot data of every cycle.
  [[nodiscard]] gui::TraceRing& ring() override { return ring_; }
  [[nodiscard]] const RobotConfig& plotted() override { return rig_.stack().config(); }
  /// After start().
  bool newest(Snapshot& snapshot) noexcept override {
    return rig_.loop().exchange().read(snapshot);
  }
  bool next(Event& event) override;
  /// None unless the robot is served: else the panel's commands are the only ones.
  [[nodiscard]] std::optional<ParameterTable> take_parameters() override;
  [[nodiscard]] std::string sentence(const Event& event) override;
  [[nodiscard]] gui::LoopHealth health() override;
  [[nodiscard]] std::optional<std::string> why_ended() const override;

  [[nodiscard]] bool paused() const override { return paused_.load(std::memory_order_relaxed); }
  void pause(bool paused) override { paused_.store(paused, std::memory_order_relaxed); }
  void step(int cycles) override { steps_.fetch_add(cycles, std::memory_order_relaxed); }
  [[nodiscard]] double speed() const override { return pacer_.real_time_factor(); }
  void set_speed(double factor) override { pacer_.set_real_time_factor(factor); }
  [[nodiscard]] std::vector<std::string> fault_types(JointIndex joint) const override;
  void inject(JointIndex joint, std::size_t fault_type) override;
  void end_faults(JointIndex joint) override;
  /// Told in the window's thread.
  void watch_world(std::function<void(const WorldAct&)> watch) { watch_ = std::move(watch); }

  /// Duration of a push after its last message; so a frozen window releases it.
  static constexpr double kPushFor = 0.2;  ///< s of robot time: a choice
  void push(const gui::Push& push) override;
  void let_go() override { push({}); }

  /// Pose of the simulated world in the newest cycle; null without a simulation. The window's
  /// thread.
  [[nodiscard]] const gui::WorldPose* world();

 private:
  void prepare_faults();
  void tell(const WorldAct& act) const {
    if (watch_) watch_(act);
  }
  void run(const std::stop_token& stop, const RealtimeOptions& options,
           std::promise<void>& started);
  bool may_step() noexcept;
  void pull() noexcept;
  void show_world() noexcept;

  WallClockPacer pacer_;
  Rig rig_;
  std::optional<SimWorld> world_;
  std::optional<RelayedWorld> relayed_;
  std::vector<std::vector<harness::World::Handle>> faults_;  ///< by joint, by type
  std::vector<std::vector<std::string>> fault_steps_;        ///< likewise, as a scenario has them
  std::function<void(const WorldAct&)> watch_;
  bool pulls_ = false;
  std::optional<ScenarioStage> stage_;             ///< belongs to the loop's thread while that runs
  std::optional<EventRing::Reader> stage_events_;  ///< likewise
  gui::TraceRing ring_;
  EventRing::Reader events_;                     ///< the window's
  std::optional<std::uint64_t> parameters_set_;  ///< likewise: in this cycle, and not yet taken
  std::unique_ptr<harness::RobotLog> log_;
  LoopGuest<harness::RobotLog> log_guest_;
  LoopGuest<CycleFollower> follower_guest_;
  std::unique_ptr<Serving> serving_;
  LoopGuest<Serving> serving_guest_;
  TripleBuffer<gui::Push> pushes_;
  TripleBuffer<gui::WorldPose> worlds_;
  std::optional<sim::PushSpring> spring_;
  std::uint64_t push_cycle_ = 0;  ///< cycle of the last message
  std::atomic<bool> paused_{false};
  std::atomic<int> steps_{0};
  std::atomic<bool> ended_{false};
  std::unique_ptr<FollowedStage> followed_;
  bool has_world_ = false;  ///< the window's thread
  bool was_paused_ = true;  ///< the loop's thread; time before its start is not counted
  std::jthread thread_;
};

}  // namespace jointrig::app
