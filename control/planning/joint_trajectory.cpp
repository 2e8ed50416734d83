#include "control/planning/joint_trajectory.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/planning/path_timing.h"
#include "control/planning/trajectory_checks.h"

namespace jointrig {
namespace {

/// A chord shorter than this is none [rad or m, over v_max: s].
constexpr double kNoWay = 1e-9;

PlanFailure bad(std::size_t waypoint, double value, double limit, PlanQuantity quantity) {
  return {RejectReason::kBadPlan,
          kNoJoint,
          static_cast<std::uint16_t>(waypoint),
          value,
          limit,
          quantity};
}

/// Bounds of a waypoint's own: one for each joint, within its a_max.
PlanFailure check_bounds(const TrajectoryJoints& joints, const std::vector<double>& a_max,
                         std::size_t waypoint) {
  if (!a_max.empty() && a_max.size() != joints.index.size()) {
    return bad(waypoint, static_cast<double>(a_max.size()),
               static_cast<double>(joints.index.size()), PlanQuantity::kCount);
  }
  for (std::size_t j = 0; j < a_max.size(); ++j) {
    const double most = joints.limits[j].a_max;
    if (a_max[j] >= 0.0 && a_max[j] <= most) continue;
    PlanFailure f = bad(waypoint, a_max[j], most, PlanQuantity::kLargestAcceleration);
    f.joint = joints.index[j];
    return f;
  }
  return {};
}

PlanFailure check_tolerances(const TrajectoryJoints& joints, const AskedTrajectory& asked) {
  for (std::size_t k = 0; k < asked.waypoints.size(); ++k) {
    if (const PlanFailure f = check_tolerance(joints, asked.waypoints[k].tolerance, k + 1)) {
      return f;
    }
  }
  return {};
}

/// Without times, speeds and accelerations are what the fastest motion makes them.
PlanFailure refuse_speeds_without_times(const AskedTrajectory& asked) {
  for (std::size_t k = 0; !asked.has_times && k < asked.waypoints.size(); ++k) {
    const AskedWaypoint& to = asked.waypoints[k];
    for (const auto& [list, quantity] : {std::pair(&to.v, PlanQuantity::kVelocities),
                                         std::pair(&to.a, PlanQuantity::kAccelerations)}) {
      if (!list->empty()) return bad(k + 1, static_cast<double>(list->size()), 0.0, quantity);
    }
  }
  return {};
}

/// At times, accelerations are what the times make them.
PlanFailure refuse_bounds_at_times(const TrajectoryJoints& joints, const AskedTrajectory& asked) {
  if (!asked.has_times || joints.index.empty()) return {};
  for (std::size_t k = 0; k < asked.waypoints.size(); ++k) {
    const std::vector<double>& a_max = asked.waypoints[k].a_max;
    if (a_max.empty()) continue;
    PlanFailure f = bad(k + 1, a_max.front(), 0.0, PlanQuantity::kLargestAcceleration);
    f.joint = joints.index.front();
    return f;
  }
  return {};
}

PlanFailure check_waypoints(const TrajectoryJoints& joints,
                            const std::vector<JointWaypoint>& waypoints) {
  for (std::size_t k = 0; k < waypoints.size(); ++k) {
    const JointWaypoint& w = waypoints[k];
    const auto count = static_cast<double>(joints.index.size());
    if (w.q.size() != joints.index.size()) {
      return bad(k + 1, static_cast<double>(w.q.size()), count, PlanQuantity::kCount);
    }
    for (const double q : w.q) {
      if (!std::isfinite(q)) return bad(k + 1, q, 0.0, PlanQuantity::kPosition);
    }
    using Q = PlanQuantity;
    for (const auto& [ratio, quantity] : {std::pair(w.speed_ratio, Q::kSpeedRatio),
                                          std::pair(w.acceleration_ratio, Q::kAccelerationRatio)}) {
      if (!(ratio > 0.0 && ratio <= 1.0)) return bad(k + 1, ratio, 1.0, quantity);
    }
    if (const PlanFailure f = check_bounds(joints, w.a_max, k + 1)) return f;
  }
  return {};
}

/// The path's points, without those at the place of the one before, and for each waypoint the
/// number of its point.
struct Route {
  std::vector<std::vector<double>> points;
  std::vector<double> knots{0.0};
  std::vector<MotionBounds> bounds;
  std::vector<std::size_t> point_of;
};

void add_point(Route& route, const TrajectoryJoints& joints, const JointWaypoint& w) {
  std::vector<double> scale;
  for (const JointLimits& limits : joints.limits) scale.push_back(limits.v_max);
  const double length = chord_knots({route.points.back(), w.q}, scale).back();
  if (length <= kNoWay) return;
  route.points.push_back(w.q);
  route.knots.push_back(route.knots.back() + length);
  MotionBounds& bounds = route.bounds.emplace_back();
  for (std::size_t j = 0; j < joints.limits.size(); ++j) {
    const double share = w.acceleration_ratio * joints.limits[j].a_max;
    const bool has_own = !w.a_max.empty() && w.a_max[j] > 0.0;
    bounds.v.push_back(w.speed_ratio * joints.limits[j].v_max);
    bounds.a.push_back(has_own ? std::min(share, w.a_max[j]) : share);
  }
}

/// Where joints that brake together along their direction come to rest, times `share` of that way.
std::vector<double> braked(const TrajectoryJoints& joints, const TrajectoryStart& start,
                           double share) {
  double time = 0.0;
  for (std::size_t j = 0; j < start.v.size(); ++j) {
    time = std::max(time, std::abs(start.v[j]) / joints.limits[j].a_max);
  }
  std::vector<double> q = start.q;
  for (std::size_t j = 0; j < q.size(); ++j) q[j] += share * 0.5 * start.v[j] * time;
  return q;
}

/// @param lead_in  0, or the length of a way straight on from a start in motion, in braking ways
Route route_of(const TrajectoryJoints& joints, const TrajectoryStart& start,
               const std::vector<JointWaypoint>& waypoints, double lead_in) {
  Route route;
  route.points.push_back(start.q);
  if (lead_in > 0.0) add_point(route, joints, {braked(joints, start, lead_in), 1.0, 1.0});
  for (const JointWaypoint& w : waypoints) {
    add_point(route, joints, w);
    route.point_of.push_back(route.points.size() - 1);
  }
  return route;
}

/// A plan that stays where it is.
JointPlan standing(const TrajectoryJoints& joints, const TrajectoryStart& start,
                   std::size_t waypoints) {
  std::vector<double> c(joints.index.size() * JointPlan::kCoefficients);
  for (std::size_t j = 0; j < start.q.size(); ++j) c[j * JointPlan::kCoefficients] = start.q[j];
  return {joints.index, {0.0, 1.0}, std::move(c), {{}}, std::vector<double>(waypoints)};
}

std::vector<double> as_plan(const CubicSpline& spline) {
  std::vector<double> c(spline.pieces() * spline.joints() * JointPlan::kCoefficients);
  for (std::size_t i = 0; i < spline.pieces() * spline.joints(); ++i) {
    const double* cubic = spline.coefficients(i / spline.joints(), i % spline.joints());
    std::copy(cubic, cubic + CubicSpline::kCoefficients, &c[i * JointPlan::kCoefficients]);
  }
  return c;
}

/// s' of a start in motion: the speed in units of the chords, with which the spline is clamped to
/// the direction of v.
double start_speed_of(const TrajectoryJoints& joints, const TrajectoryStart& start) {
  double squares = 0.0;
  for (std::size_t j = 0; j < start.v.size(); ++j) {
    const double part = start.v[j] / joints.limits[j].v_max;
    squares += part * part;
  }
  return std::sqrt(squares);
}

CubicSpline::End direction_of(const TrajectoryStart& start, double speed) {
  if (speed < kNoWay) return std::nullopt;
  std::vector<double> direction = start.v;
  for (double& v : direction) v /= speed;
  return direction;
}

/// t at each waypoint: the instants at the knots.
std::vector<double> times_of(const Route& route, const std::vector<JointPlan::Instant>& timing) {
  const std::size_t grid = (timing.size() - 1) / (route.knots.size() - 1);
  std::vector<double> times;
  for (const std::size_t point : route.point_of) times.push_back(timing[point * grid].t);
  return times;
}

JointPlan plan_on(const TrajectoryJoints& joints, const TrajectoryStart& start,
                  const std::vector<JointWaypoint>& waypoints, double lead_in) {
  const double speed = start_speed_of(joints, start);
  const Route route = route_of(joints, start, waypoints, lead_in);
  if (route.points.size() < 2) {
    if (speed < kNoWay) return standing(joints, start, waypoints.size());
    return JointPlan({RejectReason::kNotAtStart, kNoJoint, 1, speed, 0.0});
  }
  const CubicSpline spline(route.points, route.knots, direction_of(start, speed));
  std::optional<std::vector<JointPlan::Instant>> timing = time_optimal(spline, route.bounds, speed);
  if (!timing) {
    return JointPlan(
        {RejectReason::kNotAtStart, kNoJoint, 1, speed, largest_start_speed(spline, route.bounds)});
  }
  std::vector<double> times = times_of(route, *timing);
  JointPlan plan(joints.index, spline.knots(), as_plan(spline), std::move(*timing),
                 std::move(times));
  const PlanFailure f = check_plan(plan, joints.limits, start.q);
  return f ? JointPlan(f) : plan;
}

}  // namespace

TrajectoryJoints TrajectoryJoints::of(const RobotConfig& config, const JointSet& joints) {
  TrajectoryJoints chosen;
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (!joints.test(i)) continue;
    chosen.index.push_back(static_cast<JointIndex>(i));
    chosen.limits.push_back(config.joints[i].limits);
  }
  return chosen;
}

PlanFailure check_start(const TrajectoryJoints& joints, const TrajectoryStart& start,
                        std::size_t waypoints) {
  const std::size_t count = joints.index.size();
  const bool fits = count > 0 && start.q.size() == count &&
                    (start.v.empty() || start.v.size() == count) && waypoints > 0;
  if (!fits) return bad(0, static_cast<double>(waypoints), 1.0, PlanQuantity::kCount);
  for (const double q : start.q) {
    if (!std::isfinite(q)) return bad(0, q, 0.0, PlanQuantity::kPosition);
  }
  for (const double v : start.v) {
    if (!std::isfinite(v)) return bad(0, v, 0.0, PlanQuantity::kVelocity);
  }
  return {};
}

PlanFailure check_tolerance(const TrajectoryJoints& joints, const std::vector<double>& tolerance,
                            std::size_t waypoint) {
  const std::size_t count = joints.index.size();
  if (!tolerance.empty() && tolerance.size() != count) {
    return bad(waypoint, static_cast<double>(tolerance.size()), static_cast<double>(count),
               PlanQuantity::kCount);
  }
  for (std::size_t j = 0; j < tolerance.size(); ++j) {
    if (std::isfinite(tolerance[j]) && tolerance[j] >= 0.0) continue;
    PlanFailure f = bad(waypoint, tolerance[j], 0.0, PlanQuantity::kTolerance);
    f.joint = joints.index[j];
    return f;
  }
  return {};
}

PlanFailure check_plan(const JointPlan& plan, std::span<const JointLimits> limits,
                       std::span<const double> start) {
  constexpr double kSlack = 1e-6;  // rounding, as a share
  using R = RejectReason;
  for (std::size_t j = 0; j < limits.size(); ++j) {
    const JointIndex joint = plan.joints()[j];
    const PlanExtent& e = plan.extents()[j];
    const double low = limits[j].q_min + limits[j].soft_margin;
    const double high = limits[j].q_max - limits[j].soft_margin;
    const double slack = kSlack * std::max(1.0, std::abs(start[j]));
    if (e.q_min < std::min(low, start[j]) - slack) {
      return {R::kPlanPosition, joint, e.q_min_at, e.q_min, low};
    }
    if (e.q_max > std::max(high, start[j]) + slack) {
      return {R::kPlanPosition, joint, e.q_max_at, e.q_max, high};
    }
    if (e.v_max > limits[j].v_max * (1.0 + kSlack)) {
      return {R::kPlanSpeed, joint, e.v_max_at, e.v_max, limits[j].v_max};
    }
    if (e.a_max > limits[j].a_max * (1.0 + kSlack)) {
      return {R::kPlanAcceleration, joint, e.a_max_at, e.a_max, limits[j].a_max};
    }
  }
  return {};
}

JointPlan plan_through(const TrajectoryJoints& joints, const TrajectoryStart& start,
                       const std::vector<JointWaypoint>& waypoints) {
  if (const PlanFailure f = check_start(joints, start, waypoints.size())) return JointPlan(f);
  if (const PlanFailure f = check_waypoints(joints, waypoints)) return JointPlan(f);
  if (start_speed_of(joints, start) < kNoWay) return plan_on(joints, start, waypoints, 0.0);
  JointPlan first = plan_on(joints, start, waypoints, 0.0);
  if (!first.failure()) return first;
  for (const double lead_in : {1.2, 2.0, 4.0}) {
    JointPlan plan = plan_on(joints, start, waypoints, lead_in);
    if (!plan.failure()) return plan;
  }
  return first;
}

JointPlan plan_asked(const TrajectoryJoints& joints, const TrajectoryStart& start,
                     const AskedTrajectory& asked) {
  if (const PlanFailure f = check_tolerances(joints, asked)) return JointPlan(f);
  if (const PlanFailure f = refuse_bounds_at_times(joints, asked)) return JointPlan(f);
  if (const PlanFailure f = refuse_speeds_without_times(asked)) return JointPlan(f);
  std::vector<JointWaypoint> waypoints;
  std::vector<TimedWaypoint> timed;
  const std::vector<double>* before = &start.q;
  for (const AskedWaypoint& to : asked.waypoints) {
    std::vector<double> q = to.q;
    for (std::size_t j = 0; asked.nan_stays && j < std::min(q.size(), before->size()); ++j) {
      if (std::isnan(q[j])) q[j] = (*before)[j];
    }
    if (asked.has_times) {
      before = &timed.emplace_back(TimedWaypoint{to.time, std::move(q), to.v, to.a}).q;
    } else {
      waypoints.push_back({std::move(q), to.speed, to.acceleration, to.a_max});
      before = &waypoints.back().q;
    }
  }
  if (!asked.has_times) return plan_through(joints, start, waypoints);
  if (asked.rounds_corners) return plan_lines(joints, start, timed);
  return plan_timed(joints, start, timed, asked.brakes_behind);
}

namespace {

/// The plan leads the target: the reference of interaction control stays on the path.
void add_interaction(std::size_t waypoint, const std::optional<SetInteractionControl>& asked,
                     ArmIndex arm, JointPlan& plan) {
  if (!asked) return;
  JointPlan::Interaction& made = plan.interactions.emplace_back(
      JointPlan::Interaction{static_cast<std::uint32_t>(waypoint), *asked});
  made.control.arm = arm;
  made.control.keeps_reference = true;
}

void take_interactions(const AskedTrajectory& asked, JointPlan& plan) {
  plan.interactions.clear();
  for (std::size_t k = 0; k < asked.waypoints.size(); ++k) {
    const std::optional<SetInteractionControl>& one = asked.waypoints[k].interaction;
    add_interaction(k, one, one ? one->arm : kNoArm, plan);
  }
  if (!asked.tool) return;
  const std::vector<ArmWaypoint>& waypoints = asked.tool->waypoints;
  for (std::size_t k = 0; k < waypoints.size(); ++k) {
    add_interaction(k, waypoints[k].interaction, asked.tool->arm, plan);
  }
}

}  // namespace

void take_options(const AskedTrajectory& asked, JointPlan& plan) {
  plan.settling_time = asked.settling_time;
  plan.execution = asked.execution;
  take_interactions(asked, plan);
  plan.tolerances.clear();
  for (const AskedTrajectory::Tolerance& one : asked.tolerances) {
    plan.tolerances.push_back({one.path, one.goal});
  }
  plan.waypoint_tolerances.clear();
  std::vector<std::vector<double>> at;  // each waypoint
  for (const AskedWaypoint& to : asked.waypoints) at.push_back(to.tolerance);
  if (asked.tool) {
    for (const ArmWaypoint& to : asked.tool->waypoints) at.push_back(to.tolerance);
  }
  const auto is_none = [](const std::vector<double>& one) { return one.empty(); };
  if (plan.failure() || std::all_of(at.begin(), at.end(), is_none)) return;
  const std::size_t count = plan.joints().size();
  plan.waypoint_tolerances.resize(at.size() * count);
  for (std::size_t k = 0; k + 1 < at.size(); ++k) {
    std::copy(at[k].begin(), at[k].end(),
              plan.waypoint_tolerances.begin() + static_cast<std::ptrdiff_t>(k * count));
  }
  const std::vector<double>& last = at.back();
  plan.tolerances.resize(count);
  for (std::size_t j = 0; j < last.size(); ++j) {
    if (last[j] > 0.0) plan.tolerances[j].goal = last[j];
  }
}

}  // namespace jointrig
