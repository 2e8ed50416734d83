#pragma once
/// Ideal joints that follow plans, and what is seen of them in every cycle.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "control/motion/plan_joints.h"
#include "control/planning/joint_trajectory.h"
#include "tests/support/ideal_rig.h"

namespace jointrig::testing {

using Points = std::vector<std::vector<double>>;

inline JointSet joints_at(std::initializer_list<std::size_t> places) {
  JointSet joints;
  for (const std::size_t place : places) joints.set(place);
  return joints;
}

struct PlannedRig : IdealRig {
  explicit PlannedRig(std::size_t joints = 2) : IdealRig(joints) {
    all = client.select("all");
    on = TrajectoryJoints::of(stack.config(), all);
    enter(ModeRequest::kPosition);
    events();
  }

  /// From rest.
  JointPlan to(const Points& points, double speed = 1.0) { return to(all, points, speed); }
  JointPlan to(const JointSet& joints, const Points& points, double speed = 1.0) {
    TrajectoryStart here;
    for (const JointIndex joint : of(joints).index) here.q.push_back(reference(joint).q);
    return plan_through(of(joints), here, through(points, speed));
  }
  /// In the midst of the only plan that is followed.
  /// @param lead  before its end [s]
  JointPlan replacing(const JointPlan& followed, double lead, const Points& points) {
    return replacing(all, followed, lead, points);
  }
  JointPlan replacing(const JointSet& joints, const JointPlan& followed, double lead,
                      const Points& points) {
    const PlanSnapshot now = stack.snapshot().plans[0];
    const double time = std::min(now.time + lead, followed.duration());
    std::vector<MotionState> by_joint(stack.config().joints.size());
    for (std::size_t i = 0; i < by_joint.size(); ++i) by_joint[i].q = reference(i).q;
    std::vector<MotionState> states(followed.joints().size());
    JointPlan::Cursor cursor;
    followed.at(time, cursor, states);
    for (std::size_t j = 0; j < states.size(); ++j) by_joint[followed.joints()[j]] = states[j];
    TrajectoryStart start;
    for (const JointIndex joint : of(joints).index) {
      start.q.push_back(by_joint[joint].q);
      start.v.push_back(by_joint[joint].v);
    }
    JointPlan plan = plan_through(of(joints), start, through(points, 1.0));
    plan.after_slot = now.slot;
    plan.after_round = now.round;
    plan.after_time = time;
    return plan;
  }

  PlanTicket hand_over(JointPlan plan) {
    auto draft = stack.plans().claim();
    **draft = std::make_shared<const JointPlan>(std::move(plan));
    return stack.plans().hand_over(std::move(*draft));
  }
  std::uint64_t follow(PlanTicket ticket) { return follow(ticket, all); }
  std::uint64_t follow(PlanTicket ticket, const JointSet& joints) {
    return client.post(FollowPlan{joints, ticket.slot, ticket.round});
  }
  /// Hands it over and has it followed.
  std::uint64_t follow(JointPlan plan) {
    const JointSet joints = plan.failure() ? all : set_of(plan);
    const PlanTicket ticket = hand_over(std::move(plan));
    return follow(ticket, joints);
  }
  Event follow_answer(JointPlan plan) {
    return answer([&] { return follow(std::move(plan)); });
  }

  std::vector<Event> changes() {
    std::vector<Event> found;
    for (const Event& e : events()) {
      if (e.kind == EventKind::kPlan || e.kind == EventKind::kPlanBroken) found.push_back(e);
    }
    return found;
  }
  std::vector<PlanChange> words() {
    std::vector<PlanChange> found;
    for (const Event& e : changes()) found.push_back(static_cast<PlanChange>(e.detail));
    return found;
  }
  bool is_replaced() {
    const std::vector<PlanChange> told = words();
    return std::find(told.begin(), told.end(), PlanChange::kReplaced) != told.end();
  }
  [[nodiscard]] const FixedVector<PlanSnapshot, kMaxPlans>& plans() const {
    return stack.snapshot().plans;
  }
  [[nodiscard]] const JointReference& reference(std::size_t i) const { return joint(i).reference; }
  [[nodiscard]] TrajectoryJoints of(const JointSet& joints) const {
    return TrajectoryJoints::of(stack.config(), joints);
  }

  JointSet all;
  TrajectoryJoints on;

 private:
  static std::vector<JointWaypoint> through(const Points& points, double speed) {
    std::vector<JointWaypoint> waypoints;
    for (const std::vector<double>& q : points) waypoints.push_back({q, speed, 1.0});
    return waypoints;
  }
};

/// Differentiates the references of every cycle.
struct Watched {
  explicit Watched(PlannedRig& rig) : rig_(rig) { look(); }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      const std::vector<JointReference> before = last_;
      rig_.run(1);
      look();
      for (std::size_t j = 0; j < last_.size(); ++j) {
        const JointLimits& limits = rig_.on.limits[j];
        const double v = (last_[j].q - before[j].q) / kDt;
        const double a = (last_[j].v - before[j].v) / kDt;
        speed = std::max(speed, std::abs(v) / limits.v_max);
        acceleration = std::max(acceleration, std::abs(a) / limits.a_max);
        // Position and velocity belong together: their difference is at most that of half a cycle.
        const double one = std::abs(v - 0.5 * (before[j].v + last_[j].v)) / (limits.a_max * kDt);
        torn = std::max(torn, one);
      }
    }
  }

  static constexpr double kDt = 1e-3;
  double speed = 0.0;
  double acceleration = 0.0;
  double torn = 0.0;

  void look() {
    last_.clear();
    for (const JointIndex joint : rig_.on.index) last_.push_back(rig_.joint(joint).reference);
  }

 private:
  PlannedRig& rig_;
  std::vector<JointReference> last_;
};

}  // namespace jointrig::testing
