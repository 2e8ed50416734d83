#include "control/planning/tool_follower.h"

#include <algorithm>
#include <cmath>

#include "control/laws/tool_error.h"

namespace jointrig {
namespace {

constexpr int kSteps = 400;
/// Of the way to the posture in a step: less than 1, as the solutions are no plane.
constexpr double kShare = 0.5;
constexpr double kLongest = 0.2;    ///< step of a joint [rad or m]
constexpr double kClose = 1e-9;     ///< of the tool [m, 0.3 rad]
constexpr double kAtRest = 1e-9;    ///< last step of a joint [rad or m]
constexpr double kNearRest = 1e-6;  ///< what is enough where steps become shorter slowly
constexpr double kDamping = 1e-12;  ///< of the step's squares, beside singular values from 0.01

}  // namespace

ToolFollower::ToolFollower(const KinematicTree& tree, const FramePair& frames,
                           const std::vector<JointIndex>& joints,
                           const std::vector<JointRange>& ranges)
    : kinematics_(tree, {frames}, joints),
      ik_(tree, {{frames, kWeights}}, joints, ranges),
      ranges_(ranges),
      step_(6, joints.size()),
      jacobian_(6 * joints.size()),
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
  const Eigen::Vector3d off = at.position - goal.position;
  const Eigen::Vector3d turn = rotation_vector(at.rotation * goal.rotation.transpose());
  double squares = 0.0;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto place = static_cast<std::size_t>(i);
    error_[place] = kWeights[place] * off[i];
    error_[place + 3] = kWeights[place + 3] * turn[i];
    squares += error_[place] * error_[place] + error_[place + 3] * error_[place + 3];
  }
  return std::sqrt(squares);
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
      const Vector6& column = kinematics_.column(0, k);
      for (std::size_t i = 0; i < 6; ++i) {
        const double slope = kWeights[i] * column[static_cast<Eigen::Index>(i)];
        jacobian_[k * 6 + i] = slope;
        shifted_[i] += slope * towards_[k];
      }
    }
    step_.solve(jacobian_, shifted_, low_, high_, kDamping, x_);
    double longest = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      x_[k] += towards_[k];
      longest = std::max(longest, std::abs(x_[k]));
    }
    if (!std::isfinite(longest)) return false;
    if (longest < kAtRest) return off < kClose;
    is_near = off < kClose && longest < kNearRest;
    const double share = longest > kLongest ? kLongest / longest : 1.0;
    for (std::size_t k = 0; k < count; ++k) q[joints()[k]] += share * x_[k];
  }
  return is_near;
}

}  // namespace jointrig
