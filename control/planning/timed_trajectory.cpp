// Motion through points at given times.

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "control/planning/joint_trajectory.h"
#include "control/planning/spline.h"
#include "control/planning/trajectory_checks.h"

namespace jointrig {
namespace {

constexpr std::size_t kPower = JointPlan::kCoefficients;

/// State of one joint at both ends of a piece; a quintic has its accelerations.
struct Ends {
  MotionState from;
  MotionState to;
  bool is_quintic = false;
};

/// Coefficients of the polynomial with these ends over h seconds.
void put_polynomial(const Ends& e, double h, double* c) noexcept {
  const double d = e.to.q - e.from.q;
  c[0] = e.from.q;
  c[1] = e.from.v;
  if (!e.is_quintic) {
    c[2] = (3.0 * d - (2.0 * e.from.v + e.to.v) * h) / (h * h);
    c[3] = (-2.0 * d + (e.from.v + e.to.v) * h) / (h * h * h);
    return;
  }
  const double a0 = e.from.a;
  const double a1 = e.to.a;
  c[2] = 0.5 * a0;
  c[3] = (20.0 * d - (8.0 * e.to.v + 12.0 * e.from.v) * h - (3.0 * a0 - a1) * h * h) /
         (2.0 * h * h * h);
  c[4] = (-30.0 * d + (14.0 * e.to.v + 16.0 * e.from.v) * h + (3.0 * a0 - 2.0 * a1) * h * h) /
         (2.0 * std::pow(h, 4));
  c[5] = (12.0 * d - 6.0 * (e.to.v + e.from.v) * h - (a0 - a1) * h * h) / (2.0 * std::pow(h, 5));
}

/// [piece][joint][power] of the polynomials between points that have their speeds.
std::vector<double> polynomials(const TrajectoryStart& start,
                                const std::vector<TimedWaypoint>& points) {
  const std::size_t count = start.q.size();
  std::vector<double> c(points.size() * count * kPower);
  const auto entry = [](const std::vector<double>& list, std::size_t j) {
    return list.empty() ? 0.0 : list[j];
  };
  for (std::size_t k = 0; k < points.size(); ++k) {
    const TimedWaypoint& to = points[k];
    const double h = to.t - (k == 0 ? 0.0 : points[k - 1].t);
    for (std::size_t j = 0; j < count; ++j) {
      Ends ends;
      ends.from =
          k == 0 ? MotionState{start.q[j], entry(start.v, j), 0.0}
                 : MotionState{points[k - 1].q[j], points[k - 1].v[j], entry(points[k - 1].a, j)};
      ends.to = {to.q[j], to.v[j], entry(to.a, j)};
      ends.is_quintic = !to.a.empty();
      put_polynomial(ends, h, &c[(k * count + j) * kPower]);
    }
  }
  return c;
}

/// Likewise from the spline through points without speeds.
std::vector<double> from_spline(const CubicSpline& spline) {
  std::vector<double> c(spline.pieces() * spline.joints() * kPower);
  for (std::size_t i = 0; i < spline.pieces() * spline.joints(); ++i) {
    const double* cubic = spline.coefficients(i / spline.joints(), i % spline.joints());
    std::copy(cubic, cubic + CubicSpline::kCoefficients, &c[i * kPower]);
  }
  return c;
}

CubicSpline spline_over_time(const TrajectoryStart& start, const std::vector<TimedWaypoint>& points,
                             const std::vector<double>& knots) {
  std::vector<std::vector<double>> all{start.q};
  for (const TimedWaypoint& point : points) all.push_back(point.q);
  const std::vector<double> rest(start.q.size());
  return {all, knots, start.v.empty() ? rest : start.v, rest};
}

/// Beyond the last point: all joints brake evenly to rest in `time` [s].
void put_braking(const TimedWaypoint& last, double time, std::vector<double>& c) {
  for (std::size_t j = 0; j < last.q.size(); ++j) {
    const std::size_t at = c.size();
    c.resize(at + kPower);
    c[at] = last.q[j];
    c[at + 1] = last.v[j];
    c[at + 2] = -0.5 * last.v[j] / time;
  }
}

}  // namespace

PlanFailure check_points(const TrajectoryJoints& joints, const std::vector<TimedWaypoint>& points,
                         bool may_end_in_motion) {
  const std::size_t count = joints.index.size();
  using Q = PlanQuantity;
  const auto bad = [](std::size_t k, double value, double limit, Q quantity) {
    return PlanFailure{RejectReason::kBadPlan,
                       kNoJoint,
                       static_cast<std::uint16_t>(k + 1),
                       value,
                       limit,
                       quantity};
  };
  const bool has_v = !points.empty() && !points.front().v.empty();
  const bool has_a = !points.empty() && !points.front().a.empty();
  double before = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const TimedWaypoint& p = points[k];
    if (!std::isfinite(p.t) || p.t <= before) return bad(k, p.t, before, Q::kTime);
    before = p.t;
    const auto has = static_cast<double>(count);
    for (const auto& [list, wanted, quantity] :
         {std::tuple(&p.q, true, Q::kCount), std::tuple(&p.v, has_v, Q::kVelocities),
          std::tuple(&p.a, has_a, Q::kAccelerations)}) {
      if (list->size() == (wanted ? count : 0)) continue;
      return bad(k, static_cast<double>(list->size()), wanted ? has : 0.0, quantity);
    }
    for (const auto& [list, quantity] :
         {std::pair(&p.q, Q::kPosition), std::pair(&p.v, Q::kVelocity),
          std::pair(&p.a, Q::kAcceleration)}) {
      for (const double x : *list) {
        if (!std::isfinite(x)) return bad(k, x, 0.0, quantity);
      }
    }
  }
  if (has_a && !has_v) return bad(0, 0.0, static_cast<double>(count), Q::kVelocities);
  for (std::size_t j = 0; has_v && !may_end_in_motion && j < count; ++j) {
    const double v = points.back().v[j];
    if (v == 0.0) continue;
    return {RejectReason::kBadPlan,
            joints.index[j],
            static_cast<std::uint16_t>(points.size()),
            v,
            0.0,
            Q::kVelocity};
  }
  return {};
}

std::vector<JointPlan::Instant> own_time(const std::vector<double>& knots) {
  constexpr std::size_t kParts = 32;
  std::vector<JointPlan::Instant> timing;
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    for (std::size_t i = 0; i < kParts; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(kParts);
      const double t = knots[k] + share * (knots[k + 1] - knots[k]);
      timing.push_back({t, t, 1.0, 0.0});
    }
  }
  timing.push_back({knots.back(), knots.back(), 1.0, 0.0});
  return timing;
}

double time_to_brake(const TrajectoryJoints& joints, const std::vector<double>& v) {
  double time = 0.0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    time = std::max(time, std::abs(v[j]) / joints.limits[j].a_max);
  }
  return time;
}

JointPlan plan_timed(const TrajectoryJoints& joints, const TrajectoryStart& start,
                     const std::vector<TimedWaypoint>& points, bool brakes_behind) {
  if (const PlanFailure f = check_start(joints, start, points.size())) return JointPlan(f);
  if (const PlanFailure f = check_points(joints, points, brakes_behind)) return JointPlan(f);
  std::vector<double> knots{0.0};
  std::vector<double> times;
  for (const TimedWaypoint& point : points) {
    knots.push_back(point.t);
    times.push_back(point.t);
  }
  std::vector<double> c = points.front().v.empty()
                              ? from_spline(spline_over_time(start, points, knots))
                              : polynomials(start, points);
  const double braking = time_to_brake(joints, points.back().v);
  if (braking > 0.0) {
    put_braking(points.back(), braking, c);
    knots.push_back(knots.back() + braking);
  }
  std::vector<JointPlan::Instant> timing = own_time(knots);
  JointPlan plan(joints.index, std::move(knots), std::move(c), std::move(timing), std::move(times));
  const PlanFailure f = check_plan(plan, joints.limits, start.q);
  return f ? JointPlan(f) : plan;
}

}  // namespace jointrig
