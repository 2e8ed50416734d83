#pragma once
/// Poses of tools in a scenario, and the joint positions that bring them there.

#include <optional>
#include <string>
#include <vector>

#include "control/planning/arm_tasks.h"
#include "harness/runner/binder.h"
#include "harness/runner/step_run.h"

namespace jointrig::harness {

/// Bound to a robot. solve() allocates nothing.
class BoundReach {
 public:
  /// Throws FileError.
  BoundReach(const ReachGoal& goal, const Binder& binder);

  /// Looks for joint positions from where the robot is, with the present values.
  const IkResult& solve(const StepScene& scene) noexcept;

  /// Joints that may move, by rising index.
  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept { return joints_; }
  /// Result of the last solve().
  [[nodiscard]] const IkResult& result() const noexcept { return *result_; }
  /// The outcome in a sentence, with the number that broke it.
  [[nodiscard]] std::string sentence(const RobotConfig& config) const;
  /// "the tool of left", "the tools of left, right"
  [[nodiscard]] std::string tools() const;
  /// How far the furthest tool is from its goal, by the measured positions [m].
  [[nodiscard]] double distance(const StepScene& scene) noexcept;

 private:
  struct Tool {
    ArmIndex arm = kNoArm;
    std::string name;
    std::vector<BoundValue> position;
    std::vector<BoundValue> orientation;  ///< quaternion, or rotation vector; empty: any
    bool is_by = false;
    bool is_turn = false;
  };

  void look(const StepScene& scene) noexcept;
  [[nodiscard]] Placement goal_of(const Tool& tool, const Placement& now) const noexcept;

  std::vector<Tool> tools_;
  std::vector<JointIndex> joints_;
  std::vector<BoundTarget> posture_;
  bool floats_ = false;
  std::optional<InverseKinematics> solver_;
  std::optional<FrameKinematics> kinematics_;
  const IkResult* result_ = nullptr;
  std::vector<double> q_;        // measured, all joints
  std::vector<double> near_to_;  // of the moved joints
  std::vector<Placement> goals_;
};

}  // namespace jointrig::harness
