#include "control/stack/arm_control.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "control/laws/cartesian_impedance.h"
#include "control/laws/joint_torques.h"
#include "control/laws/tool_error.h"
#include "control/laws/tool_wrench.h"
#include "control/safety/arm_admission.h"

namespace jointrig {
namespace {

Matrix6 as_matrix(std::span<const double> numbers) noexcept {
  if (numbers.size() == 36) return Eigen::Map<const Matrix6>(numbers.data());
  Matrix6 matrix = Matrix6::Zero();
  for (int i = 0; i < 6; ++i) matrix(i, i) = numbers[static_cast<std::size_t>(i)];
  return matrix;
}

Placement as_pose(std::span<const double> numbers) noexcept {
  Placement pose;
  pose.position = Eigen::Vector3d(numbers[0], numbers[1], numbers[2]);
  pose.rotation = Eigen::Quaterniond(numbers[3], numbers[4], numbers[5], numbers[6])
                      .normalized()
                      .toRotationMatrix();
  return pose;
}

ToolPose as_plain(const Placement& pose) noexcept {
  const Eigen::Vector3d& p = pose.position;
  Eigen::Quaterniond q(pose.rotation);
  if (q.w() < 0.0) q.coeffs() = -q.coeffs();
  return {{p.x(), p.y(), p.z()}, {q.w(), q.x(), q.y(), q.z()}};
}

Six as_plain(const Vector6& six) noexcept {
  Six plain;
  Eigen::Map<Vector6>(plain.data()) = six;
  return plain;
}

/// X_BT from X_WB and X_WT.
Placement seen_from(const FramePose& base, const FramePose& tool) noexcept {
  return {base.rotation.transpose() * (tool.position - base.position),
          base.rotation.transpose() * tool.rotation};
}

void put(const ArmVector& tau, ArmTerm term, ArmSnapshot& out) noexcept {
  auto& row = out.tau[static_cast<std::size_t>(term)];
  for (Eigen::Index i = 0; i < tau.size(); ++i) row[static_cast<std::size_t>(i)] = tau[i];
}

}  // namespace

/// Joints and tool in one cycle, in the arm's base frame.
struct ArmControl::Motion {
  ArmVector q;
  ArmVector v;
  FramePose base;  // in the world
  ToolState tool;
  ArmJacobian mass_solved;  // (M⁻¹ Jᵀ)ᵀ
  ToolInertia felt;
};

ArmWorkspace::ArmWorkspace(std::size_t joint_count)
    : jacobian(6, static_cast<Eigen::Index>(joint_count)),
      inertia(static_cast<Eigen::Index>(joint_count), static_cast<Eigen::Index>(joint_count)) {}

ArmControl::ArmControl(const ArmSetup& setup) noexcept
    : stiffness_(as_matrix(setup.config.stiffness)),
      damping_ratio_(setup.config.damping_ratio),
      terms_(setup.config.terms),
      payload_(setup.config.payload),
      payload_was_(setup.config.payload),
      posture_(ArmVector::Zero(static_cast<Eigen::Index>(setup.config.joints.size()))),
      tau_(posture_),
      blend_(posture_) {}

Refusal ArmControl::check(const ArmSetup& setup, const Command& command,
                          const RobotModel& model) const noexcept {
  const std::span<const double> numbers{command.numbers.data(), command.numbers.size()};
  switch (command.kind) {
    case CommandKind::kSetToolTarget:
    case CommandKind::kStreamToolTarget: {
      const FramePose base = model.pose(setup.base);
      const Eigen::Vector3d shoulder =
          base.rotation.transpose() * (model.anchor(setup.shoulder) - base.position);
      return check_tool_target(numbers, {shoulder.x(), shoulder.y(), shoulder.z()}, setup.reach);
    }
    case CommandKind::kSetToolStiffness:
      return check_tool_gains(numbers, setup.config.stiffness_max);
    case CommandKind::kSetToolDamping:
      return check_tool_damping(numbers, setup.config.damping_max);
    case CommandKind::kSetArmTerm:
      return check_arm_term(numbers);
    case CommandKind::kSetPayload:
      return check_payload(numbers, setup.config.payload_max);
    default:
      return {};
  }
}

void ArmControl::take(const Command& command) noexcept {
  const std::span<const double> numbers{command.numbers.data(), command.numbers.size()};
  switch (command.kind) {
    case CommandKind::kSetToolTarget:
    case CommandKind::kStreamToolTarget:
      asked_ = as_pose(numbers);
      is_asked_ = true;
      streaming_ = command.kind == CommandKind::kStreamToolTarget;
      timed_out_ = false;
      silence_ = 0.0;
      return;
    case CommandKind::kSetToolStiffness:
      stiffness_ = as_matrix(numbers);
      break;
    case CommandKind::kSetToolDamping:
      damping_ratio_ = numbers.size() == 1 ? numbers[0] : 0.0;
      damping_ = numbers.size() == 1 ? Matrix6(Matrix6::Zero()) : as_matrix(numbers);
      break;
    case CommandKind::kSetArmTerm:
      terms_.set(static_cast<ArmTerm>(numbers[0]), numbers[1] != 0.0);
      break;
    case CommandKind::kSetPayload:
      payload_was_ = payload_;
      payload_ = {numbers[0], {numbers[1], numbers[2], numbers[3]}};
      payload_left_ = JointLaw::kBlendTime;
      return;
    default:
      return;
  }
  changed_ = true;
}

void ArmControl::set_posture(std::size_t joint, double q) noexcept {
  posture_[static_cast<Eigen::Index>(joint)] = q;
  changed_ = true;
}

void ArmControl::stop() noexcept {
  governor_.stop();
  streaming_ = is_asked_ = false;
}

bool ArmControl::may_run(const ArmSetup& setup,
                         std::span<const JointControl> joints) const noexcept {
  return !timed_out_ &&
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

/// From where tool and joints are; the joints' laws blend the torque.
void ArmControl::begin(const Motion& motion) noexcept {
  governor_.start(motion.tool.pose);
  target_ = motion.tool.pose;
  posture_ = motion.q;
  blend_left_ = 0.0;
  changed_ = false;
}

void ArmControl::move_target(const ArmSetup& setup, double speed_override,
                             ArmSnapshot& out) noexcept {
  const ArmConfig& config = setup.config;
  if (is_asked_ && streaming_) governor_.follow(asked_);
  if (is_asked_ && !streaming_) governor_.go_to(asked_);
  is_asked_ = false;
  const double f = speed_override;  // the same way in 1/f of the time
  const ToolSpeeds speeds{f * config.speed_max, f * f * config.acceleration_max,
                          f * config.rotation_speed_max, f * f * config.rotation_acceleration_max};
  out.limits.set(ArmLimit::kToolSpeed, governor_.advance(speeds, setup.dt));
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

void ArmControl::pull_tool(const ArmSetup& setup, const Motion& motion, ArmSnapshot& out) noexcept {
  const ArmConfig& config = setup.config;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  if (config.frame == ToolFrame::kWorld) axes = motion.base.rotation.transpose();
  if (config.frame == ToolFrame::kTool) axes = motion.tool.pose.rotation;
  const Matrix6 damping =
      damping_ratio_ > 0.0
          ? turned(motion.felt.damping(turned(stiffness_, axes), damping_ratio_), axes.transpose())
          : damping_;
  ArmVector spring = ArmVector::Zero(motion.q.size());
  ArmVector damper = spring;
  const ImpedanceOutput pull = add_cartesian_impedance(
      stiffness_, damping, Eigen::Map<const Vector6>(config.error_max.data()), axes, motion.tool,
      target_, spring, damper);
  out.limits.set(ArmLimit::kError, pull.is_clipped);
  out.error = as_plain(pull.error);
  out.wrench = as_plain(pull.spring + pull.damper);
  put(spring, ArmTerm::kSpring, out);
  put(damper, ArmTerm::kDamping, out);
}

void ArmControl::add_joint_terms(const ArmSetup& setup, const Motion& motion,
                                 const RobotModel& model, ArmSnapshot& out) noexcept {
  const ArmConfig& config = setup.config;
  if (terms_.has(ArmTerm::kPosture)) {
    ArmVector tau = ArmVector::Zero(motion.q.size());
    const bool is_clipped =
        add_posture(setup.posture, config.projector, posture_, motion.q, motion.v,
                    motion.tool.jacobian, motion.mass_solved, motion.felt, tau);
    out.limits.set(ArmLimit::kPostureTorque, is_clipped);
    put(tau, ArmTerm::kPosture, out);
  }
  const auto row = [&](ArmTerm term) -> auto& { return out.tau[static_cast<std::size_t>(term)]; };
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const JointIndex joint = config.joints[i];
    if (terms_.has(ArmTerm::kGravity) && !setup.board_has_gravity[i]) {
      row(ArmTerm::kGravity)[i] = model.gravity(joint);
    }
    if (terms_.has(ArmTerm::kCoriolis)) row(ArmTerm::kCoriolis)[i] = model.coriolis(joint);
    if (terms_.has(ArmTerm::kFriction)) {
      row(ArmTerm::kFriction)[i] = friction_torque(config.friction[i], motion.v[k]);
    }
    if (terms_.has(ArmTerm::kLimits)) {
      row(ArmTerm::kLimits)[i] =
          limit_torque(motion.q[k], motion.v[k], setup.soft_min[i], setup.soft_max[i],
                       config.limit_margin, config.limit_stiffness, setup.limit_damping[k]);
    }
  }
}

void ArmControl::carry_payload(const ArmSetup& setup, const RobotModel& model, const Motion& motion,
                               std::span<JointControl::ArmOrder> orders,
                               ArmSnapshot& out) noexcept {
  payload_left_ = std::max(payload_left_ - setup.dt, 0.0);
  if (payload_.mass == 0.0 && payload_left_ == 0.0) return;
  const double old_share = payload_left_ / JointLaw::kBlendTime;
  const Eigen::Vector3d up = -motion.base.rotation.transpose() * model.free_fall();
  Vector6 wrench = Vector6::Zero();  // that carries it, at the tool's origin
  const auto carry = [&](const KnownPayload& payload, double share) {
    const Eigen::Vector3d force = share * payload.mass * up;
    const Eigen::Vector3d arm =
        motion.tool.pose.rotation * Eigen::Map<const Eigen::Vector3d>(payload.centre.data());
    wrench.head<3>() += force;
    wrench.tail<3>() += arm.cross(force);
  };
  carry(payload_, 1.0 - old_share);
  carry(payload_was_, old_share);
  const ArmVector tau = motion.tool.jacobian.transpose().lazyProduct(wrench);
  put(tau, ArmTerm::kPayload, out);
  for (std::size_t i = 0; i < setup.config.joints.size(); ++i) {
    orders[setup.config.joints[i]].payload = tau[static_cast<Eigen::Index>(i)];
  }
}

/// Sums the terms; where gains or terms have changed the torque goes on from the last.
void ArmControl::order(const ArmSetup& setup, std::span<JointControl::ArmOrder> orders,
                       const ArmSnapshot& out) noexcept {
  ArmVector sum = ArmVector::Zero(tau_.size());
  for (const ArmTerm term : kAllArmTerm) {
    if (term == ArmTerm::kPayload) continue;  // goes on top of each joint's torque in every mode
    const auto& row = out.tau[static_cast<std::size_t>(term)];
    for (Eigen::Index i = 0; i < sum.size(); ++i) sum[i] += row[static_cast<std::size_t>(i)];
  }
  if (changed_) {
    blend_ = tau_ - sum;
    blend_left_ = JointLaw::kBlendTime;
    changed_ = false;
  }
  tau_ = sum + blend_ * (blend_left_ / JointLaw::kBlendTime);
  blend_left_ = std::max(blend_left_ - setup.dt, 0.0);
  for (std::size_t i = 0; i < setup.config.joints.size(); ++i) {
    orders[setup.config.joints[i]].runs = true;
    orders[setup.config.joints[i]].tau = tau_[static_cast<Eigen::Index>(i)];
  }
}

ArmControl::Motion ArmControl::observe(const ArmSetup& setup, RobotModel& model,
                                       std::span<const JointControl> joints,
                                       ArmWorkspace& workspace) const noexcept {
  const auto n = static_cast<Eigen::Index>(setup.config.joints.size());
  Motion motion;
  motion.q.resize(n);
  motion.v.resize(n);
  motion.tool.jacobian.resize(6, n);
  motion.base = model.pose(setup.base);
  const Eigen::Matrix3d to_base = motion.base.rotation.transpose();
  model.jacobian(setup.tool, workspace.jacobian);
  for (Eigen::Index i = 0; i < n; ++i) {
    const JointIndex joint = setup.config.joints[static_cast<std::size_t>(i)];
    motion.q[i] = joints[joint].state().q;
    motion.v[i] = joints[joint].state().v;
    motion.tool.jacobian.col(i).head<3>() = to_base * workspace.jacobian.col(joint).head<3>();
    motion.tool.jacobian.col(i).tail<3>() = to_base * workspace.jacobian.col(joint).tail<3>();
  }
  motion.tool.pose = seen_from(motion.base, model.pose(setup.tool));
  motion.tool.twist.noalias() = motion.tool.jacobian.lazyProduct(motion.v);
  return motion;
}

namespace {

/// x = (L Lᵀ)⁻¹ x, of the lower triangle. Eigen's own way may take memory from the heap, as far as
/// the analyzer can see.
void solve(const ArmMatrix& lower, ArmVector& x) noexcept {
  const Eigen::Index n = x.size();
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < i; ++k) x[i] -= lower(i, k) * x[k];
    x[i] /= lower(i, i);
  }
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    for (Eigen::Index k = i + 1; k < n; ++k) x[i] -= lower(k, i) * x[k];
    x[i] /= lower(i, i);
  }
}

}  // namespace

/// What the tool weighs: M of the arm's joints with the payload on it, M⁻¹ Jᵀ by M = L Lᵀ, and Λ.
void ArmControl::weigh(const ArmSetup& setup, const ArmWorkspace& workspace,
                       Motion& motion) const noexcept {
  const std::vector<JointIndex>& joints = setup.config.joints;
  const auto n = static_cast<Eigen::Index>(joints.size());
  ArmMatrix inertia(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < n; ++k) {
      inertia(i, k) = workspace.inertia(joints[static_cast<std::size_t>(i)],
                                        joints[static_cast<std::size_t>(k)]);
    }
  }
  const ArmJacobian& jacobian = motion.tool.jacobian;
  if (payload_.mass > 0.0) {
    const Eigen::Vector3d centre =
        motion.tool.pose.rotation * Eigen::Map<const Eigen::Vector3d>(payload_.centre.data());
    Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, kMaxArmJoints> of_centre(3, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Vector3d turn = jacobian.col(i).tail<3>();
      of_centre.col(i) = jacobian.col(i).head<3>() + turn.cross(centre);
    }
    inertia.noalias() += payload_.mass * of_centre.transpose().lazyProduct(of_centre);
  }
  const Eigen::LLT<ArmMatrix> factors(inertia);
  motion.mass_solved.resize(6, n);
  for (int row = 0; row < 6; ++row) {
    ArmVector column = jacobian.row(row).transpose();
    solve(factors.matrixLLT(), column);
    motion.mass_solved.row(row) = column.transpose();
  }
  motion.felt.update(jacobian, motion.mass_solved);
}

ArmControl::Outcome ArmControl::advance(const ArmSetup& setup, RobotModel& model,
                                        std::span<const JointControl> joints,
                                        ArmWorkspace& workspace,
                                        std::span<JointControl::ArmOrder> orders,
                                        double speed_override, ArmSnapshot& out) noexcept {
  Outcome outcome;
  outcome.timed_out = count_silence(setup);
  const bool was_running = runs_;
  runs_ = may_run(setup, joints);

  Motion motion = observe(setup, model, joints, workspace);
  for (const JointIndex joint : setup.config.joints) orders[joint] = {};
  out = {};
  feel(setup, motion, workspace, out.forces);
  out.tool = as_plain(motion.tool.pose);
  out.twist = as_plain(motion.tool.twist);
  if (runs_) {
    if (!was_running) begin(motion);
    weigh(setup, workspace, motion);
    const bool was_moving = governor_.moving();
    move_target(setup, speed_override, out);
    outcome.arrived = was_moving && !governor_.moving() && !streaming_;
    pull_tool(setup, motion, out);
    add_joint_terms(setup, motion, model, out);
    order(setup, orders, out);
  } else {
    governor_.start(motion.tool.pose);
    target_ = motion.tool.pose;
    if (!is_chosen(setup, joints)) is_asked_ = streaming_ = timed_out_ = false;
  }
  carry_payload(setup, model, motion, orders, out);
  describe(setup, out);
  return outcome;
}

/// What the sensor says, and beside it the wrench that explains what no motor does.
void ArmControl::feel(const ArmSetup& setup, const Motion& motion, const ArmWorkspace& workspace,
                      ArmForces& out) noexcept {
  out = workspace.forces;
  const std::vector<JointIndex>& joints = setup.config.joints;
  out.has_external = std::all_of(joints.begin(), joints.end(),
                                 [&](JointIndex joint) { return workspace.knows_external[joint]; });
  if (!out.has_external) return;
  ArmVector tau(static_cast<Eigen::Index>(joints.size()));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    tau[static_cast<Eigen::Index>(i)] = workspace.external[joints[i]];
  }
  const Vector6 wrench = wrench_of_torques(motion.tool.jacobian, tau);
  out.external = as_plain(wrench);
  out.external_tool = as_plain(turned_wrench(wrench, motion.tool.pose.rotation.transpose()));
}

void ArmControl::describe(const ArmSetup& setup, ArmSnapshot& out) const noexcept {
  out.target = as_plain(target_);
  out.goal = as_plain(is_asked_ ? asked_ : governor_.goal());
  for (int i = 0; i < 6; ++i) out.stiffness[static_cast<std::size_t>(i)] = stiffness_(i, i);
  out.payload = payload_;
  out.damping_ratio = damping_ratio_;
  out.timeout_left = streaming_ ? std::max(setup.config.timeout - silence_, 0.0) : 0.0;
  out.terms = terms_;
  out.runs = runs_;
  out.moving = governor_.moving();
  out.timed_out = timed_out_;
}

}  // namespace jointrig
