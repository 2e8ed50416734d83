#include "harness/log/plan_text.h"

#include <fmt/core.h>

#include "control/core/command.h"
#include "control/core/faults.h"
#include "control/core/plan.h"
#include "control/core/plan_quantity.h"
#include "harness/log/number_text.h"

namespace jointrig::harness {
namespace {

std::string on_the_way(const Event& event) {
  return event.waypoint == 0 ? "" : fmt::format(" on the way to waypoint {}", event.waypoint);
}

/// Why a plan doesn't start where it was asked to.
std::string not_at_start(const Event& event) {
  const auto quantity = static_cast<PlanQuantity>(event.detail);
  if (event.joint == kNoJoint && quantity == PlanQuantity::kTime) {
    return fmt::format(
        "the plan that it replaces ends at {:.6g} s, and this one begins at {:.6g} s of it; begin "
        "it by that end, or follow it once that one has finished",
        event.limit, event.value);
  }
  if (event.joint == kNoJoint) {
    return fmt::format(
        "the plan that it replaces is at {:.6g} s, and this one begins at {:.6g} s of it; plan "
        "from a later time",
        event.limit, event.value);
  }
  if (quantity == PlanQuantity::kCount) {
    return fmt::format(
        "a trajectory of {:.0f} joints leads it, on the way to waypoint {}, and this one is of "
        "{:.0f}; replace that one alone by one of all its joints, and more if you want, or stop it "
        "and wait until it stands",
        event.limit, event.waypoint, event.value);
  }
  return fmt::format(
      "it starts at {:.9g}, and the reference is at {:.9g}; plan from the present reference, at "
      "rest, or from the plan that is followed",
      event.value, event.limit);
}

/// Name, unit and what to do about a number of a plan.
struct QuantityWords {
  std::string_view name;
  std::string_view unit;
  std::string_view advice;
};

QuantityWords words_of(PlanQuantity quantity, bool slide) {
  constexpr std::string_view kFinite = "give a finite number";
  constexpr std::string_view kWithin = "give a number above 0, up to the limit";
  switch (quantity) {
    case PlanQuantity::kCount:
      return {"number of values", "", "give one for each joint"};
    case PlanQuantity::kPosition:
      return {"position", slide ? "m" : "rad", kFinite};
    case PlanQuantity::kVelocity:
      return {"velocity", slide ? "m/s" : "rad/s", "end at rest, with finite numbers on the way"};
    case PlanQuantity::kAcceleration:
      return {"acceleration", slide ? "m/s²" : "rad/s²", kFinite};
    case PlanQuantity::kTime:
      return {"time", "s", "let times rise from waypoint to waypoint"};
    case PlanQuantity::kSpeedRatio:
      return {"speed, a share of the joints' largest,", "", kWithin};
    case PlanQuantity::kAccelerationRatio:
      return {"acceleration, a share of the joints' largest,", "", kWithin};
    case PlanQuantity::kLinearSpeed:
      return {"linear speed of the tool", "m/s", kWithin};
    case PlanQuantity::kLinearAcceleration:
      return {"linear acceleration of the tool", "m/s²", kWithin};
    case PlanQuantity::kRotationalSpeed:
      return {"rotational speed of the tool", "rad/s", kWithin};
    case PlanQuantity::kRotationalAcceleration:
      return {"rotational acceleration of the tool", "rad/s²", kWithin};
    case PlanQuantity::kCornerDistance:
      return {"corner distance", "m", "give 0 or more"};
    case PlanQuantity::kPose:
      return {"pose", "", "give finite numbers, and a quaternion of length 1"};
    case PlanQuantity::kTolerance:
      return {"tolerance", slide ? "m" : "rad", "give a finite number, 0 or more"};
    case PlanQuantity::kLargestAcceleration:
      return {"largest acceleration", slide ? "m/s²" : "rad/s²",
              "give 0 (its share of the joint's alone) up to the limit; none in a plan at times"};
    case PlanQuantity::kVelocities:
    case PlanQuantity::kAccelerations:
    case PlanQuantity::kInteraction:
    case PlanQuantity::kNone:
      break;
  }
  return {"number", "", kFinite};
}

std::string bad_interaction(const Event& event, std::size_t place) {
  const std::string whose =
      fmt::format("waypoint {} can't be used: of its interaction control ", event.waypoint);
  if (place == 0) {
    return whose + fmt::format(
                       "{:.0f} posture stiffnesses are given, and the arm has {:.0f} joints; give "
                       "one for each, or none",
                       event.value, event.limit);
  }
  return whose + number_out_of_range(CommandKind::kSetInteractionControl, place - 1, event.value,
                                     event.limit);
}

std::string bad_plan(const Event& event, bool slide) {
  if (event.waypoint == 0) return "it has no waypoint, or not one number for each joint";
  constexpr auto kInteraction = static_cast<std::size_t>(PlanQuantity::kInteraction);
  if (event.detail >= kInteraction) return bad_interaction(event, event.detail - kInteraction);
  const auto quantity = static_cast<PlanQuantity>(event.detail);
  if (quantity == PlanQuantity::kVelocities || quantity == PlanQuantity::kAccelerations) {
    return fmt::format(
        "waypoint {} can't be used: it has {:.0f} {} where {:.0f} are wanted; give one for each "
        "joint at all waypoints of a trajectory at times, accelerations with velocities alone, or "
        "none at all",
        event.waypoint, event.value, to_string(quantity), event.limit);
  }
  const QuantityWords words = words_of(quantity, slide);
  const std::string gap = words.unit.empty() ? "" : " ";
  return fmt::format(
      "waypoint {} can't be used: its {} is {:.6g}{}{} where the limit is {:.6g}{}{}; {}",
      event.waypoint, words.name, event.value, gap, words.unit, event.limit, gap, words.unit,
      words.advice);
}

constexpr double kMilli = 1e3;

}  // namespace

std::string why_no_plan(const Event& event, bool slide) {
  const std::string way = on_the_way(event);
  const std::string_view unit = slide ? "m" : "rad";
  switch (event.reason) {
    case RejectReason::kNoPlan:
      return "no such plan waits, or as many are followed as can be; hand one over, and send its "
             "ticket";
    case RejectReason::kBadPlan:
      return bad_plan(event, slide);
    case RejectReason::kNotAtStart:
      return not_at_start(event);
    case RejectReason::kPlanPosition:
      return fmt::format(
          "it comes to {:.6g} {}{}, and the soft limit is {:.6g} {}; stay within it, by another "
          "waypoint or in another posture",
          event.value, unit, way, event.limit, unit);
    case RejectReason::kPlanSpeed:
      return fmt::format("its speed is {:.6g} {}/s{}, and the limit is {:.6g} {}/s; take longer",
                         event.value, unit, way, event.limit, unit);
    case RejectReason::kPlanAcceleration:
      return fmt::format(
          "its acceleration is {:.6g} {}/s²{}, and the limit is {:.6g} {}/s²; take longer",
          event.value, unit, way, event.limit, unit);
    case RejectReason::kPlanSpline:
      if (!(event.limit > 0.0)) return "no timing of it" + way + " keeps to the bounds";
      return fmt::format(
          "no spline of the joints keeps to the tool's path: {:.4g} mm from it{}, and the limit is "
          "{:.4g} mm",
          kMilli * event.value, way, kMilli * event.limit);
    case RejectReason::kPlanReach:
      return fmt::format(
          "no joint positions bring the tool to its path{}: the nearest leave it {:.4g} mm and "
          "{:.4g} rad off",
          way, kMilli * event.value, event.limit);
    case RejectReason::kPlanJump:
      return fmt::format(
          "the joint would have to jump by {:.4g} {}{}, more than {:.4g} {}: begin in another "
          "posture, or take another way",
          event.value, unit, way, event.limit, unit);
    case RejectReason::kPlanSingular:
      return fmt::format(
          "it leads through a singular pose{}: the smallest singular value is {:.4g} m/rad, and "
          "the "
          "limit is {:.4g} m/rad; take another way, or move joints there",
          way, event.value, event.limit);
    case RejectReason::kPlanCollision:
      return fmt::format(
          "two bodies come as near as {:.4g} mm{}, and {:.4g} mm is the limit; take another way",
          kMilli * event.value, way, kMilli * event.limit);
    case RejectReason::kUnknownEndpoint:
      return fmt::format(
          "the robot has no such endpoint that could go to waypoint {}; give the name of a site or "
          "a body of its model, or none for the arm's tool",
          event.waypoint);
    default:
      return "no reason given";
  }
}

std::string why_refused(const JointPlan& plan, const RobotConfig& config) {
  const PlanFailure& failure = plan.failure();
  Event event;
  event.kind = EventKind::kRejected;
  event.reason = failure.reason;
  event.joint = failure.joint;
  event.waypoint = failure.waypoint;
  event.value = failure.value;
  event.limit = failure.limit;
  event.detail = static_cast<std::uint8_t>(failure.quantity);
  const JointConfig* joint =
      failure.joint < config.joints.size() ? &config.joints[failure.joint] : nullptr;
  std::string words = joint != nullptr ? joint->name + ": " : std::string();
  words += why_no_plan(event, joint != nullptr && joint->slide);
  if (!plan.remark.empty()) words += " (" + plan.remark + ")";
  return words;
}

std::string why_off_its_way(const Event& event) {
  switch (static_cast<PlanChange>(event.detail)) {
    case PlanChange::kContact:
      return "this joint has stopped on a contact";
    case PlanChange::kFault:
      return event.fault == FaultCode::kNone
                 ? std::string("the part of this joint is held")
                 : fmt::format("this joint has a fault: {}", describe(event.fault));
    case PlanChange::kGuided:
      return "this joint is guided by hand";
    case PlanChange::kDisabled:
      return "the motor of this joint was switched off";
    case PlanChange::kAvoidance:
      return "collision avoidance has stopped this joint";
    default:
      return fmt::format("this joint has another command or mode: {}", to_string(event.mode));
  }
}

std::string plan_text(const Event& event, bool slide) {
  const std::string_view unit = slide ? "m" : "rad";
  const std::string way = on_the_way(event);
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
    case PlanChange::kFault:
    case PlanChange::kGuided:
    case PlanChange::kLeft:
    case PlanChange::kDisabled:
    case PlanChange::kAvoidance:
      return fmt::format("the plan ends{}, since {}", way, why_off_its_way(event));
    case PlanChange::kPathTolerance:
      return fmt::format(
          "the plan stops{}: {:.4g} {} from its reference, and the tolerance is {:.4g} {}", way,
          event.value, unit, event.limit, unit);
    case PlanChange::kGoalTolerance:
      return fmt::format(
          "the plan has ended {:.4g} {} from its goal, and the tolerance is {:.4g} {}", event.value,
          unit, event.limit, unit);
    case PlanChange::kWaypointTolerance:
      return fmt::format(
          "the plan stops at waypoint {}: {:.4g} {} from its reference, and the tolerance there is "
          "{:.4g} {}",
          event.waypoint, event.value, unit, event.limit, unit);
  }
  return "a plan has changed";
}

}  // namespace jointrig::harness
