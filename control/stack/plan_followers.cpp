#include "control/stack/plan_followers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "control/motion/plan_joints.h"
#include "control/stack/led_by_tool.h"
#include "control/stack/why_off_plan.h"

namespace jointrig {
namespace {

/// Pace of a plan before its first cycle.
constexpr double kAtOverride = -1.0;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

Event plan_event(const EventReporter& events, const PlanFollowers::Held& held, EventKind kind,
                 PlanChange change) noexcept {
  Event e = events.event(kind, kNoJoint);
  e.detail = static_cast<std::uint8_t>(change);
  e.sender = held.sender;
  e.number = held.number;
  e.command = CommandKind::kFollowPlan;
  return e;
}

void tell(EventReporter& events, const PlanFollowers::Held& held, PlanChange change, double value,
          double limit, std::uint32_t waypoint = 0) noexcept {
  Event e = plan_event(events, held, EventKind::kPlan, change);
  e.value = value;
  e.limit = limit;
  e.waypoint = static_cast<std::uint16_t>(waypoint);
  events.publish(e);
}

std::uint32_t count_of_waypoints(const JointPlan& plan) noexcept {
  return static_cast<std::uint32_t>(plan.waypoints().size());
}

void tell_broken(EventReporter& events, const PlanFollowers::Follower& f, PlanChange why,
                 std::size_t joint, const JointControl& control, double value = 0.0,
                 double limit = 0.0) noexcept {
  const auto tell_one = [&](const PlanFollowers::Held& held, std::uint32_t waypoint) {
    Event e = plan_event(events, held, EventKind::kPlanBroken, why);
    e.joint = static_cast<JointIndex>(joint);
    e.mode = control.machine().shown();
    e.fault = control.machine().fault().code;
    e.value = value;
    e.limit = limit;
    e.waypoint = static_cast<std::uint16_t>(waypoint);
    events.publish(e);
  };
  const std::uint32_t last = count_of_waypoints(*f.now.plan);
  tell_one(f.now, std::min(f.waypoint + 1, last));  // it may have passed all
  if (f.next.plan != nullptr) tell_one(f.next, 1);  // which would have begun on this one
}

/// The plan that was to take over never begins.
void tell_dropped(EventReporter& events, const PlanFollowers::Follower& f,
                  PlanChange why) noexcept {
  if (f.next.plan != nullptr) tell(events, f.next, why, 0.0, f.next.plan->duration());
}

/// A joint that is further from its reference than it may be.
struct Astray {
  JointIndex joint = kNoJoint;
  double away = 0.0;  ///< [rad or m]
  double most = 0.0;
};

/// The first one of a plan's joints.
/// @param most_of  tolerance of the plan's j-th joint; 0: none
template <typename MostOf>
std::optional<Astray> find_astray(const JointPlan& plan, Joints joints, MostOf most_of) noexcept {
  for (std::size_t j = 0; j < plan.joints().size(); ++j) {
    const JointIndex joint = plan.joints()[j];
    const JointControl& control = joints.controls[joint];
    const double away = std::abs(control.state().q - control.reference().q);
    const double most = most_of(j);
    if (most > 0.0 && away > most) return Astray{joint, away, most};
  }
  return std::nullopt;
}

void tell_broken(EventReporter& events, const PlanFollowers::Follower& f, PlanChange why,
                 const Astray& astray, Joints joints) noexcept {
  tell_broken(events, f, why, astray.joint, joints.controls[astray.joint], astray.away,
              astray.most);
}

/// True if the plan that is followed is where another takes over, or further.
bool passes_next(const PlanFollowers::Follower& f) noexcept {
  return f.next.plan != nullptr && f.phase == PlanFollowers::Phase::kFollows &&
         f.clock.time() >= std::min(f.next.plan->after_time, f.now.plan->duration());
}

/// Calls `visit(joint)` for the joints that only the plan that is to take over has: they rest until
/// then. `visit` may drop that plan.
template <typename Visit>
void for_each_waiting(const PlanFollowers::Follower& f, Visit&& visit) noexcept {
  if (f.next.plan == nullptr) return;
  const JointSet waiting = f.joints & ~set_of(*f.now.plan);
  for (std::size_t joint = 0; joint < kMaxJoints && f.next.plan != nullptr; ++joint) {
    if (waiting.test(joint)) visit(static_cast<JointIndex>(joint));
  }
}

void hold_waiting(const PlanFollowers::Follower& f, Joints joints) noexcept {
  for_each_waiting(f, [&](JointIndex joint) {
    JointControl& control = joints.controls[joint];
    control.follow_plan({control.planned(), 0.0, 0.0}, f.next.plan->execution);
  });
}

/// Moves the clock on by a cycle, from the references that the joints have.
/// @param states  gets where the plan is then
void advance_clock(PlanFollowers::Follower& f, Joints joints, double speed_override, double dt,
                   std::array<MotionState, kMaxJoints>& states) noexcept {
  const std::span<const JointIndex> on = f.now.plan->joints();
  std::array<double, kMaxJoints> a_max{};
  for (std::size_t j = 0; j < on.size(); ++j) {
    const JointReference& now = joints.controls[on[j]].reference();
    states[j] = {now.q, now.v, now.a};
    // One that has left it follows nothing, and bounds nothing.
    const bool is_on = f.joints.test(on[j]);
    a_max[j] = is_on ? joints.setups[on[j]].config.limits.a_max : kUnbounded;
  }
  const double wanted = f.phase == PlanFollowers::Phase::kStops ? 0.0 : speed_override;
  f.clock.advance(*f.now.plan, wanted, {a_max.data(), on.size()}, dt, {states.data(), on.size()});
}

}  // namespace

// Into the loop, and out of it --------------------------------------------------------------------

void PlanFollowers::receive(const Request& request) noexcept {
  received_ = {};
  const auto* command = std::get_if<FollowPlan>(&request);
  if (command == nullptr) return;
  received_.ticket = {command->slot, command->round};
  const std::shared_ptr<const JointPlan>* plan = pool_->take(received_.ticket);
  if (plan != nullptr) received_.plan = plan->get();
}

void PlanFollowers::give_back(Held& held) noexcept {
  if (held.plan != nullptr) pool_->give_back(held.ticket);
  held = {};
}

void PlanFollowers::refuse() noexcept { give_back(received_); }

void PlanFollowers::take(const FollowPlan& command, std::uint16_t sender, std::uint64_t number,
                         Joints joints, EventReporter& events) noexcept {
  Held held = received_;
  received_ = {};
  held.sender = sender;
  held.number = number;
  if (held.plan->after_round != 0) {
    for (Follower& f : followers_) {
      if (is_predecessor(f, *held.plan)) wait_behind(f, held, joints, events);
    }
    return;
  }
  make_way(command.joints, events);
  for (Follower& f : followers_) {
    if (f.phase != Phase::kFree) continue;
    f = Follower{};
    f.now = held;
    f.number = ++followed_;
    f.joints = command.joints;
    f.phase = Phase::kFollows;
    f.clock = PlanClock(0.0, kAtOverride);
    begin(*held.plan, command.joints, joints);
    tell(events, f.now, PlanChange::kStarted, held.plan->duration(),
         count_of_waypoints(*held.plan));
    return;
  }
}

/// Joints that it has more than the plan before are led from now on, and rest where it begins.
void PlanFollowers::wait_behind(Follower& f, const Held& held, Joints joints,
                                EventReporter& events) noexcept {
  tell_dropped(events, f, PlanChange::kReplaced);
  drop_next(f, joints);
  const JointSet joining = set_of(*held.plan) & ~f.joints;
  make_way(joining, events);
  f.next = held;
  f.joints |= joining;
  begin(*held.plan, joining, joints);
}

/// Plans of these joints end for another one: what crossing() leaves is one that settles, which is
/// over, and one of the same joints that follows and rests: before its first step, or at a waypoint
/// at rest.
void PlanFollowers::make_way(const JointSet& joints, EventReporter& events) noexcept {
  for (Follower& f : followers_) {
    if (f.phase == Phase::kFree || (f.joints & joints).none()) continue;
    const double duration = f.now.plan->duration();
    if (f.phase == Phase::kFollows) {
      tell(events, f.now, PlanChange::kReplaced, f.clock.time(), duration, f.waypoint);
      tell_dropped(events, f, PlanChange::kReplaced);
    } else if (f.settled >= 0.0) {  // else it was told why it has ended
      tell(events, f.now, PlanChange::kFinished, f.took, duration, f.waypoint);
    }
    give_back(f.now);
    give_back(f.next);
    f = {};
  }
}

/// The references of these joints are at the start, to within what counts as none.
void PlanFollowers::begin(const JointPlan& plan, const JointSet& which, Joints joints) noexcept {
  std::array<MotionState, kMaxJoints> start{};
  JointPlan::Cursor at_start;
  plan.at(0.0, at_start, {start.data(), plan.joints().size()});
  for (std::size_t j = 0; j < plan.joints().size(); ++j) {
    if (!which.test(plan.joints()[j])) continue;
    JointControl& control = joints.controls[plan.joints()[j]];
    const double q = is_led_by_tool(control) ? start[j].q : control.reference().q;
    control.follow_plan({q, 0.0, 0.0}, plan.execution);
  }
}

/// The plan that was to take over never begins: joints that wait for it alone are let go.
void PlanFollowers::drop_next(Follower& f, Joints joints) noexcept {
  for_each_waiting(f, [&](JointIndex joint) {
    joints.controls[joint].end_plan();
    f.joints.reset(joint);
  });
  give_back(f.next);
}

void PlanFollowers::stop(const JointSet& joints) noexcept {
  for (Follower& f : followers_) {
    if (f.phase != Phase::kFollows || (f.joints & joints).none()) continue;
    f.phase = Phase::kStops;
    f.end = PlanChange::kStopped;
  }
}

// A cycle -----------------------------------------------------------------------------------------

void PlanFollowers::advance(Joints joints, const JointSet& stopped, double speed_override,
                            double dt, EventReporter& events) noexcept {
  for (Follower& f : followers_) {
    if (f.phase == Phase::kFree) continue;
    look_at_joints(f, joints, stopped, events);
    follow(f, joints, speed_override, dt, events);
  }
}

void PlanFollowers::follow(Follower& f, Joints joints, double speed_override, double dt,
                           EventReporter& events) noexcept {
  f.took += dt;
  if (f.joints.none()) {
    release(f, joints);
    return;
  }
  if (f.clock.pace() == kAtOverride) f.clock = PlanClock(0.0, speed_override);
  if (f.phase == Phase::kSettles) {
    settle(f, joints, dt, events);
    return;
  }
  watch_path(f, joints, events);
  std::array<MotionState, kMaxJoints> states{};
  const PlanClock before = f.clock;
  advance_clock(f, joints, speed_override, dt, states);
  // By the pace of this cycle, so that the next one is followed from behind its start.
  if (passes_next(f)) {
    f.clock = before;
    take_over(f, dt, events);
    advance_clock(f, joints, speed_override, dt, states);
  }
  const std::span<const JointIndex> on = f.now.plan->joints();
  for (std::size_t j = 0; j < on.size(); ++j) {
    if (!f.joints.test(on[j])) continue;
    joints.controls[on[j]].follow_plan(states[j], f.now.plan->execution);
  }
  hold_waiting(f, joints);
  pass_waypoints(f, joints, events);
  if (f.clock.is_over(*f.now.plan)) {
    if (f.phase == Phase::kFollows) f.phase = Phase::kSettles;
    f.settled = 0.0;
  }
  if (f.phase == Phase::kStops && (f.clock.pace() == 0.0 || f.clock.is_over(*f.now.plan))) {
    if (f.end == PlanChange::kStopped) {
      tell(events, f.now, PlanChange::kStopped, f.clock.time(), f.now.plan->duration(), f.waypoint);
      tell_dropped(events, f, PlanChange::kStopped);
    }
    f.phase = Phase::kSettles;
    f.settled = -1.0;  // at rest: nothing more is watched
  }
}

/// A joint that has left its plan ends it: the others slow down along the path. So does one that
/// waits for the next plan.
void PlanFollowers::look_at_joints(Follower& f, Joints joints, const JointSet& stopped,
                                   EventReporter& events) noexcept {
  const auto look_at = [&](JointIndex joint) {
    const JointControl& control = joints.controls[joint];
    if (!f.joints.test(joint) || control.on_plan()) return;
    f.joints.reset(joint);
    if (f.phase == Phase::kStops && f.end != PlanChange::kStopped) return;  // was told
    f.end = why_off_plan(control, stopped.test(joint));
    tell_broken(events, f, f.end, joint, control);
    if (f.phase == Phase::kFollows) f.phase = Phase::kStops;
    drop_next(f, joints);
  };
  for (const JointIndex joint : f.now.plan->joints()) look_at(joint);
  for_each_waiting(f, look_at);
}

/// It was told; the joints brake along the path, and no other plan comes after.
void PlanFollowers::brake(Follower& f, PlanChange why, Joints joints) noexcept {
  f.phase = Phase::kStops;
  f.end = why;
  drop_next(f, joints);
}

void PlanFollowers::watch_path(Follower& f, Joints joints, EventReporter& events) noexcept {
  const JointPlan& plan = *f.now.plan;
  if (f.phase != Phase::kFollows || plan.tolerances.empty()) return;
  const auto path = [&plan](std::size_t j) { return plan.tolerances[j].path; };
  const std::optional<Astray> astray = find_astray(plan, joints, path);
  if (!astray) return;
  tell_broken(events, f, PlanChange::kPathTolerance, *astray, joints);
  brake(f, PlanChange::kPathTolerance, joints);
}

void PlanFollowers::watch_waypoint(Follower& f, Joints joints, EventReporter& events) noexcept {
  const JointPlan& plan = *f.now.plan;
  if (f.phase != Phase::kFollows || plan.waypoint_tolerances.empty()) return;
  const std::size_t row = f.waypoint * plan.joints().size();
  const auto there = [&](std::size_t j) { return plan.waypoint_tolerances[row + j]; };
  const std::optional<Astray> astray = find_astray(plan, joints, there);
  if (!astray) return;
  tell_broken(events, f, PlanChange::kWaypointTolerance, *astray, joints);
  brake(f, PlanChange::kWaypointTolerance, joints);
}

void PlanFollowers::pass_waypoints(Follower& f, Joints joints, EventReporter& events) noexcept {
  // The waypoint that it broke at is not passed, nor is one behind it, on the way to rest.
  const auto is_broken = [&f] {
    return f.phase == Phase::kStops && f.end == PlanChange::kWaypointTolerance;
  };
  const std::span<const double> waypoints = f.now.plan->waypoints();
  while (!is_broken() && f.waypoint < waypoints.size() && waypoints[f.waypoint] <= f.clock.time()) {
    watch_waypoint(f, joints, events);
    if (is_broken()) return;
    ++f.waypoint;
    tell(events, f.now, PlanChange::kWaypoint, f.waypoint, count_of_waypoints(*f.now.plan),
         f.waypoint);
  }
}

/// In the cycle that passes the end of the old one, which is the start of the new one. Its joints
/// are those of the new one already.
void PlanFollowers::take_over(Follower& f, double dt, EventReporter& events) noexcept {
  tell(events, f.now, PlanChange::kReplaced, f.clock.time(), f.now.plan->duration(), f.waypoint);
  f.clock.begin_at(f.next.plan->after_time);
  give_back(f.now);
  f.now = f.next;
  f.number = ++followed_;
  f.next = {};
  f.waypoint = 0;
  f.interactions = 0;
  f.took = dt;
  tell(events, f.now, PlanChange::kStarted, f.now.plan->duration(),
       count_of_waypoints(*f.now.plan));
}

void PlanFollowers::settle(Follower& f, Joints joints, double dt, EventReporter& events) noexcept {
  const JointPlan& plan = *f.now.plan;
  if (f.settled < 0.0) {
    release(f, joints);
    return;
  }
  f.settled += dt;
  const auto goal = [&plan](std::size_t j) {
    return plan.tolerances.empty() ? 0.0 : plan.tolerances[j].goal;
  };
  if (const std::optional<Astray> astray = find_astray(plan, joints, goal)) {
    if (f.settled > plan.settling_time) {
      tell_broken(events, f, PlanChange::kGoalTolerance, *astray, joints);
      release(f, joints);
      return;
    }
    for (const JointIndex held : plan.joints()) {  // it may still come
      const JointReference& now = joints.controls[held].reference();
      if (!f.joints.test(held)) continue;
      joints.controls[held].follow_plan({now.q, 0.0, 0.0}, plan.execution);
    }
    return;
  }
  tell(events, f.now, PlanChange::kFinished, f.took, plan.duration(), f.waypoint);
  release(f, joints);
}

void PlanFollowers::release(Follower& f, Joints joints) noexcept {
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    if (f.joints.test(joint)) joints.controls[joint].end_plan();
  }
  give_back(f.now);
  give_back(f.next);
  f = {};
}

void PlanFollowers::publish(FixedVector<PlanSnapshot, kMaxPlans>& plans) const noexcept {
  plans.clear();
  for (const Follower& f : followers_) {
    if (f.phase == Phase::kFree) continue;
    plans.push_back({.time = f.clock.time(),
                     .duration = f.now.plan->duration(),
                     .pace = std::max(f.clock.pace(), 0.0),
                     .joints = f.joints & set_of(*f.now.plan),
                     .slot = f.now.ticket.slot,
                     .round = f.now.ticket.round,
                     .waypoint = f.waypoint,
                     .waypoints = count_of_waypoints(*f.now.plan),
                     .number = f.number});
  }
}

// State -------------------------------------------------------------------------------------------

PlanFollowers::State PlanFollowers::state() const {
  State state{.followers = followers_, .followed = followed_, .plans = {}};
  for (const Follower& f : followers_) {
    for (const Held& held : {f.now, f.next}) {
      if (held.plan != nullptr) state.plans.push_back(held.plan->shared_from_this());
    }
  }
  return state;
}

void PlanFollowers::restore(const State& state) {
  followers_ = state.followers;
  followed_ = state.followed;
  kept_ = state.plans;
}

}  // namespace jointrig
