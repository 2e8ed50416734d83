#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "control/core/sane.h"
#include "control/model/robot_model.h"
#include "control/stack/joints.h"

namespace jointrig {

/// The controller's model in the robot's pose: the last sane positions and the last sane pose of
/// the base. Without a model it computes nothing.
///
/// Functions are for the cycle.
class PlacedModel {
 public:
  /// @param model  null: none
  PlacedModel(std::unique_ptr<RobotModel> model, const RobotConfig& config)
      : model_(std::move(model)) {
    state_.joints.resize(config.joints.size());
    const auto n = static_cast<Eigen::Index>(config.joints.size());
    inertia_.setZero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const JointConfig& joint = config.joints[static_cast<std::size_t>(i)];
      inertia_(i, i) = std::max(joint.gains.inertia, 1e-9);
      fastest_.push_back(kPlausible * joint.limits.v_max);
    }
  }

  [[nodiscard]] explicit operator bool() const noexcept { return model_ != nullptr; }
  RobotModel& operator*() const noexcept { return *model_; }
  RobotModel* operator->() const noexcept { return model_.get(); }

  /// Runs one cycle: places the model and computes gravity.
  void advance(const RobotState& state) noexcept {
    for (std::size_t i = 0; i < state_.joints.size(); ++i) {
      if (is_sane(state.joints[i].q)) state_.joints[i].q = state.joints[i].q;
    }
    if (is_sane(state.base)) state_.base = state.base;
    has_velocities_ = has_dynamics_ = false;
    if (model_) model_->update(state_);
  }

  /// Gives the model the joints' velocities, once per cycle, each within kPlausible times v_max: an
  /// encoder that jumps must not shake the joints that are well, by Coriolis torques.
  void place_velocities(std::span<const JointControl> joints) noexcept {
    if (has_velocities_) return;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      state_.joints[i].v = std::clamp(joints[i].state().v, -fastest_[i], fastest_[i]);
    }
    if (model_) model_->update_velocities(state_);
    has_velocities_ = true;
  }

  /// Computes inertia and Coriolis torques, once per cycle. Without a model the inertia is that of
  /// the joints' gains, and all torques are 0.
  void place_dynamics(std::span<const JointControl> joints) noexcept {
    if (has_dynamics_) return;
    has_dynamics_ = true;
    if (!model_) return;
    place_velocities(joints);
    model_->update_coriolis();
    model_->mass_matrix(inertia_);
  }
  /// After place_dynamics(): (n, n) [kg·m², kg]
  [[nodiscard]] const Eigen::MatrixXd& inertia() const noexcept { return inertia_; }
  /// After place_dynamics() [N·m or N]
  [[nodiscard]] double coriolis(std::size_t joint) const noexcept {
    return model_ ? model_->coriolis(static_cast<JointIndex>(joint)) : 0.0;
  }
  /// Of the model's update_momentum() [N·m·s or N·s, N·m or N]
  [[nodiscard]] double momentum(std::size_t joint) const noexcept {
    const auto k = static_cast<Eigen::Index>(joint);
    return model_ ? model_->momentum(static_cast<JointIndex>(joint))
                  : inertia_(k, k) * state_.joints[joint].v;
  }
  [[nodiscard]] double energy_gradient(std::size_t joint) const noexcept {
    return model_ ? model_->energy_gradient(static_cast<JointIndex>(joint)) : 0.0;
  }
  [[nodiscard]] double carried_gravity(std::size_t joint) const noexcept {
    return model_ ? model_->carried_gravity(static_cast<JointIndex>(joint)) : 0.0;
  }

  /// Torque that holds a joint at rest [N·m or N]; 0 without a model.
  [[nodiscard]] double gravity(std::size_t joint) const noexcept {
    return model_ ? model_->gravity(static_cast<JointIndex>(joint)) : 0.0;
  }

  /// Joints and base that place the model: saved and restored by assignment.
  using State = RobotState;
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) { state_ = state; }

 private:
  static constexpr double kPlausible = 2.0;  // of v_max, where over_speed begins

  std::unique_ptr<RobotModel> model_;
  std::vector<double> fastest_;  // by joint
  RobotState state_;
  Eigen::MatrixXd inertia_;
  bool has_velocities_ = false;  // in this cycle
  bool has_dynamics_ = false;    // in this cycle
};

}  // namespace jointrig
