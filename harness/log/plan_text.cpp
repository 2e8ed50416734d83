#include "harness/log/plan_text.h"

#include <fmt/core.h>

#include "control/core/plan.h"

namespace jointrig::harness {
namespace {

std::string on_the_way(const Event& event) {
  return event.waypoint == 0 ? "" : fmt::format(" on the way to waypoint {}", event.waypoint);
}

/// Why a plan doesn't start where it was asked to.
std::string not_at_start(const Event& event) {
  if (event.joint == kNoJoint) {
    return fmt::format(
        "the plan that it replaces is at {:.6g} s, and this one begins at {:.6g} s of it; plan "
        "from a later time",
        event.limit, event.value);
  }
  return fmt::format(
      "it starts at {:.9g}, and the reference is at {:.9g}; plan from the present reference, at "
      "rest, or from the plan that is followed",
      event.value, event.limit);
}

std::string bad_plan(const Event& event) {
  if (event.waypoint == 0) return "it has no waypoint, or not one number for each joint";
  return fmt::format(
      "waypoint {} can't be used: it has {:.6g} where the limit is {:.6g}; give finite numbers, "
      "one for each joint, ratios above 0 up to 1, times that rise, and rest at the end",
      event.waypoint, event.value, event.limit);
}

}  // namespace

std::string why_no_plan(const Event& event, bool slide) {
  const std::string way = on_the_way(event);
  const std::string_view unit = slide ? "m" : "rad";
  switch (event.reason) {
    case RejectReason::kNoPlan:
      return "no such plan waits, or as many are followed as can be; hand one over, and send its "
             "ticket";
    case RejectReason::kBadPlan:
      return bad_plan(event);
    case RejectReason::kNotAtStart:
      return not_at_start(event);
    case RejectReason::kPlanPosition:
      return fmt::format("it comes to {:.6g} {}{}, and the soft limit is {:.6g} {}", event.value,
                         unit, way, event.limit, unit);
    case RejectReason::kPlanSpeed:
      return fmt::format("its speed is {:.6g} {}/s{}, and the limit is {:.6g} {}/s; take longer",
                         event.value, unit, way, event.limit, unit);
    case RejectReason::kPlanAcceleration:
      return fmt::format(
          "its acceleration is {:.6g} {}/s²{}, and the limit is {:.6g} {}/s²; take longer",
          event.value, unit, way, event.limit, unit);
    default:
      return "no reason given";
  }
}

std::string plan_text(const Event& event, bool slide) {
  const std::string_view unit = slide ? "m" : "rad";
  switch (static_cast<PlanChange>(event.detail)) {
    case PlanChange::kStarted:
      return fmt::format("a plan of {:.6g} s through {:.6g} waypoints has started", event.value,
                         event.limit);
    case PlanChange::kWaypoint:
      return fmt::format("waypoint {:.6g} of {:.6g} passed", event.value, event.limit);
    case PlanChange::kReplaced:
      return fmt::format("the plan was replaced at {:.6g} s of {:.6g} s", event.value, event.limit);
    case PlanChange::kFinished:
      return fmt::format("the plan is finished, after {:.6g} s", event.value);
    case PlanChange::kStopped:
      return fmt::format("the plan was stopped at {:.6g} s of {:.6g} s, at rest on its path",
                         event.value, event.limit);
    case PlanChange::kContact:
      return "the plan ends, since this joint has stopped on a contact";
    case PlanChange::kFault:
      return "the plan ends, since this joint or its part has a fault";
    case PlanChange::kGuided:
      return "the plan ends, since this joint is guided by hand";
    case PlanChange::kLeft:
      return "the plan ends, since this joint has another command or another mode";
    case PlanChange::kPathTolerance:
      return fmt::format(
          "the plan stops: {:.4g} {} from its reference, and the tolerance is {:.4g} {}",
          event.value, unit, event.limit, unit);
    case PlanChange::kGoalTolerance:
      return fmt::format(
          "the plan has ended {:.4g} {} from its goal, and the tolerance is {:.4g} {}", event.value,
          unit, event.limit, unit);
  }
  return "a plan has changed";
}

}  // namespace jointrig::harness
