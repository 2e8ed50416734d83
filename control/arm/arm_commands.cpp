// Commands of an arm.

#include "control/arm/arm_control.h"
#include "control/safety/arm_admission.h"

namespace jointrig {
namespace {

Matrix6 matrix_of(const ToolGains& gains) noexcept {
  if (gains.size() == 36) return Eigen::Map<const Matrix6>(gains.data());
  return Matrix6(Eigen::Map<const Vector6>(gains.data()).asDiagonal());
}

}  // namespace

Refusal ArmControl::check(const ArmSetup& setup, const ToolTargetFields& command,
                          const RobotModel& model) const noexcept {
  Eigen::Vector3d shoulder = model.anchor(setup.shoulder);
  if (command.frame == TargetFrame::kBase) {
    const FramePose base = model.pose(setup.base);
    shoulder = base.rotation.transpose() * (shoulder - base.position);
  }
  return check_tool_target(command, {shoulder.x(), shoulder.y(), shoulder.z()},
                           setup.reach + (offset_ ? offset_->position.norm() : 0.0));
}

void ArmControl::take_target(const ToolTargetFields& command, bool is_streamed) noexcept {
  asked_ = as_pose(command.position, command.orientation);
  asked_frame_ = command.frame;
  is_asked_ = true;
  streaming_ = is_streamed;
  timed_out_ = false;
  silence_ = 0.0;
}

void ArmControl::take(const ArmSetup& /*setup*/, const SetToolTarget& command) noexcept {
  take_target(command, false);
}

void ArmControl::take(const ArmSetup& /*setup*/, const StreamToolTarget& command) noexcept {
  take_target(command, true);
}

void ArmControl::take(const ArmSetup& /*setup*/, const SetToolStiffness& command) noexcept {
  stiffness_ = matrix_of(command.stiffness);
  changed_ = true;
}

void ArmControl::take(const ArmSetup& /*setup*/, const SetToolDamping& command) noexcept {
  const bool is_ratio = command.damping.empty();
  damping_ratio_ = is_ratio ? command.ratio : 0.0;
  damping_ = is_ratio ? Matrix6(Matrix6::Zero()) : matrix_of(command.damping);
  changed_ = true;
}

void ArmControl::take(const ArmSetup& /*setup*/, const SetArmTerm& command) noexcept {
  terms_.set(command.term, command.on);
  changed_ = true;
}

void ArmControl::take(const ArmSetup& /*setup*/, const SetPayload& command) noexcept {
  payload_was_ = load_;
  payload_ = {command.mass, command.centre, command.inertia};
  payload_left_ = JointLaw::kBlendTime;
}

void ArmControl::take(const ArmSetup& /*setup*/, const SetTool& command) noexcept {
  const Placement was = offset_.value_or(Placement{});
  offset_ = as_pose(command.position, command.orientation);
  const Placement change = between(was, *offset_);
  governor_.start(product(governor_.target(), change));
  target_ = product(target_, change);
  if (held_) held_ = product(*held_, change);
  changed_ = true;
}

void ArmControl::take(const ArmSetup& /*setup*/, const SetToolInertia& command) noexcept {
  inertia_ = Eigen::Map<const Vector6>(command.inertia.data());
  changed_ = true;
}

/// The reference is the tool's present pose, unless the command keeps the reference.
void ArmControl::take(const ArmSetup& setup, const SetInteractionControl& command) noexcept {
  changed_ = true;
  posture_gains_ = setup.posture;
  if (!command.active) {
    resets_reference_ = interaction_.active() && !command.keeps_reference;
    interaction_.turn_off();
    return;
  }
  interaction_.set(command);
  resets_reference_ = !command.keeps_reference;
  const FixedVector<double, kMaxArmJoints>& stiffness = command.posture_stiffness;
  if (stiffness.empty()) return;
  posture_gains_.stiffness = Eigen::Map<const Eigen::VectorXd>(stiffness.data(), posture_.size());
  posture_gains_.damping = posture_damping(setup, posture_gains_.stiffness);
}

void ArmControl::take(const ArmSetup& /*setup*/, const SetCuff& command) noexcept {
  guide_.grasp(command.duration);
}

/// Holds the axes that aren't free as stiffly as the arm's file allows, with critical damping.
void ArmControl::take(const ArmSetup& setup, const SetFreeAxes& command) noexcept {
  InteractionSettings settings;
  free_axes_ = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    settings.stiffness[i] = command.axes[i] ? 0.0 : setup.config.stiffness_max[i];
    if (command.axes[i]) free_axes_ = static_cast<std::uint8_t>(free_axes_ | 1U << i);
  }
  settings.damping_source = DampingSource::kRatio;
  settings.damping_ratio = 1.0;
  settings.frame = command.frame;
  settings.undamped_force = true;  // the guide brakes the axes that are free
  constraint_.set(settings);
  changed_ = true;
}

}  // namespace jointrig
