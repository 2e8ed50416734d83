/// Plans paths that it reads, for bench/peers/toppra.py: each line is one path,
///
///     joints points  v_max…  a_max…  q…      (v_max, a_max one for each joint; q point by point)
///
/// and its answer is a line: duration [s], median time to plan [ms].

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include "control/planning/joint_trajectory.h"

namespace {

using jointrig::JointPlan;
using jointrig::JointWaypoint;
using jointrig::TrajectoryJoints;
using jointrig::TrajectoryStart;

struct Path {
  TrajectoryJoints joints;
  TrajectoryStart start;
  std::vector<JointWaypoint> waypoints;
};

bool read(std::istream& in, Path& path) {
  std::size_t joints = 0;
  std::size_t points = 0;
  if (!(in >> joints >> points) || joints == 0 || points < 2) return false;
  path = {};
  path.joints.limits.resize(joints);
  for (std::size_t j = 0; j < joints; ++j) {
    path.joints.index.push_back(static_cast<jointrig::JointIndex>(j));
  }
  for (jointrig::JointLimits& limits : path.joints.limits) in >> limits.v_max;
  for (jointrig::JointLimits& limits : path.joints.limits) in >> limits.a_max;
  for (std::size_t k = 0; k < points; ++k) {
    std::vector<double> q(joints);
    for (double& x : q) in >> x;
    if (k == 0) {
      path.start.q = q;
    } else {
      path.waypoints.push_back({q, 1.0, 1.0});
    }
  }
  return static_cast<bool>(in);
}

double median_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main() {
  constexpr int kTimes = 9;
  using Clock = std::chrono::steady_clock;
  for (Path path; read(std::cin, path);) {
    std::vector<double> times;
    double duration = 0.0;
    for (int i = 0; i < kTimes; ++i) {
      const Clock::time_point begin = Clock::now();
      const JointPlan plan = plan_through(path.joints, path.start, path.waypoints);
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      duration = plan.failure() ? -1.0 : plan.duration();
    }
    fmt::print("{:.9f} {:.4f}\n", duration, median_of(times));
  }
}
