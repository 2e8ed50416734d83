#include "control/arm/arm_control.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "control/laws/tool_error.h"
#include "control/laws/tool_wrench.h"
#include "control/safety/arm_admission.h"

namespace jointrig {
ArmControl::ArmControl(const ArmSetup& setup) noexcept
    : stiffness_(Eigen::Map<const Vector6>(setup.config.stiffness.data()).asDiagonal()),
      damping_ratio_(setup.config.damping_ratio),
      terms_(setup.config.terms),
      payload_(setup.config.payload),
      payload_was_(setup.config.payload),
      load_(setup.config.payload),
      posture_(ArmVector::Zero(static_cast<Eigen::Index>(setup.config.joints.size()))),
      limit_margins_(posture_),
      posture_gains_(setup.posture),
      guide_(setup),
      blend_(posture_) {}

void ArmControl::set_posture(std::size_t joint, double q) noexcept {
  posture_[static_cast<Eigen::Index>(joint)] = q;
  changed_ = true;
}

RobotModel::CarriedBody ArmControl::advance_load(const ArmSetup& setup) noexcept {
  const KnownPayload before = load_;
  payload_left_ = std::max(payload_left_ - setup.dt, 0.0);
  const double share = 1.0 - payload_left_ / JointLaw::kBlendTime;
  load_ = payload_left_ > 0.0 ? mix_loads(payload_, share, payload_was_) : payload_;
  return {setup.tool, load_, before};
}

FramePose ArmControl::tool_pose(const ArmSetup& setup, const RobotModel& model) const noexcept {
  FramePose flange = model.pose(setup.tool);
  if (!offset_) return flange;
  const Placement tool = product({flange.position, flange.rotation}, *offset_);
  return {tool.position, tool.rotation};
}

void ArmControl::stop() noexcept {
  governor_.stop();
  held_.reset();
  guide_.stop();
  streaming_ = is_asked_ = false;
}

bool ArmControl::may_run(const ArmSetup& setup,
                         std::span<const JointControl> joints) const noexcept {
  return !timed_out_ && guide_.state() == GuideState::kOff &&
         std::all_of(setup.config.joints.begin(), setup.config.joints.end(),
                     [&](JointIndex joint) { return joints[joint].is_free_for_arm(); });
}

bool ArmControl::is_chosen(const ArmSetup& setup, std::span<const JointControl> joints) noexcept {
  return std::all_of(setup.config.joints.begin(), setup.config.joints.end(), [&](JointIndex joint) {
    return joints[joint].machine().mode() == ControlMode::kCartesian;
  });
}

bool ArmControl::count_silence(const ArmSetup& setup) noexcept {
  if (!runs_ || !streaming_) return false;
  silence_ += setup.dt;
  if (silence_ < setup.config.timeout + 0.5 * setup.dt) return false;
  timed_out_ = true;
  streaming_ = false;
  return true;
}

/// Starts from the present poses of tool and joints. The joints' laws blend the torque, except for
/// an arm that was guided: its joints continue with the arm's law, and the torque is blended here.
void ArmControl::begin(const ArmMotion& motion, bool from_guiding) noexcept {
  reset_reference(motion);
  limit_margins_.setZero();
  posture_ = motion.q;
  blend_left_ = 0.0;
  changed_ = from_guiding;
}

void ArmControl::reset_reference(const ArmMotion& motion) noexcept {
  governor_.start(motion.tool.pose);
  held_.reset();
  target_ = motion.tool.pose;
  resets_reference_ = false;
}

/// Before move_target(): the governor follows the plan as it follows a stream.
void ArmControl::follow_plan(const ArmSetup& setup, RobotModel& model,
                             std::span<const JointControl> joints,
                             const ArmMotion& motion) noexcept {
  const std::vector<JointIndex>& own = setup.config.joints;
  const bool was_on = on_plan_;
  on_plan_ = std::all_of(own.begin(), own.end(),
                         [&](JointIndex joint) { return joints[joint].on_plan(); });
  if (!on_plan_) {
    if (was_on && !is_asked_) governor_.stop();  // at rest already, unless the plan broke
    return;
  }
  std::array<double, kMaxArmJoints> q{};
  for (std::size_t i = 0; i < own.size(); ++i) {
    q[i] = joints[own[i]].planned();
    posture_[static_cast<Eigen::Index>(i)] = q[i];
  }
  held_.reset();
  model.look_elsewhere(own, {q.data(), own.size()});
  const FramePose there = model.pose_elsewhere(setup.tool);
  Placement at{motion.base.rotation.transpose() * (there.position - motion.base.position),
               motion.base.rotation.transpose() * there.rotation};
  if (offset_) at = product(at, *offset_);
  if (!was_on || resets_reference_) {
    if (resets_reference_) reset_reference(motion);
    plan_lag_ = tool_error(governor_.target(), at);
    plan_lag_left_ = kOntoPlan;
    changed_ = true;  // another posture
  }
  const double past = 1.0 - plan_lag_left_ / kOntoPlan;
  const double share = 1.0 - past * past * past * (10.0 - past * (15.0 - 6.0 * past));
  governor_.follow({at.position + share * plan_lag_.head<3>(),
                    rotation_of(share * plan_lag_.tail<3>()) * at.rotation});
  plan_lag_left_ = std::max(plan_lag_left_ - setup.dt, 0.0);
  streaming_ = is_asked_ = false;
}

/// A new target. One in the world is a goal in the base, which hold_in_world() moves.
void ArmControl::take_asked(const Placement& base) noexcept {
  held_.reset();
  Placement goal = asked_;
  if (asked_frame_ == TargetFrame::kWorld) {
    held_ = asked_;
    goal = between(base, asked_);
  }
  if (streaming_) {
    governor_.follow(goal);
  } else {
    governor_.go_to(goal);
  }
  is_asked_ = false;
}

/// @return true if the target was too slow
bool ArmControl::hold_in_world(const ArmSetup& setup, const RobotModel& model,
                               const Placement& base) noexcept {
  const double reach = setup.reach + (offset_ ? offset_->position.norm() : 0.0);
  if ((held_->position - model.anchor(setup.shoulder)).norm() > reach) return true;
  const ArmConfig& config = setup.config;
  const ToolSpeeds most{.linear = config.speed_max, .angular = config.rotation_speed_max};
  const Placement change = between(base, base_);
  target_ = product(change, target_);
  return governor_.carry(change, between(base, *held_), most, setup.dt);
}

void ArmControl::move_target(const ArmSetup& setup, const RobotModel& model,
                             const ArmMotion& motion, double speed_override,
                             ArmSnapshot& out) noexcept {
  const ArmConfig& config = setup.config;
  const Placement base{motion.base.position, motion.base.rotation};
  const bool is_slow = held_ && hold_in_world(setup, model, base);
  if (is_asked_) take_asked(base);
  base_ = base;
  const double f = speed_override;  // the same path in 1/f of the time
  const ToolSpeeds speeds{f * config.speed_max, f * f * config.acceleration_max,
                          f * config.rotation_speed_max, f * f * config.rotation_acceleration_max};
  out.limits.set(ArmLimit::kToolSpeed, governor_.advance(speeds, setup.dt) || is_slow);
  if (config.target_filter == 0.0) {
    target_ = governor_.target();
    return;
  }
  // x += (target − x) (1 − e^{−dt/T})
  const double share = -std::expm1(-setup.dt / config.target_filter);
  const Vector6 lag = tool_error(governor_.target(), target_);
  target_.position += share * lag.head<3>();
  target_.rotation = rotation_of(share * lag.tail<3>()) * target_.rotation;
}

/// Sums the terms; after a change of gains or terms the torque starts from the last one.
void ArmControl::order(const ArmSetup& setup, JointControl::Claim claim,
                       std::span<const JointControl::Guard> guards,
                       std::span<JointControl::ArmOrder> orders, ArmTorques& tau) noexcept {
  if (changed_) blend_left_ = JointLaw::kBlendTime;
  auto& gravity = tau[static_cast<std::size_t>(ArmTerm::kGravity)];
  for (std::size_t i = 0; i < setup.config.joints.size(); ++i) {
    const JointIndex joint = setup.config.joints[i];
    JointControl::ArmOrder& order = orders[joint];
    double sum = 0.0;
    for (const ArmTerm term : kAllArmTerm) {
      // The payload's torque is added to each joint's torque in every mode.
      if (term != ArmTerm::kPayload) sum += tau[static_cast<std::size_t>(term)][i];
    }
    double& blend = blend_[static_cast<Eigen::Index>(i)];
    if (changed_) blend = order.tau - sum;
    const double share = guards[joint].gravity_share;
    order.claim = claim;
    order.tau = sum + blend * (blend_left_ / JointLaw::kBlendTime);
    order.suppressed = (1.0 - share) * gravity[i];
    gravity[i] *= share;
  }
  changed_ = false;
  blend_left_ = std::max(blend_left_ - setup.dt, 0.0);
}

ArmControl::Outcome ArmControl::advance(const ArmSetup& setup, RobotModel& model,
                                        std::span<const JointControl> joints,
                                        ArmWorkspace& workspace,
                                        std::span<JointControl::ArmOrder> orders,
                                        double speed_override, ArmSnapshot& out) noexcept {
  Outcome outcome;
  ArmMotion motion = observe_arm(setup, model, joints, workspace);
  if (offset_) move_tool(*offset_, motion);
  if (needs_dynamics(setup, joints)) weigh_arm(setup, workspace, motion);
  for (const JointIndex joint : setup.config.joints) orders[joint] = {.tau = orders[joint].tau};
  std::construct_at(&out);  // in place: an assignment would copy 2 kB
  const ArmForces forces = feel(setup, motion, workspace);
  ArmTorques tau{};
  out.tool = as_plain(motion.tool.pose);
  out.twist = as_plain(motion.tool.twist);
  ArmVector carried = carry_load(setup, model, tau);
  for (std::size_t i = 0; i < setup.config.joints.size(); ++i) {
    if (setup.board_has_gravity[i]) continue;
    carried[static_cast<Eigen::Index>(i)] += model.gravity(setup.config.joints[i]);
  }
  const bool was_guiding = guide_.state() == GuideState::kGuiding;
  outcome.guide = guide_.advance(setup, motion, carried);
  outcome.timed_out = count_silence(setup);
  const bool was_running = runs_;
  runs_ = may_run(setup, joints);

  if (runs_) {
    if (!was_running) begin(motion, was_guiding);
    follow_plan(setup, model, joints, motion);
    const bool was_moving = governor_.moving();
    if (resets_reference_) reset_reference(motion);
    move_target(setup, model, motion, speed_override, out);
    outcome.arrived = was_moving && !governor_.moving() && !streaming_ && !on_plan_;
    widen_limit_zones(setup, motion);
    pull_tool(setup, motion, forces, tau, out);
    pull_posture(setup, motion, tau, out);
    add_joint_terms(setup, motion, model, terms_, tau);
    order(setup, JointControl::Claim::kRuns, workspace.guards, orders, tau);
  } else if (guide_.state() == GuideState::kGuiding) {
    if (!was_guiding) begin(motion, was_running);
    widen_limit_zones(setup, motion);
    guide(setup, motion, model, forces, tau, out);
    order(setup, JointControl::Claim::kGuided, workspace.guards, orders, tau);
  } else {
    on_plan_ = false;
    reset_reference(motion);
    for (const JointIndex joint : setup.config.joints) {
      orders[joint].claim = guide_.claim();
      orders[joint].tau = 0.0;
    }
    if (!is_chosen(setup, joints)) is_asked_ = streaming_ = timed_out_ = false;
  }
  outcome.forces = out.forces = forces;
  out.tau = tau;
  describe(setup, out);
  return outcome;
}

/// The sensor's reading, and the wrench that explains the external torques.
ArmForces ArmControl::feel(const ArmSetup& setup, const ArmMotion& motion,
                           const ArmWorkspace& workspace) noexcept {
  ArmForces out = workspace.forces;
  const std::vector<JointIndex>& joints = setup.config.joints;
  out.has_external = std::all_of(joints.begin(), joints.end(), [&](JointIndex joint) {
    return workspace.external[joint].is_known;
  });
  if (!out.has_external) return out;
  ArmVector tau(static_cast<Eigen::Index>(joints.size()));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    tau[static_cast<Eigen::Index>(i)] = workspace.external[joints[i]].tau;
  }
  const Vector6 wrench = wrench_of_torques(motion.tool.jacobian, tau);
  out.external = as_plain(wrench);
  out.external_tool = as_plain(turned_wrench(wrench, motion.tool.pose.rotation.transpose()));
  return out;
}

void ArmControl::describe(const ArmSetup& setup, ArmSnapshot& out) const noexcept {
  out.target = as_plain(target_);
  if (offset_) out.offset = as_plain(*offset_);
  const bool is_shown = is_asked_ && asked_frame_ == TargetFrame::kBase;
  out.goal = as_plain(is_shown ? asked_ : governor_.goal());
  for (int i = 0; i < 6; ++i) out.stiffness[static_cast<std::size_t>(i)] = stiffness_(i, i);
  out.inertia = as_plain(inertia_);
  out.payload = payload_;
  out.damping_ratio = damping_ratio_;
  out.timeout_left = streaming_ ? std::max(setup.config.timeout - silence_, 0.0) : 0.0;
  out.terms = terms_;
  out.runs = runs_;
  out.moving = governor_.moving();
  out.timed_out = timed_out_;
  interaction_.describe(out.interaction);
  guide_.describe(out.interaction);
  out.interaction.free_axes = free_axes_;
}

}  // namespace jointrig
