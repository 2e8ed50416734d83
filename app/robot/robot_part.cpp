// Joints of a robot: their state, and commands for them.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/robot/robot_core.h"
#include "control/planning/joint_trajectory.h"

namespace jointrig {
namespace {

LimitsOfJoints limits_of(const std::vector<JointIndex>& joints, const NarrowedLimits& limits,
                         NarrowedLimits::Limits (NarrowedLimits::*of)(JointIndex) const) {
  LimitsOfJoints all;
  for (const JointIndex joint : joints) {
    const NarrowedLimits::Limits own = (limits.*of)(joint);
    all.low.push_back(own.range.low);
    all.high.push_back(own.range.high);
    all.speed.push_back(own.speed);
    all.acceleration.push_back(own.acceleration);
  }
  return all;
}

}  // namespace

/// A motion by milestones with their times.
struct RobotPart::Timed {
  const Values& times;
  const std::vector<Values>& milestones;
  const std::vector<Values>* velocities = nullptr;  ///< null: straight, at rest in each milestone
  const WatchOptions& options;
  bool is_appended = false;
  bool is_absolute = false;
  bool rounds_corners = false;  ///< in place of the rests
};

RobotPart::RobotPart(RobotCore& core, std::string name, const JointSet& joints)
    : core_(&core), name_(std::move(name)), joints_(joints) {
  for (std::size_t i = 0; i < core.config().joints.size(); ++i) {
    if (!joints.test(i)) continue;
    index_.push_back(static_cast<JointIndex>(i));
  }
}

std::vector<std::string> RobotPart::joint_names() const {
  std::vector<std::string> names;
  for (const JointIndex joint : index_) names.push_back(core_->config().joints[joint].name);
  return names;
}

void RobotPart::check_size(std::string_view what, const Values& values) const {
  if (values.size() == index_.size()) return;
  throw std::invalid_argument(
      fmt::format("{} has {} values, and {} has {} joints: give one value for each", what,
                  values.size(), name_, index_.size()));
}

// State -------------------------------------------------------------------------------------------

RobotPart::Values RobotPart::sensed(FilterOn on) const {
  Values values;
  for (const JointIndex j : index_) values.push_back(core_->sensed(on, j));
  return values;
}

RobotPart::Values RobotPart::sensed_position() const { return sensed(FilterOn::kSensedPosition); }

RobotPart::Values RobotPart::sensed_velocity() const { return sensed(FilterOn::kSensedVelocity); }

RobotPart::Values RobotPart::sensed_torque() const { return sensed(FilterOn::kSensedTorque); }

RobotPart::Values RobotPart::commanded_position() const {
  Values values;
  for (const JointIndex j : index_) {
    const JointSnapshot& joint = core_->now().joints[j];
    values.push_back(core_->has_reference(j) ? joint.reference.q : joint.state.q);
  }
  return values;
}

RobotPart::Values RobotPart::commanded_velocity() const {
  Values values;
  for (const JointIndex j : index_) {
    values.push_back(core_->has_reference(j) ? core_->now().joints[j].reference.v : 0.0);
  }
  return values;
}

RobotPart::Values RobotPart::commanded_torque() const {
  Values values;
  for (const JointIndex j : index_) values.push_back(core_->now().joints[j].setpoint.tau);
  return values;
}

// Filters -----------------------------------------------------------------------------------------

void RobotPart::set_filter(FilterOn on, const std::string& name, FilterPtr filter) {
  const bool is_robot = index_.size() == core_->config().joints.size();
  core_->filters.set(on, name_, joints_, is_robot, name, std::move(filter), core_->present(on));
}

void RobotPart::remove_filter(FilterOn on, const std::string& name) {
  core_->filters.remove(on, name_, joints_, name);
}

std::vector<std::string> RobotPart::filter_names(FilterOn on) const {
  return core_->filters.names(on, joints_);
}

// Limits ------------------------------------------------------------------------------------------

void RobotPart::set_joint_limits(const LimitsOfJoints& bounds) {
  for (const auto& [what, list] :
       {std::pair("low", &bounds.low), std::pair("high", &bounds.high),
        std::pair("speed", &bounds.speed), std::pair("acceleration", &bounds.acceleration)}) {
    if (!list->empty()) check_size(std::string("set_joint_limits: ") + what, *list);
  }
  core_->check_open();
  LimitsOfJoints all = joint_limits();
  if (!bounds.low.empty()) all.low = bounds.low;
  if (!bounds.high.empty()) all.high = bounds.high;
  if (!bounds.speed.empty()) all.speed = bounds.speed;
  if (!bounds.acceleration.empty()) all.acceleration = bounds.acceleration;
  for (std::size_t i = 0; i < index_.size(); ++i) {
    const JointIndex joint = index_[i];
    check_range(joint, all.low[i], all.high[i]);
    const JointConfig& opened = core_->config().joints[joint];
    for (const auto& [parameter, value] :
         {std::pair(JointParameter::kVelocityMax, all.speed[i]),
          std::pair(JointParameter::kAccelerationMax, all.acceleration[i])}) {
      const Refusal r = check_parameter(parameter, value, opened, opened, joint);
      if (r) core_->refuse(CommandKind::kSetParameter, r);
    }
  }
  keep_limits(all);
}

void RobotPart::check_range(JointIndex joint, double low, double high) const {
  const NarrowedLimits::Range most = core_->limits.opened(joint).range;
  const auto refuse = [&](double value, const std::string& why) {
    throw Refused(fmt::format("{}: rejected set_joint_limits (out_of_range): {}{}",
                              core_->config().joints[joint].name, value, why));
  };
  if (!(low >= most.low)) {
    refuse(low, fmt::format(" is no low end: give a number from {} on", most.low));
  }
  if (!(high <= most.high)) {
    refuse(high, fmt::format(" is no high end: give a number up to {}", most.high));
  }
  if (!(low < high)) {
    refuse(low, fmt::format(" is the low end, and {} the high one: give a low end below it", high));
  }
}

/// Speed and acceleration are limits of the loop, too.
void RobotPart::keep_limits(const LimitsOfJoints& all) const {
  const LimitsOfJoints before = joint_limits();
  const auto send = [&](JointParameter parameter, const Values& values, const Values& old) {
    SetParameter command;
    command.parameter = parameter;
    for (std::size_t i = 0; i < index_.size(); ++i) {
      if (values[i] == old[i]) continue;
      command.joints.set(index_[i]);
      command.values.push_back({values[i]});
    }
    if (command.joints.any()) core_->post(command, {});
  };
  send(JointParameter::kVelocityMax, all.speed, before.speed);
  send(JointParameter::kAccelerationMax, all.acceleration, before.acceleration);
  std::vector<NarrowedLimits::Limits> limits;
  for (std::size_t i = 0; i < index_.size(); ++i) {
    limits.push_back({{all.low[i], all.high[i]}, all.speed[i], all.acceleration[i]});
  }
  core_->limits.set(index_, limits);
}

void RobotPart::clear_joint_limits() {
  core_->check_open();
  keep_limits(limits_of(index_, core_->limits, &NarrowedLimits::opened));
}

LimitsOfJoints RobotPart::joint_limits() const {
  return limits_of(index_, core_->limits, &NarrowedLimits::limits);
}

void RobotPart::set_collision_protection(bool on) { core_->protect(joints_, on); }

// At once -----------------------------------------------------------------------------------------

namespace {

std::optional<TimeNs> end_of(const RobotCore& core, std::optional<double> ttl) {
  if (!ttl) return std::nullopt;
  if (!(*ttl > 0.0) || !std::isfinite(*ttl)) {
    throw std::invalid_argument(
        fmt::format("a time to live of {} s: give a time above 0, or none", *ttl));
  }
  return core.now().time_ns + to_ns(*ttl);
}

template <typename C>
C command_of(const JointSet& joints, const std::vector<double>& values) {
  C command;
  command.joints = joints;
  for (const double value : values) command.values.push_back({value});
  return command;
}

/// So that a command of each cycle is made once, not to be checked alone; NaN isn't within.
bool are_within(const NarrowedLimits& limits, double NarrowedLimits::Greatest::*most,
                const std::vector<JointIndex>& joints, const std::vector<double>& values) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!(std::abs(values[i]) <= limits.greatest(joints[i]).*most)) return false;
  }
  return true;
}

}  // namespace

void RobotPart::set_position(const Values& q) {
  check_size("set_position", q);
  core_->check_open();
  for (std::size_t i = 0; i < q.size(); ++i) {
    const JointIndex joint = index_[i];
    const NarrowedLimits::Range& range = core_->limits.range(joint);
    if (q[i] >= range.low && q[i] <= range.high) continue;
    const JointConfig& limited = core_->limits.robot()->joints[joint];
    const Refusal r = std::isfinite(q[i]) ? check_number(Range::kSoftLimits, q[i], limited, joint,
                                                         0, core_->here(joint))
                                          : Refusal{RejectReason::kNotFinite, joint, q[i], 0.0, 1};
    if (r) core_->refuse(CommandKind::kStreamPosition, r);
  }
  core_->leave_motions(joints_);
  core_->enter(joints_, ControlMode::kPositionDirect);
  core_->streams.set(index_, JointStreams::Kind::kPosition, q, std::nullopt);
  core_->expect_now(joints_, index_, q);
}

void RobotPart::set_velocity(const Values& v, std::optional<double> ttl) {
  check_size("set_velocity", v);
  core_->check_open();
  if (!are_within(core_->limits, &NarrowedLimits::Greatest::speed, index_, v)) {
    core_->check(command_of<StreamVelocity>(joints_, v));
  }
  const std::optional<TimeNs> until = end_of(*core_, ttl);
  core_->leave_motions(joints_);
  core_->expect_nothing(joints_);
  core_->enter(joints_, ControlMode::kVelocity);
  core_->streams.set(index_, JointStreams::Kind::kVelocity, v, until);
}

void RobotPart::set_torque(const Values& tau, std::optional<double> ttl) {
  check_size("set_torque", tau);
  core_->check_open();
  if (!are_within(core_->limits, &NarrowedLimits::Greatest::torque, index_, tau)) {
    core_->check(command_of<StreamTorque>(joints_, tau));
  }
  const std::optional<TimeNs> until = end_of(*core_, ttl);
  core_->leave_motions(joints_);
  core_->expect_nothing(joints_);
  core_->enter(joints_, ControlMode::kTorque);
  core_->streams.set(index_, JointStreams::Kind::kTorque, tau, until);
}

void RobotPart::set_pid(const Values& q, const Values& v, const Values& a, const Values& tau) {
  check_size("set_pid: q", q);
  check_size("set_pid: v", v);
  if (!a.empty()) check_size("set_pid: a", a);
  if (!tau.empty()) check_size("set_pid: tau", tau);
  StreamTrajectory command;
  command.joints = joints_;
  for (std::size_t i = 0; i < q.size(); ++i) {
    command.values.push_back({q[i], v[i], a.empty() ? 0.0 : a[i], tau.empty() ? 0.0 : tau[i]});
  }
  core_->check(command);
  core_->leave_motions(joints_);
  core_->expect_nothing(joints_);
  core_->enter(joints_, ControlMode::kPositionDirect);
  core_->streams.set_samples(command);
}

void RobotPart::set_pid_gains(const Values& kp, const Values& ki, const Values& kd) {
  check_size("set_pid_gains: kp", kp);
  check_size("set_pid_gains: ki", ki);
  check_size("set_pid_gains: kd", kd);
  core_->check_open();
  const auto set = [&](JointParameter parameter, const Values& values) {
    SetParameter command;
    command.joints = joints_;
    command.parameter = parameter;
    for (const double value : values) command.values.push_back({value});
    core_->post(command, joints_);
  };
  set(JointParameter::kKp, kp);
  set(JointParameter::kKd, kd);
  set(JointParameter::kKi, ki);
}

void RobotPart::stop() {
  core_->release(joints_);
  core_->expect_nothing(joints_);
  core_->post(Stop{.joints = joints_}, joints_);
}

void RobotPart::cancel() {
  core_->release(joints_);
  core_->expect_nothing(joints_);
  core_->post(Cancel{.joints = joints_}, joints_);
}

// Motions -----------------------------------------------------------------------------------------

Move RobotPart::move_of(std::string_view call, const Values& q, double speed) const {
  const std::string word(call);
  check_size(word, q);
  if (!(speed > 0.0 && speed <= 1.0)) {
    throw std::invalid_argument(fmt::format(
        "{}: a speed of {} is no share of v_max: give a number above 0, at most 1", word, speed));
  }
  Move command;
  command.joints = joints_;
  for (std::size_t i = 0; i < q.size(); ++i) {
    command.values.push_back({q[i], speed * core_->limits.limits(index_[i]).speed});
  }
  core_->check(command);
  return command;
}

void RobotPart::move_to(const Values& q, double speed) {
  const Move command = move_of("move_to", q, speed);
  core_->release(joints_);
  core_->enter(joints_, ControlMode::kPosition);
  core_->post(command, joints_);
  core_->expect_moved(command);
}

void RobotPart::append_move_to(const Values& q, double speed) {
  const Move command = move_of("append_move_to", q, speed);
  if (!core_->ends_at_speed(joints_)) {
    core_->append_move(command);
    return;
  }
  // A move begins at rest; a plan goes on at speed.
  FollowOptions options;
  options.checks_collisions = false;  // as of a move
  core_->follow({.asked = asked_of("append_move_to", {{.q = q, .speed = speed}}, options),
                 .is_appended = true});
}

void RobotPart::set_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                                     const PiecewiseOptions& options) {
  run({.times = times,
       .milestones = milestones,
       .options = options,
       .is_absolute = options.is_absolute,
       .rounds_corners = options.rounds_corners});
}

void RobotPart::set_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                                    const std::vector<Values>& velocities,
                                    const PiecewiseOptions& options) {
  run({.times = times,
       .milestones = milestones,
       .velocities = &velocities,
       .options = options,
       .is_absolute = options.is_absolute});
}

void RobotPart::append_piecewise_linear(const Values& times, const std::vector<Values>& milestones,
                                        const PiecewiseOptions& options) {
  if (options.is_absolute) {
    throw std::invalid_argument(
        "append_piecewise_linear: its times count from the end of the motion before: leave out "
        "is_absolute");
  }
  run({.times = times,
       .milestones = milestones,
       .options = options,
       .is_appended = true,
       .rounds_corners = options.rounds_corners});
}

void RobotPart::append_piecewise_cubic(const Values& times, const std::vector<Values>& milestones,
                                       const std::vector<Values>& velocities,
                                       const WatchOptions& options) {
  run({.times = times,
       .milestones = milestones,
       .velocities = &velocities,
       .options = options,
       .is_appended = true});
}

AskedTrajectory RobotPart::asked_of(const Timed& motion) const {
  const std::size_t velocities = motion.velocities == nullptr ? 0 : motion.velocities->size();
  const bool fits = !motion.times.empty() && motion.milestones.size() == motion.times.size() &&
                    (motion.velocities == nullptr || velocities == motion.times.size());
  if (!fits) {
    throw std::invalid_argument(fmt::format(
        "{} times, {} milestones, {} velocities: give at least one time, and as many of each",
        motion.times.size(), motion.milestones.size(), velocities));
  }
  const Values rest(index_.size(), 0.0);
  AskedTrajectory asked;
  asked.joints = joints_;
  asked.has_times = true;
  for (std::size_t k = 0; k < motion.times.size(); ++k) {
    AskedWaypoint& point = asked.waypoints.emplace_back();
    point.time = motion.times[k];
    point.q = motion.milestones[k];
    check_size("a milestone", point.q);
    if (motion.rounds_corners) continue;
    point.v = motion.velocities == nullptr ? rest : (*motion.velocities)[k];
    if (motion.velocities == nullptr) point.a = rest;
    check_size("a milestone's velocity", point.v);
  }
  asked.rounds_corners = motion.rounds_corners;
  asked.brakes_behind = motion.velocities != nullptr;
  take_options(motion.options, asked);
  return asked;
}

void RobotPart::run(const Timed& motion) const {
  const AskedTrajectory asked = asked_of(motion);
  core_->check_open();
  const double now = to_seconds(core_->now().time_ns);
  if (motion.is_absolute && !(motion.times.front() > now)) {
    throw std::invalid_argument(
        fmt::format("a milestone's time of {} s has passed, clock() is {}: give a later one, or "
                    "leave out is_absolute",
                    motion.times.front(), now));
  }

  // Refused here, with nothing changed, unless only a plan that is being made tells the start.
  const QueuedMotion::Start start = core_->start_of(joints_, motion.is_appended);
  const double lead = core_->lead_to(start) + (motion.is_absolute ? now : 0.0);
  if (!motion.is_appended || knows_destination()) {
    AskedTrajectory own = asked;
    if (const PlanFailure f = core_->begin_at(own, start.state, lead)) core_->check(JointPlan(f));
    const RobotConfig& limited = *core_->limits.robot();
    core_->check(plan_asked(TrajectoryJoints::of(limited, joints_), start.state, own));
  }
  using Times = AskedMotion::Times;
  core_->follow({.asked = asked,
                 .is_appended = motion.is_appended,
                 .times = motion.is_absolute   ? Times::kOfClock
                          : motion.is_appended ? Times::kFromStart
                                               : Times::kFromCall,
                 .duration = motion.times.back() - lead});
}

// Trajectories and targets ------------------------------------------------------------------------

void RobotPart::take_options(const WatchOptions& options, AskedTrajectory& asked) const {
  const std::size_t count = options.tolerances.size();
  if (count != 0 && count != index_.size()) {
    throw std::invalid_argument(
        fmt::format("{} tolerances: give one for each of the {} joints of {}, or none", count,
                    index_.size(), name_));
  }
  asked.tolerances = options.tolerances;
  asked.settling_time = options.settling_time;
  asked.checks_collisions = options.checks_collisions;
  asked.execution = options.execution;
}

std::optional<double> RobotPart::duration_of(const std::vector<AskedWaypoint>& waypoints,
                                             const FollowOptions& options) {
  if (!options.at_times || waypoints.empty()) return std::nullopt;
  return waypoints.back().time;
}

AskedTrajectory RobotPart::asked_of(std::string_view call,
                                    const std::vector<AskedWaypoint>& waypoints,
                                    const FollowOptions& options) const {
  const std::string word(call);
  for (const AskedWaypoint& point : waypoints) {
    check_size(word + ": a waypoint", point.q);
    if (!point.v.empty()) check_size(word + ": a waypoint's velocity", point.v);
    if (!point.a.empty()) check_size(word + ": a waypoint's acceleration", point.a);
    if (!point.tolerance.empty()) check_size(word + ": a waypoint's tolerance", point.tolerance);
    if (!point.a_max.empty()) check_size(word + ": a waypoint's a_max", point.a_max);
  }
  AskedTrajectory asked;
  asked.joints = joints_;
  asked.waypoints = waypoints;
  asked.has_times = options.at_times;
  asked.nan_stays = true;
  take_options(options, asked);
  return asked;
}

void RobotPart::follow(const std::vector<AskedWaypoint>& waypoints, const FollowOptions& options) {
  core_->follow({.asked = asked_of("follow", waypoints, options),
                 .duration = duration_of(waypoints, options)});
}

void RobotPart::append_follow(const std::vector<AskedWaypoint>& waypoints,
                              const FollowOptions& options) {
  core_->follow({.asked = asked_of("append_follow", waypoints, options),
                 .is_appended = true,
                 .duration = duration_of(waypoints, options)});
}

std::optional<TrajectoryStatus> RobotPart::trajectory() const {
  for (const PlanSnapshot& plan : core_->now().plans) {
    if ((plan.joints & joints_).none()) continue;
    return TrajectoryStatus{.number = core_->queue.number_of(plan),
                            .waypoint = plan.waypoint,
                            .waypoints = plan.waypoints,
                            .time = plan.time,
                            .duration = plan.duration,
                            .waiting = core_->queue.waiting(joints_)};
  }
  return std::nullopt;
}

std::optional<double> RobotPart::planning() const { return core_->queue.planning(joints_); }

void RobotPart::set_target(const Values& q, const TargetOptions& options) {
  send_target("set_target", q, TargetKind::kPosition, options);
}

void RobotPart::set_velocity_target(const Values& v, const TargetOptions& options) {
  send_target("set_velocity_target", v, TargetKind::kVelocity, options);
}

void RobotPart::send_target(std::string_view call, const Values& wanted, TargetKind kind,
                            const TargetOptions& options) {
  const std::string word(call);
  const bool is_velocity = kind == TargetKind::kVelocity;
  check_size(word, wanted);
  const auto given = [&](const Values& values, const char* what) {
    if (!values.empty()) check_size(word + ": " + what, values);
    return values.empty() ? Values(index_.size(), 0.0) : values;  // 0: the joint's own
  };
  const Values here = commanded_position();
  const Values v = is_velocity ? wanted : given(options.v, "v");
  const Values speed = is_velocity ? given({}, "") : given(options.speed, "speed");
  const Values acceleration = given(options.acceleration, "acceleration");
  const Values jerk = given(options.jerk, "jerk");
  SetJointTarget command;
  command.joints = joints_;
  command.target = kind;
  command.synchronise = options.synchronise;
  command.shape = options.shape;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    command.values.push_back({.q = is_velocity ? here[i] : wanted[i],
                              .v = v[i],
                              .speed = speed[i],
                              .acceleration = acceleration[i],
                              .jerk = jerk[i]});
  }
  core_->check(command);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (v[i] == 0.0 || !core_->limits.narrowed()[index_[i]]) continue;
    throw Refused(
        fmt::format("{}: rejected {} (out_of_range): a velocity at the target, {}, may lead beyond "
                    "its set_joint_limits: use set_velocity",
                    core_->config().joints[index_[i]].name, word, v[i]));
  }
  core_->release(joints_);
  core_->expect_nothing(joints_);
  core_->enter(joints_, ControlMode::kPosition);
  core_->post(command, joints_);
  for (std::size_t i = 0; i < wanted.size() && !is_velocity; ++i) {
    core_->expect(index_[i], wanted[i], to_seconds(core_->now().time_ns));
  }
}

RobotPart::Values RobotPart::destination() const {
  const std::vector<ExpectedEnd> ends = core_->expected();
  Values values = commanded_position();
  for (std::size_t i = 0; i < index_.size(); ++i) {
    values[i] = ends[index_[i]].goal.value_or(values[i]);
  }
  return values;
}

bool RobotPart::knows_destination() const {
  const std::vector<ExpectedEnd> ends = core_->expected();
  return std::all_of(index_.begin(), index_.end(),
                     [&](JointIndex joint) { return ends[joint].is_known; });
}

double RobotPart::destination_time() const {
  const std::vector<ExpectedEnd> ends = core_->expected();
  double time = 0.0;
  for (const JointIndex joint : index_) time = std::max(time, ends[joint].arrival);
  return time;
}

bool RobotPart::is_moving() const { return core_->is_moving(joints_); }

}  // namespace jointrig
