#include "control/stack/margin_poses.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace jointrig {
namespace {

double lag(double hz) { return hz > 0.0 ? 1.0 / (2.0 * std::numbers::pi * hz) : 0.0; }

/// std's distributions differ between libraries, this doesn't.
void go_to_pose(const RobotConfig& robot, int pose, std::mt19937& random, RobotState& state) {
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& joint = robot.joints[i];
    const double reach = joint.slide ? 0.5 : std::numbers::pi;
    const double low = std::max(joint.limits.q_min, joint.q_start - reach);
    const double high = std::min(joint.limits.q_max, joint.q_start + reach);
    const double part = static_cast<double>(random()) / 4294967296.0;
    state.joints[i].q = pose == 0 ? joint.q_start : low + (high - low) * part;
  }
}

}  // namespace

std::vector<RobotState> poses_of_margin(const RobotConfig& robot) {
  RobotState state;
  state.joints.resize(robot.joints.size());
  std::vector<RobotState> all;
  std::mt19937 random;
  for (int pose = 0; pose <= kPosesOfMargin; ++pose) {
    go_to_pose(robot, pose, random, state);
    all.push_back(state);
  }
  return all;
}

LoopJoint lags_of(const JointSetup& setup, int delay_cycles) {
  const BoardConfig& board = setup.config.board;
  LoopJoint loop;
  loop.viscous = setup.config.gains.viscous;
  loop.velocity_lag =
      lag(setup.board.senses_velocity ? board.velocity_bandwidth_hz : kVelocityFilterHz);
  loop.torque_lag = lag(board.torque_bandwidth_hz);
  if (board.spring_stiffness > 0.0) loop.torque_lag += lag(board.deflection_bandwidth_hz);
  const double cycle = std::max(setup.dt, to_seconds(setup.board.cycle_ns));
  loop.cycle = std::max(1, static_cast<int>(std::lround(cycle / setup.dt)));
  loop.delay = std::max(0, delay_cycles);
  return loop;
}

}  // namespace jointrig
