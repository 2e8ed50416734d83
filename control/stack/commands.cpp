#include "control/stack/commands.h"

#include <algorithm>

#include "control/safety/arm_admission.h"
#include "control/stack/given_up_moves.h"

namespace jointrig {
namespace {

/// Calls `visit(joint, place)` for each joint named; `place` counts from 0.
template <typename Visit>
void for_each_joint(const JointSet& joints, std::size_t joint_count, Visit&& visit) noexcept {
  std::size_t place = 0;
  for (std::size_t i = 0; i < joint_count; ++i) {
    if (joints[i]) visit(i, place++);
  }
}

}  // namespace

Commands::Commands(const Parts& parts)
    : config_(parts.config),
      state_(parts.core),
      model_(parts.model),
      arms_(parts.arms),
      plans_(parts.plans),
      drives_(parts.drives),
      targets_(parts.targets),
      grippers_(parts.grippers),
      body_(parts.body),
      laws_(parts.laws),
      forces_(parts.forces),
      protections_(parts.protections),
      events_(parts.events) {}

void Commands::admit(const Command& command) noexcept {
  plans_.receive(command.request);
  const Refusal refusal = examine(command);
  Event answer = event(refusal ? EventKind::kRejected : EventKind::kAccepted, kNoJoint);
  answer.sender = command.sender;
  answer.number = command.number;
  answer.command = kind_of(command);
  answer.arm = arm_of(command.request);
  answer.law = law_of(command.request);
  answer.gripper = gripper_of(command.request);
  answer.message = message_of(command.request);
  answer.obstacle = obstacle_of(command.request);
  answer.reason = refusal.reason;
  answer.joint = refusal.joint;
  answer.value = refusal.value;
  answer.limit = refusal.limit;
  answer.detail = refusal.place;
  answer.waypoint = refusal.waypoint;
  if (refusal.joint < state_.setups.size()) {
    answer.mode = state_.joints[refusal.joint].machine().shown();
  }
  if (command.sender < CommandInbox::kMaxSenders && refusal.reason != RejectReason::kStale) {
    state_.last_number[command.sender] = command.number;
  }
  events_.publish(answer);
  if (refusal) {
    plans_.refuse();
    return;
  }
  std::visit(
      [&]<typename C>(const C& request) {
        if constexpr (NamesJoints<C> && starts_motion<C>()) {
          grippers_.leave(request.joints, events_);
        }
        take(request, command.sender);
      },
      command.request);
}

// Admission ----------------------------------------------------------------------------------

Refusal Commands::examine(const Command& command) const noexcept {
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
  if (const Refusal r =
          check_shape(command.request, state_.setups.size(), arms_.controls().size())) {
    return r;
  }
  return std::visit([&](const auto& request) { return examine(request); }, command.request);
}

template <typename C>
Refusal Commands::examine(const C& command) const noexcept {
  if constexpr (IsMessage<C>) {
    return body_.check(command);
  } else if constexpr (IsForArm<C>) {
    if constexpr (requires { check_arm(command, arms_.setups()[command.arm].config); }) {
      return check_arm(command, arms_.setups()[command.arm].config);
    }
    return {};
  } else {
    Refusal refusal;
    for_each_joint(command.joints, state_.setups.size(), [&](std::size_t i, std::size_t place) {
      if (refusal) return;
      const JointControl& joint = state_.joints[i];
      const JointSetup& setup = state_.setups[i];
      const auto index = static_cast<JointIndex>(i);
      if constexpr (requires { joint.check(setup, command, index); }) {
        refusal = joint.check(setup, command, index);
      } else if constexpr (HasValues<C>) {
        if constexpr (requires { joint.check(setup, command.values[place], index); }) {
          refusal = joint.check(setup, command.values[place], index);
        } else if (const Refusal r = joint.check_motion<C>(setup, command.values[place], index)) {
          refusal = r;
        }
      }
    });
    return refusal;
  }
}

Refusal Commands::examine(const SetMode& command) const noexcept {
  if (const Refusal r = check_arm_modes(command)) return r;
  return examine<SetMode>(command);
}

/// All joints of an arm enter mode cartesian together, and leave it together, except for idle.
Refusal Commands::check_arm_modes(const SetMode& command) const noexcept {
  const ControlMode wanted = requested_mode(command.mode);
  if (wanted == ControlMode::kIdle) return {};
  const bool enters = wanted == ControlMode::kCartesian;
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    if (!command.joints.test(i)) continue;
    if (enters && arms_.arm_of(i) == kNoArm) {
      return {RejectReason::kUnknownArm, static_cast<JointIndex>(i), 0.0, 0.0};
    }
    const bool leaves = !enters && state_.joints[i].machine().mode() == ControlMode::kCartesian;
    if (!enters && !leaves) continue;
    for (const JointIndex mate : arms_.setups()[arms_.arm_of(i)].config.joints) {
      const bool stays = state_.joints[mate].machine().mode() == ControlMode::kCartesian;
      if (!command.joints.test(mate) && (enters || stays)) {
        return {RejectReason::kIncompleteArm, mate, 0.0, 0.0};
      }
    }
  }
  return {};
}

Refusal Commands::examine(const SetParameter& command) const noexcept {
  Refusal refusal;
  for_each_joint(command.joints, state_.setups.size(), [&](std::size_t i, std::size_t place) {
    if (refusal) return;
    refusal =
        check_parameter(command.parameter, command.values[place].value, state_.setups[i].config,
                        config_.joints[i], static_cast<JointIndex>(i));
  });
  return refusal;
}

Refusal Commands::examine(const SetSpeedOverride& command) const noexcept {
  return check_speed_override(command.factor);
}

/// A base that floats is known in the world, where gravity is what the model says; a board that
/// compensates gravity does so in a direction of its own.
Refusal Commands::examine(const SetGravity& command) const noexcept {
  if (!model_ || model_->floats()) {
    return {RejectReason::kUnsupported, kNoJoint, model_ ? 1.0 : 0.0, 0.0};
  }
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    if (!state_.setups[i].board.compensates_gravity) continue;
    return {RejectReason::kUnsupported, static_cast<JointIndex>(i), 2.0, 0.0};
  }
  return check_gravity(command.gravity);
}

Refusal Commands::examine(const SetProtection& command) const noexcept {
  const bool has = command.protection == Protection::kCollisionAvoidance
                       ? config_.avoidance.has_value()
                       : config_.detection.has_value();
  return has ? Refusal{} : Refusal{RejectReason::kUnsupported, kNoJoint, 0.0, 0.0};
}

Refusal Commands::examine(const SetObstacle& command) const noexcept {
  return protections_.check(command, arms_.setups().size());
}

Refusal Commands::examine(const RemoveObstacle& command) const noexcept {
  return protections_.check(command);
}

Refusal Commands::examine(const SwitchLaw& command) const noexcept {
  return laws_.check(command.law);
}

Refusal Commands::examine(const SetLawParameter& command) const noexcept {
  return laws_.check(command);
}

/// In mode cartesian a plan is for all joints of an arm.
Refusal Commands::check_arm_plan(const JointSet& joints) const noexcept {
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    const bool is_led = state_.joints[i].machine().mode() == ControlMode::kCartesian;
    if (!joints.test(i) || !is_led) continue;
    const ArmIndex arm = arms_.arm_of(i);
    for (const JointIndex mate : arms_.setups()[arm].config.joints) {
      if (!joints.test(mate)) return {RejectReason::kIncompleteArm, mate, 0.0, 0.0};
    }
    if (const Refusal r = check_arm_joints(arm, ToolTargetFields::kModes)) return r;
    if (arms_.controls()[arm].guided()) return {RejectReason::kGuided, kNoJoint, 0.0, 0.0};
  }
  return {};
}

Refusal Commands::examine(const FollowPlan& command) const noexcept {
  if (const Refusal r = check_arm_plan(command.joints)) return r;
  if (const Refusal r = plans_.examine(command, joints())) return r;
  return check_interactions(command.joints);
}

/// Interaction controls of the plan that was received: of an arm that it moves, within its caps.
Refusal Commands::check_interactions(const JointSet& joints) const noexcept {
  for (const JointPlan::Interaction& one : plans_.interactions()) {
    const auto waypoint = static_cast<std::uint16_t>(one.after + 1);
    if (one.control.arm >= arms_.setups().size()) {
      return {RejectReason::kUnknownArm, kNoJoint, 0.0, 0.0, 0, waypoint};
    }
    const ArmConfig& arm = arms_.setups()[one.control.arm].config;
    for (const JointIndex joint : arm.joints) {
      if (!joints.test(joint)) return {RejectReason::kIncompleteArm, joint, 0.0, 0.0, 0, waypoint};
    }
    const Refusal r = check_arm(one.control, arm);
    if (!r) continue;
    constexpr auto kFirst = static_cast<std::uint8_t>(PlanQuantity::kInteraction);
    return {RejectReason::kBadPlan,
            kNoJoint,
            r.value,
            r.limit,
            static_cast<std::uint8_t>(kFirst + r.place),
            waypoint};
  }
  return {};
}

Refusal Commands::examine(const SetJointTarget& command) const noexcept {
  return targets_.examine(command, joints());
}

/// Joints of an arm that could be moved together.
Refusal Commands::check_arm_joints(ArmIndex arm, const ModeSet& modes) const noexcept {
  for (const JointIndex joint : arms_.setups()[arm].config.joints) {
    const JointControl& control = state_.joints[joint];
    if (control.machine().fault()) return {RejectReason::kBoardFaulted, joint, 0.0, 0.0};
    if (!modes.has(control.machine().mode())) return {RejectReason::kWrongMode, joint, 0.0, 0.0};
    if (const RejectReason r = control.why_held(); r != RejectReason::kNone) {
      return {r, joint, 0.0, 0.0};
    }
  }
  return {};
}

Refusal Commands::examine_target(const ToolTargetFields& command) const noexcept {
  if (const Refusal r = check_arm_joints(command.arm, ToolTargetFields::kModes)) return r;
  if (arms_.controls()[command.arm].guided()) return {RejectReason::kGuided, kNoJoint, 0.0, 0.0};
  return arms_.controls()[command.arm].check(arms_.setups()[command.arm], command, *model_);
}
Refusal Commands::examine(const SetToolTarget& command) const noexcept {
  return examine_target(command);
}
Refusal Commands::examine(const StreamToolTarget& command) const noexcept {
  return examine_target(command);
}

Refusal Commands::examine(const SetCuff& command) const noexcept {
  if (command.duration > 0.0) {
    if (const Refusal r = check_arm_joints(command.arm, SetCuff::kModes)) return r;
  }
  return check_arm(command, arms_.setups()[command.arm].config);
}

Refusal Commands::examine(const SetTool& command) const noexcept {
  const ArmControl& control = arms_.controls()[command.arm];
  if (control.guided()) return {RejectReason::kGuided, kNoJoint, 0.0, 0.0};
  if (control.moves_tool() || drives_.is_on(command.arm)) {
    return {RejectReason::kToolMoves, kNoJoint, 0.0, 0.0};
  }
  if (control.interacts()) return {RejectReason::kInteracting, kNoJoint, 0.0, 0.0};
  return check_arm(command, arms_.setups()[command.arm].config);
}

Refusal Commands::examine(const OpenGripper& command) const noexcept {
  return grippers_.examine(command, joints());
}
Refusal Commands::examine(const CloseGripper& command) const noexcept {
  return grippers_.examine(command, joints());
}
Refusal Commands::examine(const MoveGripper& command) const noexcept {
  return grippers_.examine(command, joints());
}
Refusal Commands::examine(const Grasp& command) const noexcept {
  return grippers_.examine(command, joints());
}

Refusal Commands::examine(const DriveTool& command) const noexcept {
  if (const Refusal r = check_arm(command, arms_.setups()[command.arm].config)) return r;
  return drives_.examine(command, joints());
}

Refusal Commands::examine(const TareForceSensor& command) const noexcept {
  if (!forces_.has_sensor(command.arm)) return {RejectReason::kNoForceSensor, kNoJoint, 0.0, 0.0};
  const ForceSensorState now = forces_.sensing(command.arm).state();
  if (now == ForceSensorState::kGood) return {};
  return {RejectReason::kSensorFaulty, kNoJoint, static_cast<double>(now), 0.0};
}

Refusal Commands::examine(const SetForceFilter& command) const noexcept {
  if (!forces_.has_sensor(command.arm)) return {RejectReason::kNoForceSensor, kNoJoint, 0.0, 0.0};
  const double most = 0.5 / to_seconds(config_.period_ns);  // Nyquist frequency
  const double limit = command.cutoff < 0.0 ? 0.0 : most;
  if (command.cutoff >= 0.0 && command.cutoff <= most) return {};
  return {RejectReason::kOutOfRange, kNoJoint, command.cutoff, limit, 1};
}

// Execution ---------------------------------------------------------------------------------------

template <typename C>
void Commands::take(const C& command, std::uint16_t /*sender*/) noexcept {
  if constexpr (IsMessage<C>) {
    body_.take(command);
  } else if constexpr (IsForGripper<C>) {
    grippers_.take(command, joints(), events_);
  } else if constexpr (IsForArm<C>) {
    arms_.controls()[command.arm].take(arms_.setups()[command.arm], command);
  } else {
    for_each_joint(command.joints, state_.setups.size(), [&](std::size_t i, std::size_t place) {
      JointControl& joint = state_.joints[i];
      const JointMode was = joint.machine().shown();
      const InteractionMode interaction = joint.interaction();
      if constexpr (HasValues<C>) {
        joint.take(state_.setups[i], command.values[place]);
      } else {
        joint.take(state_.setups[i], command);
      }
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
    });
  }
}

/// In mode torque a robot on feet would be limp until its base is known: it holds until then.
void Commands::take(const SetMode& command, std::uint16_t sender) noexcept {
  body_.torque_wish().drop(command.joints);
  body_.lead_anew();
  const bool holds = requested_mode(command.mode) == ControlMode::kTorque && laws_.is_on(body_) &&
                     !body_.may_run() && !body_.leads();
  if (!holds) return take<SetMode>(command, sender);
  for_each_joint(command.joints, state_.setups.size(), [&](std::size_t i, std::size_t /*place*/) {
    JointControl& joint = state_.joints[i];
    // Another mode would end its motion.
    if (joint.machine().mode() == ControlMode::kPosition) joint.halt();
  });
  take<SetMode>(SetMode{command.joints, ModeRequest::kPosition}, sender);
  body_.torque_wish().ask(command.joints);
}

void Commands::take(const Stop& command, std::uint16_t sender) noexcept {
  body_.torque_wish().drop(command.joints);
  for (std::size_t i = 0; i < arms_.controls().size(); ++i) {
    const std::vector<JointIndex>& joints = arms_.setups()[i].config.joints;
    const bool is_meant = std::any_of(joints.begin(), joints.end(),
                                      [&](JointIndex joint) { return command.joints.test(joint); });
    if (is_meant) arms_.controls()[i].stop();
  }
  plans_.stop(command.joints);
  drives_.stop(command.joints, events_);
  grippers_.stop(command.joints, events_);
  take<Stop>(command, sender);
}

/// Other joints stop, a plan and the drive of a tool along their path.
void Commands::take(const Cancel& command, std::uint16_t sender) noexcept {
  JointSet led = targets_.cancel(command.joints, joints());
  JointSet moved = command.joints;  // by themselves
  for (const GripperConfig& gripper : config_.grippers) {
    for (const GripperJoint& joint : gripper.joints) moved.reset(joint.joint);
  }
  led |= give_up_moves(moved, group_of(sender), joints());
  const Stop others{command.joints & ~led};
  if (others.joints.any()) take(others, sender);
}

void Commands::take(const SetParameter& command, std::uint16_t /*sender*/) noexcept {
  for_each_joint(command.joints, state_.setups.size(), [&](std::size_t i, std::size_t place) {
    const double value = command.values[place].value;
    JointSetup& setup = state_.setups[i];
    set_parameter(setup.config, command.parameter, value);
    if (is_servo_setting(command.parameter)) {
      setup.servo = servo_design(setup.servo.loop_time, setup.config);
    }
    state_.joints[i].take_parameter(command.parameter, value);
  });
}

void Commands::take(const SetSpeedOverride& command, std::uint16_t /*sender*/) noexcept {
  state_.speed_override = command.factor;
}

void Commands::take(const SetGravity& command, std::uint16_t /*sender*/) noexcept {
  model_.turn_gravity(Eigen::Vector3d(command.gravity.data()));
}

/// A target of its own ends the plan that leads an arm's tool.
void Commands::leave_plans(ArmIndex arm) noexcept {
  for (const JointIndex joint : arms_.setups()[arm].config.joints) {
    if (state_.joints[joint].on_plan()) state_.joints[joint].end_plan();
  }
}

void Commands::take(const SetToolTarget& command, std::uint16_t sender) noexcept {
  leave_plans(command.arm);
  take<SetToolTarget>(command, sender);
}

void Commands::take(const StreamToolTarget& command, std::uint16_t sender) noexcept {
  leave_plans(command.arm);
  take<StreamToolTarget>(command, sender);
}

void Commands::take(const SetPosture& command, std::uint16_t /*sender*/) noexcept {
  for_each_joint(command.joints, state_.setups.size(), [&](std::size_t i, std::size_t place) {
    const std::vector<JointIndex>& joints = arms_.setups()[arms_.arm_of(i)].config.joints;
    const auto found = std::find(joints.begin(), joints.end(), i);
    arms_.controls()[arms_.arm_of(i)].set_posture(static_cast<std::size_t>(found - joints.begin()),
                                                  command.values[place].q);
  });
}

void Commands::take(const Suppress& command, std::uint16_t sender) noexcept {
  for_each_joint(command.joints, state_.setups.size(), [&](std::size_t i, std::size_t /*place*/) {
    if (!protections_.suppress(i, command.what, sender)) return;
    Event e = event(EventKind::kSuppressed, i);
    e.detail = static_cast<std::uint8_t>(command.what);
    e.value = e.limit = kSuppressionTime;
    events_.publish(e);
  });
}

void Commands::take(const SetProtection& command, std::uint16_t /*sender*/) noexcept {
  protections_.set(command.protection, command.on);
}

void Commands::take(const SetObstacle& command, std::uint16_t /*sender*/) noexcept {
  FramePose from{Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  if (command.frame != ToolFrame::kWorld) {
    const ArmSetup& arm = arms_.setups()[command.of_arm];
    from = command.frame == ToolFrame::kBase
               ? model_->pose(arm.base)
               : arms_.controls()[command.of_arm].tool_pose(arm, *model_);
  }
  protections_.take(command, from);
}

void Commands::take(const RemoveObstacle& command, std::uint16_t /*sender*/) noexcept {
  protections_.take(command);
}

void Commands::take(const SwitchLaw& command, std::uint16_t /*sender*/) noexcept {
  laws_.take(command);
}

void Commands::take(const SetLawParameter& command, std::uint16_t /*sender*/) noexcept {
  laws_.take(command);
}

void Commands::take(const FollowPlan& command, std::uint16_t sender) noexcept {
  drives_.leave(command.joints, joints(), events_);
  const JointSet begun = command.joints & ~plans_.led_already();
  for (std::size_t i = 0; i < arms_.setups().size(); ++i) {
    if (begun.test(arms_.setups()[i].config.joints.front())) arms_.controls()[i].begin_plan();
  }
  plans_.take(command, sender, state_.last_number[sender], joints(), events_);
}

std::uint64_t Commands::group_of(std::uint16_t sender) const noexcept {
  constexpr int kNumberBits = 48;
  const auto group = (static_cast<std::uint64_t>(sender) + 1U) << kNumberBits;
  return group | state_.last_number[sender];
}

void Commands::take(const SetJointTarget& command, std::uint16_t sender) noexcept {
  targets_.take(command, group_of(sender), joints());
}

void Commands::take(const DriveTool& command, std::uint16_t sender) noexcept {
  grippers_.leave(joints_of(arms_.setups()[command.arm].config), events_);
  drives_.take(command, sender, state_.last_number[sender], joints());
}

void Commands::take(const TareForceSensor& command, std::uint16_t /*sender*/) noexcept {
  forces_.sensing(command.arm).tare();
}

void Commands::take(const SetForceFilter& command, std::uint16_t /*sender*/) noexcept {
  forces_.sensing(command.arm).set_filter(command.cutoff);
}

}  // namespace jointrig
