#include "app/planner/plan_report.h"

#include <algorithm>
#include <cmath>

#include "harness/log/plan_text.h"

namespace jointrig::app {

void report_path(const JointPlan& plan, PlanReport& report) {
  JointPlan::Cursor cursor;
  std::vector<MotionState> states(plan.joints().size());
  const auto place_at = [&](double t) {
    plan.at(t, cursor, states);
    std::vector<double> q;
    for (const MotionState& state : states) q.push_back(state.q);
    return q;
  };
  report.duration = plan.duration();
  report.joints.assign(plan.joints().begin(), plan.joints().end());
  const double steps = std::ceil(plan.duration() / kReportStep);
  const auto count =
      static_cast<std::size_t>(std::clamp(steps, 1.0, static_cast<double>(kMostReported)));
  for (std::size_t n = 0; n <= count; ++n) {
    const double t = plan.duration() * static_cast<double>(n) / static_cast<double>(count);
    report.times.push_back(t);
    report.q.push_back(place_at(t));
  }
  for (const double t : plan.waypoints()) {
    report.waypoint_times.push_back(t);
    report.waypoint_q.push_back(place_at(t));
  }
}

void report_meeting(const PathCollision::Meeting& meeting, PlanReport& report) {
  report.meets = meeting.a + " and " + meeting.b;
  report.meets_at = meeting.time;
  report.meets_q.assign(meeting.q.begin(), meeting.q.end());
}

void report_refusal(const JointPlan& plan, const RobotConfig& config, PlanReport& report) {
  if (!plan.failure()) return;
  report.waypoint = plan.failure().waypoint;
  report.refusal = harness::why_refused(plan, config);
}

}  // namespace jointrig::app
