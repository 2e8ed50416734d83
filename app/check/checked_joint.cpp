#include "app/check/checked_joint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/check/straight_way.h"
#include "control/core/capabilities.h"
#include "control/core/robot_io.h"
#include "control/discovery/braking_room.h"
#include "control/joint/joint_control.h"
#include "control/model/robot_model.h"
#include "control/model/start_pose.h"
#include "control/planning/path_collision.h"
#include "control/stack/computed_torque.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/signals.h"

namespace jointrig::app {
namespace {

constexpr double kWayOfHinge = 10.0 * std::numbers::pi / 180.0;  // [rad]
constexpr double kWayOfSlide = 0.02;                             // [m] a choice
constexpr double kLeastShare = 0.05;  // of that way: with less room a joint isn't moved
constexpr double kShareOfRoom = 0.8;  // of the room to the soft limit: its overshoot needs some
constexpr double kPeakOfPush = 0.41;  // of τ/(I ω²): the law's answer to a step, ζ = 1, ω_o = ω/2
constexpr double kWeightShare = 0.75;  // of a torque: the rest moves and brakes

/// Ways up and down within the soft limits, the one to try first in front: up if there is room,
/// else to the side that has more. 0: too little room.
std::array<double, 2> ways_within_limits(const JointConfig& joint) {
  const double wanted = joint.slide ? kWayOfSlide : kWayOfHinge;
  const JointLimits& limits = joint.limits;
  const double up = kShareOfRoom * (limits.q_max - limits.soft_margin - joint.q_start);
  const double down = kShareOfRoom * (joint.q_start - limits.q_min - limits.soft_margin);
  const auto way = [&](double room) {
    return room < kLeastShare * wanted ? 0.0 : std::min(wanted, room);
  };
  if (up >= wanted || up >= down) return {way(up), -way(down)};
  return {-way(down), way(up)};
}

/// The joints whose weight the model's pose leaves to their motors.
JointSet holdable(const RobotConfig& robot, const RobotModel& model) {
  JointSet held;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const double weight = std::abs(model.gravity(static_cast<JointIndex>(i)));
    held.set(i, weight <= kWeightShare * robot.joints[i].limits.tau_max);
  }
  return held;
}

/// True if each motor that can hold its joint's weight at the start can hold it at the end of a
/// way, too. One that is too weak for the start already is a finding, and no reason to leave the
/// way out.
bool holds_after(std::size_t joint, double way, const RobotConfig& robot, RobotModel& model,
                 const RobotState& start, const JointSet& held_at_start) {
  RobotState there = start;
  there.joints[joint].q += way;
  model.update(there);
  return (held_at_start & ~holdable(robot, model)).none();
}

/// The longest way on which the robot meets neither itself nor its scene, nor comes so near that
/// collision avoidance stops it, and at whose end its motors can hold it; 0: none.
double way_of(std::size_t joint, const RobotConfig& robot, PathCollision& collision,
              RobotModel& model, const RobotState& start, const JointSet& held) {
  const std::array<double, 2> ways = ways_within_limits(robot.joints[joint]);
  for (const double share : {1.0, 0.5, 0.25}) {
    for (const double way : ways) {
      if (way == 0.0) continue;
      const JointPlan plan = straight_way({static_cast<JointIndex>(joint)}, {start.joints[joint].q},
                                          {kBeyond * share * way});
      if (collision.first_on(plan, start)) continue;
      if (holds_after(joint, kBeyond * share * way, robot, model, start, held)) return share * way;
    }
  }
  return 0.0;
}

}  // namespace

std::vector<CheckedJoint> checked_joints(const Discovery& found, PathCollision& collision) {
  const RobotConfig& robot = found.config;
  const RobotState state = state_at_start(robot);
  RobotModel model(robot);
  model.update(state);
  const JointSet held = holdable(robot, model);
  const auto count = static_cast<Eigen::Index>(robot.joints.size());
  Eigen::MatrixXd inertia(count, count);
  model.mass_matrix(inertia);
  // With the motors' inertia, also an assumed one, which the file that origins know lacks. Those
  // know the constraints of a gripper's gears in turn.
  const Eigen::MatrixXd mobility = inertia.inverse();
  std::vector<CheckedJoint> joints;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    const JointConfig& config = robot.joints[i];
    const JointOrigin& origin = found.origins[i];
    const auto row = static_cast<Eigen::Index>(i);
    CheckedJoint joint;
    joint.config = &config;
    joint.key = harness::yaml_string(config.name);
    joint.name = harness::quoted_where_odd(config.name);
    joint.way = way_of(i, robot, collision, model, state, held);
    joint.weight = origin.gravity;
    joint.inertia = std::max(origin.inertia_start, 1.0 / mobility(row, row));
    joint.held_inertia = std::max(joint.inertia, inertia(row, row));
    joint.braking = braking_torque(found, static_cast<JointIndex>(i));
    JointCapabilities board;
    board.senses_velocity = true;
    joint.loop_time = loop_time(config, board, to_seconds(robot.period_ns), robot.delay_cycles);
    joints.push_back(std::move(joint));
  }
  return joints;
}

double CheckedJoint::speed_unanswered(double torque) const noexcept {
  return torque / inertia * (loop_time + 0.5 * torque / config->limits.tau_rate_max);
}

double CheckedJoint::answer_time() const noexcept {
  if (!can_brake()) return 0.0;
  return loop_time + 0.5 * braking / (ComputedTorque::kShareOfRate * config->limits.tau_rate_max);
}

double CheckedJoint::half_torque() const noexcept {
  constexpr double kShare = 0.5;
  return std::min(kShare * tau_max(), torque_left());
}

double CheckedJoint::push_torque() const noexcept {
  // v = τ/I (T + τ/2r), solved for τ; the rest of v_max is for what comes until the joint brakes.
  constexpr double kSpeedShare = 0.8;
  const double rate = config->limits.tau_rate_max;
  const double v = kSpeedShare * v_max();
  const double answered =
      rate * (std::sqrt(loop_time * loop_time + 2.0 * inertia * v / rate) - loop_time);
  // There and, let go, back again: to the switches, which stand a little beyond the limits
  // (sim/board/board_spec.h).
  const JointLimits& limits = config->limits;
  const double beyond = std::min(0.05, 0.1 * (limits.q_max - limits.q_min));
  const double room = kShareOfRoom * (std::min(limits.q_max - q(), q() - limits.q_min) + beyond);
  const double turned = way_of_push(half_torque());
  const double within = turned <= room ? half_torque() : half_torque() * room / turned;
  const double kept = std::min(answered, within);
  return std::clamp(kept, kLeastOfPush * half_torque(), half_torque());
}

double CheckedJoint::way_of_push(double torque) const noexcept {
  return kPeakOfPush * gives_way(torque);
}

double CheckedJoint::way_of_load(int stairs) const noexcept {
  const double stair = torque_left() / stairs;
  if (config->gains.is_pid) return gives_way(stair);
  return way_under_rising_load(servo_design(loop_time, *config), inertia, stair / kStairTime);
}

int CheckedJoint::load_stairs() const noexcept {
  constexpr double kShare = 0.7;  // of the bound: what the other joints' motions add
  int stairs = kLoadStairs;
  const ServoDesign design = servo_design(loop_time, *config);
  const double held =
      kShare * inertia * design.observer * 2.0 * design.damping * design.w * v_max();
  const auto fits = [&] {
    const double rate = torque_left() / stairs / kStairTime;
    if (!config->gains.is_pid && rate > held) return false;
    return speed_unanswered(torque_left() / stairs) <= v_max() &&
           way_of_load(stairs) <= kShare * far_way();
  };
  while (stairs < kMostLoadStairs && !fits()) stairs += 5;
  return stairs;
}

double CheckedJoint::gives_way(double torque) const noexcept {
  const JointGains& gains = config->gains;
  if (gains.is_pid) return torque / gains.kp;
  const double w = servo_design(loop_time, *config).w;
  return torque / (inertia * w * w);
}

double CheckedJoint::range() const noexcept {
  const JointLimits& limits = config->limits;
  return limits.q_max - limits.q_min - 2.0 * limits.soft_margin;
}

double CheckedJoint::torque_left() const noexcept {
  return std::max(0.0, kHoldShare * tau_max() - std::abs(weight));
}

double CheckedJoint::top_speed() const noexcept {
  constexpr double kShare = 0.75;  // a choice: the rest accelerates
  constexpr double kLeast = 0.01;  // of v_max, where friction takes all: such a joint is told weak
  const double spare = kShare * std::max(0.0, torque_left() - config->gains.friction);
  if (config->gains.viscous * v_max() <= spare) return v_max();
  return std::max(kLeast * v_max(), spare / config->gains.viscous);
}

double CheckedJoint::speed(double share_of_way, double seconds,
                           double share_of_max) const noexcept {
  return std::min(share_of_max * top_speed(), share_of_way * std::abs(way) / seconds);
}

double CheckedJoint::time_for(double some_way) const noexcept {
  // Minimum jerk: peak speed 15/8 d/T, peak acceleration 10/√3 d/T².
  const double d = std::abs(some_way);
  return std::max(15.0 / 8.0 * d / (0.5 * top_speed()),
                  std::sqrt(10.0 / std::numbers::sqrt3 * d / config->limits.a_max));
}

double CheckedJoint::speed_after(double torque, double seconds, double of) const noexcept {
  const double drive = std::max(0.0, std::abs(torque) - config->gains.friction);
  const double viscous = config->gains.viscous;
  const double rate = viscous / of;  // [1/s]
  if (rate * seconds < 1e-6) return drive / of * seconds;
  return drive / viscous * -std::expm1(-rate * seconds);
}

double CheckedJoint::torque_to(double v, double seconds) const noexcept {
  const JointGains& gains = config->gains;
  const double wanted = gains.friction + gains.viscous * v + inertia * v / seconds;
  return std::min(wanted, torque_left() / 2.0);
}

bool CheckedJoint::takes(DriveMode drive) const noexcept {
  JointCapabilities board;
  board.drive_modes = config->board.drive_modes;
  board.cycle_ns = config->cycle_ns;
  return usable_modes(board).has(drive);
}

}  // namespace jointrig::app
