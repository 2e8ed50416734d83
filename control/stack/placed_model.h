#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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
  PlacedModel(std::unique_ptr<RobotModel> model, const RobotConfig& config);

  [[nodiscard]] explicit operator bool() const noexcept { return model_ != nullptr; }
  RobotModel& operator*() const noexcept { return *model_; }
  RobotModel* operator->() const noexcept { return model_.get(); }

  /// Runs one cycle: places the model where the laws see the joints, and computes gravity.
  void advance(const RobotState& state, std::span<const JointControl> joints) noexcept;

  /// Gives the model the joints' velocities, once per cycle, each within kPlausible times v_max: an
  /// encoder that jumps must not shake the joints that are well, by Coriolis torques.
  void place_velocities(std::span<const JointControl> joints) noexcept;

  /// Computes Coriolis torques, once per cycle, and the inertia, every kInertiaLasts cycles: at 3
  /// rad/s a joint turns by 12 mrad meanwhile. Without a model the inertia is that of the joints'
  /// gains, and all torques are 0.
  /// @param lasts  oldest inertia that is taken as it is [cycles]; 1: this cycle's
  void place_dynamics(std::span<const JointControl> joints, int lasts = kInertiaLasts) noexcept;
  /// After place_dynamics(): (n, n) [kg·m², kg]
  [[nodiscard]] const Eigen::MatrixXd& inertia() const noexcept { return state_.inertia; }
  /// Likewise, with springs of loops as standing (RobotModel::slow_mass_matrix()).
  [[nodiscard]] const Eigen::MatrixXd& slow_inertia() const noexcept {
    return has_springs() ? state_.slow_inertia : state_.inertia;
  }
  /// True if the two differ.
  [[nodiscard]] bool has_springs() const noexcept { return state_.slow_inertia.size() > 0; }
  /// Another one for each inertia(): for what is computed from it.
  [[nodiscard]] std::uint64_t inertia_number() const noexcept { return inertia_number_; }
  /// After place_dynamics() [N·m or N]
  [[nodiscard]] double coriolis(std::size_t joint) const noexcept {
    return model_ ? model_->coriolis(static_cast<JointIndex>(joint)) : 0.0;
  }
  /// By the model's update_momentum() [N·m·s or N·s, N·m or N]
  [[nodiscard]] double momentum(std::size_t joint) const noexcept;
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

  /// Gravity on its way from one to another: g = to + (from − to) left / kGravityTurns.
  struct Gravity {
    Eigen::Vector3d from = Eigen::Vector3d::Zero();  ///< in the world [m/s²]
    Eigen::Vector3d to = Eigen::Vector3d::Zero();    ///< as told [m/s²]
    double left = 0.0;                               ///< of the way [s]
  };
  /// In the cycle that is under way, in the world [m/s²]; 0 without a model.
  [[nodiscard]] Eigen::Vector3d free_fall() const noexcept;
  /// Turns there from the next advance() on, within kGravityTurns. With a model.
  void turn_gravity(const Eigen::Vector3d& gravity) noexcept;

  /// Saved and restored by assignment.
  struct State {
    RobotState robot;  ///< joints and base that place the model
    Eigen::MatrixXd inertia;
    Eigen::MatrixXd slow_inertia;     ///< empty without springs in loops
    int inertia_age = kInertiaLasts;  ///< [cycles]
    Gravity gravity;
  };
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  static constexpr double kPlausible = 2.0;  // of v_max, where over_speed begins

  std::unique_ptr<RobotModel> model_;
  std::vector<double> fastest_;  // by joint
  double dt_;                    // s
  State state_;
  std::uint64_t inertia_number_ = 1;
  bool has_velocities_ = false;  // in this cycle
  bool has_dynamics_ = false;    // in this cycle
};

}  // namespace jointrig
