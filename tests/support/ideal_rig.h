#pragma once
/// A stack on an ideal robot, with what a test wants to do to them in one line each.

#include <memory>
#include <optional>
#include <vector>

#include "control/exchange/robot_client.h"
#include "control/model/robot_model.h"
#include "control/stack/loop.h"
#include "control/stack/stack.h"
#include "tests/support/ideal_robot.h"

namespace jointrig::testing {

struct IdealRig {
  explicit IdealRig(std::size_t joints = 2) : IdealRig(ideal_config(joints)) {}
  explicit IdealRig(const RobotConfig& config)
      : robot(config),
        stack(config, robot.capabilities, model_for(config)),
        loop(robot, stack),
        client(stack.config(), stack.inbox(), "test"),
        reader(stack.events()) {}

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) loop.step();
  }
  void run_for(double seconds) { run(static_cast<int>(seconds * 1000.0 + 0.5)); }

  /// Asks for a mode of all joints and waits until the motors are on.
  void enter(ModeRequest request) {
    client.set_mode(client.select("all"), request);
    run(5);
  }

  [[nodiscard]] const JointSnapshot& joint(std::size_t i = 0) const {
    return stack.snapshot().joints[i];
  }

  /// All events since the last call.
  std::vector<Event> events() {
    std::vector<Event> all;
    for (Event e; reader.next(e);) all.push_back(e);
    return all;
  }
  /// The only event of a kind since the last look at events; nullopt if none or several.
  std::optional<Event> only(EventKind kind) {
    std::optional<Event> found;
    for (const Event& e : events()) {
      if (e.kind != kind) continue;
      if (found) return std::nullopt;
      found = e;
    }
    return found;
  }
  /// Sends what `send` sends, runs a cycle, and gives the answer.
  template <typename Send>
  Event answer(Send&& send) {
    events();
    const std::uint64_t number = send();
    run(1);
    for (const Event& e : events()) {
      const bool answers = e.kind == EventKind::kAccepted || e.kind == EventKind::kRejected;
      if (answers && e.number == number && e.sender == client.sender()) return e;
    }
    return {};
  }

  /// Arms need one.
  static std::unique_ptr<RobotModel> model_for(const RobotConfig& config) {
    return config.arms.empty() ? nullptr : std::make_unique<RobotModel>(config);
  }

  IdealRobot robot;
  Stack stack;
  Loop loop;
  RobotClient client;
  EventRing::Reader reader;
};

}  // namespace jointrig::testing
