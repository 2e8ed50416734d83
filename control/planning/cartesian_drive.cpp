#include "control/planning/cartesian_drive.h"

#include <algorithm>
#include <cmath>

#include "control/laws/tool_error.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/held_rotation.h"
#include "control/planning/placement.h"

namespace jointrig {
namespace {

constexpr int kTries = 24;            ///< of shares in a cycle, at most
constexpr double kLeastShare = 1e-6;  ///< smaller ones are none
constexpr double kRest = 1e-9;        ///< speed that counts as none [rad/s or m/s]

/// Differences of positions become accelerations: 1e-12 m within 1 ms is 1e-6 m/s².
IkOptions exact() {
  IkOptions options;
  options.position_tolerance = 1e-12;
  options.rotation_tolerance = 1e-12;
  options.explains = false;
  return options;
}

/// exp of a twist along the moved frame's own axes (Murray, Li, Sastry 1994, 2.36).
Placement screw(const Vector6& way) {
  const Eigen::Vector3d u = way.head<3>();
  const Eigen::Vector3d w = way.tail<3>();
  const double angle = w.norm();
  Placement step;
  step.rotation = rotation_of(w);
  if (angle < 1e-9) {
    step.position = u + 0.5 * w.cross(u);
    return step;
  }
  const Eigen::Vector3d across = w.cross(u);
  step.position = u + (1.0 - std::cos(angle)) / (angle * angle) * across +
                  (angle - std::sin(angle)) / (angle * angle * angle) * w.cross(across);
  return step;
}

}  // namespace

CartesianDrive::CartesianDrive(const RobotConfig& robot, const KinematicTree& tree,
                               const IkTask& task, const std::vector<JointIndex>& joints,
                               const DriveOptions& options)
    : ik_(tree, {task}, joints, soft_ranges(robot, joints), exact()),
      kinematics_(tree, {task.frames}, joints),
      free_(task.free),
      ranges_(soft_ranges(robot, joints)),
      singular_(kinematics_, 0, held_weights(task.free, task.weights), task.free, ranges_),
      options_(options),
      at_(joints.size()),
      v_(joints.size()),
      a_(joints.size()) {
  for (const JointIndex joint : joints) limits_.push_back(robot.joints[joint].limits);
}

void CartesianDrive::set_base(const Placement& base) noexcept {
  ik_.set_base(base);
  kinematics_.set_base(base);
}

void CartesianDrive::set_offset(const Placement& offset) noexcept {
  ik_.set_offset(0, offset);
  kinematics_.set_offset(0, offset);
}

void CartesianDrive::start(std::span<const double> q, std::span<const double> v) {
  whole_.assign(q.begin(), q.end());
  for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = whole_[ik_.joints()[i]];
  v_.assign(v.begin(), v.end());
  std::fill(a_.begin(), a_.end(), 0.0);
  twist_.setZero();
  least_ = least_at(whole_);
  marker_ = kinematics_.pose(0);
}

bool CartesianDrive::is_at_rest() const noexcept {
  return twist_.norm() < kRest &&
         std::all_of(v_.begin(), v_.end(), [](double v) { return std::abs(v) < kRest; });
}

double CartesianDrive::least_at(std::span<const double> q) {
  kinematics_.update(q);
  kinematics_.update_jacobians();
  return singular_.at(kinematics_);
}

// Straight from the one to the other, so that from rest the axis of the screw stays the same.
void CartesianDrive::ramp(const Vector6& twist, double dt) noexcept {
  const Vector6 way = twist - twist_;
  const double linear = options_.linear_acceleration * dt;
  const double rotational = options_.rotational_acceleration * dt;
  const double cycles =
      std::max({1.0, way.head<3>().norm() / linear, way.tail<3>().norm() / rotational});
  twist_ = cycles > 1.0 ? Vector6(twist_ + way / cycles) : twist;
}

Placement CartesianDrive::moved(double share, bool is_own, double dt) const {
  const Vector6 way = twist_ * (share * dt);
  if (is_own) return product(marker_, screw(way));
  Placement goal;
  goal.position = marker_.position + way.head<3>();
  goal.rotation = rotation_of(way.tail<3>()) * marker_.rotation;
  return goal;
}

bool CartesianDrive::find(const Placement& goal, Step& step) {
  const IkResult& result = ik_.follow(std::span(&goal, 1), whole_);
  if (result.outcome != IkOutcome::kSolved) return false;
  step.marker = goal;
  step.q.clear();
  for (const JointIndex joint : ik_.joints()) step.q.push_back(result.q[joint]);
  step.least = least_at(result.q);
  const Eigen::Matrix3d& is = kinematics_.pose(0).rotation;
  step.marker.rotation = nearest_goal(free_, goal.rotation, is);
  return true;
}

// The part of the step that keeps to all bounds; above 1 where there is room.
double CartesianDrive::share_allowed(const Step& step, double dt) const {
  double share = 2.0;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const double way = step.q[i] - at_[i];
    if (way == 0.0) continue;
    const double room = way > 0.0 ? ranges_[i].high - at_[i] : at_[i] - ranges_[i].low;
    const double brakes = std::sqrt(limits_[i].a_max * std::max(room, 0.0));
    const double gains = (way > 0.0 ? v_[i] : -v_[i]) + limits_[i].a_max * dt;
    double most = std::min(limits_[i].v_max, brakes);
    if (gains > 0.0) most = std::min(most, gains);  // else it turns round, by braking
    share = std::min(share, most * dt / std::abs(way));
  }
  const double nearer = least_ - step.least;
  const double allowed = options_.approach * dt * std::max(least_ - options_.singular_value, 0.0);
  if (nearer > 0.0 && least_ < 10.0 * options_.singular_value) {
    share = std::min(share, allowed / nearer);
  }
  return share;
}

// Goes towards `wish` as far as the joints' accelerations allow.
void CartesianDrive::take(const std::vector<double>& wish, double dt) {
  bool is_exact = true;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const double v = (wish[i] - at_[i]) / dt;
    const double most = limits_[i].a_max * dt;
    const double had = std::clamp(v, v_[i] - most, v_[i] + most);
    is_exact = is_exact && had == v;
    a_[i] = (had - v_[i]) / dt;
    v_[i] = had;
    at_[i] = had == v ? wish[i] : at_[i] + had * dt;
    whole_[ik_.joints()[i]] = at_[i];
  }
  least_ = least_at(whole_);
  if (!is_exact) marker_ = kinematics_.pose(0);
}

double CartesianDrive::drive(const Vector6& twist, bool is_own, double dt) {
  // The velocity so far is along the axes that it was asked along.
  if (is_own != was_own_) {
    const Eigen::Matrix3d& own = marker_.rotation;
    twist_ = turned(is_own ? Eigen::Matrix3d(own.transpose()) : own, twist_);
    was_own_ = is_own;
  }
  ramp(twist, dt);
  const double asked = twist.norm();
  double share = 1.0;
  Step step;
  for (int i = 0; i < kTries && share > kLeastShare; ++i) {
    if (!find(moved(share, is_own, dt), step)) {
      share *= 0.5;
      continue;
    }
    const double allowed = share_allowed(step, dt);
    if (allowed < 1.0) {
      share *= 0.999 * allowed;
      continue;
    }
    twist_ *= share;
    marker_ = step.marker;
    take(step.q, dt);
    return asked > 0.0 ? std::min(1.0, twist_.norm() / asked) : 1.0;
  }
  twist_.setZero();
  take(std::vector<double>(at_), dt);
  return 0.0;
}

}  // namespace jointrig
