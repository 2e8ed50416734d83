#pragma once
/// A panel on a robot whose physics can be worked out by hand, with a clock of its own.

#include <gtest/gtest.h>

#include <utility>

#include "gui/panel/desks.h"
#include "tests/support/ideal_rig.h"
#include "tests/support/requests.h"

namespace jointrig::testing {

/// A simulation without effect that records its requests.
class QuietSimulation final : public gui::Simulation {
 public:
  [[nodiscard]] bool paused() const override { return is_paused; }
  void pause(bool paused) override { is_paused = paused; }
  void step(int cycles) override { steps += cycles; }
  [[nodiscard]] double speed() const override { return factor; }
  void set_speed(double wanted) override { factor = wanted; }
  [[nodiscard]] std::vector<std::string> fault_types(JointIndex) const override {
    return {"motor_off"};
  }
  void inject(JointIndex, std::size_t) override { ++injected; }
  void end_faults(JointIndex) override { ++ended; }

  bool is_paused = false;
  double factor = 1.0;
  int steps = 0;
  int injected = 0;
  int ended = 0;
};

struct RigWithPanel {
  explicit RigWithPanel(std::size_t joints = 3, bool real = false)
      : RigWithPanel(ideal_config(joints), real) {}
  /// @param elsewhere  as a robot that another program serves
  explicit RigWithPanel(const RobotConfig& config, bool real = false, bool elsewhere = false)
      : rig(config),
        asker(rig.stack.config(), rig.stack.inbox(), "panel"),
        panel({.config = &rig.stack.config(),
               .boards = &rig.robot.capabilities,
               .backend = "ideal",
               .real = real,
               .simulation = real || elsewhere ? nullptr : &simulation,
               .is_elsewhere = elsewhere},
              asker, [](const Event& event) { return std::string(to_string(event.kind)); }),
        desks(panel),
        events(rig.stack.events()) {
    frame();
  }

  /// One frame of the window: 16 cycles of the loop, then their snapshot and events.
  void frame(bool had_input = false) {
    for (int i = 0; i < 16; ++i) cycle();
    now += 0.016;
    show(had_input);
  }
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  /// Shows the robot to the panel without letting it run.
  void show(bool had_input = false) {
    panel.see(rig.stack.snapshot());
    for (Event event; events.next(event);) panel.see(event);
    panel.begin_frame({.now = now, .focused = focused, .had_input = had_input, .loop = {}});
    desks.begin_frame();
  }
  /// Commands that the loop has drained since the last call.
  std::vector<Command> commands() {
    cycle();
    return std::exchange(drained, {});
  }
  /// The only command since the last call; fails the test where it isn't one.
  Command only_command() {
    const std::vector<Command> all = commands();
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? Command{} : all.front();
  }
  /// The same, for a known kind.
  template <typename C>
  C only() {
    return as<C>(only_command());
  }
  /// As the loop's own user asks for it.
  void override_speed(double factor) {
    rig.client.set_speed_override(factor);
    frames(2);
    drained.clear();
  }
  /// Everything in POSITION, and the panel may move it.
  void arm_and_run() {
    panel.set_access(gui::Access::kArmed);
    panel.acts.act(gui::PanelAct::kRun, panel.group());
    frames(3);
    commands();
  }
  void break_joint(std::size_t i) {
    rig.robot.joint[i].status = BoardStatus::kHwFault;
    rig.robot.joint[i].fault = FaultCode::kMotorPowerLost;
    frames(2);
  }
  void cycle() {
    rig.run(1);
    for (const Command& command : rig.stack.drained()) drained.push_back(command);
  }

  IdealRig rig;
  QuietSimulation simulation;
  RobotClient asker;
  gui::MotorPanel panel;
  gui::Desks desks;
  EventRing::Reader events;
  std::vector<Command> drained;
  double now = 100.0;
  bool focused = true;
};

}  // namespace jointrig::testing
