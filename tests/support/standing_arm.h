#pragma once
/// A robot that stands still under a stack of its own, whatever that commands: states are made up.

#include <functional>
#include <memory>
#include <vector>

#include "control/exchange/robot_client.h"
#include "control/stack/stack.h"

namespace jointrig::testing {

struct StandingArm {
  /// @param change  of each joint's board, which takes torque and measures none
  explicit StandingArm(const RobotConfig& robot,
                       const std::function<void(JointCapabilities&)>& change = {})
      : config(robot),
        stack(config, boards_of(config, change), std::make_unique<RobotModel>(config)),
        client(stack.config(), stack.inbox(), "test"),
        reader(stack.events()) {
    state.joints.resize(config.joints.size());
    for (std::size_t i = 0; i < config.joints.size(); ++i) {
      state.joints[i].q = config.joints[i].q_start;
      state.joints[i].status = BoardStatus::kEnabled;
    }
  }

  static std::vector<JointCapabilities> boards_of(
      const RobotConfig& config, const std::function<void(JointCapabilities&)>& change) {
    std::vector<JointCapabilities> boards;
    for (const JointConfig& joint : config.joints) {
      JointCapabilities& board = boards.emplace_back();
      board.joint = joint.name;
      board.drive_modes = {DriveMode::kOff, DriveMode::kTorque};
      board.senses_velocity = board.reports_status = true;
      if (change) change(board);
    }
    return boards;
  }

  void run(int cycles) {
    for (int n = 0; n < cycles; ++n) {
      ++state.cycle;
      state.time_ns = static_cast<TimeNs>(state.cycle) * config.period_ns;
      stack.cycle(state, command);
    }
  }
  /// Those of this kind since the last call; the others are gone.
  std::vector<Event> events(EventKind kind) {
    std::vector<Event> found;
    for (Event e; reader.next(e);) {
      if (e.kind == kind) found.push_back(e);
    }
    return found;
  }

  RobotConfig config;
  Stack stack;
  RobotClient client;
  EventRing::Reader reader;
  RobotState state;
  RobotCommand command;
};

}  // namespace jointrig::testing
