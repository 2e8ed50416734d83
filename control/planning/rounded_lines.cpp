// Straight lines between points at given times, with rounded corners.

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "control/planning/joint_trajectory.h"
#include "control/planning/trajectory_checks.h"

namespace jointrig {
namespace {

/// A corner takes τ before and behind its time; both ends of the motion lie at one side, by 2τ.
class RoundedLines {
 public:
  using Values = std::vector<double>;

  RoundedLines(const TrajectoryJoints& joints, const TrajectoryStart& start,
               const std::vector<TimedWaypoint>& points)
      : joints_(&joints),
        points_(&points),
        start_{0.0, start.q, start.v.empty() ? Values(start.q.size()) : start.v, {}},
        speeds_(points.size(), Values(start.q.size())),
        half_(points.size() + 1) {}

  PlanFailure make() {
    const std::size_t last = points_->size();
    for (std::size_t k = 0; k < last; ++k) speeds_[k] = speed(k, 0.0, 0.0);
    if (const PlanFailure f = round_ends()) return f;
    for (std::size_t k = 1; k < last; ++k) {
      half_[k] = needed(speeds_[k - 1], speeds_[k]);
      const double room = 0.5 * std::min(length(k - 1), length(k));
      if (half_[k] > room) return too_sharp(k, speeds_[k - 1], speeds_[k], room);
    }
    return {};
  }

  /// Knots and coefficients; pieces without a length are left out.
  [[nodiscard]] JointPlan plan() const {
    Values knots{0.0};
    Values c;
    Values here = start_.q;
    const auto add = [&](double until, const Values& from, const Values& to) {
      const double h = until - knots.back();
      if (!(h > kShortest)) return;
      for (std::size_t j = 0; j < here.size(); ++j) {
        const std::size_t at = c.size();
        c.resize(at + JointPlan::kCoefficients);
        c[at] = here[j];
        c[at + 1] = from[j];
        c[at + 2] = 0.5 * (to[j] - from[j]) / h;
        here[j] += 0.5 * (from[j] + to[j]) * h;
      }
      knots.push_back(until);
    };
    const std::size_t last = points_->size();
    const Values rest(here.size());
    add(2.0 * half_[0], start_.v, speeds_[0]);
    for (std::size_t k = 1; k < last; ++k) {
      add(time(k) - half_[k], speeds_[k - 1], speeds_[k - 1]);
      add(time(k) + half_[k], speeds_[k - 1], speeds_[k]);
    }
    add(time(last) - 2.0 * half_[last], speeds_[last - 1], speeds_[last - 1]);
    add(time(last), speeds_[last - 1], rest);
    knots.back() = time(last);
    Values times;
    for (const TimedWaypoint& point : *points_) times.push_back(point.t);
    std::vector<JointPlan::Instant> timing = own_time(knots);
    return {joints_->index, std::move(knots), std::move(c), std::move(timing), std::move(times)};
  }

 private:
  static constexpr double kShortest = 1e-9;  // s
  /// They find the time of a corner at an end to the last bits of a double.
  static constexpr int kHalvings = 60;

  [[nodiscard]] const TimedWaypoint& at(std::size_t k) const {
    return k == 0 ? start_ : (*points_)[k - 1];
  }
  [[nodiscard]] double time(std::size_t k) const { return at(k).t; }
  [[nodiscard]] double length(std::size_t k) const { return time(k + 1) - time(k); }

  /// Speeds on the k-th line, of which the ends of the motion take 2τ each:
  /// v (h − τ_0 − τ_n) = d − v_0 τ_0
  [[nodiscard]] Values speed(std::size_t k, double at_start, double at_end) const {
    Values v(start_.q.size());
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double way = at(k + 1).q[j] - at(k).q[j] - start_.v[j] * at_start;
      v[j] = way / (length(k) - at_start - at_end);
    }
    return v;
  }

  /// τ of a corner between two lines [s].
  [[nodiscard]] double needed(const Values& from, const Values& to) const {
    double half = 0.0;
    for (std::size_t j = 0; j < from.size(); ++j) {
      half = std::max(half, 0.5 * std::abs(to[j] - from[j]) / joints_->limits[j].a_max);
    }
    return half;
  }

  [[nodiscard]] PlanFailure too_sharp(std::size_t waypoint, const Values& from, const Values& to,
                                      double room) const {
    PlanFailure worst;
    double most = 0.0;
    for (std::size_t j = 0; j < from.size(); ++j) {
      const double a = 0.5 * std::abs(to[j] - from[j]) / room;
      const double limit = joints_->limits[j].a_max;
      if (!(a / limit > most)) continue;
      most = a / limit;
      worst = {RejectReason::kPlanAcceleration, joints_->index[j],
               static_cast<std::uint16_t>(std::max<std::size_t>(waypoint, 1)), a, limit};
    }
    return worst;
  }

  /// The line beside an end is the faster, the longer that end takes: the least τ that is enough.
  PlanFailure round_ends() {
    const std::size_t last = points_->size();
    const Values rest(start_.q.size());
    const bool is_one = last == 1;
    const auto ends = [&](double half) {
      const Values first = speed(0, half, is_one ? half : 0.0);
      return std::max(needed(start_.v, first), is_one ? needed(first, rest) : 0.0);
    };
    const double room = 0.25 * length(0);
    const std::optional<double> first = least(room, ends);
    if (!first) return too_sharp(1, start_.v, speed(0, room, is_one ? room : 0.0), room);
    half_[0] = *first;
    if (is_one) half_[1] = *first;
    speeds_[0] = speed(0, half_[0], is_one ? half_[1] : 0.0);
    if (is_one) return {};
    const double room_behind = 0.25 * length(last - 1);
    const auto behind = [&](double half) { return needed(speed(last - 1, 0.0, half), rest); };
    const std::optional<double> end = least(room_behind, behind);
    if (!end) return too_sharp(last, speed(last - 1, 0.0, room_behind), rest, room_behind);
    half_[last] = *end;
    speeds_[last - 1] = speed(last - 1, 0.0, half_[last]);
    return {};
  }

  template <typename Needed>
  static std::optional<double> least(double room, Needed&& needed_at) {
    if (!(needed_at(room) <= room)) return std::nullopt;
    double low = 0.0;
    double high = room;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      (needed_at(middle) <= middle ? high : low) = middle;
    }
    return high;
  }

  const TrajectoryJoints* joints_;
  const std::vector<TimedWaypoint>* points_;
  TimedWaypoint start_;
  std::vector<Values> speeds_;  ///< on the line behind each point
  Values half_;                 ///< τ at each point, the start's first
};

}  // namespace

JointPlan plan_lines(const TrajectoryJoints& joints, const TrajectoryStart& start,
                     const std::vector<TimedWaypoint>& points) {
  if (const PlanFailure f = check_start(joints, start, points.size())) return JointPlan(f);
  if (const PlanFailure f = check_points(joints, points, false)) return JointPlan(f);
  if (!points.front().v.empty()) {
    const auto given = static_cast<double>(points.front().v.size());
    return JointPlan({RejectReason::kBadPlan, kNoJoint, 1, given, 0.0, PlanQuantity::kVelocities});
  }
  RoundedLines lines(joints, start, points);
  if (const PlanFailure f = lines.make()) return JointPlan(f);
  JointPlan plan = lines.plan();
  const PlanFailure f = check_plan(plan, joints.limits, start.q);
  return f ? JointPlan(f) : plan;
}

}  // namespace jointrig
