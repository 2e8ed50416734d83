#pragma once
/// The joint positions near a posture that bring a tool to a pose:
///
///     q = argmin ½ |q − q_p|²   subject to   X_RT(q) = X_goal,  low <= q <= high
///
/// where of the orientation only what is held counts (held_rotation.h).
///
/// found from where the joints are without a leap, so that they stay on their branch. They depend
/// on pose and posture alone, not on the way there: an arm with a joint to spare comes back to the
/// same positions with the tool. Each step is x = d + y with d = α (q_p − q) and the smallest y for
/// which J (d + y) = −e.
///
/// Joints that can't have every twist come to those goals alone that fit them. There a goal that
/// they miss by no more than 3 µm and 0.01 mrad counts as reached: a pose written with some digits
/// never fits to the last.
///
/// Allocates at construction and in failure() alone: for planning. One thread at a time.

#include <span>
#include <vector>

#include "control/planning/inverse_kinematics.h"

namespace jointrig {

class ToolFollower {
 public:
  ToolFollower(const KinematicTree& tree, const FramePair& frames,
               const std::vector<JointIndex>& joints, const std::vector<JointRange>& ranges,
               FreeRotation free = FreeRotation::kNone);

  void set_base(const Placement& base) noexcept;
  void set_offset(const Placement& offset) noexcept;

  /// @param posture  of the moved joints
  /// @param q  all joints of the robot: from where, and the solution
  /// @return  false where none was found
  bool solve(const Placement& goal, std::span<const double> posture, std::span<double> q) noexcept;

  /// Why there is none: the same without a posture.
  const IkResult& failure(const Placement& goal, std::span<const double> q) noexcept {
    return ik_.follow(std::span(&goal, 1), q);
  }

  /// Joint positions for a pose from any start.
  const IkResult& anywhere(const Placement& goal, std::span<const double> q) noexcept {
    return ik_.solve(std::span(&goal, 1), q);
  }

  /// Angle from an orientation to the nearest that the goal allows [rad].
  [[nodiscard]] double turn_off(const Placement& goal, const Eigen::Matrix3d& at) const noexcept;

  /// For the held rows, at the last update of kinematics() and its Jacobians.
  [[nodiscard]] double least_singular_value() const { return singular_.at(kinematics_); }

  [[nodiscard]] FreeRotation free() const noexcept { return task_.free; }
  /// Poses and Jacobian, at the last update() of theirs.
  [[nodiscard]] FrameKinematics& kinematics() noexcept { return kinematics_; }
  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept {
    return kinematics_.joints();
  }

 private:
  [[nodiscard]] double residual(const Placement& goal) noexcept;

  IkTask task_;
  FrameKinematics kinematics_;
  SingularValue singular_;
  InverseKinematics ik_;
  std::vector<JointRange> ranges_;
  DampedStep step_;
  std::size_t rows_;  ///< that are held
  double close_;      ///< [m, 0.3 rad]
  double damping_;
  Eigen::Matrix3d held_ = Eigen::Matrix3d::Identity();  ///< rows: axes of held rotations
  std::array<double, 6> error_{};
  std::array<double, 6> shifted_{};
  std::vector<double> jacobian_;
  std::vector<double> towards_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> x_;
};

}  // namespace jointrig
