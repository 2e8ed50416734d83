#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/planning/arm_trajectory.h"
#include "harness/runner/binder.h"
#include "harness/runner/step_run.h"

namespace jointrig::harness {

/// A trajectory of a tool in a scenario, bound to an arm.
class BoundToolWaypoints {
 public:
  /// Throws FileError.
  /// @param may_be_unknown  a path of an endpoint that isn't there is refused by plan()
  BoundToolWaypoints(const TrajectoryStep& step, const Binder& binder, bool may_be_unknown);

  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept {
    return trajectory_->joints();
  }

  /// The path with the present values.
  [[nodiscard]] AskedToolPath asked() const;
  /// Plans it from there. One thread at a time.
  /// @param watch  as of ArmTrajectory::plan
  [[nodiscard]] JointPlan plan(const Snapshot& now, const AskedToolPath& path,
                               const TrajectoryStart& start, PlanWatch* watch) const {
    if (!no_endpoint_.empty()) return plan_without_endpoint(no_endpoint_);
    return trajectory_->plan(now, path.waypoints, watch, start);
  }

 private:
  struct Point {
    std::vector<BoundValue> position;
    std::vector<BoundValue> by;
    std::vector<BoundValue> orientation;
    std::vector<BoundValue> turn;
    std::optional<BoundValue> linear_speed;
    std::optional<BoundValue> linear_acceleration;
    std::optional<BoundValue> rotational_speed;
    std::optional<BoundValue> rotational_acceleration;
    BoundValue corner_distance{0.0};
    BoundValue speed{1.0};
    BoundValue acceleration{1.0};
    std::vector<BoundTarget> posture;
    std::vector<BoundTarget> tolerance;
  };
  [[nodiscard]] Point bound(const TrajectoryPoint& point, const TrajectoryStep& step,
                            const Binder& binder) const;

  /// By joint of the arm; `otherwise` where none is named.
  [[nodiscard]] std::vector<double> values(const std::vector<BoundTarget>& targets,
                                           double otherwise) const;

  std::string no_endpoint_;  ///< why it isn't there
  std::shared_ptr<ArmTrajectory> trajectory_;
  AskedToolPath blank_;
  std::vector<Point> points_;
};

/// Share of a limit: the waypoint's own, else the trajectory's, else 1.
BoundValue ratio_of(const std::optional<Text>& own, const std::optional<Text>& all,
                    const Binder& binder);

}  // namespace jointrig::harness
