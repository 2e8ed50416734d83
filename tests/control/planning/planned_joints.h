#pragma once
/// Joints for tests of planning, and what was sent of a plan at 1 kHz.

#include <algorithm>
#include <cmath>
#include <vector>

#include "control/planning/joint_trajectory.h"

namespace jointrig::testing {

/// Joints 0 … n − 1, with limits of speed and acceleration that differ, and room for any path.
inline TrajectoryJoints roomy_joints(std::size_t count, double v = 2.0, double a = 10.0) {
  TrajectoryJoints joints;
  for (std::size_t j = 0; j < count; ++j) {
    const double share = 1.0 - 0.1 * static_cast<double>(j);
    joints.index.push_back(static_cast<JointIndex>(j));
    joints.limits.push_back({.q_min = -100.0,
                             .q_max = 100.0,
                             .soft_margin = 0.1,
                             .v_max = v * share,
                             .a_max = a * share});
  }
  return joints;
}

inline TrajectoryStart at_rest(std::vector<double> q) { return {std::move(q), {}}; }

inline std::vector<JointWaypoint> through(const std::vector<std::vector<double>>& points) {
  std::vector<JointWaypoint> waypoints;
  for (const std::vector<double>& q : points) waypoints.push_back({q, 1.0, 1.0});
  return waypoints;
}

inline std::vector<MotionState> state_at(const JointPlan& plan, double t) {
  JointPlan::Cursor cursor;
  std::vector<MotionState> states(plan.joints().size());
  plan.at(t, cursor, states);
  return states;
}

/// Largest shares of the bounds, from positions that are sent every `dt`, differentiated.
struct Sent {
  double speed = 0.0;
  double acceleration = 0.0;
};
inline Sent as_sent(const JointPlan& plan, const TrajectoryJoints& joints, double dt = 1e-3) {
  Sent sent;
  const std::size_t count = plan.joints().size();
  std::vector<MotionState> states(count);
  JointPlan::Cursor cursor;
  plan.at(0.0, cursor, states);
  std::vector<double> q(count);
  std::vector<double> v(count);
  for (std::size_t j = 0; j < count; ++j) q[j] = states[j].q, v[j] = states[j].v;
  for (double t = dt; t < plan.duration() + 2.0 * dt; t += dt) {
    plan.at(t, cursor, states);
    for (std::size_t j = 0; j < count; ++j) {
      const double speed = (states[j].q - q[j]) / dt;
      const double acceleration = (states[j].v - v[j]) / dt;
      sent.speed = std::max(sent.speed, std::abs(speed) / joints.limits[j].v_max);
      sent.acceleration =
          std::max(sent.acceleration, std::abs(acceleration) / joints.limits[j].a_max);
      q[j] = states[j].q;
      v[j] = states[j].v;
    }
  }
  return sent;
}

}  // namespace jointrig::testing
