// Commands of grippers: what is refused, and what begins.

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/stack/grippers.h"

namespace jointrig {
namespace {

using Phase = Grippers::Phase;

/// A force has to be this much above friction: a choice.
constexpr double kAboveFriction = 1.2;
constexpr double kDefaultForce = 0.5;  // share of the largest: a choice
constexpr double kDefaultSpeed = 0.5;  // share of v_max, as of a move
constexpr double kSlack = 1e-9;        // rounding

template <typename C>
constexpr std::uint8_t refused_place(std::string_view field) noexcept {
  std::size_t place = 0;
  for (const FieldInfo& info : field_infos<C>()) {
    if (info.name == field) place = info.place + 1;
  }
  return static_cast<std::uint8_t>(place);
}

Refusal between(double value, double low, double high, std::uint8_t place) noexcept {
  if (value < low - kSlack) return {RejectReason::kOutOfRange, kNoJoint, value, low, place};
  if (value > high + kSlack) return {RejectReason::kOutOfRange, kNoJoint, value, high, place};
  return {};
}

/// Largest speed of the width that no joint's v_max is below [m/s]: by the mean of w'.
double speed_max(const GripperConfig& gripper, ConstJoints joints) noexcept {
  const double whole = gripper.widths.back() - gripper.widths.front();
  double most = std::numeric_limits<double>::infinity();
  for (const GripperJoint& joint : gripper.joints) {
    const double v = joints.setups[joint.joint].config.limits.v_max;
    most = std::min(most, whole * v / std::abs(joint.stroke()));
  }
  return most;
}

}  // namespace

// Force -------------------------------------------------------------------------------------------

double Grippers::force_max(const GripperConfig& gripper, ConstJoints joints) const noexcept {
  double most =
      gripper.force_max > 0.0 ? gripper.force_max : std::numeric_limits<double>::infinity();
  constexpr int kPoints = 8;  // along the way: the lever changes with it
  for (std::size_t i = 0; i < gripper.joints.size(); ++i) {
    const double tau_max = joints.setups[gripper.joints[i].joint].config.limits.tau_max;
    for (int k = 0; k <= kPoints; ++k) {
      const double lever = std::abs(gripper.lever(i, static_cast<double>(k) / kPoints));
      if (lever > 0.0) most = std::min(most, tau_max / lever);
    }
  }
  return most;
}

double Grippers::default_force(const GripperConfig& gripper, ConstJoints joints) const noexcept {
  return gripper.force > 0.0 ? gripper.force : kDefaultForce * force_max(gripper, joints);
}

// Admission ---------------------------------------------------------------------------------------

Refusal Grippers::examine_motion(GripperIndex index, double speed, std::size_t speed_place,
                                 ConstJoints joints) const noexcept {
  if (index >= grippers_.size()) {
    return {RejectReason::kUnknownGripper, kNoJoint, static_cast<double>(index),
            static_cast<double>(grippers_.size()), 1};
  }
  const GripperConfig& gripper = grippers_[index];
  const auto place = static_cast<std::uint8_t>(speed_place);
  for (const GripperJoint& joint : gripper.joints) {
    const RejectReason reason = joints.controls[joint.joint].why_no_grip();
    if (reason != RejectReason::kNone) return {reason, joint.joint, 0.0, 0.0};
  }
  if (speed == 0.0) return {};
  if (!gripper.knows_width()) return {RejectReason::kNoWidth, kNoJoint, speed, 0.0, place};
  return between(speed, 0.0, speed_max(gripper, joints), place);
}

Refusal Grippers::examine(const OpenGripper& command, ConstJoints joints) const noexcept {
  return examine_motion(command.gripper, command.speed, refused_place<OpenGripper>("speed"),
                        joints);
}

Refusal Grippers::examine(const CloseGripper& command, ConstJoints joints) const noexcept {
  return examine_motion(command.gripper, command.speed, refused_place<CloseGripper>("speed"),
                        joints);
}

Refusal Grippers::examine(const MoveGripper& command, ConstJoints joints) const noexcept {
  const Refusal refusal =
      examine_motion(command.gripper, command.speed, refused_place<MoveGripper>("speed"), joints);
  if (refusal) return refusal;
  const std::uint8_t place = refused_place<MoveGripper>("opening");
  if (command.scale == OpeningScale::kShare) return between(command.opening, 0.0, 1.0, place);
  const GripperConfig& gripper = grippers_[command.gripper];
  if (!gripper.knows_width()) {
    return {RejectReason::kNoWidth, kNoJoint, command.opening, 0.0, place};
  }
  return between(command.opening, std::min(gripper.widths.front(), 0.0), gripper.widths.back(),
                 place);
}

Refusal Grippers::examine(const Grasp& command, ConstJoints joints) const noexcept {
  if (const Refusal refusal =
          examine_motion(command.gripper, command.speed, refused_place<Grasp>("speed"), joints)) {
    return refusal;
  }
  const GripperConfig& gripper = grippers_[command.gripper];
  const std::uint8_t place = refused_place<Grasp>("force");
  if (!gripper.knows_width()) {
    return {RejectReason::kNoWidth, kNoJoint, command.force, 0.0, place};
  }
  double least = 0.0;
  for (std::size_t i = 0; i < gripper.joints.size(); ++i) {
    const JointSetup& setup = joints.setups[gripper.joints[i].joint];
    if (!JointControl::can_press(setup)) {
      return {RejectReason::kNoTorque, gripper.joints[i].joint, 0.0, 0.0, place};
    }
    const double lever = std::abs(gripper.lever(i, 0.5));
    if (lever > 0.0) least = std::max(least, kAboveFriction * setup.config.gains.friction / lever);
  }
  const double force = command.force == 0.0 ? default_force(gripper, joints) : command.force;
  if (const Refusal r = between(force, least, force_max(gripper, joints), place)) return r;
  const double widest = gripper.widths.back();
  if (const Refusal r = between(command.width, 0.0, widest, refused_place<Grasp>("width"))) {
    return r;
  }
  if (const Refusal r =
          between(command.epsilon_inner, 0.0, widest, refused_place<Grasp>("epsilon_inner"))) {
    return r;
  }
  return between(command.epsilon_outer, 0.0, widest, refused_place<Grasp>("epsilon_outer"));
}

/// Share of v_max at which half of the force's torque is left after what the joints' own inertia
/// takes: on a path of least jerk from rest to rest of length d at a peak speed v the greatest
/// acceleration is 10/√3 (8/15)² v²/d.
double Grippers::speed_by(const GripperConfig& gripper, const Goal& goal,
                          ConstJoints joints) const noexcept {
  constexpr double kPeak = 5.7735026919 * (8.0 / 15.0) * (8.0 / 15.0);
  constexpr double kLeast = 0.02;  // it gets there
  double share = 1.0;
  for (std::size_t i = 0; i < gripper.joints.size(); ++i) {
    const GripperJoint& joint = gripper.joints[i];
    const JointConfig& config = joints.setups[joint.joint].config;
    const double way = std::abs(goal_of(joint, goal.share, config.limits) -
                                joints.controls[joint.joint].state().q);
    const double torque = 0.5 * goal.force * std::abs(gripper.lever(i, 0.5));
    if (!(config.gains.inertia > 0.0)) continue;
    const double v = std::sqrt(torque / config.gains.inertia * way / kPeak);
    share = std::min(share, std::max(v / config.limits.v_max, kLeast));
  }
  return share;
}

// Execution ---------------------------------------------------------------------------------------

void Grippers::start(GripperIndex index, const Goal& goal, Joints joints,
                     EventReporter& events) noexcept {
  const bool pressed = state_.holds[index].phase == Phase::kPresses;
  give_up(index, events);
  const GripperConfig& gripper = grippers_[index];
  const ConstJoints seen{joints.setups, joints.controls};
  // It lets go at once. A torque that fades, and the load that the law would learn from it, hold
  // the fingers on the object while their reference leaves: they would count as stalled.
  if (pressed && goal.share > share_of(gripper, seen)) {
    for (const GripperJoint& joint : gripper.joints) joints.controls[joint.joint].rest();
  }
  double speed = goal.speed > 0.0 ? goal.speed / speed_max(gripper, seen) : kDefaultSpeed;
  // The joints arrive together: each at a speed by its way.
  double longest = 0.0;
  const auto time_of = [&](const GripperJoint& joint) {
    const JointLimits& limits = joints.setups[joint.joint].config.limits;
    const double way = goal_of(joint, goal.share, limits) - joints.controls[joint.joint].state().q;
    return std::abs(way) / limits.v_max;
  };
  for (const GripperJoint& joint : gripper.joints) longest = std::max(longest, time_of(joint));
  if (goal.force > 0.0) speed = std::min(speed, speed_by(gripper, goal, seen));
  for (const GripperJoint& joint : gripper.joints) {
    const JointSetup& setup = joints.setups[joint.joint];
    constexpr double kSlowest = 0.05;  // share: a joint that is nearly there
    const double share = longest > 0.0 ? std::max(time_of(joint) / longest, kSlowest) : 1.0;
    joints.controls[joint.joint].take(
        setup, Move::Value{.q = goal_of(joint, goal.share, setup.config.limits),
                           .speed = share * speed * setup.config.limits.v_max});
  }
  Hold& hold = state_.holds[index];
  hold = {.phase = goal.force > 0.0 ? Phase::kCloses : Phase::kMoves,
          .share = goal.share,
          .force = goal.force > 0.0 ? goal.force : gripper.force_max};
}

void Grippers::take(const OpenGripper& command, Joints joints, EventReporter& events) noexcept {
  start(command.gripper, {1.0, command.speed}, joints, events);
  state_.holds[command.gripper].goal = GripperChange::kOpened;
}

void Grippers::take(const CloseGripper& command, Joints joints, EventReporter& events) noexcept {
  start(command.gripper, {0.0, command.speed}, joints, events);
  state_.holds[command.gripper].goal = GripperChange::kClosed;
}

void Grippers::take(const MoveGripper& command, Joints joints, EventReporter& events) noexcept {
  const double share = command.scale == OpeningScale::kShare
                           ? command.opening
                           : grippers_[command.gripper].share_of(command.opening);
  start(command.gripper, {share, command.speed}, joints, events);
}

void Grippers::take(const Grasp& command, Joints joints, EventReporter& events) noexcept {
  const GripperConfig& gripper = grippers_[command.gripper];
  const double force = command.force > 0.0
                           ? command.force
                           : default_force(gripper, {joints.setups, joints.controls});
  start(command.gripper, {0.0, command.speed, force}, joints, events);
  Hold& hold = state_.holds[command.gripper];
  hold.least = command.width > 0.0 ? command.width - command.epsilon_inner : 0.0;
  hold.most = command.width > 0.0 ? command.width + command.epsilon_outer : gripper.widths.back();
}

}  // namespace jointrig
