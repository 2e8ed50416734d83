#include "control/stack/stack.h"

#include <algorithm>
#include <cmath>

#include "control/core/sane.h"

namespace jointrig {
namespace {

void check_boards(const RobotConfig& config, const std::vector<JointCapabilities>& boards) {
  if (config.joints.empty()) {
    throw ConfigError("robot \"" + config.name + "\" has no joint that can be controlled");
  }
  if (config.joints.size() > kMaxJoints) {
    throw ConfigError("robot \"" + config.name + "\" has " + std::to_string(config.joints.size()) +
                      " joints, more than the " + std::to_string(kMaxJoints) +
                      " of one stack: split it into parts with a stack each");
  }
  if (boards.size() != config.joints.size()) {
    throw ConfigError("robot \"" + config.name + "\" has " + std::to_string(config.joints.size()) +
                      " joints, its backend drives " + std::to_string(boards.size()));
  }
  for (std::size_t i = 0; i < boards.size(); ++i) {
    if (boards[i].joint != config.joints[i].name) {
      throw ConfigError("joint " + std::to_string(i) + " is \"" + config.joints[i].name +
                        "\" for the stack and \"" + boards[i].joint +
                        "\" for the backend: their order must be the same");
    }
  }
}

void check_joint(const JointConfig& joint) {
  const JointLimits& l = joint.limits;
  const auto refuse = [&](const std::string& what) {
    throw ConfigError("joint \"" + joint.name + "\": " + what);
  };
  if (!(l.tau_max > 0.0)) refuse("no torque limit is known; set torque_max in the robot file");
  if (!(l.tau_rate_max > 0.0)) refuse("torque_rate_max must be above 0");
  if (!(l.v_max > 0.0)) refuse("velocity_max must be above 0");
  if (!(l.a_max > 0.0)) refuse("acceleration_max must be above 0");
  if (!(l.step_max > 0.0)) refuse("step_max must be above 0");
  if (!(l.q_min + l.soft_margin < l.q_max - l.soft_margin)) {
    refuse("its soft limits leave no room: position_min " + std::to_string(l.q_min) +
           ", position_max " + std::to_string(l.q_max) + ", soft_margin " +
           std::to_string(l.soft_margin));
  }
  const JointGains& g = joint.gains;
  for (const double gain : {g.inertia, g.kp, g.ki, g.kd, g.stiffness, g.damping}) {
    if (!std::isfinite(gain) || gain < 0.0) refuse("a gain is negative or not a number");
  }
  if (!(joint.timeout.seconds > 0.0)) refuse("the command timeout must be above 0");
}

std::vector<std::vector<JointIndex>> part_mates(const RobotConfig& config) {
  std::vector<std::vector<JointIndex>> mates(config.joints.size());
  for (const PartConfig& part : config.parts) {
    for (const JointIndex joint : part.joints) {
      for (const JointIndex other : part.joints) {
        auto& known = mates[joint];
        const bool is_new = std::find(known.begin(), known.end(), other) == known.end();
        if (other != joint && is_new) known.push_back(other);
      }
    }
  }
  return mates;
}

/// Calls `visit(joint, value)` for each joint of a command, with an empty value where it carries
/// none.
template <typename Visit>
void for_each_joint(const Command& command, std::size_t joint_count, Visit&& visit) noexcept {
  std::size_t next = 0;
  for (std::size_t i = 0; i < joint_count; ++i) {
    if (!command.joints.test(i)) continue;
    const JointValue value = next < command.values.size() ? command.values[next] : JointValue{};
    ++next;
    if (!visit(i, value)) return;
  }
}

}  // namespace

Stack::Stack(RobotConfig config, const std::vector<JointCapabilities>& boards,
             std::unique_ptr<RobotModel> model)
    : config_(std::move(config)),
      model_(std::move(model)),
      arm_workspace_(config_.arms.empty() ? 0 : config_.joints.size()) {
  check_boards(config_, boards);
  const double dt = to_seconds(config_.period_ns);
  if (!(dt > 0.0)) throw ConfigError("the period must be above 0");
  state_.setups.reserve(boards.size());
  state_.joints.reserve(boards.size());
  for (std::size_t i = 0; i < boards.size(); ++i) {
    check_joint(config_.joints[i]);
    try {
      state_.setups.push_back(make_setup(config_.joints[i], boards[i], dt));
    } catch (const std::invalid_argument& e) {
      throw ConfigError(e.what());
    }
    state_.joints.emplace_back(state_.setups.back());
  }
  state_.limit_acted.resize(boards.size());
  state_.limit_cycles.resize(boards.size());
  state_.links.resize(boards.size());
  part_mates_ = part_mates(config_);
  state_.placed.joints.resize(boards.size());
  snapshot_.joints.resize(boards.size());
  drained_.resize(kCommandsPerCycle);
  set_up_arms(boards);
  set_up_forces();
  set_up_guard();
}

void Stack::start_with_speed(double factor) {
  if (check_speed_override(factor)) {
    throw ConfigError("a speed override of " + std::to_string(factor) + " can't be: give " +
                      std::to_string(kLeastSpeedOverride) + " to 1");
  }
  state_.speed_override = factor;
  snapshot_.speed_override = factor;
}

void Stack::cycle(const RobotState& state, RobotCommand& command) noexcept {
  state_.cycle = state.cycle;
  state_.time_ns = state.time_ns;
  follow_boards(state);  // a fault or a lost board outranks what is asked now
  follow_links(state);
  drained_count_ = 0;
  inbox_.drain(kCommandsPerCycle, [this](const Command& wish) {
    drained_[drained_count_++] = wish;
    admit(wish);
  });
  place(state);
  if (model_) model_->update(state_.placed);
  sense_forces(state);
  advance_guard();
  advance_arms();
  advance_joints(command);
  publish(state);
}

void Stack::follow_boards(const RobotState& state) noexcept {
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    report(i, state_.joints[i].follow(state_.setups[i], state.joints[i], state_.cycle));
  }
}

void Stack::follow_links(const RobotState& state) noexcept {
  for (std::size_t i = 0; i < state_.setups.size(); ++i) follow_link(i, state.joints[i]);
  // A joint is freed when none of its part stands against it.
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    if (state_.joints[i].held() != JointControl::Hold::kLink) continue;
    const auto& mates = part_mates_[i];
    const bool is_held =
        state_.links[i].holds_part || std::any_of(mates.begin(), mates.end(), [&](JointIndex mate) {
          return state_.links[mate].holds_part;
        });
    if (!is_held) state_.joints[i].free(JointControl::Hold::kLink);
  }
}

void Stack::follow_link(std::size_t joint, const JointState& board) noexcept {
  LinkState& link = state_.links[joint];
  const JointModeMachine& machine = state_.joints[joint].machine();
  const bool is_configured = machine.shown() != JointMode::kNotConfigured;
  const bool has_fault = static_cast<bool>(machine.fault());
  const bool is_lost = (has_fault && !link.faulted) || (link.was_configured && !is_configured);
  const bool is_silent = board.missed >= kHoldAfter && is_configured && !has_fault;

  // One for each cycle of its bus, which may be longer than the loop's.
  const TimeNs bus_cycle = std::max(state_.setups[joint].board.cycle_ns, config_.period_ns);
  const auto loop_cycles = static_cast<std::uint64_t>(bus_cycle / config_.period_ns);
  if (board.missed > 0 && state_.cycle + 1 >= link.counted_at + loop_cycles) {
    ++link.stale;
    link.counted_at = state_.cycle + 1;
    const auto quiet = static_cast<std::uint64_t>(kStaleToldEvery / state_.setups[joint].dt);
    if (is_configured && (link.stale_at == 0 || state_.cycle + 1 - link.stale_at >= quiet)) {
      report(Notice::kLinkStale, joint, link.stale, JointModeMachine::kLostAfter);
      link.stale = 0;
      link.stale_at = state_.cycle + 1;
    }
  }
  if (is_silent && !link.holds_part) {
    hold_part_of(joint, JointControl::Hold::kLink);
    report(Notice::kPartHeld, joint, board.missed, kHoldAfter);
  }
  if (link.holds_part && !is_silent && !is_lost && !has_fault) {
    report(Notice::kPartFreed, joint, 0.0, 0.0);
  }
  link.holds_part = is_silent;
  if (is_lost) {
    hold_part_of(joint, JointControl::Hold::kFault);
    report(Notice::kPartHeld, joint, board.missed, 0.0);
  }
  link.faulted = has_fault;
  link.was_configured = is_configured;
}

void Stack::hold_part_of(std::size_t joint, JointControl::Hold why) noexcept {
  state_.joints[joint].hold(why, state_.setups[joint]);
  for (const JointIndex mate : part_mates_[joint])
    state_.joints[mate].hold(why, state_.setups[mate]);
}

void Stack::note(const BoardNotice& notice) noexcept {
  report(notice.kind, notice.joint, notice.value, notice.limit);
  if (notice.joint >= state_.setups.size() || !holds_part(notice.kind)) return;
  hold_part_of(notice.joint, JointControl::Hold::kFault);
  report(Notice::kPartHeld, notice.joint, 0.0, 0.0);
}

void Stack::report(Notice kind, std::size_t joint, double value, double limit) noexcept {
  Event e = event(EventKind::kNotice, joint);
  e.detail = static_cast<std::uint8_t>(kind);
  e.value = value;
  e.limit = limit;
  events_.publish(e);
}

void Stack::place(const RobotState& state) noexcept {
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    if (is_sane(state.joints[i].q)) state_.placed.joints[i].q = state.joints[i].q;
  }
  if (is_sane(state.base)) state_.placed.base = state.base;
}

Refusal Stack::examine(const Command& command) const noexcept {
  if (command.sender >= CommandInbox::kMaxSenders) {
    return {RejectReason::kStale, kNoJoint, static_cast<double>(command.sender), 0.0};
  }
  const std::uint64_t last = state_.last_number[command.sender];
  if (command.number <= last) {
    return {RejectReason::kStale, kNoJoint, static_cast<double>(command.number),
            static_cast<double>(last)};
  }
  const double age = to_seconds(state_.time_ns - command.time_ns);
  if (command.time_ns != 0 && age > kStaleAfter) {
    return {RejectReason::kStale, kNoJoint, age, kStaleAfter};
  }
  if (is_for_arm(command.kind)) return examine_arm(command);
  if (const Refusal r = check_shape(command, state_.setups.size())) return r;
  if (const Refusal r = check_arm_modes(command)) return r;
  if (command.kind == CommandKind::kSetSpeedOverride) {
    return check_speed_override(command.values[0].a);
  }
  if (command.kind == CommandKind::kSetProtection) return check_protection(command.values[0]);
  Refusal refusal;
  for_each_joint(command, state_.setups.size(), [&](std::size_t i, const JointValue& value) {
    const auto index = static_cast<JointIndex>(i);
    if (command.kind == CommandKind::kSetParameter) {
      refusal = check_parameter(value, index);
    } else if (command.kind == CommandKind::kSuppress) {
      refusal = check_suppression(value, index);
    } else {
      refusal = state_.joints[i].check(state_.setups[i], command, value, index);
    }
    return !refusal;
  });
  return refusal;
}

Refusal Stack::check_parameter(const JointValue& value, JointIndex joint) const noexcept {
  constexpr auto kCount = static_cast<double>(kAllJointParameter.size());
  if (!(value.b >= 0.0 && value.b < kCount)) {
    return {RejectReason::kOutOfRange, joint, value.b, kCount - 1.0};
  }
  return jointrig::check_parameter(static_cast<JointParameter>(value.b), value.a,
                                   state_.setups[joint].config, config_.joints[joint], joint);
}

void Stack::admit(const Command& command) noexcept {
  const Refusal refusal = examine(command);
  Event answer = event(refusal ? EventKind::kRejected : EventKind::kAccepted, kNoJoint);
  answer.sender = command.sender;
  answer.number = command.number;
  answer.command = command.kind;
  answer.arm = command.arm;
  answer.reason = refusal.reason;
  answer.joint = refusal.joint;
  answer.value = refusal.value;
  answer.limit = refusal.limit;
  answer.detail = refusal.place;
  if (refusal.joint < state_.setups.size()) {
    answer.mode = state_.joints[refusal.joint].machine().shown();
  }
  if (command.sender < CommandInbox::kMaxSenders && refusal.reason != RejectReason::kStale) {
    state_.last_number[command.sender] = command.number;
  }
  events_.publish(answer);
  if (refusal) return;

  take_for_arms(command);
  if (command.kind == CommandKind::kSetSpeedOverride) state_.speed_override = command.values[0].a;
  if (command.kind == CommandKind::kSetProtection) {
    const JointValue& value = command.values[0];
    state_.guard.on.set(static_cast<Protection>(value.a), value.b != 0.0);
  }
  for_each_joint(command, state_.setups.size(), [&](std::size_t i, const JointValue& value) {
    if (command.kind == CommandKind::kSuppress) take_suppression(i, value, command.sender);
    JointControl& joint = state_.joints[i];
    const JointMode was = joint.machine().shown();
    const InteractionMode interaction = joint.interaction();
    if (command.kind == CommandKind::kSetParameter) {
      field_of(state_.setups[i].config, static_cast<JointParameter>(value.b)) = value.a;
    }
    joint.take(state_.setups[i], command, value);
    if (joint.machine().shown() != was) {
      Event change = event(EventKind::kModeChanged, i);
      change.was = was;
      events_.publish(change);
    }
    if (joint.interaction() != interaction) {
      Event change = event(EventKind::kInteractionChanged, i);
      change.detail = static_cast<std::uint8_t>(joint.interaction());
      events_.publish(change);
    }
    return true;
  });
}

void Stack::advance_joints(RobotCommand& command) noexcept {
  command.cycle = state_.cycle;
  command.joints.resize(state_.setups.size());
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    JointControl& joint = state_.joints[i];
    const double gravity = model_ ? model_->gravity(static_cast<JointIndex>(i)) : 0.0;
    const JointMode was = joint.machine().shown();
    const JointControl::Outcome outcome = joint.advance(
        state_.setups[i], gravity, arm_orders_[i], guards_[i], state_.speed_override, state_.cycle);
    command.joints[i] = joint.setpoint();
    report(i, outcome);
    if (joint.machine().shown() != was) {
      Event change = event(EventKind::kModeChanged, i);
      change.was = was;
      events_.publish(change);
    }
    report_limits(i);
  }
}

Event Stack::event(EventKind kind, std::size_t joint) const noexcept {
  Event e;
  e.time_ns = state_.time_ns;
  e.cycle = state_.cycle;
  e.kind = kind;
  e.joint = static_cast<JointIndex>(joint);
  if (joint < state_.joints.size()) {
    const JointControl& control = state_.joints[joint];
    e.mode = control.machine().shown();
    e.fault = control.machine().fault().code;
    if (kind == EventKind::kFault || kind == EventKind::kFaultStays) {
      e.value = control.machine().fault().value;
      e.limit = control.machine().fault().limit;
    }
  }
  return e;
}

void Stack::report(std::size_t joint, const JointModeMachine::Change& change) noexcept {
  if (change.faulted) events_.publish(event(EventKind::kFault, joint));
  if (change.fault_stays) events_.publish(event(EventKind::kFaultStays, joint));
  if (change.cleared) {
    Event e = event(EventKind::kFaultCleared, joint);
    e.fault = change.old_fault;
    events_.publish(e);
  }
  if (change.calibrated) {
    Event e = event(EventKind::kCalibrationDone, joint);
    e.value = state_.joints[joint].zero();
    events_.publish(e);
  }
  if (change.mode) {
    Event e = event(EventKind::kModeChanged, joint);
    e.was = change.was;
    events_.publish(e);
  }
}

void Stack::report(std::size_t joint, const JointControl::Outcome& outcome) noexcept {
  const JointSetup& setup = state_.setups[joint];
  if (outcome.timed_out) {
    Event e = event(EventKind::kCommandTimeout, joint);
    e.value = e.limit = setup.config.timeout.seconds;
    e.detail = static_cast<std::uint8_t>(setup.config.timeout.reaction);
    events_.publish(e);
  }
  if (outcome.arrived) {
    Event e = event(EventKind::kGoalReached, joint);
    e.value = state_.joints[joint].reference().q;
    events_.publish(e);
  }
  if (outcome.faulted) events_.publish(event(EventKind::kFault, joint));
}

void Stack::report_limits(std::size_t joint) noexcept {
  const ActingLimits& now = state_.joints[joint].limits();
  if (!now.any()) return;
  for (const Limit limit : kAllLimit) {
    if (!now.has(limit)) continue;
    ++state_.limit_cycles[joint][static_cast<std::size_t>(limit)];
    std::uint64_t& acted = state_.limit_acted[joint][static_cast<std::size_t>(limit)];
    const bool is_news = acted == 0 || state_.cycle - acted >= kQuietCycles;
    acted = state_.cycle + 1;
    if (!is_news) continue;
    Event e = event(EventKind::kLimited, joint);
    e.detail = static_cast<std::uint8_t>(limit);
    e.value = now.cut(limit).wanted;
    e.limit = now.cut(limit).bound;
    events_.publish(e);
  }
}

void Stack::report_overrun(LoopStage stage, std::int64_t took_ns) noexcept {
  Event e = event(EventKind::kOverrun, kNoJoint);
  e.detail = static_cast<std::uint8_t>(stage);
  e.value = to_seconds(took_ns);
  e.limit = to_seconds(config_.period_ns);
  events_.publish(e);
}

void Stack::publish(const RobotState& state) noexcept {
  snapshot_.cycle = state_.cycle;
  snapshot_.time_ns = state_.time_ns;
  snapshot_.speed_override = state_.speed_override;
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    state_.joints[i].publish(state_.setups[i], snapshot_.joints[i]);
    snapshot_.joints[i].suppressed = state_.guard.suppression.suppressed(i);
    snapshot_.joints[i].contact_torque = contacts_[i].tau;
  }
  publish_efforts();
  snapshot_.base = state.base;
  snapshot_.force_torque = state.force_torque;
}

}  // namespace jointrig
