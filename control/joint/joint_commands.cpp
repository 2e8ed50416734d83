// Commands of a joint.

#include <algorithm>
#include <cmath>

#include "control/joint/joint_control.h"

namespace jointrig {
namespace {

/// A goal that was taken with the slack of admission.h: no deeper outside the soft limits than
/// reference and encoder are.
double no_deeper(double goal, const JointLimits& limits, double reference, double q) noexcept {
  return std::clamp(goal, std::min({soft_min(limits), reference, q}),
                    std::max({soft_max(limits), reference, q}));
}

}  // namespace

RejectReason JointControl::why_no_motion(const ModeSet& modes) const noexcept {
  if (machine_.fault()) return RejectReason::kBoardFaulted;
  if (!modes.has(machine_.mode())) return RejectReason::kWrongMode;
  if (activity_ == JointActivity::kLink) return RejectReason::kNone;  // it waits, and is no news
  if (const RejectReason r = why_held(); r != RejectReason::kNone) return r;
  return is_in_hand(activity_) ? RejectReason::kGuided : RejectReason::kNone;
}

RejectReason JointControl::why_no_plan(const ModeSet& modes) const noexcept {
  if (const RejectReason r = why_no_motion(modes); r != RejectReason::kNone) return r;
  if (is_held(activity_)) return RejectReason::kPartHeld;
  return machine_.driving() ? RejectReason::kNone : RejectReason::kWrongMode;
}

void JointControl::follow_plan(const MotionState& state, PlanExecution execution) noexcept {
  execution_ = execution;
  move_.reset();
  end_silence();
  motion_.follow_plan(state);
}

/// A velocity has no position that could be out of range.
Refusal JointControl::check_target(const JointSetup& setup, const SetJointTarget& command,
                                   const SetJointTarget::Value& value,
                                   JointIndex index) const noexcept {
  if (const RejectReason r = why_no_plan(SetJointTarget::kModes); r != RejectReason::kNone) {
    return {r, index, 0.0, 0.0};
  }
  const bool is_velocity = command.target == TargetKind::kVelocity;
  const auto refuse = [index](double number, double limit, std::size_t place) -> Refusal {
    return {RejectReason::kOutOfRange, index, number, limit, static_cast<std::uint8_t>(place + 1)};
  };
  SetJointTarget::Value checked = value;
  if (is_velocity) checked.q = motion_.reference().q;
  const auto [low, high] = std::minmax(motion_.reference().q, state_.q);
  if (const Refusal r = check_values(checked, setup.config, index, {low, high})) return r;
  const double own = motion_.room().jerk;
  if (value.jerk < 0.0 || value.jerk > own * (1.0 + 1e-9)) {
    return refuse(value.jerk, value.jerk < 0.0 ? 0.0 : own,
                  place_of<SetJointTarget::Value>("jerk"));
  }
  if (!is_velocity && value.speed > 0.0 && std::abs(value.v) > value.speed) {
    return refuse(value.v, std::copysign(value.speed, value.v),
                  place_of<SetJointTarget::Value>("velocity"));
  }
  return {};
}

OnlineWish JointControl::wish_of(const JointSetup& setup, const SetJointTarget& command,
                                 const SetJointTarget::Value& value) const noexcept {
  const JointLimits& limits = setup.config.limits;
  const bool is_velocity = command.target == TargetKind::kVelocity;
  const double own = std::max(kDefaultSpeed * limits.v_max, std::abs(value.v));
  OnlineWish wish;
  wish.target = {.is_velocity = is_velocity,
                 .q = no_deeper(value.q, limits, motion_.reference().q, state_.q),
                 .v = value.v};
  wish.bounds.v = is_velocity ? limits.v_max : value.speed > 0.0 ? value.speed : own;
  wish.bounds.a = value.acceleration > 0.0 ? value.acceleration : limits.a_max;
  if (command.shape == MotionShape::kJerkLimited) {
    wish.bounds.jerk = value.jerk > 0.0 ? value.jerk : motion_.room().jerk;
  }
  wish.patience = setup.config.timeout.seconds;
  return wish;
}

void JointControl::go_to_target(const JointSetup& setup, const OnlineWish& wish,
                                const JerkProfile& profile) noexcept {
  move_.reset();
  end_silence();
  motion_.go_to_target(wish, setup.config.limits, profile);
  move_speed_ = wish.bounds.v;
}

Refusal JointControl::check(const JointSetup& setup, const SetMode& command,
                            JointIndex index) const noexcept {
  if (const RejectReason r = machine_.check(as_transition(command.mode));
      r != RejectReason::kNone) {
    return {r, index, 0.0, 0.0};
  }
  const InteractionMode interaction =
      asks_for_compliance(command.mode) ? InteractionMode::kCompliant : interaction_;
  const ControlMode mode = requested_mode(command.mode);
  if (setup.drive(mode, interaction)) return {};
  return unsupported(setup, mode, interaction, index);
}

Refusal JointControl::check(const JointSetup& setup, const SetInteraction& command,
                            JointIndex index) const noexcept {
  const ControlMode mode = machine_.mode();
  const ControlMode in = has_interaction(mode) ? mode : ControlMode::kPosition;
  if (setup.drive(in, command.interaction)) return {};
  return unsupported(setup, in, command.interaction, index);
}

Refusal JointControl::check(const JointSetup& /*setup*/, const Calibrate& /*command*/,
                            JointIndex index) const noexcept {
  return {machine_.check(TransitionRequest::kCalibrate), index, 0.0, 0.0};
}

Refusal JointControl::check(const JointSetup& setup, const SetImpedance::Value& value,
                            JointIndex index) noexcept {
  return check_values(value, setup.config, index);
}

Refusal JointControl::check(const JointSetup& setup, const TimedMove::Value& value,
                            JointIndex index) const noexcept {
  if (const Refusal r = check_motion<TimedMove>(setup, value, index)) return r;
  const JointLimits& limits = setup.config.limits;
  if (motion_.can_arrive(value.q, value.duration, limits)) return {};
  constexpr auto kPlace = static_cast<std::uint8_t>(place_of<TimedMove::Value>("duration") + 1);
  return {RejectReason::kOutOfRange, index, value.duration, motion_.shortest(value.q, limits),
          kPlace};
}

/// A torque needs a law of the stack, or a board that adds it to its own loop.
Refusal JointControl::check(const JointSetup& setup, const StreamTrajectory::Value& value,
                            JointIndex index) const noexcept {
  if (const Refusal r = check_motion<StreamTrajectory>(setup, value, index)) return r;
  const std::optional<DriveMode> drive = setup.drive(ControlMode::kPositionDirect, interaction_);
  const bool is_alone = drive == DriveMode::kPosition || drive == DriveMode::kVelocity;
  if (value.tau == 0.0 || !is_alone || setup.board.adds_torque) return {};
  constexpr auto kPlace =
      static_cast<std::uint8_t>(place_of<StreamTrajectory::Value>("torque") + 1);
  return {RejectReason::kUnsupported, index, value.tau, 0.0, kPlace};
}

/// With the cycle of the bus and the longest one, if that is the reason.
Refusal JointControl::unsupported(const JointSetup& setup, ControlMode mode,
                                  InteractionMode interaction, JointIndex index) noexcept {
  const unsigned waiting = setup.waits_for_faster_bus[static_cast<std::size_t>(mode)];
  if ((waiting >> static_cast<unsigned>(interaction) & 1U) == 0) {
    return {RejectReason::kUnsupported, index, 0.0, 0.0};
  }
  return {RejectReason::kUnsupported, index, to_seconds(setup.board.cycle_ns),
          to_seconds(kLongestTorqueCycle)};
}

void JointControl::take(const JointSetup& setup, const SetMode& command) noexcept {
  const bool changed = change_mode(as_transition(command.mode));
  stream_cut_ = stream_cut_ && !is_held(activity_);
  if (is_held(activity_)) activity_ = changed ? JointActivity::kMode : once_free();
  end_silence();
  if (asks_for_compliance(command.mode)) change_interaction(InteractionMode::kCompliant, setup);
}

void JointControl::take(const JointSetup& setup, const SetInteraction& command) noexcept {
  change_interaction(command.interaction, setup);
}

void JointControl::take(const JointSetup& /*setup*/, const Calibrate& /*command*/) noexcept {
  machine_.request(TransitionRequest::kCalibrate);
}

void JointControl::take(const JointSetup& /*setup*/, const Stop& /*command*/) noexcept {
  move_.reset();
  tau_ref_ = duty_ref_ = 0.0;
  if (activity_ == JointActivity::kStream) activity_ = JointActivity::kMode;
  stream_cut_ = false;
  end_silence();
  // A plan slows down along its path (control/stack/plan_followers.h).
  if (holds_position() && !motion_.on_plan()) motion_.stop();
  // A mode without a reference can't brake.
  if (is_effort_mode(machine_.mode())) change_mode(TransitionRequest::kPosition);
}

void JointControl::take(const JointSetup& /*setup*/, const SetImpedance::Value& value) noexcept {
  stiffness_ = value.stiffness;
  damping_ = value.damping;
}

void JointControl::take_parameter(JointParameter parameter, double value) noexcept {
  if (parameter == JointParameter::kStiffness) stiffness_ = value;
  if (parameter == JointParameter::kDamping) damping_ = value;
}

void JointControl::take(const JointSetup& setup, const Move::Value& value) noexcept {
  const double own = kDefaultSpeed * setup.config.limits.v_max;
  const double goal = no_deeper(value.q, setup.config.limits, motion_.reference().q, state_.q);
  move_ = PendingMove{.goal = goal, .speed = value.speed > 0.0 ? value.speed : own};
  end_silence();
  if (machine_.driving() && !is_held(activity_)) start_move(setup);
}

void JointControl::take(const JointSetup& setup, const TimedMove::Value& value) noexcept {
  const double goal = no_deeper(value.q, setup.config.limits, motion_.reference().q, state_.q);
  move_ = PendingMove{.goal = goal, .duration = value.duration};
  end_silence();
  if (machine_.driving() && !is_held(activity_)) start_move(setup);
}

void JointControl::take(const JointSetup& setup, const StreamPosition::Value& value) noexcept {
  const double interval = since_last_sample(setup);
  if (!took_sample()) return;
  motion_.stream(value.q, interval, setup.config.limits);
  tau_ref_ = 0.0;
}

void JointControl::take(const JointSetup& setup, const StreamTrajectory::Value& value) noexcept {
  const double interval = since_last_sample(setup);
  if (!took_sample()) return;
  motion_.stream(MotionState{value.q, value.v, value.a}, interval, setup.config.limits);
  tau_ref_ = value.tau;
}

void JointControl::take(const JointSetup& /*setup*/, const StreamVelocity::Value& value) noexcept {
  if (took_sample()) motion_.set_velocity(value.v);
}

void JointControl::take(const JointSetup& /*setup*/, const StreamTorque::Value& value) noexcept {
  if (took_sample()) tau_ref_ = value.tau;
}

void JointControl::take(const JointSetup& /*setup*/, const StreamDuty::Value& value) noexcept {
  if (took_sample()) duty_ref_ = value.duty;
}

/// The next command ends the reaction to silence.
void JointControl::end_silence() noexcept {
  if (activity_ == JointActivity::kSilent) activity_ = JointActivity::kMode;
}

bool JointControl::took_sample() noexcept {
  silence_ = 0.0;
  stream_cut_ = activity_ == JointActivity::kLink;
  if (!stream_cut_) activity_ = JointActivity::kStream;
  return !stream_cut_;
}

}  // namespace jointrig
