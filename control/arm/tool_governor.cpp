#include "control/arm/tool_governor.h"

#include <algorithm>

#include "control/arm/arm_motion.h"
#include "control/laws/tool_error.h"
#include "control/motion/braking.h"

namespace jointrig {
namespace {

constexpr double kThere = 1e-9;  // [m, rad]: rounding

bool is_near(const Placement& one, const Placement& other) noexcept {
  return (one.position - other.position).norm() < kThere &&
         rotation_vector(one.rotation * other.rotation.transpose()).norm() < kThere;
}

Eigen::Vector3d shortened(const Eigen::Vector3d& vector, double longest) noexcept {
  const double length = vector.norm();
  return length > longest ? Eigen::Vector3d(vector * (longest / length)) : vector;
}

/// The next speed from `v` towards a goal at distance `way`; comes to rest at distance 0.
Eigen::Vector3d towards(const Eigen::Vector3d& way, const Eigen::Vector3d& v, double speed,
                        double acceleration, double dt) noexcept {
  const double distance = way.norm();
  Eigen::Vector3d wanted = Eigen::Vector3d::Zero();
  if (distance > 0.0) {
    wanted = way * (braking_speed_within(speed, distance, acceleration, dt) / distance);
  }
  // Slightly more than the acceleration, so that rounding doesn't miss the goal by a cycle.
  return v + shortened(wanted - v, acceleration * dt * (1.0 + 1e-9));
}

}  // namespace

void ToolGovernor::start(const Placement& pose) noexcept {
  *this = {};
  at_ = goal_ = pose;
}

void ToolGovernor::go_to(const Placement& goal) noexcept {
  goal_ = goal;
  way_ = Way::kGoal;
  moving_ = true;
}

void ToolGovernor::follow(const Placement& sample) noexcept {
  goal_ = sample;
  way_ = Way::kStream;
  moving_ = true;
}

void ToolGovernor::stop() noexcept {
  way_ = Way::kStop;
  moving_ = true;
}

bool ToolGovernor::carry(const Placement& change, const Placement& goal, const ToolSpeeds& most,
                         double dt) noexcept {
  const Placement to = product(change, at_);
  const Eigen::Vector3d way = to.position - at_.position;
  const Eigen::Vector3d turn = rotation_vector(to.rotation * at_.rotation.transpose());
  at_.position += shortened(way, most.linear * dt);
  at_.rotation = rotation_of(shortened(turn, most.angular * dt)) * at_.rotation;
  v_ = change.rotation * v_;
  w_ = change.rotation * w_;
  goal_ = goal;
  if (!moving_ && is_near(goal_, at_)) {
    at_ = goal_;
  } else if (!moving_) {
    go_to(goal);
  }
  return way.norm() > most.linear * dt || turn.norm() > most.angular * dt;
}

bool ToolGovernor::advance(const ToolSpeeds& speeds, double dt) noexcept {
  if (!moving_) return false;
  const Eigen::Vector3d way = goal_.position - at_.position;
  const Eigen::Vector3d turn = rotation_vector(goal_.rotation * at_.rotation.transpose());
  bool is_cut = false;
  if (way_ == Way::kStream) {
    v_ = shortened(way / dt, speeds.linear);
    w_ = shortened(turn / dt, speeds.angular);
    is_cut = way.norm() > speeds.linear * dt || turn.norm() > speeds.angular * dt;
  } else {
    const bool stops = way_ == Way::kStop;
    const Eigen::Vector3d nowhere = Eigen::Vector3d::Zero();
    v_ = towards(stops ? nowhere : way, v_, speeds.linear, speeds.linear_acceleration, dt);
    w_ = towards(stops ? nowhere : turn, w_, speeds.angular, speeds.angular_acceleration, dt);
  }
  at_.position += v_ * dt;
  at_.rotation = rotation_of(w_ * dt) * at_.rotation;
  if (way_ == Way::kStop) goal_ = at_;

  const bool is_there = is_near(goal_, at_);
  const bool rests = v_.norm() < kThere && w_.norm() < kThere;
  if (is_there && (rests || way_ == Way::kStream)) {
    at_ = goal_;
    moving_ = false;
    if (way_ != Way::kStream) v_ = w_ = Eigen::Vector3d::Zero();
  }
  return is_cut;
}

}  // namespace jointrig
