#pragma once
/// The joint positions near a posture that bring a tool to a pose:
///
///     q = argmin ½ |q − q_p|²   subject to   X_RT(q) = X_goal,  low <= q <= high
///
/// found from where the joints are without a leap, so that they stay on their branch. They depend
/// on pose and posture alone, not on the way there: an arm with a joint to spare comes back to the
/// same positions with the tool. Each step is x = d + y with d = α (q_p − q) and the smallest y for
/// which J (d + y) = −e.
///
/// Allocates at construction and in failure() alone: for planning. One thread at a time.

#include <span>
#include <vector>

#include "control/planning/inverse_kinematics.h"

namespace jointrig {

class ToolFollower {
 public:
  static constexpr std::array<double, 6> kWeights{1.0, 1.0, 1.0, 0.3, 0.3, 0.3};

  ToolFollower(const KinematicTree& tree, const FramePair& frames,
               const std::vector<JointIndex>& joints, const std::vector<JointRange>& ranges);

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

  /// Poses and Jacobian, at the last update() of theirs.
  [[nodiscard]] FrameKinematics& kinematics() noexcept { return kinematics_; }
  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept {
    return kinematics_.joints();
  }

 private:
  [[nodiscard]] double residual(const Placement& goal) noexcept;

  FrameKinematics kinematics_;
  InverseKinematics ik_;
  std::vector<JointRange> ranges_;
  DampedStep step_;
  std::array<double, 6> error_{};
  std::array<double, 6> shifted_{};
  std::vector<double> jacobian_;
  std::vector<double> towards_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> x_;
};

}  // namespace jointrig
