// The way of joints in motion onto the path of a tool.

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "control/laws/tool_error.h"
#include "control/planning/tool_choices.h"
#include "control/planning/tool_trajectory.h"

namespace jointrig {
namespace {

using tool_choices::kLeadGrid;
using tool_choices::kShareOfBounds;
using tool_choices::kSlopeStep;

/// Choices. A way straight on needs 1, one that turns back a little more than 4.
constexpr std::array<double, 6> kBrakingTimes{1.2, 1.7, 2.4, 3.4, 4.8, 9.6};
constexpr std::size_t kLeadPieces = 16;
constexpr double kLeastMeeting = 5e-3;  ///< s_b where the tool hardly moves [m]

}  // namespace

Vector6 ToolTrajectory::twist_at(const std::vector<double>& q, const std::vector<double>& v) {
  follower_.kinematics().update(q);
  follower_.kinematics().update_jacobians();
  Vector6 twist = Vector6::Zero();
  for (std::size_t j = 0; j < v.size(); ++j) twist += follower_.kinematics().column(0, j) * v[j];
  return twist;
}

MotionBounds ToolTrajectory::own_bounds(double speed, double acceleration) const {
  MotionBounds bounds;
  for (const JointLimits& limits : joints_.limits) {
    bounds.v.push_back(speed * limits.v_max);
    bounds.a.push_back(acceleration * limits.a_max);
  }
  return bounds;
}

JointPlan ToolTrajectory::plan_in_motion(const std::vector<double>& q,
                                         const std::vector<double>& v) {
  LeadIn lead;
  double joints_brake = 0.0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    lead.q.push_back(q[joints_.index[j]]);
    joints_brake = std::max(joints_brake, std::abs(v[j]) / joints_.limits[j].a_max);
  }
  lead.v = v;
  const Vector6 twist = twist_at(q, v);
  const double speed = twist.head<3>().norm();
  const double turning = twist.tail<3>().norm();
  ToolLimits limits = waypoints_->front().limits;
  const double tool_brakes = std::max(
      {joints_brake, speed / limits.linear_acceleration, turning / limits.rotational_acceleration});
  // Rounding of what another plan had at its bound.
  constexpr double kRoom = 1.0 + 1e-3;
  limits.linear_speed = std::max(limits.linear_speed, kRoom / kShareOfBounds * speed);
  limits.rotational_speed = std::max(limits.rotational_speed, kRoom / kShareOfBounds * turning);

  PlanFailure first;
  for (const bool of_tool : {true, false}) {
    lead.limits = of_tool ? std::optional(limits) : std::nullopt;
    for (const double times : kBrakingTimes) {
      lead.time = 0.5 * times * (of_tool ? tool_brakes : joints_brake);
      std::vector<double> rest = q;
      for (std::size_t j = 0; j < v.size(); ++j) rest[joints_.index[j]] += v[j] * lead.time;
      lead_in_ = lead;
      begin_path(rest);
      if (find_lead_in()) return plan_from(lead.q);
      if (!first) first = failure_;
    }
  }
  JointPlan refused(first);
  refused.remark = "the arm moves, and doesn't come onto the path from there";
  return refused;
}

// Is there a way onto the path with this τ? Joints that can come to rest on it can go on, too.
bool ToolTrajectory::find_lead_in() {
  if (path_->parts().empty()) {  // the waypoints are where τ leads, to rounding
    failure_ = {RejectReason::kNotAtStart, kNoJoint, 1, lead_in_->time, 0.0};
    return false;
  }
  for (std::size_t j = 0; j < start_.size(); ++j) {
    const double low =
        std::min(joints_.limits[j].q_min + joints_.limits[j].soft_margin, lead_in_->q[j]);
    const double high =
        std::max(joints_.limits[j].q_max - joints_.limits[j].soft_margin, lead_in_->q[j]);
    if (start_[j] >= low && start_[j] <= high) continue;
    return refuse(RejectReason::kPlanPosition, 0, 0.0, joints_.index[j], start_[j],
                  start_[j] < low ? low : high);
  }
  const Placement begin = path_->at(0.0);
  for (std::size_t j = 0; j < start_.size(); ++j) q_[joints_.index[j]] = lead_in_->q[j];
  const Placement here = tool(q_);
  const double way = (begin.position - here.position).norm();
  const double turn = rotation_vector(begin.rotation.transpose() * here.rotation).norm();
  const double nominal = std::max({way, ToolPath::kMetresPerRadian * turn, kLeastMeeting});
  lead_in_->meets = std::min(nominal, 0.5 * path_->parts().front().end);

  constexpr int kSteps = 4;
  Sample at{0.0, 0, start_};
  for (int i = 1; i <= kSteps; ++i) {
    at.s = lead_in_->meets * i / kSteps;
    if (!follow(at.s, 0, at.q)) return false;
  }
  const std::vector<double> end = slope(at, std::min(kSlopeStep, 0.1 * lead_in_->meets));
  if (end.empty()) return false;
  const CubicSpline spline = lead_in(at.q, end);
  const std::vector<MotionBounds> bounds(kLeadPieces, own_bounds(1.0, 1.0));
  const TimingLines further = [&](std::size_t piece, double x, double length,
                                  std::vector<TimingLine>& lines) {
    if (lead_in_->limits) add_tool_bounds(spline, piece, x, length, *lead_in_->limits, lines);
  };
  constexpr double kRoom = 1.0 + 1e-3;  // the path's own slope is another's, a little
  if (time_optimal(spline, bounds, kRoom * lead_in_->speed(), kLeadGrid, further)) return true;
  return refuse(RejectReason::kNotAtStart, 0, 0.0, kNoJoint, lead_in_->speed(),
                largest_start_speed(spline, bounds));
}

/// @param end, slope  of the path at s_b
CubicSpline ToolTrajectory::lead_in(const std::vector<double>& end,
                                    const std::vector<double>& slope) const {
  const LeadIn& lead = *lead_in_;
  const double length = 2.0 * lead.meets;
  std::vector<double> begin = lead.v;
  for (double& v : begin) v /= lead.speed();
  std::vector<std::vector<double>> points;
  std::vector<double> knots;
  for (std::size_t i = 0; i <= kLeadPieces; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(kLeadPieces);
    const double y = 1.0 - x;
    knots.push_back(i == kLeadPieces ? lead.meets : -lead.meets + x * length);
    std::vector<double>& point = points.emplace_back();
    for (std::size_t j = 0; j < end.size(); ++j) {
      const double second = lead.q[j] + length / 3.0 * begin[j];
      const double third = end[j] - length / 3.0 * slope[j];
      point.push_back(y * y * y * lead.q[j] + 3.0 * y * y * x * second + 3.0 * y * x * x * third +
                      x * x * x * end[j]);
    }
  }
  return {points, std::move(knots), begin, slope};  // a cubic's own spline
}

/// A sample at s_b, so that a piece of the path begins there.
bool ToolTrajectory::lay_meeting_point(std::vector<Sample>& samples) {
  constexpr double kRounding = 1e-9;  // [m]
  const double s = lead_in_->meets;
  const auto next = std::find_if(samples.begin(), samples.end(),
                                 [&](const Sample& sample) { return sample.s >= s; });
  // A piece shorter than rounding makes no sense.
  for (const auto& near : {std::prev(next), next}) {
    if (near == samples.begin() || std::abs(near->s - s) > kRounding) continue;
    lead_in_->meets = near->s;
    return true;
  }
  Sample middle = *std::prev(next);
  middle.s = s;
  middle.part = next->part;
  if (!follow(s, middle.part, middle.q)) return false;
  samples.insert(next, std::move(middle));
  return true;
}

}  // namespace jointrig
