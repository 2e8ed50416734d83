#pragma once
/// Joint positions that bring the tools of a robot to poses, from where the robot is: for
/// scenarios, scripts and clients.

#include <array>
#include <optional>
#include <vector>

#include "control/core/asked_reach.h"
#include "control/core/snapshot.h"
#include "control/planning/inverse_kinematics.h"

namespace jointrig {

/// A quaternion of length 1, but for the rounding of numbers with three digits.
bool is_orientation(const std::array<double, 4>& quaternion) noexcept;

/// Throws std::invalid_argument with a sentence for what makes no sense on any pose of the robot:
/// no tool, one twice, no place or two, a number that is none, a posture of a joint that isn't
/// moved.
void check_reach(const AskedReach& asked, const RobotConfig& robot);

/// After construction nothing allocates or throws. One thread at a time.
class ReachSolver {
 public:
  /// @param asked  its arms, frames, joints and what is free; numbers come with each solve()
  /// Throws ModelError for a name that the model doesn't have.
  ReachSolver(const RobotConfig& robot, const KinematicTree& tree, const AskedReach& asked);

  /// @param asked  as the constructor's, but for its numbers
  /// @param now    measured positions of all joints, pose of the base, tools at their flanges
  const IkResult& solve(const AskedReach& asked, const Snapshot& now) noexcept;

  /// Result of the last solve().
  [[nodiscard]] const IkResult& result() const noexcept { return *result_; }
  /// Joints that may move, by rising index.
  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept { return joints_; }
  /// Distance of the furthest tool from its goal of the last solve(), by measured positions [m].
  [[nodiscard]] double distance(const Snapshot& now) noexcept;

 private:
  void look(const Snapshot& now) noexcept;

  std::vector<ArmIndex> arms_;  // by tool
  std::vector<JointIndex> joints_;
  bool floats_ = false;
  std::optional<InverseKinematics> solver_;
  std::optional<FrameKinematics> kinematics_;
  const IkResult* result_ = nullptr;
  std::vector<double> q_;        // measured, all joints
  std::vector<double> near_to_;  // of the moved joints
  std::vector<Placement> goals_;
};

}  // namespace jointrig
