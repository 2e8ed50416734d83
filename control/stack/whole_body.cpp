#include "control/stack/whole_body.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "control/stack/config_error.h"
#include "control/stack/whole_body_parts.h"
#include "control/stack/whole_body_signals.h"
#include "control/wholebody/feedback.h"

namespace jointrig {
namespace {

/// Time for which a foot finds none of the force that it is to bear, until it is told [s] (a
/// choice: one that bounces as it lands bears again sooner).
constexpr double kUnloadedFor = 0.1;
/// Such a force is larger than contact_force by this factor (a choice: beyond what a sensor errs).
constexpr double kMissedShare = 2.0;
constexpr double kBackBy = 2e-3;  ///< inside a border of the balance, to be over it [m]: a choice

BodyConstraint constraint_of(Yielding what) noexcept {
  switch (what) {
    case Yielding::kSpatialTask:
      return BodyConstraint::kFrame;
    case Yielding::kMomentumTask:
      return BodyConstraint::kMomentum;
    case Yielding::kJointLimits:
      return BodyConstraint::kJointLimits;
    case Yielding::kContactMotion:
      break;
  }
  return BodyConstraint::kFoot;
}

}  // namespace

WholeBody::WholeBody(const RobotConfig& config) : dt_(to_seconds(config.period_ns)) {
  if (!config.whole_body || config.pin_base) return;
  config_ = *config.whole_body;
  const auto at = std::find_if(config.laws.begin(), config.laws.end(),
                               [](const LawConfig& law) { return law.is_whole_body; });
  law_ = static_cast<LawIndex>(at - config.laws.begin());
  try {
    parts_ = std::make_shared<Parts>(config);
  } catch (const ModelError& e) {
    throw ConfigError(config_.place + "whole_body: " + e.what());
  }
  state_.tau.assign(config.joints.size(), 0.0);
  state_.signals.assign(body_signals(config).size(), 0.0);
  state_.upright.assign(config_.upright.size(), Eigen::Matrix3d::Identity());
  state_.posture.setZero(parts_->model.joint_count());
  state_.offset.assign(parts_->q.size(), 0.0);
  state_.q.reserve(parts_->q.size());
  state_.v.reserve(parts_->v.size());
  state_.ground.assign(config_.feet.size(), Eigen::Vector3d::Zero());
}

WholeBody::State WholeBody::state() const {
  State state = state_;
  if (parts_ == nullptr) return state;
  state.core = parts_->core.memory();
  state.managers = parts_->managers.state();
  if (parts_->reference) state.reference = parts_->reference->state();
  return state;
}

void WholeBody::restore(const State& state) {
  state_ = state;
  if (parts_ == nullptr) return;
  parts_->core.restore(state.core);
  parts_->managers.restore(state.managers);
  if (parts_->reference) parts_->reference->restore(state.reference);
  // As it was once: then it can be now.
  if (!state_.q.empty()) static_cast<void>(parts_->model.update(state_.base, state_.q, state_.v));
}

void WholeBody::advance(PlacedModel& placed, Joints joints, const Wish& wish,
                        EventReporter& events) noexcept {
  state_.failure.reset();
  if (parts_ == nullptr) return;
  if (!wish.asked) state_.was_taken = false;
  if (wish.runs) {
    act(placed, joints, wish, events);
  } else {
    const bool was_on = state_.phase != Phase::kOff;
    state_.phase = Phase::kOff;
    let_go(joints);
    if (was_on) show_values();
  }
  if (state_.phase != Phase::kStands) parts_->managers.leave(notices_);
  tell(events);
}

void WholeBody::act(PlacedModel& placed, Joints joints, const Wish& wish,
                    EventReporter& events) noexcept {
  // In any case: damping needs the joints' speeds, whoever knows the base.
  const bool is_sane = see(placed, joints);
  const bool is_seen = is_sane && knows_base_;
  if (wish.failed) state_.phase = Phase::kDamped;
  if (!wish.failed && is_seen && state_.phase != Phase::kStands) begin(joints);
  if (state_.phase == Phase::kStands) {
    if (is_seen) {
      stand(wish.parameters, events);
    } else {
      go_without(knows_base_ ? LawFailure::kNoSolution : LawFailure::kNoBase);
    }
  }
  if (leads()) {
    lead(joints, events);
  } else {
    give_torques(placed, joints);
  }
  if (is_seen) show();
}

void WholeBody::tell(EventReporter& events) noexcept {
  for (const MessageNotice& notice : notices_) {
    Event e = events.event(EventKind::kMessage, kNoJoint);
    e.law = law_;
    e.command = notice.kind;
    e.message = notice.id;
    e.detail = static_cast<std::uint8_t>(notice.change);
    e.value = notice.duration;
    events.publish(e);
  }
  notices_.clear();
}

// Messages ---------------------------------------------------------------------------------------

template <typename Plain>
MessageFault WholeBody::fault_of(const Plain& message) const noexcept {
  if (parts_ == nullptr) return {RejectReason::kNotStanding};
  if constexpr (requires { parts_->managers.check(parts_->asked(), message); }) {
    return parts_->managers.check(parts_->asked(), message);
  } else {
    return parts_->managers.check(message);
  }
}

/// Steps are never accepted: the managers have no function that takes them.
template <typename Plain>
void WholeBody::take_plain(const Plain& message) noexcept {
  constexpr bool kWantsModel = requires {
    parts_->managers.take(parts_->asked(), message, notices_);
  };
  constexpr bool kIsTaken = requires { parts_->managers.take(message, notices_); };
  if constexpr (kWantsModel || kIsTaken) {
    state_.last_message = message.id;
    if constexpr (kWantsModel) {
      parts_->managers.take(parts_->asked(), message, notices_);
    } else {
      parts_->managers.take(message, notices_);
    }
  }
}

// The macro names types: they can't be put in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define JOINTRIG_FOR_MESSAGE(Plain)                                                      \
  template MessageFault WholeBody::fault_of<Plain>(const Plain& message) const noexcept; \
  template void WholeBody::take_plain<Plain>(const Plain& message) noexcept
// NOLINTEND(bugprone-macro-parentheses)
JOINTRIG_FOR_MESSAGE(PathMessage);
JOINTRIG_FOR_MESSAGE(AccelerationMessage);
JOINTRIG_FOR_MESSAGE(StepMessage);
JOINTRIG_FOR_MESSAGE(GoHome);
JOINTRIG_FOR_MESSAGE(PelvisTrajectory);
JOINTRIG_FOR_MESSAGE(HandConfiguration);
JOINTRIG_FOR_MESSAGE(FootLoadBearing);
JOINTRIG_FOR_MESSAGE(HandLoadBearing);
JOINTRIG_FOR_MESSAGE(WholeBodyTrajectory);
JOINTRIG_FOR_MESSAGE(StopAllTrajectories);
JOINTRIG_FOR_MESSAGE(PauseWalking);
#undef JOINTRIG_FOR_MESSAGE

// A cycle ----------------------------------------------------------------------------------------

/// False if the state can't be that of the robot: nothing is computed from it.
bool WholeBody::see(PlacedModel& placed, Joints joints) noexcept {
  placed.place_velocities(joints.controls);
  const RobotState& robot = placed.state().robot;
  for (std::size_t k = 0; k < parts_->joint_of.size(); ++k) {
    parts_->q[k] = robot.joints[parts_->joint_of[k]].q;
    parts_->v[k] = robot.joints[parts_->joint_of[k]].v;
  }
  if (!parts_->model.update(robot.base, parts_->q, parts_->v)) return false;
  const auto& q = robot.base.orientation;
  state_.base = robot.base;
  state_.q = parts_->q;
  state_.v = parts_->v;
  parts_->base = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  parts_->place_soles();
  return true;
}

bool WholeBody::is_on_ground(std::size_t foot) const noexcept {
  return state_.phase != Phase::kStands || parts_->managers.is_on_ground(foot);
}

void WholeBody::begin(Joints joints) noexcept {
  const FloatingModel& model = parts_->model;
  if (parts_->reference) {
    // As measured in this cycle: a place for a robot.
    static_cast<void>(parts_->reference->begin(model));
    state_.lead = {};
    state_.is_leading = false;
    for (std::size_t k = 0; k < parts_->joint_of.size(); ++k) {
      state_.offset[k] = joints.controls[parts_->joint_of[k]].reference().q - parts_->q[k];
    }
  }
  state_.phase = Phase::kStands;
  state_.unsolved = 0.0;
  state_.goal = model.com();
  state_.home << parts_->sole.head<2>(), model.com().z();
  state_.heading = stance_of(model, parts_->soles).axes;
  state_.balance.reset();
  parts_->managers.begin(parts_->asked(), {parts_->sole, state_.heading}, notices_);
  for (std::size_t i = 0; i < state_.ground.size(); ++i) state_.ground[i] = parts_->middle_of(i);
  state_.up = parts_->base.transpose() * Eigen::Vector3d::UnitZ();
  for (std::size_t i = 0; i < state_.upright.size(); ++i) {
    state_.upright[i] = model.rotation(parts_->command.spatial[i].frame);
  }
  state_.posture = Eigen::Map<const Eigen::VectorXd>(model.q().data(), model.joint_count());
}

void WholeBody::stand(std::span<const double> parameters, EventReporter& events) noexcept {
  look_for_a_fall();
  tell_balance(events);
  if (state_.phase != Phase::kStands) return;
  move_goal(parameters);
  parts_->managers.advance(parts_->asked(), parts_->core.solution(), dt_, notices_);
  parts_->managers.lead(parts_->asked(), state_.goal);
  if (leads()) balance();
  look_for_lost_ground(events);
  want();
  solve(events);
}

/// Way of the capture point from the middle of the soles: from ahead, to the left above 0 [rad].
double WholeBody::leaning() const noexcept {
  const Eigen::Vector2d way = parts_->capture_point() - parts_->sole.head<2>();
  const Eigen::Vector3d to = state_.heading.transpose() * Eigen::Vector3d(way.x(), way.y(), 0.0);
  return std::atan2(to.y(), to.x());
}

/// Each change is told, back only after some way: a capture point on a border is no news.
void WholeBody::tell_balance(EventReporter& events) noexcept {
  const double inside = state_.signals[BodySignal::kCaptureInside];
  const auto state_at = [&](double way) {
    if (way < 0.0) return BalanceState::kOutside;
    return way < config_.lift_margin ? BalanceState::kEdge : BalanceState::kInside;
  };
  BalanceState now = state_at(inside);
  if (state_.balance && now < *state_.balance) {
    now = std::min(state_at(inside - kBackBy), *state_.balance);
  }
  if (state_.balance == now) return;
  state_.balance = now;
  Event e = events.event(EventKind::kBalance, kNoJoint);
  e.law = law_;
  e.message = state_.last_message;
  e.detail = static_cast<std::uint8_t>(now);
  e.value = inside;
  e.limit = config_.lift_margin;
  e.direction = static_cast<float>(leaning());
  events.publish(e);
}

void WholeBody::look_for_a_fall() noexcept {
  const double tilt = std::acos(std::clamp((parts_->base * state_.up).z(), -1.0, 1.0));
  state_.signals[BodySignal::kTilt] = tilt;
  const double inside = state_.signals[BodySignal::kCaptureInside] = parts_->capture_inside();
  if (-inside > config_.capture_beyond) {
    fail(LawFailure::kFell, -inside, config_.capture_beyond);
  } else if (tilt > config_.tilt_max) {
    fail(LawFailure::kTipped, tilt, config_.tilt_max);
  }
  if (!state_.failure) return;
  state_.failure->direction = leaning();
  state_.signals[BodySignal::kFallDirection] = state_.failure->direction;
}

/// The force that a foot is to bear, where its sensor finds none [N]; 0: there is nothing to miss.
/// By inverse kinematics nobody asks for a force.
double WholeBody::missing_force(std::size_t foot) const noexcept {
  if (!pressure_.is_sensed[foot] || pressure_.load[foot] > 0.0 || leads()) return 0.0;
  const WholeBodySolution& last = parts_->core.solution();
  const Eigen::Vector3d normal = parts_->model.rotation(parts_->soles[foot].frame).col(2);
  const double force = normal.dot(last.contact_wrench[foot].head<3>());
  return force > kMissedShare * config_.contact_force ? force : 0.0;
}

/// A foot that is to bear stays where it came to the ground, and its sensor finds a force; a foot
/// in the air has no such place.
void WholeBody::look_for_lost_ground(EventReporter& events) noexcept {
  for (std::size_t i = 0; i < state_.ground.size(); ++i) {
    const Eigen::Vector3d here = parts_->middle_of(i);
    if (!parts_->managers.is_on_ground(i)) state_.ground[i] = here;
    const double missing = missing_force(i);
    double& unloaded = state_.unloaded[i];
    unloaded = missing > 0.0 ? unloaded + dt_ : 0.0;
    if (unloaded > kUnloadedFor) {
      tell_constraint(BodyConstraint::kUnloaded, static_cast<double>(i), missing, events);
    }
    const double way = (here - state_.ground[i]).norm();
    if (way <= config_.ground_lost) continue;
    tell_constraint(BodyConstraint::kGround, static_cast<double>(i), way, events);
  }
}

/// The goal goes to where it is commanded to, at shift_speed.
void WholeBody::move_goal(std::span<const double> parameters) noexcept {
  const Eigen::Vector3d shift(parameters[0], parameters[1], parameters[2]);
  const Eigen::Vector3d way = state_.home + state_.heading * shift - state_.goal;
  const double step = config_.shift_speed * dt_;
  const double length = way.norm();
  state_.goal += length > step ? Eigen::Vector3d(step / length * way) : way;
}

void WholeBody::want() noexcept {
  FloatingModel& model = parts_->asked();
  WholeBodyCommand& command = parts_->command;
  Eigen::Vector3d place = state_.goal;
  if (leads()) place.head<2>() += state_.lead.way;
  command.momentum.rate = momentum_towards(
      model, place, {config_.com_stiffness, config_.com_damping}, config_.spin_damping);
  if (leads()) {
    command.momentum.rate.head<2>() +=
        model.mass() * (state_.lead.acceleration + config_.com_damping * state_.lead.speed);
  }
  FrameGoal goal;
  double error = 0.0;
  for (std::size_t i = 0; i < state_.upright.size(); ++i) {
    SpatialTask& task = command.spatial[i];
    goal.rotation = state_.upright[i];
    task.acceleration =
        towards(model, task.frame, goal, {}, {config_.upright_stiffness, config_.upright_damping});
    error = std::max(error, turn_between(parts_->model.rotation(task.frame), goal.rotation).norm());
  }
  state_.signals[BodySignal::kUprightError] = error;
  joints_towards(model, state_.posture, {config_.posture_stiffness, config_.posture_damping},
                 command.privileged.acceleration);
  parts_->managers.want(model, command);
  if (!parts_->reference) return;
  std::array<bool, kMaxContacts> settles{};
  for (std::size_t i = 0; i < parts_->soles.size(); ++i) settles[i] = parts_->managers.settles(i);
  parts_->reference->hold(parts_->core.contacts(), settles, command);
}

void WholeBody::solve(EventReporter& events) noexcept {
  const WholeBodySolution& answer = parts_->core.solve(parts_->asked(), parts_->command);
  if (answer.outcome == CoreOutcome::kNoAnswer) {
    go_without(LawFailure::kNoSolution);
  } else {
    state_.unsolved = 0.0;
  }
  report(answer, events);
}

/// The torques of the last solution stay, for a while.
void WholeBody::go_without(LawFailure why) noexcept {
  state_.unsolved += dt_;
  if (state_.unsolved < config_.hold_time + 0.5 * dt_) return;
  fail(why, state_.unsolved, config_.hold_time);
}

void WholeBody::fail(LawFailure why, double value, double limit) noexcept {
  state_.phase = Phase::kDamped;
  state_.failure = Failure{why, value, limit, 0.0};
}

/// In mode torque the joint's own law carries the joint: what it adds is left out here.
void WholeBody::give_torques(const PlacedModel& placed, Joints joints) noexcept {
  const WholeBodySolution& answer = parts_->core.solution();
  for (std::size_t k = 0; k < parts_->joint_of.size(); ++k) {
    const std::size_t joint = parts_->joint_of[k];
    const JointConfig& config = joints.setups[joint].config;
    const double carried = config.gravity_in_torque ? placed.gravity(joint) : 0.0;
    double tau = 0.0;
    if (state_.phase == Phase::kStands) tau = answer.torque[static_cast<Eigen::Index>(k)];
    if (state_.phase == Phase::kDamped) {
      tau = -config_.fall_damping * config.gains.inertia * parts_->v[k];
    }
    state_.tau[joint] = tau - carried;
  }
}

void WholeBody::report(const WholeBodySolution& answer, EventReporter& events) noexcept {
  for (const GaveWay& one : answer.gave_way) {
    tell_constraint(constraint_of(one.what), one.index, 0.0, events);
  }
}

void WholeBody::tell_constraint(BodyConstraint what, double place, double way,
                                EventReporter& events) noexcept {
  if (!events.is_news(state_.gave_way[static_cast<std::size_t>(what)])) return;
  Event e = events.event(EventKind::kGaveWay, kNoJoint);
  e.law = law_;
  e.detail = static_cast<std::uint8_t>(what);
  e.value = place;
  e.limit = way;
  events.publish(e);
}

void WholeBody::show() noexcept {
  const WholeBodySolution& answer = parts_->core.solution();
  std::vector<double>& signals = state_.signals;
  const Eigen::Vector3d error = state_.goal - parts_->model.com();
  for (int axis = 0; axis < 3; ++axis) {
    signals[BodySignal::kComErrorX + static_cast<std::size_t>(axis)] = error[axis];
  }
  double posture = 0.0;
  for (std::size_t k = 0; k < parts_->q.size(); ++k) {
    posture =
        std::max(posture, std::abs(state_.posture[static_cast<Eigen::Index>(k)] - parts_->q[k]));
  }
  signals[BodySignal::kPostureError] = posture;
  signals[BodySignal::kUnsolved] = state_.unsolved;
  signals[BodySignal::kIterations] = answer.iterations;
  signals[BodySignal::kGaveWayNow] = static_cast<double>(answer.gave_way.size());
  for (std::size_t c = 0; c < parts_->soles.size(); ++c) {
    const double force = leads() ? pressure_.load[c] : answer.contact_wrench[c].head<3>().norm();
    signals[BodySignal::kFirstFoot + c] = state_.phase == Phase::kStands ? force : 0.0;
  }
  parts_->managers.show(parts_->model,
                        std::span(signals).subspan(BodySignal::kFirstFoot + parts_->soles.size()));
  show_values();
}

}  // namespace jointrig
