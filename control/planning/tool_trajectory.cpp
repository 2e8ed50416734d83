#include "control/planning/tool_trajectory.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "control/laws/tool_error.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/tool_choices.h"
#include "control/planning/trajectory_checks.h"

namespace jointrig {
namespace {

using tool_choices::kLeadGrid;
using tool_choices::kShareOfBounds;
using tool_choices::kSlopeStep;

/// Distance of the first samples [m], and their turn [rad]: choices; they become denser by need.
constexpr double kFirstStep = 0.02;
constexpr double kFirstTurn = 0.1;
constexpr int kRounds = 16;  ///< times that samples are laid more densely, at most
constexpr std::size_t kMostSamples = 20000;
constexpr double kInside = 2e-3;  ///< of the joints' ranges: room for the spline [rad or m]
constexpr int kHalvings = 12;     ///< of the way between two samples to where it breaks
constexpr int kSides = 8;         ///< of half of the polygon within a circle

constexpr double kInMotion = 1e-9;  ///< of a joint's v_max

std::vector<JointRange> inner_ranges(const RobotConfig& robot,
                                     const std::vector<JointIndex>& moved) {
  std::vector<JointRange> ranges = soft_ranges(robot, moved);
  for (JointRange& range : ranges) range = {range.low + kInside, range.high - kInside};
  return ranges;
}

JointSet set_of_joints(const std::vector<JointIndex>& joints) {
  JointSet set;
  for (const JointIndex joint : joints) set.set(joint);
  return set;
}

MotionState state_on(const CubicSpline& spline, std::size_t piece, std::size_t j, double s) {
  const double* c = spline.coefficients(piece, j);
  const double x = s - spline.knots()[piece];
  return {c[0] + x * (c[1] + x * (c[2] + x * c[3])), c[1] + x * (2.0 * c[2] + 3.0 * x * c[3]),
          2.0 * c[2] + 6.0 * x * c[3]};
}

/// 0 to 1 with no slope and no bend at both ends.
double smooth_share(double x) {
  x = std::clamp(x, 0.0, 1.0);
  return x * x * x * (10.0 + x * (6.0 * x - 15.0));
}

/// Bounds of the size of a vector w s' and of its rate w u + w_s x, at `ahead` from the start of
/// the interval. The rate lies in the plane of w and w_s, on the side of w_s.
void add_bounds_of(const Eigen::Vector3d& w, const Eigen::Vector3d& w_s, double most,
                   double most_rate, double ahead, std::vector<TimingLine>& lines) {
  const auto add = [&](double u, double x) { lines.push_back({u + 2.0 * ahead * x, x}); };
  add(0.0, w.squaredNorm() / (most * most));
  const double size = w.norm();
  const Eigen::Vector3d along =
      size > 1e-12 ? Eigen::Vector3d(w / size) : Eigen::Vector3d(w_s.normalized());
  const double bend_along = w_s.dot(along);
  const double bend_across = (w_s - bend_along * along).norm();
  for (int k = 0; k < kSides; ++k) {
    const double angle = (k + 0.5) * M_PI / kSides;
    const double room = most_rate * std::cos(0.5 * M_PI / kSides);
    add(std::cos(angle) * size / room,
        (std::cos(angle) * bend_along + std::sin(angle) * bend_across) / room);
  }
}

}  // namespace

ToolLimits ToolLimits::of(const ArmConfig& arm) noexcept {
  return {arm.speed_max, arm.acceleration_max, arm.rotation_speed_max,
          arm.rotation_acceleration_max};
}

ToolTrajectory::ToolTrajectory(const RobotConfig& robot, const KinematicTree& tree,
                               const FramePair& frames, const std::vector<JointIndex>& joints,
                               const ToolTrajectoryOptions& options)
    : joints_(TrajectoryJoints::of(robot, set_of_joints(joints))),
      options_(options),
      follower_(tree, frames, joints, inner_ranges(robot, joints), options.free),
      advice_(tree, frames, joints, inner_ranges(robot, joints), options.free) {}

Placement ToolTrajectory::tool(const std::vector<double>& q) {
  follower_.kinematics().update(q);
  return follower_.kinematics().pose(0);
}

PlanFailure ToolTrajectory::check(const std::vector<double>& q,
                                  const std::vector<ToolWaypoint>& waypoints,
                                  const ToolLimits& most) const {
  using Q = PlanQuantity;
  const auto bad = [](std::size_t k, double value, double limit, Q quantity) {
    return PlanFailure{
        RejectReason::kBadPlan, kNoJoint, static_cast<std::uint16_t>(k), value, limit, quantity};
  };
  if (waypoints.empty()) return bad(0, 0.0, 1.0, Q::kCount);
  for (const double x : q) {
    if (!std::isfinite(x)) return bad(0, x, 0.0, Q::kPosition);
  }
  constexpr double kRoom = 1.0 + 1e-9;  // rounding
  for (std::size_t k = 0; k < waypoints.size(); ++k) {
    const ToolWaypoint& w = waypoints[k];
    if (!w.pose.position.allFinite() || !w.pose.rotation.allFinite()) {
      return bad(k + 1, std::nan(""), 0.0, Q::kPose);
    }
    if (!(w.corner_distance >= 0.0 && std::isfinite(w.corner_distance))) {
      return bad(k + 1, w.corner_distance, 0.0, Q::kCornerDistance);
    }
    const ToolLimits& own = w.limits;
    for (const auto& [value, limit, quantity] :
         {std::tuple(own.linear_speed, most.linear_speed, Q::kLinearSpeed),
          std::tuple(own.linear_acceleration, most.linear_acceleration, Q::kLinearAcceleration),
          std::tuple(own.rotational_speed, most.rotational_speed, Q::kRotationalSpeed),
          std::tuple(own.rotational_acceleration, most.rotational_acceleration,
                     Q::kRotationalAcceleration),
          std::tuple(w.speed_ratio, 1.0, Q::kSpeedRatio),
          std::tuple(w.acceleration_ratio, 1.0, Q::kAccelerationRatio)}) {
      if (!(value > 0.0 && value <= limit * kRoom)) return bad(k + 1, value, limit, quantity);
    }
    if (const PlanFailure f = check_tolerance(joints_, w.tolerance, k + 1)) return f;
    for (const double x : w.posture) {
      if (std::isinf(x)) return bad(k + 1, x, 0.0, Q::kPosition);
    }
    if (!w.posture.empty() && w.posture.size() != joints_.index.size()) {
      return bad(k + 1, static_cast<double>(w.posture.size()),
                 static_cast<double>(joints_.index.size()), Q::kCount);
    }
  }
  return {};
}

JointPlan ToolTrajectory::plan(const std::vector<double>& q,
                               const std::vector<ToolWaypoint>& waypoints, const ToolLimits& most,
                               PlanWatch* watch, const std::vector<double>& v) {
  watch_ = watch;
  if (const PlanFailure f = check(q, waypoints, most)) return JointPlan(f);
  waypoints_ = &waypoints;
  lead_in_.reset();
  std::vector<double> here;
  for (const JointIndex joint : joints_.index) here.push_back(q[joint]);
  if (const PlanFailure f = check_start(joints_, {here, v}, waypoints.size())) return JointPlan(f);
  for (std::size_t j = 0; j < v.size(); ++j) {
    if (std::abs(v[j]) > kInMotion * joints_.limits[j].v_max) return plan_in_motion(q, v);
  }
  begin_path(q);
  return plan_from(here);
}

/// The path from where the tool is at q.
void ToolTrajectory::begin_path(const std::vector<double>& q) {
  q_ = q;
  failure_ = {};
  least_ = std::numeric_limits<double>::infinity();
  std::vector<ToolPath::Point> points;
  for (const ToolWaypoint& w : *waypoints_) points.push_back({w.pose, w.corner_distance});
  path_.emplace(tool(q), points);
  start_.clear();
  for (const JointIndex joint : joints_.index) start_.push_back(q[joint]);
  postures_.assign(1, start_);
  for (const ToolWaypoint& w : *waypoints_) {
    std::vector<double> posture = postures_.back();
    for (std::size_t j = 0; j < w.posture.size(); ++j) {
      if (!std::isnan(w.posture[j])) posture[j] = w.posture[j];
    }
    postures_.push_back(std::move(posture));
  }
}

/// @param begin  moved joints at the start of the motion
JointPlan ToolTrajectory::plan_from(const std::vector<double>& begin) {
  std::vector<Stretch> stretches;
  const std::vector<ToolPath::Part>& parts = path_->parts();
  bool is_planned = reaches_waypoints(q_);
  for (std::size_t first = 0, i = 0; is_planned && i < parts.size(); ++i) {
    if (!parts[i].is_stop) continue;
    is_planned = plan_stretch(first, i, stretches);
    first = i + 1;
  }
  if (!is_planned) {
    JointPlan refused(failure_);
    refused.remark = remark();
    return refused;
  }
  JointPlan made = joined(stretches);
  const PlanFailure f = check_plan(made, joints_.limits, begin);
  return f ? JointPlan(f) : made;
}

bool ToolTrajectory::refuse(RejectReason reason, std::size_t part, double s, JointIndex joint,
                            double value, double limit, PlanQuantity quantity) {
  const auto waypoint = static_cast<std::uint16_t>(path_->parts()[part].waypoint + 1);
  failure_ = {reason, joint, waypoint, value, limit, quantity};
  failed_at_ = s;
  return false;
}

bool ToolTrajectory::refuse_reach(const IkError& error, const std::vector<double>& from,
                                  std::size_t part, double s) {
  failed_from_ = from;
  return refuse(RejectReason::kPlanReach, part, s, kNoJoint, error.position, error.rotation);
}

// Where it broke, and what to free so that it goes on there and comes to the waypoint.
std::string ToolTrajectory::remark() const {
  const std::string place =
      fmt::format("at {:.1f} % of the path", 100.0 * failed_at_ / path_->length());
  const std::string words = advice();
  return words.empty() ? place : place + "; " + words;
}

std::string ToolTrajectory::advice() const {
  switch (failure_.reason) {
    case RejectReason::kPlanPosition:
      return "a posture further from that limit, or a free_rotation, may keep the joint within";
    case RejectReason::kPlanReach: {
      const std::array goals{path_->at(failed_at_), (*waypoints_)[failure_.waypoint - 1U].pose};
      return advice_.on(goals, failed_from_);
    }
    case RejectReason::kPlanSingular:
      return advice_.on_singular(failed_from_, options_.singular_value);
    default:
      return {};
  }
}

bool ToolTrajectory::refuse_singular(double least, std::size_t part, double s) {
  failed_from_ = q_;
  return refuse(RejectReason::kPlanSingular, part, s, kNoJoint, least, options_.singular_value);
}

bool ToolTrajectory::refuse_limit(const BeyondLimit& beyond, std::size_t part, double s) {
  const double inside = beyond.q > beyond.limit ? kInside : -kInside;
  return refuse(RejectReason::kPlanPosition, part, s, beyond.joint, beyond.q + inside,
                beyond.limit + inside);
}

// Samples and timing of a stretch take about equally long; those of the next one follow.
void ToolTrajectory::tell(Work work, double s) const {
  if (watch_ == nullptr) return;
  const std::vector<ToolPath::Part>& parts = path_->parts();
  double begin = 0.0;
  double end = path_->length();
  for (const ToolPath::Part& part : parts) {
    if (!part.is_stop) continue;
    if (part.end < s) begin = part.end;
    if (part.end >= s) {
      end = part.end;
      break;
    }
  }
  const double way = 0.5 * ((work == Work::kBound ? end : begin) + s);
  watch_->reach(std::clamp(way / std::max(path_->length(), 1e-12), 0.0, 1.0));
}

// Is there a solution for each waypoint, wherever the joints come from? Else it is told before the
// singular poses that lead to the end of the arm.
bool ToolTrajectory::reaches_waypoints(const std::vector<double>& q) {
  const std::vector<ToolPath::Part>& parts = path_->parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t k = parts[i].waypoint;
    if (i + 1 < parts.size() && parts[i + 1].waypoint == k) continue;
    if (watch_ != nullptr) watch_->reach(0.0);
    const IkResult& result = follower_.anywhere((*waypoints_)[k].pose, q);
    if (result.outcome == IkOutcome::kJointLimits)
      return refuse_limit(result.beyond, i, parts[i].end);
    if (result.outcome == IkOutcome::kSolved) continue;
    return refuse_reach(result.errors[0], q, i, parts[i].end);
  }
  return true;
}

std::vector<double> ToolTrajectory::posture_at(double s) const {
  const std::vector<double>& at = path_->waypoints();
  const auto next = std::lower_bound(at.begin(), at.end(), s);
  if (next == at.end()) return postures_.back();
  const auto k = static_cast<std::size_t>(next - at.begin());
  const double from = k > 0 ? at[k - 1] : 0.0;
  const double share = *next > from ? smooth_share((s - from) / (*next - from)) : 1.0;
  std::vector<double> posture = postures_[k];
  for (std::size_t j = 0; j < posture.size(); ++j) {
    posture[j] += share * (postures_[k + 1][j] - posture[j]);
  }
  return posture;
}

// Brings the joints from near by to where the path is at s. Returns false with the failure.
bool ToolTrajectory::follow(double s, std::size_t part, std::vector<double>& q) {
  tell(Work::kFollow, s);
  for (std::size_t j = 0; j < q.size(); ++j) q_[joints_.index[j]] = q[j];
  const std::vector<double> before = q_;
  const Placement goal = path_->at(s);
  const bool is_there = follower_.solve(goal, posture_at(s), q_);
  if (!is_there) {
    const IkResult& why = follower_.failure(goal, before);
    if (why.outcome == IkOutcome::kJointLimits) {
      return refuse_limit(why.beyond, part, s);
    }
    if (why.outcome != IkOutcome::kSolved) {
      return refuse_reach(why.errors[0], before, part, s);
    }
    q_ = why.q;
  }
  follower_.kinematics().update(q_);
  follower_.kinematics().update_jacobians();
  const double least = follower_.least_singular_value();
  least_ = std::min(least_, least);
  if (least < options_.singular_value) return refuse_singular(least, part, s);
  for (std::size_t j = 0; j < q.size(); ++j) q[j] = q_[joints_.index[j]];
  return true;
}

// The place between two samples from which the path can't be followed, with its failure.
void ToolTrajectory::find_break(Sample good, const Sample& bad) {
  double beyond = bad.s;
  for (int i = 0; i < kHalvings; ++i) {
    Sample middle = good;
    middle.s = 0.5 * (good.s + beyond);
    if (follow(middle.s, bad.part, middle.q)) {
      good = std::move(middle);
    } else {
      beyond = middle.s;
    }
  }
}

bool ToolTrajectory::lay_samples(std::size_t first, std::size_t last,
                                 std::vector<Sample>& samples) {
  const std::vector<ToolPath::Part>& parts = path_->parts();
  for (std::size_t part = first; part <= last; ++part) {
    const ToolPath::Part& on = parts[part];
    const double length = on.end - on.begin;
    const double most = std::max({2.0, length / kFirstStep, on.turn / kFirstTurn});
    const auto count = static_cast<std::size_t>(std::ceil(most));
    for (std::size_t i = 1; i <= count; ++i) {
      Sample next = samples.back();
      next.part = part;
      next.s = i == count ? on.end
                          : on.begin + length * static_cast<double>(i) / static_cast<double>(count);
      if (!follow(next.s, part, next.q)) {
        find_break(samples.back(), next);
        return false;
      }
      samples.push_back(std::move(next));
    }
  }
  return true;
}

// dq/ds at an end of a stretch: the difference of three points, whose error is of the second order.
std::vector<double> ToolTrajectory::slope(const Sample& at, double step) {
  std::vector<double> one = at.q;
  if (!follow(at.s + step, at.part, one)) return {};
  std::vector<double> two = one;
  if (!follow(at.s + 2.0 * step, at.part, two)) return {};
  std::vector<double> result(at.q.size());
  for (std::size_t j = 0; j < result.size(); ++j) {
    result[j] = (-3.0 * at.q[j] + 4.0 * one[j] - two[j]) / (2.0 * step);
  }
  return result;
}

// How far the spline is from the path on a piece, in shares of what is allowed.
double ToolTrajectory::deviation(const CubicSpline& spline, std::size_t piece) {
  const double begin = spline.knots()[piece];
  const double length = spline.knots()[piece + 1] - begin;
  double most = 0.0;
  for (const double share : {0.25, 0.5, 0.75}) {
    const double s = begin + share * length;
    for (std::size_t j = 0; j < joints_.index.size(); ++j) {
      const double q = state_on(spline, piece, j, s).q;
      q_[joints_.index[j]] = q;
      const JointLimits& limits = joints_.limits[j];
      const bool is_out = q < std::min(limits.q_min + limits.soft_margin, start_[j]) ||
                          q > std::max(limits.q_max - limits.soft_margin, start_[j]);
      if (is_out) most = 2.0;  // denser samples keep it within
    }
    follower_.kinematics().update(q_);
    const Placement& is = follower_.kinematics().pose(0);
    const Placement wanted = path_->at(s);
    const double off = (is.position - wanted.position).norm();
    const double turn = follower_.turn_off(wanted, is.rotation);
    most = std::max({most, off / options_.deviation, turn / options_.turn_deviation});
  }
  return most;
}

bool ToolTrajectory::refine(std::vector<Sample>& samples, std::optional<CubicSpline>& spline) {
  const double whole = samples.back().s - samples.front().s;
  const double step = std::min(kSlopeStep, 0.01 * whole);
  const std::vector<double> begin = slope(samples.front(), step);
  const std::vector<double> end = begin.empty() ? begin : slope(samples.back(), -step);
  if (end.empty()) return false;
  for (int round = 0; round <= kRounds; ++round) {
    std::vector<std::vector<double>> points;
    std::vector<double> knots;
    for (const Sample& sample : samples) {
      points.push_back(sample.q);
      knots.push_back(sample.s);
    }
    spline.emplace(points, knots, begin, end);
    std::vector<Sample> denser{samples.front()};
    for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
      double longest = 0.0;
      JointIndex joint = kNoJoint;
      for (std::size_t j = 0; j < joints_.index.size(); ++j) {
        const double way = std::abs(points[i + 1][j] - points[i][j]);
        if (way > longest) longest = way, joint = joints_.index[j];
      }
      const double off = deviation(*spline, i);
      if (longest > options_.jump || off > 1.0) {
        Sample middle = samples[i + 1];
        middle.s = 0.5 * (samples[i].s + samples[i + 1].s);
        if (round == kRounds || denser.size() > kMostSamples) {
          if (longest > options_.jump) {
            return refuse(RejectReason::kPlanJump, middle.part, middle.s, joint, longest,
                          options_.jump);
          }
          return refuse(RejectReason::kPlanSpline, middle.part, middle.s, kNoJoint,
                        off * options_.deviation, options_.deviation);
        }
        for (std::size_t j = 0; j < middle.q.size(); ++j) {
          middle.q[j] = 0.5 * (points[i][j] + points[i + 1][j]);
        }
        if (!follow(middle.s, middle.part, middle.q)) return false;
        denser.push_back(std::move(middle));
      }
      denser.push_back(samples[i + 1]);
    }
    if (denser.size() == samples.size()) return true;
    samples = std::move(denser);
  }
  return false;
}

double ToolTrajectory::singular_value_at(const CubicSpline& spline, std::size_t piece, double s) {
  if (watch_ != nullptr) watch_->reach(0.0);
  for (std::size_t j = 0; j < joints_.index.size(); ++j) {
    q_[joints_.index[j]] = state_on(spline, piece, j, s).q;
  }
  follower_.kinematics().update(q_);
  follower_.kinematics().update_jacobians();
  const double least = follower_.least_singular_value();
  least_ = std::min(least_, least);
  return least;
}

// Singular values change by no more than the Jacobian does: with |J| its norm, by |J| Σ|Δq| at
// most; the rows that are held beside a free axis turn with the tool, which is as much again. Where
// that could take them below the bound between two samples, the middle is looked at.
bool ToolTrajectory::is_singular_between(const CubicSpline& spline, std::size_t piece, double from,
                                         double to) {
  const double middle = 0.5 * (from + to);
  const double here = singular_value_at(spline, piece, middle);
  if (here < options_.singular_value) {
    failed_at_ = middle;
    return true;
  }
  double norm = 0.0;
  for (std::size_t k = 0; k < joints_.index.size(); ++k) {
    norm += follower_.kinematics().column(0, k).squaredNorm();
  }
  const double rate = (is_axis(options_.free) ? 2.0 : 1.0) * std::sqrt(norm);
  double way = 0.0;
  for (std::size_t j = 0; j < joints_.index.size(); ++j) {
    way += std::abs(state_on(spline, piece, j, to).q - state_on(spline, piece, j, from).q);
  }
  if (here - 0.5 * rate * way > 0.5 * options_.singular_value) return false;
  return is_singular_between(spline, piece, from, middle) ||
         is_singular_between(spline, piece, middle, to);
}

bool ToolTrajectory::look_for_singularity(const CubicSpline& spline,
                                          const std::vector<Sample>& samples) {
  for (std::size_t i = 0; i < spline.pieces(); ++i) {
    if (!is_singular_between(spline, i, spline.knots()[i], spline.knots()[i + 1])) continue;
    return refuse_singular(least_, samples[i + 1].part, failed_at_);
  }
  return true;
}

Vector6 ToolTrajectory::twist(const CubicSpline& spline, std::size_t piece, double s) {
  Vector6 twist = Vector6::Zero();
  for (std::size_t j = 0; j < joints_.index.size(); ++j) {
    q_[joints_.index[j]] = state_on(spline, piece, j, s).q;
  }
  follower_.kinematics().update(q_);
  follower_.kinematics().update_jacobians();
  for (std::size_t j = 0; j < joints_.index.size(); ++j) {
    twist += follower_.kinematics().column(0, j) * state_on(spline, piece, j, s).v;
  }
  return twist;
}

/// Bounds of a piece on which no joint moves, as where the way only turns about a free axis.
/// Nothing of the robot bounds its pace; the path takes `least` seconds or more, so that its timing
/// is finite.
void add_standing_bounds(double path, double least, std::vector<TimingLine>& lines) {
  const double fastest = path / least;
  lines.push_back({0.0, 1.0 / (fastest * fastest)});
  for (const double sign : {-1.0, 1.0}) lines.push_back({sign * least / fastest, 0.0});
}

bool stands(const CubicSpline& spline, std::size_t piece, std::size_t joints) {
  constexpr double kStill = 1e-12;  // of rad or m, far below what an encoder sees
  const double begin = spline.knots()[piece];
  const double end = spline.knots()[piece + 1];
  for (std::size_t j = 0; j < joints; ++j) {
    for (const double s : {begin, end}) {
      if (std::abs(state_on(spline, piece, j, s).v) * (end - begin) > kStill) return false;
    }
    const double way = state_on(spline, piece, j, end).q - state_on(spline, piece, j, begin).q;
    if (std::abs(way) > kStill) return false;
  }
  return true;
}

void ToolTrajectory::add_tool_bounds(const CubicSpline& spline, std::size_t piece, double x,
                                     double length, const ToolLimits& limits,
                                     std::vector<TimingLine>& lines) {
  const double begin = spline.knots()[piece];
  tell(Work::kBound, begin + x);
  const double step = 1e-3 * (spline.knots()[piece + 1] - begin);
  for (const double ahead : {0.0, length}) {
    const double s = begin + x + ahead;
    const Vector6 now = twist(spline, piece, s);
    const Vector6 rate =
        (twist(spline, piece, s + step) - twist(spline, piece, s - step)) / (2.0 * step);
    add_bounds_of(now.head<3>(), rate.head<3>(), kShareOfBounds * limits.linear_speed,
                  kShareOfBounds * limits.linear_acceleration, ahead, lines);
    add_bounds_of(now.tail<3>(), rate.tail<3>(), kShareOfBounds * limits.rotational_speed,
                  kShareOfBounds * limits.rotational_acceleration, ahead, lines);
  }
}

bool ToolTrajectory::plan_stretch(std::size_t first, std::size_t last,
                                  std::vector<Stretch>& stretches) {
  const std::vector<ToolPath::Part>& parts = path_->parts();
  std::vector<double> begin = start_;
  if (!stretches.empty()) {
    const CubicSpline& before = stretches.back().spline;
    const double end = before.knots().back();
    for (std::size_t j = 0; j < begin.size(); ++j) {
      begin[j] = state_on(before, before.pieces() - 1, j, end).q;
    }
  }
  std::vector<Sample> samples{{parts[first].begin, first, std::move(begin)}};
  std::optional<CubicSpline> spline;
  const bool leads = lead_in_ && stretches.empty();
  if (!lay_samples(first, last, samples) || (leads && !lay_meeting_point(samples)) ||
      !refine(samples, spline) || !look_for_singularity(*spline, samples)) {
    return false;
  }
  std::size_t met = 0;   // first piece that is left of the path
  std::size_t lead = 0;  // pieces before it
  if (leads) {
    while (samples[met].s < lead_in_->meets) ++met;
    std::vector<double> slope;
    for (std::size_t j = 0; j < joints_.index.size(); ++j) {
      slope.push_back(state_on(*spline, met, j, samples[met].s).v);
    }
    CubicSpline whole = lead_in(samples[met].q, slope);
    lead = whole.pieces();
    whole.append(*spline, met);
    spline = std::move(whole);
  }
  Stretch stretch{std::move(*spline), {}};
  std::vector<const ToolLimits*> limits_of;
  std::vector<MotionBounds> bounds;
  for (std::size_t i = 0; i < lead; ++i) {
    limits_of.push_back(lead_in_->limits ? &*lead_in_->limits : nullptr);
    bounds.push_back(own_bounds(1.0, 1.0));
  }
  for (std::size_t i = met + 1; i < samples.size(); ++i) {
    const ToolWaypoint& to = (*waypoints_)[parts[samples[i].part].waypoint];
    limits_of.push_back(&to.limits);
    bounds.push_back(own_bounds(to.speed_ratio, to.acceleration_ratio));
  }
  constexpr double kLeastTime = 1e-3;  // of a stretch on which nothing moves: a cycle
  const double path_length = parts[last].end - parts[first].begin;
  constexpr std::size_t kWanted = 800;  // intervals of the grid, as for joints
  const std::size_t each = std::clamp<std::size_t>(kWanted / stretch.spline.pieces(), 4, 64);
  const std::size_t grid = each / kLeadGrid * kLeadGrid;  // divides that of the lead-in
  auto timing =
      time_optimal(stretch.spline, bounds, leads ? lead_in_->speed() : 0.0, grid,
                   [&](std::size_t piece, double x, double length, std::vector<TimingLine>& lines) {
                     const ToolLimits* limits = limits_of[piece];
                     if (limits == nullptr) return;
                     add_tool_bounds(stretch.spline, piece, x, length, *limits, lines);
                     if (stands(stretch.spline, piece, joints_.index.size())) {
                       add_standing_bounds(path_length, kLeastTime, lines);
                     }
                   });
  if (!timing) {
    return refuse(RejectReason::kPlanSpline, last, parts[last].end, kNoJoint, 0.0, 0.0);
  }
  stretch.timing = std::move(*timing);
  stretches.push_back(std::move(stretch));
  return true;
}

JointPlan ToolTrajectory::joined(const std::vector<Stretch>& stretches) const {
  constexpr std::size_t kPower = JointPlan::kCoefficients;
  const std::size_t count = joints_.index.size();
  std::vector<double> knots{stretches.empty() ? 0.0 : stretches.front().spline.knots().front()};
  std::vector<double> c;
  std::vector<JointPlan::Instant> timing;
  double t = 0.0;
  for (const Stretch& stretch : stretches) {
    const CubicSpline& spline = stretch.spline;
    knots.insert(knots.end(), spline.knots().begin() + 1, spline.knots().end());
    for (std::size_t i = 0; i < spline.pieces() * count; ++i) {
      const double* cubic = spline.coefficients(i / count, i % count);
      c.insert(c.end(), cubic, cubic + CubicSpline::kCoefficients);
      c.resize(c.size() + kPower - CubicSpline::kCoefficients);
    }
    if (!timing.empty()) timing.pop_back();  // the next begins there, at rest
    for (JointPlan::Instant instant : stretch.timing) {
      instant.t += t;
      timing.push_back(instant);
    }
    t = timing.back().t;
  }
  if (stretches.empty()) {  // it stays
    knots.push_back(1.0);
    for (const double q : start_) {
      c.push_back(q);
      c.resize(c.size() + kPower - 1);
    }
    timing.emplace_back();
  }
  std::vector<double> times;
  for (const double s : path_->waypoints()) {
    constexpr double kRounding = 1e-12;
    const auto at = std::find_if(timing.begin(), timing.end() - 1,
                                 [&](const auto& instant) { return instant.s >= s - kRounding; });
    times.push_back(at->t);
  }
  if (!times.empty()) times.back() = t;
  return {joints_.index, std::move(knots), std::move(c), std::move(timing), std::move(times)};
}

}  // namespace jointrig
