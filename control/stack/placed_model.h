#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
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
  static constexpr int kInertiaLasts = 4;  ///< cycles: a choice

  /// @param model  null: none
  PlacedModel(std::unique_ptr<RobotModel> model, const RobotConfig& config)
      : model_(std::move(model)) {
    state_.robot.joints.resize(config.joints.size());
    const auto n = static_cast<Eigen::Index>(config.joints.size());
    state_.inertia.setZero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const JointConfig& joint = config.joints[static_cast<std::size_t>(i)];
      state_.inertia(i, i) = std::max(joint.gains.inertia, 1e-9);
      fastest_.push_back(kPlausible * joint.limits.v_max);
    }
  }

  [[nodiscard]] explicit operator bool() const noexcept { return model_ != nullptr; }
  RobotModel& operator*() const noexcept { return *model_; }
  RobotModel* operator->() const noexcept { return model_.get(); }

  /// Runs one cycle: places the model where the laws see the joints, and computes gravity.
  void advance(const RobotState& state, std::span<const JointControl> joints) noexcept {
    RobotState& placed = state_.robot;
    for (std::size_t i = 0; i < placed.joints.size(); ++i) {
      const double q = joints[i].state().q;
      if (is_sane(q)) placed.joints[i].q = q;
    }
    if (is_sane(state.base)) placed.base = state.base;
    has_velocities_ = has_dynamics_ = false;
    state_.inertia_age = std::min(state_.inertia_age + 1, kInertiaLasts);
    if (model_) model_->update(placed);
  }

  /// Gives the model the joints' velocities, once per cycle, each within kPlausible times v_max: an
  /// encoder that jumps must not shake the joints that are well, by Coriolis torques.
  void place_velocities(std::span<const JointControl> joints) noexcept {
    if (has_velocities_) return;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      state_.robot.joints[i].v = std::clamp(joints[i].state().v, -fastest_[i], fastest_[i]);
    }
    if (model_) model_->update_velocities(state_.robot);
    has_velocities_ = true;
  }

  /// Computes Coriolis torques, once per cycle, and the inertia, every kInertiaLasts cycles: at 3
  /// rad/s a joint turns by 12 mrad meanwhile. Without a model the inertia is that of the joints'
  /// gains, and all torques are 0.
  /// @param lasts  oldest inertia that is taken as it is [cycles]; 1: this cycle's
  void place_dynamics(std::span<const JointControl> joints, int lasts = kInertiaLasts) noexcept {
    if (has_dynamics_) return;
    has_dynamics_ = true;
    if (!model_) return;
    place_velocities(joints);
    model_->update_coriolis();
    if (state_.inertia_age < lasts) return;
    model_->mass_matrix(state_.inertia);
    state_.inertia_age = 0;
    ++inertia_number_;
  }
  /// After place_dynamics(): (n, n) [kg·m², kg]
  [[nodiscard]] const Eigen::MatrixXd& inertia() const noexcept { return state_.inertia; }
  /// Another one for each inertia(): for what is computed from it.
  [[nodiscard]] std::uint64_t inertia_number() const noexcept { return inertia_number_; }
  /// After place_dynamics() [N·m or N]
  [[nodiscard]] double coriolis(std::size_t joint) const noexcept {
    return model_ ? model_->coriolis(static_cast<JointIndex>(joint)) : 0.0;
  }
  /// Of the model's update_momentum() [N·m·s or N·s, N·m or N]
  [[nodiscard]] double momentum(std::size_t joint) const noexcept {
    const auto k = static_cast<Eigen::Index>(joint);
    return model_ ? model_->momentum(static_cast<JointIndex>(joint))
                  : state_.inertia(k, k) * state_.robot.joints[joint].v;
  }
  [[nodiscard]] double energy_gradient(std::size_t joint) const noexcept {
    return model_ ? model_->energy_gradient(static_cast<JointIndex>(joint)) : 0.0;
  }
  [[nodiscard]] double momentum_change(std::size_t joint) const noexcept {
    return model_ ? model_->momentum_change(static_cast<JointIndex>(joint)) : 0.0;
  }
  /// Torque that holds the arms' loads at rest [N·m or N]
  [[nodiscard]] double carried_gravity(std::size_t joint) const noexcept {
    return model_ ? model_->carried_gravity(static_cast<JointIndex>(joint)) : 0.0;
  }

  /// Torque that holds a joint at rest [N·m or N]; 0 without a model.
  [[nodiscard]] double gravity(std::size_t joint) const noexcept {
    return model_ ? model_->gravity(static_cast<JointIndex>(joint)) : 0.0;
  }

  /// Saved and restored by assignment.
  struct State {
    RobotState robot;  ///< joints and base that place the model
    Eigen::MatrixXd inertia;
    int inertia_age = kInertiaLasts;  ///< [cycles]
  };
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state) {
    state_ = state;
    ++inertia_number_;
  }

 private:
  static constexpr double kPlausible = 2.0;  // of v_max, where over_speed begins

  std::unique_ptr<RobotModel> model_;
  std::vector<double> fastest_;  // by joint
  State state_;
  std::uint64_t inertia_number_ = 1;
  bool has_velocities_ = false;  // in this cycle
  bool has_dynamics_ = false;    // in this cycle
};

}  // namespace jointrig
