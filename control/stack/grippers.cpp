#include "control/stack/grippers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "control/motion/reference_generator.h"
#include "control/stack/config_error.h"

namespace jointrig {
namespace {

using Phase = Grippers::Phase;

void check(const GripperConfig& gripper, std::size_t joint_count) {
  const auto refuse = [&](const std::string& what) {
    throw ConfigError("gripper \"" + gripper.name + "\": " + what);
  };
  if (gripper.joints.empty()) refuse("it has no joint");
  if (gripper.joints.size() > kMaxGripperJoints) refuse("it has too many joints");
  for (const GripperJoint& joint : gripper.joints) {
    if (joint.joint >= joint_count) refuse("it has a joint that the robot lacks");
    const bool has_stroke = std::isfinite(joint.stroke()) && joint.stroke() != 0.0;
    if (!has_stroke) refuse("open and closed of a joint have to differ");
  }
  if (gripper.widths.size() == 1 || gripper.widths.size() > kMaxWidths) {
    refuse("a width has two points at least, closed and open");
  }
  for (std::size_t i = 1; i < gripper.widths.size(); ++i) {
    if (!(gripper.widths[i] > gripper.widths[i - 1])) refuse("its width has to rise with opening");
  }
}

/// True if something took a joint's goal from it on the way, as collision avoidance does.
bool was_halted(const GripperConfig& gripper, double share, ConstJoints joints) noexcept {
  return std::any_of(gripper.joints.begin(), gripper.joints.end(), [&](const GripperJoint& joint) {
    const JointControl& control = joints.controls[joint.joint];
    const JointLimits& limits = joints.setups[joint.joint].config.limits;
    const double goal = std::clamp(joint.at(share), soft_min(limits), soft_max(limits));
    return !control.is_on_way() &&
           std::abs(control.reference().q - goal) > Grippers::kAhead * std::abs(joint.stroke());
  });
}

}  // namespace

Grippers::Grippers(const RobotConfig& config)
    : grippers_(config.grippers), grips_(config.joints.size()) {
  if (grippers_.size() > kMaxGrippers) {
    throw ConfigError("the robot has " + std::to_string(grippers_.size()) +
                      " grippers, more than the " + std::to_string(kMaxGrippers) + " of one stack");
  }
  for (const GripperConfig& gripper : grippers_) check(gripper, config.joints.size());
  state_.holds.resize(grippers_.size());
  shares_.resize(grippers_.size());
}

/// Goals stay inside the soft limits.
double Grippers::goal_of(const GripperJoint& joint, double share,
                         const JointLimits& limits) noexcept {
  return std::clamp(joint.at(share), soft_min(limits), soft_max(limits));
}

double Grippers::share_of(const GripperConfig& gripper, ConstJoints joints) const noexcept {
  double sum = 0.0;
  for (const GripperJoint& joint : gripper.joints) {
    sum += (joints.controls[joint.joint].state().q - joint.closed) / joint.stroke();
  }
  return sum / static_cast<double>(gripper.joints.size());
}

double Grippers::shown(std::size_t index, double share) const noexcept {
  return grippers_[index].knows_width() ? grippers_[index].width(share) : share;
}

void Grippers::leave(const JointSet& joints, EventReporter& events) noexcept {
  for (std::size_t i = 0; i < grippers_.size(); ++i) {
    const auto& own = grippers_[i].joints;
    const bool is_meant = std::any_of(own.begin(), own.end(), [&](const GripperJoint& joint) {
      return joints.test(joint.joint);
    });
    if (!is_meant) continue;
    give_up(i, events);
    state_.holds[i] = {};
  }
}

void Grippers::stop(const JointSet& joints, EventReporter& events) noexcept {
  for (std::size_t i = 0; i < grippers_.size(); ++i) {
    const auto& own = grippers_[i].joints;
    const bool is_meant = std::any_of(own.begin(), own.end(), [&](const GripperJoint& joint) {
      return joints.test(joint.joint);
    });
    if (!is_meant || state_.holds[i].is_grasped) continue;
    give_up(i, events);
    state_.holds[i] = {};
  }
}

/// Tells that it doesn't go on, if there is something to go on with.
void Grippers::give_up(std::size_t index, EventReporter& events) noexcept {
  Hold& hold = state_.holds[index];
  if (hold.phase == Phase::kRests) return;
  const bool was_held = hold.is_grasped;
  hold.phase = Phase::kRests;
  if (!was_held) tell(index, GripperChange::kStopped, shown(index, shares_[index]), 0.0, events);
}

// The cycle ---------------------------------------------------------------------------------------

void Grippers::advance(Joints joints, const ExternalForces& forces, double dt,
                       EventReporter& events, PerGripper<GripperSnapshot>& shown) noexcept {
  const ConstJoints seen{joints.setups, joints.controls};
  for (std::size_t i = 0; i < grippers_.size(); ++i) {
    const GripperConfig& gripper = grippers_[i];
    Hold& hold = state_.holds[i];
    const double share = shares_[i] = share_of(gripper, seen);
    follow(i, share, joints, dt, events);
    set_grips(i, share, seen);

    GripperSnapshot& out = shown[i];
    out = {.share = share, .width = gripper.width(share)};
    double pressed = 0.0;
    double square = 0.0;
    for (std::size_t k = 0; k < gripper.joints.size(); ++k) {
      const double lever = gripper.lever(k, share);
      const ExternalTorque& external = forces.torques()[gripper.joints[k].joint];
      if (external.is_known) pressed += lever * external.tau;
      square += lever * lever;
    }
    // The object pushes the fingers apart: least squares of τ_i = F ∂w/∂q_i.
    out.force = square > 0.0 ? pressed / square : 0.0;
    const bool grasps = hold.phase == Phase::kCloses || hold.phase == Phase::kPresses;
    out.asked = grasps ? hold.force : 0.0;
    const bool is_open = share >= 1.0 - 2.0 * kAhead;
    const bool is_closed = share <= 2.0 * kAhead;
    const bool is_grasped = hold.phase == Phase::kPresses && hold.is_grasped;
    if (hold.phase == Phase::kMoves) out.state = GripperState::kMoving;
    if (grasps) out.state = is_grasped ? GripperState::kGrasped : GripperState::kGrasping;
    if (hold.phase == Phase::kRests) {
      out.state = hold.came_to != GripperState::kIdle ? hold.came_to
                  : is_open                           ? GripperState::kOpen
                  : is_closed                         ? GripperState::kClosed
                                                      : GripperState::kIdle;
    }
  }
}

void Grippers::follow(std::size_t index, double share, Joints joints, double dt,
                      EventReporter& events) noexcept {
  const GripperConfig& gripper = grippers_[index];
  Hold& hold = state_.holds[index];
  if (hold.phase == Phase::kRests) return;
  const ConstJoints seen{joints.setups, joints.controls};
  const bool presses = hold.phase == Phase::kPresses;
  const bool goes_on =
      std::all_of(gripper.joints.begin(), gripper.joints.end(), [&](const GripperJoint& joint) {
        const JointControl& control = joints.controls[joint.joint];
        const bool is_free = control.why_held() == RejectReason::kNone;
        return control.machine().mode() == ControlMode::kPosition && control.machine().driving() &&
               (presses || is_free);
      });
  if (!goes_on) {
    hold.is_grasped = false;  // so that it is told
    give_up(index, events);
    hold = {};
    return;
  }
  if (presses) return watch_object(index, share, joints, dt, events);
  if (are_there(gripper, hold, seen)) return arrive(index, share, events);
  if (was_halted(gripper, hold.share, seen)) {
    tell(index, GripperChange::kStalled, shown(index, share), shown(index, hold.share), events);
    rest_with(index, GripperState::kStalled, joints);
    return;
  }
  watch_stand(index, share, seen, true, dt);
  if (hold.stood >= kStandTime) meet(index, share, joints, events);
}

/// Counts the time for which they stand, if asked for with a reference ahead.
void Grippers::watch_stand(std::size_t index, double share, ConstJoints joints, bool must_lag,
                           double dt) noexcept {
  Hold& hold = state_.holds[index];
  bool lags = !must_lag;
  double fastest = 0.0;  // change of the share in a second
  for (const GripperJoint& joint : grippers_[index].joints) {
    const JointControl& control = joints.controls[joint.joint];
    const JointLimits& limits = joints.setups[joint.joint].config.limits;
    const double stroke = std::abs(joint.stroke());
    const double q = control.state().q;
    const double behind = control.reference().q - q;
    const bool is_ahead = behind * (goal_of(joint, hold.share, limits) - q) > 0.0;
    // A reference that stands, too, waits for nothing.
    const bool leads =
        !control.is_on_way() || std::abs(control.reference().v) > kStill * limits.v_max;
    lags = lags || (is_ahead && leads && std::abs(behind) > kAhead * stroke);
    fastest = std::max(fastest, limits.v_max / stroke);
  }
  const bool has_moved = std::abs(share - hold.stood_at) > kStill * fastest * kStandTime;
  if (has_moved) hold.stood_at = share;
  hold.stood = has_moved || !lags ? 0.0 : hold.stood + dt;
}

bool Grippers::are_there(const GripperConfig& gripper, const Hold& hold,
                         ConstJoints joints) const noexcept {
  return std::all_of(gripper.joints.begin(), gripper.joints.end(), [&](const GripperJoint& joint) {
    const JointControl& control = joints.controls[joint.joint];
    const double goal = goal_of(joint, hold.share, joints.setups[joint.joint].config.limits);
    return !control.is_on_way() &&
           std::abs(control.state().q - goal) <= kAhead * std::abs(joint.stroke());
  });
}

void Grippers::arrive(std::size_t index, double share, EventReporter& events) noexcept {
  Hold& hold = state_.holds[index];
  const double now = shown(index, share);
  if (hold.phase == Phase::kCloses) {
    tell(index, GripperChange::kMissed, now, hold.least, events);
    hold = {.came_to = GripperState::kMissed};
    return;
  }
  tell(index, hold.goal, now, shown(index, hold.share), events);
  hold = {};
}

/// Something stands between the fingers, or in their way.
void Grippers::meet(std::size_t index, double share, Joints joints,
                    EventReporter& events) noexcept {
  Hold& hold = state_.holds[index];
  const double now = shown(index, share);
  if (hold.phase == Phase::kMoves) {
    tell(index, GripperChange::kStalled, now, shown(index, hold.share), events);
    rest_with(index, GripperState::kStalled, joints);
  } else if (now < hold.least || now > hold.most) {
    tell(index, GripperChange::kMissed, now, now < hold.least ? hold.least : hold.most, events);
    rest_with(index, GripperState::kMissed, joints);
  } else {
    hold.phase = Phase::kPresses;
    hold.stood = 0.0;
    hold.share = share;
  }
}

void Grippers::watch_object(std::size_t index, double share, Joints joints, double dt,
                            EventReporter& events) noexcept {
  const GripperConfig& gripper = grippers_[index];
  Hold& hold = state_.holds[index];
  const double now = shown(index, share);
  // Nothing holds it open any more: it is at its end, or closes faster than anything that gives.
  const bool is_fast =
      std::any_of(gripper.joints.begin(), gripper.joints.end(), [&](const GripperJoint& joint) {
        const double v = joints.controls[joint.joint].state().v;
        const double closing = joint.stroke() > 0.0 ? -v : v;
        return closing > joints.setups[joint.joint].config.limits.v_max;
      });
  const bool is_gone = share <= kAhead || (is_fast && share < hold.share - kAhead);
  if (!hold.is_grasped) {
    watch_stand(index, share, {joints.setups, joints.controls}, false, dt);
    if (is_gone || now < hold.least) {
      tell(index, GripperChange::kMissed, now, hold.least, events);
      rest_with(index, GripperState::kMissed, joints);
    } else if (hold.stood >= kStandTime) {
      hold.is_grasped = true;
      hold.share = share;
      tell(index, GripperChange::kGrasped, now, hold.force, events);
    }
    return;
  }
  if (!is_gone && share > hold.share - gripper.slip) return;
  tell(index, GripperChange::kLost, now, shown(index, hold.share), events);
  rest_with(index, GripperState::kLost, joints);
}

/// Its joints brake and hold where they are.
void Grippers::rest_with(std::size_t index, GripperState state, Joints joints) noexcept {
  for (const GripperJoint& joint : grippers_[index].joints) {
    JointControl& control = joints.controls[joint.joint];
    control.rest();
  }
  state_.holds[index] = {.came_to = state};
}

void Grippers::set_grips(std::size_t index, double share, ConstJoints joints) noexcept {
  const GripperConfig& gripper = grippers_[index];
  const Hold& hold = state_.holds[index];
  for (std::size_t k = 0; k < gripper.joints.size(); ++k) {
    const JointIndex joint = gripper.joints[k].joint;
    JointControl::Grip& grip = grips_[joint];
    grip = {};
    const double lever = gripper.lever(k, share);
    if (hold.phase == Phase::kRests || lever == 0.0 || !(hold.force > 0.0)) continue;
    const double tau_max = joints.setups[joint].config.limits.tau_max;
    grip.most = std::min(hold.force * std::abs(lever), tau_max);
    if (hold.phase == Phase::kMoves) continue;
    grip.presses = hold.phase == Phase::kPresses;
    grip.tau = std::clamp(-hold.force * lever, -tau_max, tau_max);
  }
}

void Grippers::tell(std::size_t index, GripperChange change, double value, double limit,
                    EventReporter& events) const noexcept {
  Event event = events.event(EventKind::kGripper, kNoJoint);
  event.gripper = static_cast<GripperIndex>(index);
  event.detail = static_cast<std::uint8_t>(change);
  event.value = value;
  event.limit = limit;
  // Values are widths where the gripper knows its own.
  event.quantity = grippers_[index].knows_width() ? QuantityKind::kLength : QuantityKind::kNone;
  events.publish(event);
}

void Grippers::restore(const State& state) { state_ = state; }

}  // namespace jointrig
