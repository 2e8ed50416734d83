#include "control/stack/free_joints.h"

#include <algorithm>
#include <cmath>

#include "control/laws/lower_root.h"
#include "control/stack/plausible_speed.h"

namespace jointrig {
namespace {

/// In which friction ends a motion that counts as none [s]: a choice, some cycles, and more than
/// the speeds at which a simulated friction creeps.
constexpr double kStands = 5e-3;
/// Freedom that counts as none: speeds that fade never come to 0, and M_ii / φ has to be a number.
constexpr double kHeld = 1e-9;

/// Torque of motor and board that acts, beside gravity and loads. [N·m or N]
double driving(std::size_t joint, const PlacedModel& model, Joints joints) noexcept {
  const JointControl& control = joints.controls[joint];
  return control.sendable(joints.setups[joint], control.wanted()) - model.gravity(joint) -
         model.carried_gravity(joint);
}

}  // namespace

FreeJoints::FreeJoints(std::size_t joint_count)
    : freedom_(joint_count, 1.0), torques_(joint_count) {
  const auto n = static_cast<Eigen::Index>(joint_count);
  free_.reserve(joint_count);
  factored_.reserve(joint_count);
  factored_with_.reserve(joint_count);
  root_.setZero(n, n);
  columns_.setZero(n, n);
  felt_.setZero(n, n);
}

void FreeJoints::judge(std::size_t joint, const PlacedModel& model, Joints joints) noexcept {
  const double friction = joints.setups[joint].config.gains.friction;
  if (!(friction > 0.0)) {
    freedom_[joint] = 1.0;
    return;
  }
  const auto k = static_cast<Eigen::Index>(joint);
  const double speed =
      joints.controls[joint].state().v * model.inertia()(k, k) / (kStands * friction);
  const double driven = std::max(std::abs(driving(joint, model, joints)) / friction - 1.0, 0.0);
  const double freedom = speed * speed + driven;
  freedom_[joint] = freedom < kHeld ? 0.0 : std::min(freedom, 1.0);
}

/// For a joint that isn't computed.
bool FreeJoints::moves_freely(std::size_t joint, const PlacedModel& model, Joints joints) noexcept {
  const JointControl& control = joints.controls[joint];
  const JointModeMachine& machine = control.machine();
  if (control.has_board_loop() || machine.shown() == JointMode::kCalibrating) return false;
  // A voltage holds the speed of its motor, by the back-EMF, and nobody knows the torque.
  if (machine.driving() && machine.mode() == ControlMode::kOpenloop) return false;
  if (!machine.driving() && joints.setups[joint].config.brake.is_there()) return false;
  // A board that came to rest by itself holds its joint; of one that isn't set up nobody knows.
  if (!control.state().follows || machine.shown() == JointMode::kNotConfigured) return false;
  // Nobody knows where a lost joint is.
  if (control.state().missed >= JointModeMachine::kLostAfter) return false;
  judge(joint, model, joints);
  return freedom_[joint] > 0.0;
}

/// True if a joint feels the free ones.
bool FreeJoints::gather(const PlacedModel& model, Joints joints,
                        std::span<const std::uint8_t> moved) noexcept {
  free_.clear();
  bool any = false;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (moved[i] != 0) {
      any = true;
    } else if (moves_freely(i, model, joints)) {
      free_.push_back(i);
    }
  }
  if (!any) free_.clear();
  return !free_.empty();
}

void FreeJoints::factor(const PlacedModel& model) noexcept {
  const auto is_known = [&](std::size_t f) { return freedom_[free_[f]] == factored_with_[f]; };
  bool is_same = inertia_number_ == model.inertia_number() && factored_ == free_;
  for (std::size_t f = 0; is_same && f < free_.size(); ++f) is_same = is_known(f);
  if (is_same) return;
  inertia_number_ = model.inertia_number();
  factored_ = free_;  // within its capacity
  factored_with_.clear();
  const Eigen::MatrixXd& inertia = model.inertia();
  const auto n = static_cast<Eigen::Index>(free_.size());
  for (Eigen::Index c = 0; c < n; ++c) {
    const std::size_t joint = free_[static_cast<std::size_t>(c)];
    const double* from = inertia.col(static_cast<Eigen::Index>(joint)).data();
    for (Eigen::Index r = c; r < n; ++r) root_(r, c) = from[free_[static_cast<std::size_t>(r)]];
    root_(c, c) /= freedom_[joint];
    factored_with_.push_back(freedom_[joint]);
  }
  take_root(root_, n);
}

/// L⁻¹ M_fr, and S = M_rr − (L⁻¹ M_fr)ᵀ L⁻¹ M_fr.
void FreeJoints::find_felt(const Eigen::MatrixXd& inertia) noexcept {
  const auto n = static_cast<Eigen::Index>(free_.size());
  felt_ = inertia;
  std::size_t next = 0;  // of free_, which is sorted
  for (Eigen::Index i = 0; i < inertia.rows(); ++i) {
    double* column = columns_.col(i).data();
    const bool is_own = next < free_.size() && free_[next] == static_cast<std::size_t>(i);
    if (is_own) ++next;
    bool any = false;  // none on another branch
    for (Eigen::Index f = 0; f < n; ++f) {
      const auto row = static_cast<Eigen::Index>(free_[static_cast<std::size_t>(f)]);
      column[f] = is_own ? 0.0 : inertia(row, i);
      any = any || column[f] != 0.0;
    }
    if (!any) continue;
    solve_root(root_, n, column);
    const Eigen::Map<const Eigen::VectorXd> one(column, n);
    for (Eigen::Index k = 0; k <= i; ++k) {
      felt_(i, k) -= one.dot(columns_.col(k).head(n));
      felt_(k, i) = felt_(i, k);
    }
  }
  for (const std::size_t joint : free_) {
    felt_.row(static_cast<Eigen::Index>(joint)).setZero();
    felt_.col(static_cast<Eigen::Index>(joint)).setZero();
  }
}

const Eigen::MatrixXd& FreeJoints::felt(const PlacedModel& model) noexcept {
  if (free_.empty()) return model.inertia();
  find_felt(model.inertia());
  return felt_;
}

void FreeJoints::find(const PlacedModel& model, Joints joints, const JointLoads& loads,
                      std::span<const std::uint8_t> moved,
                      std::span<double> accelerations) noexcept {
  if (!gather(model, joints, moved)) return;
  factor(model);
  const auto n = static_cast<Eigen::Index>(free_.size());
  for (std::size_t f = 0; f < free_.size(); ++f) {
    const std::size_t i = free_[f];
    const JointConfig& joint = joints.setups[i].config;
    // A false reading must not shake the joints that are well.
    const double v = plausible_speed(joints.setups[i], joints.controls[i]);
    double torque =
        driving(i, model, joints) - model.coriolis(i) - joint.gains.viscous * v + loads.calm(i);
    if (!std::isfinite(torque)) torque = 0.0;
    const double* column = model.inertia().col(static_cast<Eigen::Index>(i)).data();
    for (std::size_t k = 0; k < joints.size(); ++k) torque -= column[k] * accelerations[k];
    torques_[f] = torque;
  }
  solve_root(root_, n, torques_.data());
  solve_root_transposed(root_, n, torques_.data());
  for (std::size_t f = 0; f < free_.size(); ++f) accelerations[free_[f]] = torques_[f];
}

}  // namespace jointrig
