#include "app/robot/robot.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "app/robot/robot_arm.h"
#include "app/robot/robot_core.h"
#include "app/robot/robot_gripper.h"
#include "control/safety/obstacle_admission.h"
#include "harness/runner/reach_answer.h"

namespace jointrig {
namespace {

JointSet all_of(const RobotConfig& config) {
  JointSet joints;
  for (std::size_t i = 0; i < config.joints.size(); ++i) joints.set(i);
  return joints;
}

bool is_held(const JointSnapshot& joint) {
  return is_driven(joint.mode) && joint.state.status == BoardStatus::kEnabled;
}

}  // namespace

Robot::Robot(const std::string& robot, const RobotOptions& options)
    : core_(std::make_unique<RobotCore>(robot, options)),
      all_(*core_, core_->config().name, all_of(core_->config())) {}

Robot::~Robot() = default;

void Robot::initialize(double longest) {
  const double end = clock() + longest;
  while (!come_on(end)) step();
}

bool Robot::come_on(double end) {
  core_->check_open();
  JointSet idle;
  JointSet uncalibrated;
  std::size_t waits_for = joint_count();
  for (std::size_t i = 0; i < joint_count(); ++i) {
    const JointSnapshot& joint = core_->now().joints[i];
    if (!is_held(joint)) waits_for = i;
    if (joint.mode == JointMode::kIdle || joint.mode == JointMode::kCalibDone) idle.set(i);
    if (joint.mode == JointMode::kConfigured) uncalibrated.set(i);
  }
  if (waits_for == joint_count()) return true;
  if (clock() >= end) {
    const std::string told = status();
    throw std::runtime_error("joint \"" + config().joints[waits_for].name +
                             "\" doesn't come on: it is " +
                             std::string(to_string(core_->now().joints[waits_for].mode)) +
                             (told == "ok" ? "" : "; " + told));
  }
  core_->enter(idle, ControlMode::kPosition);
  if (uncalibrated.any()) core_->post(Calibrate{.joints = uncalibrated}, uncalibrated);
  return false;
}

void Robot::begin_step() { core_->begin_step(); }
void Robot::end_step() { core_->end_step(); }

void Robot::step() {
  core_->begin_step();
  core_->end_step();
}

void Robot::step(const std::function<void()>& f) {
  core_->begin_step();
  std::exception_ptr thrown;
  try {
    f();
  } catch (...) {
    thrown = std::current_exception();
  }
  try {
    core_->end_step();
  } catch (...) {
    if (!thrown) throw;
  }
  if (thrown) std::rethrow_exception(thrown);
}

void Robot::wait(double longest) {
  if (core_->is_in_step()) throw std::logic_error("wait() between begin_step() and end_step()");
  const double end = clock() + longest;
  static_cast<void>(core_->take_trouble());
  do {
    check_that_all_ends();
    step();
    if (const std::string trouble = core_->take_trouble(); !trouble.empty()) {
      throw std::runtime_error(trouble);
    }
    if (clock() > end) {
      throw std::runtime_error(fmt::format("wait(): the robot still moves after {} s", longest));
    }
  } while (is_moving());
}

void Robot::check_that_all_ends() const {
  for (const JointIndex joint : all_.indices()) {
    const JointStreams::Kind kind = core_->streams.kind(joint);
    const bool drives =
        kind == JointStreams::Kind::kVelocity || kind == JointStreams::Kind::kTorque;
    const bool ends = !drives || !core_->streams.is_endless(joint);
    if (ends) continue;
    throw std::runtime_error("wait(): joint \"" + config().joints[joint].name +
                             "\" goes on until another command; give a time to live");
  }
  if (const std::optional<JointIndex> joint = core_->drives.endless()) {
    throw std::runtime_error("wait(): the arm of joint \"" + config().joints[*joint].name +
                             "\" goes on until another command; give a time to live");
  }
}

bool Robot::has_ended() const noexcept { return core_->has_ended(); }

std::string Robot::status() const {
  if (core_->is_stopped()) return "emergency stop: reset() ends it";
  for (std::size_t i = 0; i < joint_count(); ++i) {
    const Fault& fault = core_->now().joints[i].fault;
    if (!fault) continue;
    return config().joints[i].name + ": " + std::string(describe(fault.code)) +
           "; reset() clears it";
  }
  return "ok";
}

double Robot::clock() const { return to_seconds(core_->now().time_ns); }
double Robot::control_rate() const { return 1.0 / core_->period(); }
std::string Robot::backend() const { return core_->rig().backend().description().name; }

void Robot::reset() {
  core_->unlatch_stop();
  SetMode clear{.joints = {}, .mode = ModeRequest::kForceIdle};
  JointSet others;
  for (std::size_t i = 0; i < joint_count(); ++i) {
    const JointSnapshot& joint = core_->now().joints[i];
    if (joint.fault) clear.joints.set(i);
    if (!joint.fault && is_driven(joint.mode)) others.set(i);
  }
  if (clear.joints.none()) return;
  core_->release(all_of(config()));
  core_->expect_nothing(all_of(config()));
  core_->post(clear, clear.joints);
  // A part that holds for a joint that was lost takes commands again once a mode is asked for.
  if (others.any()) core_->post(SetMode{.joints = others, .mode = ModeRequest::kPosition}, others);
}

void Robot::estop() { core_->latch_stop(); }

std::vector<std::string> Robot::part_names() const {
  std::vector<std::string> names;
  for (const PartConfig& part : config().parts) names.push_back(part.name);
  for (const auto& [name, joints] : core_->own_parts) names.push_back(name);
  return names;
}

/// Throws std::invalid_argument for a name that is taken, and for no joints.
void Robot::check_new(std::string_view call, const std::string& name, bool has_joints) const {
  const std::vector<std::string> parts = part_names();
  const auto is_it = [&](const auto& other) { return other.name == name; };
  const bool is_taken = name.empty() ||
                        std::find(parts.begin(), parts.end(), name) != parts.end() ||
                        std::any_of(config().arms.begin(), config().arms.end(), is_it) ||
                        std::any_of(config().joints.begin(), config().joints.end(), is_it);
  if (!is_taken && has_joints) return;
  throw std::invalid_argument(
      std::string(call) + ": " +
      (!has_joints ? "\"" + name + "\" has no joints" : "\"" + name + "\" is no new name") +
      ": give a name that no part, arm or joint has, and its joints");
}

RobotPart Robot::add_part(const std::string& name, const std::vector<std::string>& joints) {
  check_new("add_part", name, !joints.empty());
  JointSet set;
  for (const std::string& joint : joints) set |= joints_named(config(), joint);
  core_->own_parts.emplace_back(name, set);
  return {*core_, name, set};
}

RobotArm Robot::add_arm(const ArmOfProgram& arm) {
  check_new("add_arm", arm.name, !arm.joints.empty());
  if (all_.planning()) {
    throw std::invalid_argument("add_arm: a plan is being made: wait() before");
  }
  return {*core_, core_->add_arm(arm)};
}

RobotPart Robot::part(std::string_view name) const {
  for (const ArmConfig& arm : config().arms) {
    if (arm.name == name) return {*core_, arm.name, joints_of(arm)};
  }
  for (const auto& [own, joints] : core_->own_parts) {
    if (own == name) return {*core_, own, joints};
  }
  return {*core_, std::string(name), joints_named(config(), name)};
}

RobotArm Robot::arm(std::string_view name) const { return {*core_, arm_named(config(), name)}; }

void Robot::set_cartesian_velocities(const std::vector<ToolTwist>& twists,
                                     std::optional<double> ttl, ToolFrame frame,
                                     FreeRotation free) {
  std::vector<DriveTool> asked;
  for (const ToolTwist& one : twists) {
    const bool is_twice = std::count_if(twists.begin(), twists.end(), [&](const ToolTwist& other) {
                            return other.arm == one.arm;
                          }) > 1;
    if (is_twice) {
      throw std::invalid_argument("set_cartesian_velocities: arm \"" + one.arm +
                                  "\" has two twists; give it one");
    }
    asked.push_back(arm(one.arm).checked_velocity(one.twist, ttl, frame, free));
    asked.back().together = true;
  }
  // By samples if one of them is: that one first.
  std::stable_partition(asked.begin(), asked.end(),
                        [&](const DriveTool& one) { return core_->needs_samples(one); });
  for (const DriveTool& one : asked) core_->drive(one, ttl);
}

ReachAnswer Robot::reach(const AskedReach& asked) const {
  return harness::answer_reach(asked, config(), core_->tree(), core_->with_own_arms(core_->now()));
}

RobotGripper Robot::gripper(std::string_view name) const {
  return {*core_, gripper_named(config(), name)};
}

void Robot::send(const Request& request) { core_->send(request); }

void Robot::set_speed_override(double factor) { core_->send(SetSpeedOverride{.factor = factor}); }

double Robot::speed_override() const noexcept { return snapshot().speed_override; }

void Robot::set_gravity(const std::array<double, 3>& gravity) {
  core_->check_open();
  const SetGravity command{gravity};
  Refusal r = check_shape(command, config().joints.size(), config().arms.size());
  if (!r) r = check_gravity(gravity);
  if (r) core_->refuse(CommandKind::kSetGravity, r, {});
  core_->post(command, {});
}

const std::array<double, 3>& Robot::gravity() const noexcept { return snapshot().gravity; }

void Robot::set_obstacle(const SetObstacle& obstacle) {
  core_->check_open();
  const std::size_t arms = snapshot().arms.size();  // those of the loop
  Refusal r = check_shape(obstacle, config().joints.size(), arms);
  if (!r) r = check_obstacle(obstacle, arms);
  if (r) core_->refuse(CommandKind::kSetObstacle, r, {}, obstacle.name);
  core_->post(obstacle, {});
}

void Robot::remove_obstacle(std::string_view name) {
  core_->check_open();
  if (!fits_name(name)) {
    throw std::invalid_argument(fmt::format(
        "\"{}\" is no name of an obstacle: give 1 to {} characters", name, ObstacleName{}.size()));
  }
  core_->post(RemoveObstacle{obstacle_name(name)}, {});
}

const KnownObstacles& Robot::obstacles() const noexcept { return snapshot().obstacles; }

const RobotConfig& Robot::config() const noexcept { return core_->config(); }
const Snapshot& Robot::snapshot() const noexcept { return core_->now(); }
std::uint64_t Robot::hash() const noexcept { return core_->rig().hash(); }

TimedRun run_timed(Robot& robot, const std::function<bool(Robot&)>& f) {
  using Clock = std::chrono::steady_clock;
  TimedRun run;
  for (bool goes_on = true; goes_on; ++run.steps) {
    robot.begin_step();
    const Clock::time_point began = Clock::now();
    goes_on = f(robot);
    const double took = std::chrono::duration<double>(Clock::now() - began).count();
    run.longest = std::max(run.longest, took);
    if (took * robot.control_rate() > 1.0) ++run.overruns;
    robot.end_step();
  }
  return run;
}

}  // namespace jointrig
