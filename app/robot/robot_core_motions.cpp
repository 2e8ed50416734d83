// Motions in a robot's core: trajectories that a plan is made for, moves that wait for their turn,
// and where each joint is expected after all of them.

#include <algorithm>
#include <cmath>

#include "app/robot/robot_core.h"
#include "control/motion/reference_generator.h"

namespace jointrig {
namespace {

/// Time in which a reference comes from here to the goal, by the generator that the loop has [s].
double time_of_move(const JointReference& from, double goal, double speed, double pace,
                    const JointLimits& limits, double dt) {
  constexpr double kLongest = 600.0;
  ReferenceGenerator path;
  path.start(from.q, from.v);
  path.set_speed_override(pace);
  path.move(goal, speed, limits);
  double time = 0.0;
  while (time < kLongest && !path.arrived()) {
    path.advance(dt, limits);
    time += dt;
  }
  return time;
}

}  // namespace

app::Planner::Job RobotCore::ask_for_plan(const AskedTrajectory& asked,
                                          const TrajectoryStart& start, const Snapshot& now,
                                          const PlanFailure& failure) {
  if (!planner_) planner_ = std::make_unique<app::Planner>();
  if (failure) {
    return planner_->submit(asked.joints,
                            [failure](PlanWatch& /*watch*/) { return JointPlan(failure); });
  }
  const auto seen = std::make_shared<const Snapshot>(with_own_arms(now));
  return planner_->submit(asked.joints,
                          [this, asked, start, seen, robot = limits.robot()](PlanWatch& watch) {
                            return paths_->plan(asked, start, *seen, &watch, {}, robot.get());
                          });
}

bool RobotCore::is_streamed(const JointSet& joints) const {
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    const JointStreams::Kind kind = streams.kind(static_cast<JointIndex>(i));
    if (joints[i] && kind != JointStreams::Kind::kNone) return true;
  }
  return drives.is_busy(joints);
}

QueuedMotion::Start RobotCore::start_of(const JointSet& joints, bool is_appended) const {
  QueuedMotion::Start start = queue.start(now(), joints, !is_appended);
  if (start.after) return start;
  const std::vector<ExpectedEnd> ends = expected();
  const auto passed = passed_end(joints, ends, to_seconds(now().time_ns));
  if (is_appended && passed) {
    start.state = {passed->q, passed->v};
    return start;
  }
  std::size_t place = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!joints[i]) continue;
    const JointSnapshot& joint = now().joints[i];
    double& q = start.state.q[place++];
    q = has_reference(static_cast<JointIndex>(i)) ? joint.reference.q : joint.state.q;
    if (is_appended && !is_streamed(joints)) q = ends[i].goal.value_or(q);
  }
  return start;
}

bool RobotCore::ends_at_speed(const JointSet& joints) const {
  return passed_end(joints, expected(), to_seconds(now().time_ns)) != nullptr;
}

PlanFailure RobotCore::begin_at(AskedTrajectory& asked, const TrajectoryStart& start,
                                double lead) const {
  constexpr double kAtStart = 1e-6;  // a first waypoint at time 0 is so near [rad or m]
  if (!asked.has_times) return {};
  const bool is_start = !asked.waypoints.empty() && asked.waypoints.front().time == 0.0;
  if (is_start && start.v.empty()) {
    const std::vector<JointIndex> joints = TrajectoryJoints::of(config(), asked.joints).index;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const double q = asked.waypoints.front().q[i];
      if (std::isnan(q) || std::abs(q - start.q[i]) <= kAtStart) continue;
      return {
          .reason = RejectReason::kNotAtStart, .joint = joints[i], .value = q, .limit = start.q[i]};
    }
  }
  if (is_start) asked.waypoints.erase(asked.waypoints.begin());
  for (AskedWaypoint& point : asked.waypoints) point.time -= lead;
  return {};
}

void RobotCore::check(const JointPlan& plan) const {
  const PlanFailure f = plan.failure();
  if (!f) return;
  refuse(CommandKind::kFollowPlan,
         {f.reason, f.joint, f.value, f.limit, static_cast<std::uint8_t>(f.quantity), f.waypoint},
         plan.remark);
}

/// Appended motions go on in the mode of the motion before, if a path is followed in it.
ControlMode RobotCore::mode_behind(const JointSet& joints) const {
  return are_in(ControlMode::kCartesian, joints) ? ControlMode::kCartesian : ControlMode::kPosition;
}

double RobotCore::lead_to(const QueuedMotion::Start& start) const {
  for (const PlanSnapshot& plan : now().plans) {
    const bool is_it = start.after && PlanTicket{plan.slot, plan.round} == start.after;
    if (is_it && plan.pace > 0.0) return (start.time - plan.time) / plan.pace;
  }
  return 0.0;
}

/// The joints come to rest, and go on with what waits for them.
void RobotCore::brake(const JointSet& joints) {
  leave_streams(joints);
  expect_nothing(joints);
  post(Stop{.joints = joints}, joints);
}

/// True if a motion of these joints may take over at this start: those that the plan there doesn't
/// lead rest.
bool RobotCore::can_join(const JointSet& joints, const QueuedMotion::Start& start) const {
  if (!queue.has_all_of(joints)) return false;
  JointSet joining = joints & ~queue.joining(now());
  for (const PlanSnapshot& plan : now().plans) {
    if (PlanTicket{plan.slot, plan.round} == start.after) joining &= ~plan.joints;
  }
  return !is_moved_otherwise(joining);
}

/// Behind its last milestone, where that has a speed.
void RobotCore::brake_behind(const AskedTrajectory& asked, QueuedMotion& motion) const {
  const std::vector<double>& v = asked.waypoints.back().v;
  const double time = time_to_brake(TrajectoryJoints::of(*limits.robot(), asked.joints), v);
  if (!(time > 0.0)) return;
  motion.passed = std::make_shared<const PassedEnd>(PassedEnd{asked.joints, motion.goal, v, time});
  for (std::size_t j = 0; j < v.size(); ++j) motion.goal[j] += 0.5 * v[j] * time;
  if (motion.duration) *motion.duration += time;
}

void RobotCore::follow(const AskedMotion& motion) {
  check_open();
  const AskedTrajectory& asked = motion.asked;
  paths_->check(asked);
  if (const std::optional<JointPlan> refused = paths_->without_endpoint(asked)) check(*refused);
  const JointSet& joints = asked.joints;
  const bool is_appended = motion.is_appended;
  // Samples of each cycle end here, whatever comes behind them.
  const bool is_streamed_to = is_streamed(joints);
  const ControlMode own =
      motion.interaction == nullptr ? ControlMode::kPosition : ControlMode::kCartesian;
  const ControlMode mode = is_appended && !is_streamed_to ? mode_behind(joints) : own;
  const QueuedMotion::Start start = start_of(joints, is_appended);
  const bool replaces = !is_appended && are_in(mode, joints) && asked.goes_on && start.after &&
                        can_join(joints, start);
  const bool brakes = is_appended ? is_streamed_to : !replaces && is_moving(joints);
  QueuedMotion queued;
  queued.joints = joints;
  queued.replaces = replaces;
  queued.is_appended = is_appended;
  queued.planning_lead = harness::PlanDesk::lead_for(asked);
  queued.keeps_time = motion.times == AskedMotion::Times::kOfClock && !replaces;
  queued.duration = motion.duration;
  queued.goal = start.state.q;
  for (std::size_t j = 0; j < queued.goal.size(); ++j) {
    for (const AskedWaypoint& point : asked.waypoints) {
      if (!std::isnan(point.q[j])) queued.goal[j] = point.q[j];
    }
  }
  if (asked.tool) queued.goal.clear();
  if (asked.brakes_behind) brake_behind(asked, queued);
  queued.begin = to_seconds(now().time_ns) + (replaces ? lead_to(start) : 0.0);
  if (mode == ControlMode::kCartesian) queued.mode = JointMode::kCartesian;

  if (replaces) {
    leave_streams(joints);
    queue.clear_waiting(joints);
  } else if (!is_appended) {
    release(joints);
    expect_nothing(joints);  // else that of the plan, until it is replaced
  }
  if (brakes) brake(joints);
  enter(joints, mode);
  if (motion.interaction != nullptr) {
    SetInteractionControl settings = *motion.interaction;
    settings.keeps_reference = settings.keeps_reference || replaces;
    post(settings, joints);
  }

  std::optional<double> times_from;
  if (motion.times == AskedMotion::Times::kOfClock) times_from = 0.0;
  if (motion.times == AskedMotion::Times::kFromCall && replaces) {
    times_from = to_seconds(now().time_ns);
  }
  queued.ask = [this, asked, times_from](const QueuedMotion::Start& from, const Snapshot& now,
                                         double begin) {
    AskedTrajectory there = asked;
    const PlanFailure f = begin_at(there, from.state, times_from ? begin - *times_from : 0.0);
    return ask_for_plan(there, from.state, now, f);
  };
  queued.begins = [this, allows = motion.allows](const JointPlan& plan, double begin) {
    if (allows) allows(plan);
    expect_end(plan, begin);
  };
  queue.push(std::move(queued));
}

/// The joints go to the goals of a command that is sent now.
void RobotCore::expect_moved(const Move& move) {
  std::size_t place = 0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (!move.joints[i]) continue;
    const auto index = static_cast<JointIndex>(i);
    const JointSnapshot& joint = now().joints[i];
    const Move::Value& to = move.values[place++];
    const JointReference from =
        has_reference(index) ? joint.reference : JointReference{.q = joint.state.q};
    const double takes =
        time_of_move({.q = from.q, .v = from.v}, to.q, to.speed, now().speed_override,
                     limits.robot()->joints[i].limits, period());
    expect(index, to.q, to_seconds(now().time_ns) + takes);
  }
}

void RobotCore::append_move(const Move& move) {
  check_open();
  const JointSet& joints = move.joints;
  const QueuedMotion::Start start = start_of(joints, true);
  QueuedMotion queued;
  queued.joints = joints;
  queued.is_appended = true;
  double takes = 0.0;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (!joints[i]) continue;
    const std::size_t place = queued.goal.size();
    const Move::Value& to = move.values[place];
    takes = std::max(takes, time_of_move({.q = start.state.q[place]}, to.q, to.speed, 1.0,
                                         limits.robot()->joints[i].limits, period()));
    queued.goal.push_back(to.q);
  }
  queued.duration = takes;
  queued.send = [this, move] {
    enter(move.joints, ControlMode::kPosition);
    post(move, move.joints);
    expect_moved(move);
  };
  if (is_streamed(joints)) brake(joints);
  const ControlMode mode = mode_behind(joints);
  if (mode == ControlMode::kCartesian) queued.mode = JointMode::kCartesian;
  enter(joints, mode);
  queue.push(std::move(queued));
}

/// The joints go on with the plan that they follow, if they follow one.
void RobotCore::take_back_plan(const JointSet& joints) {
  expect_nothing(joints);
  const std::optional<MotionQueue::Ending> ending = queue.take_back(joints);
  std::size_t place = 0;
  for (std::size_t i = 0; ending && i < ends_.size(); ++i) {
    if (!ending->joints[i]) continue;
    expect(static_cast<JointIndex>(i), ending->goal[place++], ending->arrival);
  }
}

/// The joints' references are expected at the plan's end.
void RobotCore::expect_end(const JointPlan& plan, double begin) {
  const double arrival = begin + plan.duration() / now().speed_override;
  std::vector<MotionState> states(plan.joints().size());
  JointPlan::Cursor cursor;
  plan.at(plan.duration(), cursor, states);
  const std::shared_ptr<const PassedEnd> passed = passed_end(plan);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const JointIndex joint = plan.joints()[i];
    expect(joint, states[i].q, arrival);
    ends_[joint].passed = passed;
    if (passed) ends_[joint].passes_at = arrival - passed->brakes_for / now().speed_override;
  }
}

void RobotCore::expect(JointIndex joint, double goal, double arrival) {
  ends_[joint] = {.goal = goal, .arrival = arrival};
  expecting_.set(joint);
}

void RobotCore::expect_now(const JointSet& joints, const std::vector<JointIndex>& index,
                           const std::vector<double>& goals) {
  const double arrival = to_seconds(now().time_ns);
  for (std::size_t i = 0; i < index.size(); ++i) {
    ExpectedEnd& end = ends_[index[i]];
    if (end.passed) end = {};
    end.goal = goals[i];
    end.arrival = arrival;
    end.is_known = true;
  }
  expecting_ |= joints;
}

void RobotCore::expect_nothing(const JointSet& joints) {
  if ((joints & expecting_).none()) return;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (joints[i]) ends_[i] = {};
  }
  expecting_ &= ~joints;
}

std::vector<ExpectedEnd> RobotCore::expected() const {
  std::vector<ExpectedEnd> ends = ends_;
  queue.foretell(now(), ends);
  return ends;
}

}  // namespace jointrig
