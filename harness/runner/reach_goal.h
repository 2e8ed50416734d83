#pragma once
/// Poses of tools in a scenario, and the joint positions that bring them there.

#include <string>
#include <vector>

#include "control/planning/reach_solver.h"
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
  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept { return solver_.joints(); }
  /// Result of the last solve().
  [[nodiscard]] const IkResult& result() const noexcept { return solver_.result(); }
  /// The outcome in a sentence, with the number that broke it.
  [[nodiscard]] std::string sentence(const RobotConfig& config) const;
  /// "the tool of left", "the tools of left, right"
  [[nodiscard]] const std::string& tools() const noexcept { return tools_text_; }
  /// How far the furthest tool is from its goal, by the measured positions [m].
  [[nodiscard]] double distance(const StepScene& scene) noexcept {
    return solver_.distance(*scene.snapshot);
  }

 private:
  struct Tool {
    std::vector<BoundValue> position;     ///< or displacement
    std::vector<BoundValue> orientation;  ///< quaternion, or rotation vector; empty: any
  };

  std::vector<Tool> tools_;
  std::vector<BoundTarget> posture_;
  AskedReach asked_;  ///< its numbers are those of the last solve()
  std::string tools_text_;
  ReachSolver solver_;
};

}  // namespace jointrig::harness
