// PlanFollowers::examine(): the plans that may be followed.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "control/motion/plan_joints.h"
#include "control/motion/reference_generator.h"
#include "control/stack/led_by_tool.h"
#include "control/stack/plan_followers.h"

namespace jointrig {
namespace {

using Phase = PlanFollowers::Phase;

Refusal refusal_of(const PlanFailure& f) noexcept {
  return {f.reason, f.joint, f.value, f.limit, static_cast<std::uint8_t>(f.quantity), f.waypoint};
}

/// Where joints are, by joint.
using Here = std::array<MotionState, kMaxJoints>;

/// A plan's joints at rest, as far as no plan moves them.
void see_joints(const JointPlan& plan, ConstJoints joints, Here& here) noexcept {
  for (const JointIndex joint : plan.joints()) {
    const JointControl& control = joints.controls[joint];
    const JointReference& now = control.reference();
    here[joint] = {now.q, now.v, now.a};
    // A plan that still moves the joint is left by a replacement alone.
    const double v = control.on_plan() ? now.v : 0.0;
    if (is_led_by_tool(control)) here[joint] = {control.state().q, v, 0.0};
  }
}

/// The joints of another plan, at a time of that.
void see_plan(const JointPlan& other, double time, Here& here) noexcept {
  std::array<MotionState, kMaxJoints> states{};
  JointPlan::Cursor cursor;
  other.at(time, cursor, {states.data(), other.joints().size()});
  for (std::size_t j = 0; j < other.joints().size(); ++j) here[other.joints()[j]] = states[j];
}

/// The joint at which the plan's start is elsewhere, beyond the tolerance.
/// @param moved  by the plan that it goes on from; the others are to be at rest
PlanFailure difference(const JointPlan& plan, const Here& here, const JointSet& moved,
                       ConstJoints joints) noexcept {
  constexpr double kNone = PlanFollowers::kStartTolerance;
  std::array<MotionState, kMaxJoints> start{};
  JointPlan::Cursor at_start;
  plan.at(0.0, at_start, {start.data(), plan.joints().size()});
  const auto not_there = [](JointIndex joint, double value, double limit) -> PlanFailure {
    return {RejectReason::kNotAtStart, joint, 0, value, limit};
  };
  for (std::size_t j = 0; j < plan.joints().size(); ++j) {
    const JointIndex joint = plan.joints()[j];
    const MotionState& from = start[j];
    const MotionState& now = here[joint];
    const bool rests = !moved.test(joint);
    const bool is_near = rests && is_led_by_tool(joints.controls[joint]);
    const double most = is_near ? PlanFollowers::kNearStart : kNone;
    if (rests && std::abs(from.v) > kNone) return not_there(joint, from.v, now.v);
    if (std::abs(from.q - now.q) > most) return not_there(joint, from.q, now.q);
    if (std::abs(from.v - now.v) > kNone) return not_there(joint, from.v, now.v);
  }
  return {};
}

/// The limits of a plan's joints against its extents.
PlanFailure beyond_limits(const JointPlan& plan, ConstJoints joints) noexcept {
  constexpr double kSlack = 1e-6;  // rounding, as a share
  for (std::size_t j = 0; j < plan.joints().size(); ++j) {
    const JointIndex joint = plan.joints()[j];
    const JointLimits& limits = joints.setups[joint].config.limits;
    const PlanExtent& extent = plan.extents()[j];
    const double here = joints.controls[joint].reference().q;
    const double low = std::min(soft_min(limits), here);
    const double high = std::max(soft_max(limits), here);
    using R = RejectReason;
    if (extent.q_min < low - kSlack) {
      return {R::kPlanPosition, joint, extent.q_min_at, extent.q_min, soft_min(limits)};
    }
    if (extent.q_max > high + kSlack) {
      return {R::kPlanPosition, joint, extent.q_max_at, extent.q_max, soft_max(limits)};
    }
    if (extent.v_max > limits.v_max * (1.0 + kSlack)) {
      return {R::kPlanSpeed, joint, extent.v_max_at, extent.v_max, limits.v_max};
    }
    if (extent.a_max > limits.a_max * (1.0 + kSlack)) {
      return {R::kPlanAcceleration, joint, extent.a_max_at, extent.a_max, limits.a_max};
    }
  }
  return {};
}

/// True if a plan of these joints may take over from the one that is followed. One of the same
/// joints that brakes has a refusal of its own.
bool may_take_over(const PlanFollowers::Follower& f, const JointSet& wanted) noexcept {
  const JointSet led = set_of(*f.now.plan);
  return led == wanted || (f.phase == Phase::kFollows && (led & ~wanted).none());
}

/// A joint that another plan still leads, though it may rest inside that: value = number of the new
/// plan's joints, limit = of that one's, waypoint = the one that it is on the way to. A plan from
/// rest of the same joints is compared with where they are, and replaces one that rests.
/// @param before  the plan that it goes on from; null: none
PlanFailure crossing(const JointPlan& plan, std::span<const PlanFollowers::Follower> followers,
                     const PlanFollowers::Follower* before) noexcept {
  const JointSet wanted = set_of(plan);
  for (const PlanFollowers::Follower& f : followers) {
    const bool follows = f.phase == Phase::kFollows && f.joints != wanted;
    if (!follows && f.phase != Phase::kStops) continue;
    if (&f == before && may_take_over(f, wanted)) continue;
    for (const JointIndex joint : plan.joints()) {
      if (!f.joints.test(joint)) continue;
      return {.reason = RejectReason::kNotAtStart,
              .joint = joint,
              .waypoint = static_cast<std::uint16_t>(f.waypoint + 1),
              .value = static_cast<double>(wanted.count()),
              .limit = static_cast<double>(f.joints.count()),
              .quantity = PlanQuantity::kCount};
    }
  }
  return {};
}

/// Why a plan can't take over at its time.
/// @param before  the plan that it goes on from; null: that isn't followed
PlanFailure not_in_time(const JointPlan& plan, const PlanFollowers::Follower* before) noexcept {
  if (before == nullptr || before->phase != Phase::kFollows) {
    return {RejectReason::kNoPlan, kNoJoint, 0, plan.after_time, 0.0};
  }
  if (before->clock.time() > plan.after_time) {
    return {RejectReason::kNotAtStart, kNoJoint, 0, plan.after_time, before->clock.time()};
  }
  const double end = before->now.plan->duration();
  if (!(plan.after_time <= end + PlanFollowers::kStartTolerance)) {
    return {RejectReason::kNotAtStart, kNoJoint, 0, plan.after_time, end, PlanQuantity::kTime};
  }
  return {};
}

}  // namespace

Refusal PlanFollowers::examine(const FollowPlan& command, ConstJoints joints) const noexcept {
  return refusal_of(failure(command, joints));
}

bool PlanFollowers::is_predecessor(const Follower& f, const JointPlan& plan) noexcept {
  return plan.after_round != 0 && f.phase != Phase::kFree && f.now.ticket.slot == plan.after_slot &&
         f.now.ticket.round == plan.after_round;
}

const PlanFollowers::Follower* PlanFollowers::predecessor(const JointPlan& plan) const noexcept {
  for (const Follower& f : followers_) {
    if (is_predecessor(f, plan)) return &f;
  }
  return nullptr;
}

JointSet PlanFollowers::led_already() const noexcept {
  const Follower* before = received_.plan != nullptr ? predecessor(*received_.plan) : nullptr;
  return before != nullptr ? set_of(*before->now.plan) : JointSet{};
}

PlanFailure PlanFollowers::failure(const FollowPlan& command, ConstJoints joints) const noexcept {
  if (received_.plan == nullptr) {
    return {RejectReason::kNoPlan, kNoJoint, 0, static_cast<double>(command.round), 0.0};
  }
  const JointPlan& plan = *received_.plan;
  if (plan.failure()) return plan.failure();
  if (set_of(plan) != command.joints) {
    return {RejectReason::kSizeMismatch, kNoJoint, 0, static_cast<double>(plan.joints().size()),
            static_cast<double>(command.joints.count())};
  }
  for (const JointIndex joint : plan.joints()) {
    const RejectReason r = joints.controls[joint].why_no_plan();
    if (r != RejectReason::kNone) return {r, joint, 0, 0.0, 0.0};
  }
  if (const PlanFailure f = beyond_limits(plan, joints)) return f;

  const Follower* before = predecessor(plan);
  if (const PlanFailure f = crossing(plan, followers_, before)) return f;
  Here here;
  see_joints(plan, joints, here);
  if (plan.after_round != 0) {
    if (const PlanFailure f = not_in_time(plan, before)) return f;
    see_plan(*before->now.plan, plan.after_time, here);
    return difference(plan, here, set_of(*before->now.plan), joints);
  }
  const auto is_free = [](const Follower& f) { return f.phase == Phase::kFree; };
  if (std::none_of(followers_.begin(), followers_.end(), is_free)) {
    return {RejectReason::kNoPlan, kNoJoint, 0, static_cast<double>(kMaxPlans), kMaxPlans};
  }
  return difference(plan, here, {}, joints);
}

}  // namespace jointrig
