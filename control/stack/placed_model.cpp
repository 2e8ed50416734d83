#include "control/stack/placed_model.h"

#include <algorithm>
#include <utility>

#include "control/core/joint_commands.h"
#include "control/core/sane.h"

namespace jointrig {

PlacedModel::PlacedModel(std::unique_ptr<RobotModel> model, const RobotConfig& config)
    : model_(std::move(model)), dt_(to_seconds(config.period_ns)) {
  if (model_) state_.gravity.from = state_.gravity.to = model_->free_fall();
  state_.robot.joints.resize(config.joints.size());
  const auto n = static_cast<Eigen::Index>(config.joints.size());
  state_.inertia.setZero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const JointConfig& joint = config.joints[static_cast<std::size_t>(i)];
    state_.inertia(i, i) = std::max(joint.gains.inertia, 1e-9);
    fastest_.push_back(kPlausible * joint.limits.v_max);
  }
  if (model_ && model_->has_springs_in_loops()) state_.slow_inertia = state_.inertia;
}

void PlacedModel::advance(const RobotState& state, std::span<const JointControl> joints) noexcept {
  RobotState& placed = state_.robot;
  for (std::size_t i = 0; i < placed.joints.size(); ++i) {
    const double q = joints[i].state().q;
    if (is_sane(q)) placed.joints[i].q = q;
  }
  if (is_sane(state.base)) placed.base = state.base;
  has_velocities_ = has_dynamics_ = false;
  state_.inertia_age = std::min(state_.inertia_age + 1, kInertiaLasts);
  if (!model_) return;
  Gravity& gravity = state_.gravity;
  if (gravity.left > 0.0) {
    gravity.left = std::max(gravity.left - dt_, 0.0);
    model_->set_free_fall(free_fall());
  }
  model_->update(placed);
}

Eigen::Vector3d PlacedModel::free_fall() const noexcept {
  const Gravity& gravity = state_.gravity;
  return gravity.to + (gravity.from - gravity.to) * (gravity.left / kGravityTurns);
}

void PlacedModel::turn_gravity(const Eigen::Vector3d& gravity) noexcept {
  state_.gravity = {.from = free_fall(), .to = gravity, .left = kGravityTurns};
}

void PlacedModel::place_velocities(std::span<const JointControl> joints) noexcept {
  if (has_velocities_) return;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    state_.robot.joints[i].v = std::clamp(joints[i].state().v, -fastest_[i], fastest_[i]);
  }
  if (model_) model_->update_velocities(state_.robot);
  has_velocities_ = true;
}

void PlacedModel::place_dynamics(std::span<const JointControl> joints, int lasts) noexcept {
  if (has_dynamics_) return;
  has_dynamics_ = true;
  if (!model_) return;
  place_velocities(joints);
  model_->update_coriolis();
  if (state_.inertia_age < lasts) return;
  model_->mass_matrix(state_.inertia);
  if (has_springs()) model_->slow_mass_matrix(state_.slow_inertia);
  state_.inertia_age = 0;
  ++inertia_number_;
}

double PlacedModel::momentum(std::size_t joint) const noexcept {
  const auto k = static_cast<Eigen::Index>(joint);
  return model_ ? model_->momentum(static_cast<JointIndex>(joint))
                : state_.inertia(k, k) * state_.robot.joints[joint].v;
}

void PlacedModel::restore(const State& state) {
  state_ = state;
  if (model_) model_->set_free_fall(free_fall());
  ++inertia_number_;
}

}  // namespace jointrig
