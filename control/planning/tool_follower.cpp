#include "control/planning/tool_follower.h"

#include <algorithm>
#include <cmath>

#include "control/laws/tool_error.h"
#include "control/planning/held_rotation.h"

namespace jointrig {
namespace {

constexpr int kSteps = 400;
/// Share of the way to the posture in a step: less than 1, as the solutions are no plane.
constexpr double kShare = 0.5;
constexpr double kLongest = 0.2;    ///< step of a joint [rad or m]
constexpr double kClose = 1e-9;     ///< of the tool [m, 0.3 rad]
constexpr double kAtRest = 1e-9;    ///< last step of a joint [rad or m]
constexpr double kNearRest = 1e-6;  ///< what is enough where steps become shorter slowly
constexpr double kDamping = 1e-12;  ///< of the step's squares, beside singular values from 0.01
/// Likewise where an error may be left that no joint can take away: 1e-5 of it times the rounding
/// of 1e-16 over the damping stays below kAtRest.
constexpr double kDampingOfRest = 1e-10;
/// Likewise of goals that fit the joints: a third of what a spline may leave its path by, in the
/// same relation of metres to radians.
constexpr double kFits = 3e-6;

IkTask task_for(const FramePair& frames, FreeRotation free) {
  IkTask task;
  task.frames = frames;
  task.free = free;
  task.weights = held_weights(free, task.weights);
  return task;
}

IkOptions options_for(const SingularValue& singular) {
  IkOptions options;
  if (!singular.is_bound()) return options;
  options.position_tolerance = kFits;
  options.rotation_tolerance = kFits / IkTask{}.weights[3];
  return options;
}

std::size_t count_held(const std::array<double, 6>& weights) {
  return static_cast<std::size_t>(
      std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0.0; }));
}

}  // namespace

ToolFollower::ToolFollower(const KinematicTree& tree, const FramePair& frames,
                           const std::vector<JointIndex>& joints,
                           const std::vector<JointRange>& ranges, FreeRotation free)
    : task_(task_for(frames, free)),
      kinematics_(tree, {frames}, joints),
      singular_(kinematics_, 0, task_.weights, free, ranges),
      ik_(tree, {task_}, joints, ranges, options_for(singular_)),
      ranges_(ranges),
      step_(count_held(task_.weights), joints.size()),
      rows_(count_held(task_.weights)),
      close_(singular_.is_bound() ? kFits : kClose),
      damping_(singular_.is_bound() ? kDampingOfRest : kDamping),
      jacobian_(rows_ * joints.size()),
      towards_(joints.size()),
      low_(joints.size()),
      high_(joints.size()),
      x_(joints.size()) {}

void ToolFollower::set_base(const Placement& base) noexcept {
  kinematics_.set_base(base);
  ik_.set_base(base);
}

void ToolFollower::set_offset(const Placement& offset) noexcept {
  kinematics_.set_offset(0, offset);
  ik_.set_offset(0, offset);
}

double ToolFollower::residual(const Placement& goal) noexcept {
  const Placement& at = kinematics_.pose(0);
  const Eigen::Matrix3d to = nearest_goal(free(), goal.rotation, at.rotation);
  if (is_axis(free())) {
    held_ = (goal.rotation * held_axes(free(), goal.rotation)).transpose();
  }
  Vector6 off;
  off.head<3>() = at.position - goal.position;
  off.tail<3>() = held_ * rotation_vector(at.rotation * to.transpose());
  double squares = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    error_[i] = task_.weights[i] * off[static_cast<Eigen::Index>(i)];
    squares += error_[i] * error_[i];
  }
  return std::sqrt(squares);
}

double ToolFollower::turn_off(const Placement& goal, const Eigen::Matrix3d& at) const noexcept {
  const Eigen::Matrix3d to = nearest_goal(free(), goal.rotation, at);
  return rotation_vector(to.transpose() * at).norm();
}

bool ToolFollower::solve(const Placement& goal, std::span<const double> posture,
                         std::span<double> q) noexcept {
  const std::size_t count = joints().size();
  bool is_near = false;
  for (int step = 0; step < kSteps; ++step) {
    kinematics_.update(q);
    kinematics_.update_jacobians();
    const double off = residual(goal);
    shifted_ = error_;
    for (std::size_t k = 0; k < count; ++k) {
      const double now = q[joints()[k]];
      towards_[k] = std::clamp(kShare * (posture[k] - now), -kLongest, kLongest);
      low_[k] = std::min(ranges_[k].low - now, 0.0) - towards_[k];
      high_[k] = std::max(ranges_[k].high - now, 0.0) - towards_[k];
      Vector6 column = kinematics_.column(0, k);
      column.tail<3>() = Eigen::Vector3d(held_ * column.tail<3>());
      for (std::size_t i = 0; i < rows_; ++i) {
        const double slope = task_.weights[i] * column[static_cast<Eigen::Index>(i)];
        jacobian_[k * rows_ + i] = slope;
        shifted_[i] += slope * towards_[k];
      }
    }
    step_.solve(jacobian_, shifted_, low_, high_, damping_, x_);
    double longest = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      x_[k] += towards_[k];
      longest = std::max(longest, std::abs(x_[k]));
    }
    if (!std::isfinite(longest)) return false;
    if (longest < kAtRest) return off < close_;
    is_near = off < close_ && longest < kNearRest;
    const double share = longest > kLongest ? kLongest / longest : 1.0;
    for (std::size_t k = 0; k < count; ++k) q[joints()[k]] += share * x_[k];
  }
  return is_near;
}

}  // namespace jointrig
