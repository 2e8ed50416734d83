// Arms of a robot: their tool's pose, and commands for it.

#include "app/robot/robot_arm.h"

#include <fmt/core.h>

#include <cmath>

#include "app/robot/robot_core.h"
#include "control/planning/arm_tasks.h"
#include "control/planning/placement.h"
#include "control/planning/rotation_advice.h"
#include "control/safety/arm_admission.h"

namespace jointrig {
namespace {

const ArmConfig& config_of(RobotCore& core, ArmIndex arm) { return core.config().arms[arm]; }

/// Frame that the poses of `frame` are in: those at the tool are made from the base's.
ToolFrame fixed(ToolFrame frame) { return frame == ToolFrame::kTool ? ToolFrame::kBase : frame; }

std::vector<double> references(const RobotCore& core) {
  return core.present(FilterOn::kCommandedPosition);
}

/// With the base and the tool as they are now.
template <typename Kinematics>
void place(Kinematics& kinematics, const RobotCore& core, ArmIndex arm, const auto& set_offset) {
  const BaseState& base = core.now().base;
  kinematics.set_base(placement_of(ToolPose{base.position, base.orientation}));
  set_offset(placement_of(core.offset_of(arm)));
}

ToolPose pose_at(RobotCore& core, ArmIndex arm, ToolFrame frame, const std::vector<double>& q) {
  const ArmConfig& config = config_of(core, arm);
  FrameKinematics kinematics(core.tree(), {tool_task(core.tree(), config, fixed(frame)).frames},
                             config.joints);
  place(kinematics, core, arm, [&](const Placement& x) { kinematics.set_offset(0, x); });
  kinematics.update(q);
  return tool_pose_of(kinematics.pose(0));
}

void check_pose(std::string_view call, const ToolPose& pose) {
  double norm = 0.0;
  bool is_finite = true;
  for (const double x : pose.position) is_finite = is_finite && std::isfinite(x);
  for (const double x : pose.orientation) norm += x * x;
  constexpr double kNearUnit = 1e-3;  // room for numbers written with three digits
  if (is_finite && std::abs(std::sqrt(norm) - 1.0) <= kNearUnit) return;
  throw std::invalid_argument(std::string(call) +
                              ": give a position of finite numbers, and a quaternion w x y z of "
                              "length 1");
}

void check_speed(std::string_view call, double speed) {
  if (speed > 0.0 && speed <= 1.0) return;
  throw std::invalid_argument(std::string(call) + ": a speed of " + fmt::format("{:.6g}", speed) +
                              " is no share: give a number above 0, at most 1");
}

/// Throws Refused at the first point of a plan that isn't feasible.
void check_way(const std::string& arm, const JointPlan& plan,
               const RobotArm::Feasible& is_feasible) {
  constexpr double kApart = 0.005;  // s: a choice
  const auto parts = static_cast<int>(std::ceil(plan.duration() / kApart));
  std::vector<MotionState> states(plan.joints().size());
  JointPlan::Cursor cursor;
  for (int k = 0; k <= parts; ++k) {
    const double t = parts == 0 ? 0.0 : plan.duration() * k / parts;
    plan.at(t, cursor, states);
    RobotPart::Values q;
    for (const MotionState& state : states) q.push_back(state.q);
    if (is_feasible(q)) continue;
    throw Refused(arm + ": rejected move_linear_if (not_feasible): the way is not feasible " +
                  fmt::format("{:.6g}", t) + " s from its start, of " +
                  fmt::format("{:.6g}", plan.duration()) + " s");
  }
}

std::optional<TimeNs> end_after(std::string_view call, const RobotCore& core,
                                std::optional<double> ttl) {
  if (!ttl) return std::nullopt;
  if (*ttl > 0.0 && std::isfinite(*ttl)) return core.now().time_ns + to_ns(*ttl);
  throw std::invalid_argument(std::string(call) + ": a time to live of " +
                              fmt::format("{:.6g}", *ttl) + " s: give a time above 0, or none");
}

}  // namespace

RobotArm::RobotArm(RobotCore& core, ArmIndex arm)
    : RobotPart(core, config_of(core, arm).name, joints_of(config_of(core, arm))), arm_(arm) {}

// Poses -------------------------------------------------------------------------------------------

ToolPose RobotArm::sensed_tool_pose(ToolFrame frame) const {
  if (frame == ToolFrame::kTool) return {};
  return pose_at(core(), arm_, frame, core().sensed(FilterOn::kSensedPosition));
}

ToolPose RobotArm::commanded_tool_pose(ToolFrame frame) const {
  if (frame == ToolFrame::kTool) return {};
  return pose_at(core(), arm_, frame, references(core()));
}

RobotPart::Values RobotArm::before(std::string_view call, bool is_appended, ToolFrame frame) const {
  Values q = references(core());
  if (!is_appended) return q;
  if (frame == ToolFrame::kTool && !knows_destination()) {
    throw std::invalid_argument(std::string(call) +
                                ": the tool's goal isn't known before the plan of the motion "
                                "before is made: give the pose in the world or in the base");
  }
  const Values goals = destination();
  for (std::size_t i = 0; i < goals.size(); ++i) q[indices()[i]] = goals[i];
  return q;
}

RobotPart::Values RobotArm::solution(std::string_view call, const ToolPose& pose, ToolFrame frame,
                                     FreeRotation free, bool is_appended) const {
  check_pose(call, pose);
  const Values from = before(call, is_appended, frame);
  Placement goal = placement_of(pose);
  if (frame == ToolFrame::kTool) {
    goal = product(placement_of(pose_at(core(), arm_, ToolFrame::kBase, from)), goal);
  }
  const ArmConfig& config = config_of(core(), arm_);
  IkOptions options;
  options.candidates = 4;  // a choice: the nearest of some
  options.leads_to_posture = true;
  IkTask task = tool_task(core().tree(), config, fixed(frame));
  task.free = free;
  const std::vector<JointRange> ranges = soft_ranges(*core().limits.robot(), config.joints);
  InverseKinematics ik(core().tree(), {task}, config.joints, ranges, options);
  place(ik, core(), arm_, [&](const Placement& x) { ik.set_offset(0, x); });
  const IkResult& result = ik.solve(std::span(&goal, 1), from);
  if (result.outcome == IkOutcome::kSolved) {
    Values q;
    for (const JointIndex joint : indices()) q.push_back(result.q[joint]);
    return q;
  }
  std::string why = name() + ": rejected " + std::string(call) + " (" +
                    std::string(to_string(result.outcome)) + "): ";
  if (result.outcome == IkOutcome::kJointLimits) {
    throw Refused(why + "joint \"" + core().config().joints[result.beyond.joint].name +
                  "\" would have to be at " + fmt::format("{:.6g}", result.beyond.q) +
                  ", and its limit is " + fmt::format("{:.6g}", result.beyond.limit));
  }
  RotationAdvice advice(core().tree(), task.frames, config.joints, ranges, free);
  place(advice, core(), arm_, [&](const Placement& x) { advice.set_offset(x); });
  const std::string what_helps = advice.on(std::span(&goal, 1), from);
  throw Refused(why + "the tool stays " + fmt::format("{:.6g}", result.errors[0].position) +
                " m and " + fmt::format("{:.6g}", result.errors[0].rotation) +
                " rad from the pose" + (what_helps.empty() ? "" : "; " + what_helps));
}

// Tool and load -----------------------------------------------------------------------------------

ToolPose RobotArm::tool_coordinates() const { return core().offset_of(arm_); }

/// For calls that the loop has to know the arm for.
void RobotArm::check_in_loop(std::string_view call) const {
  if (core().is_in_loop(arm_)) return;
  throw Refused(name() + ": rejected " + std::string(call) +
                " (unsupported): the arm was added while the robot runs, and its joints take "
                "positions alone; name it in robot.yaml, or in RobotOptions::arms");
}

void RobotArm::set_tool_coordinates(const ToolPose& in_flange) {
  check_pose("set_tool_coordinates", in_flange);
  core().check_open();
  if (!core().is_in_loop(arm_)) {
    check_own_tool(in_flange);
    core().set_own_offset(arm_, in_flange);
    return;
  }
  SetTool command;
  command.arm = arm_;
  command.position = in_flange.position;
  command.orientation = in_flange.orientation;
  core().post(command, {});
}

/// As the loop checks that of its own arms.
void RobotArm::check_own_tool(const ToolPose& in_flange) const {
  const Refusal r =
      check_arm(SetTool{arm_, in_flange.position, in_flange.orientation}, config_of(core(), arm_));
  if (r) core().refuse(CommandKind::kSetTool, r, {}, {}, arm_);
  if (core().is_moving(joints())) {
    core().refuse(CommandKind::kSetTool, {RejectReason::kToolMoves, kNoJoint, 0.0, 0.0}, {}, {},
                  arm_);
  }
}

void RobotArm::set_gravity_compensation(bool on, const KnownPayload& load) {
  core().check_open();
  check_in_loop("set_gravity_compensation");
  core().post(SetArmTerm{arm_, ArmTerm::kGravity, on}, {});
  core().post(SetPayload{arm_, load.mass, load.centre, load.inertia}, {});
}

// At once -----------------------------------------------------------------------------------------

void RobotArm::set_cartesian_position(const ToolPose& pose, ToolFrame frame, FreeRotation free) {
  core().check_open();
  set_position(solution("set_cartesian_position", pose, frame, free));
}

void RobotArm::set_cartesian_velocity(const Six& twist, std::optional<double> ttl, ToolFrame frame,
                                      FreeRotation free) {
  core().drive(checked_velocity(twist, ttl, frame, free), ttl);
}

DriveTool RobotArm::checked_velocity(const Six& twist, std::optional<double> ttl, ToolFrame frame,
                                     FreeRotation free) const {
  core().check_open();
  static_cast<void>(end_after("set_cartesian_velocity", core(), ttl));
  const ArmConfig& config = config_of(core(), arm_);
  const auto check = [&](std::size_t first, double most, const char* unit) {
    const double size = std::hypot(twist[first], twist[first + 1], twist[first + 2]);
    if (size <= most) return;
    throw Refused(name() + ": rejected set_cartesian_velocity (out_of_range): " +
                  fmt::format("{:.6g}", size) + unit + ", and its limit is " +
                  fmt::format("{:.6g}", most) + unit);
  };
  check(0, config.speed_max, " m/s");
  check(3, config.rotation_speed_max, " rad/s");
  const DriveTool command{.arm = arm_, .velocity = twist, .frame = frame, .free_rotation = free};
  core().check_rotations(command);
  return command;
}

double RobotArm::progress() const { return core().drives.progress(arm_, core().now()); }

void RobotArm::set_cartesian_force(const Six& wrench, std::optional<double> ttl, ToolFrame frame) {
  core().check_open();
  check_in_loop("set_cartesian_force");
  const std::optional<TimeNs> until = end_after("set_cartesian_force", core(), ttl);
  SetInteractionControl command;
  command.arm = arm_;
  command.axes.fill(InteractionAxis::kForce);
  command.force = wrench;
  command.frame = frame;
  core().release(joints());
  core().expect_nothing(joints());
  core().enter(joints(), ControlMode::kCartesian);
  core().post(command, joints());
  core().drives.push(arm_, config_of(core(), arm_).joints, until);
}

// Motions -----------------------------------------------------------------------------------------

void RobotArm::move_cartesian(const ToolPose& pose, double speed, ToolFrame frame,
                              FreeRotation free) {
  core().check_open();
  check_speed("move_cartesian", speed);
  move_to(solution("move_cartesian", pose, frame, free), speed);
}

void RobotArm::append_move_cartesian(const ToolPose& pose, double speed, ToolFrame frame,
                                     FreeRotation free) {
  core().check_open();
  check_speed("append_move_cartesian", speed);
  append_move_to(solution("append_move_cartesian", pose, frame, free, true), speed);
}

/// A straight way of the tool.
struct RobotArm::Line {
  std::string_view call;
  const ToolPose& pose;
  double speed;
  ToolFrame frame;
  FreeRotation free;
  const InteractionSettings* interaction = nullptr;
  Feasible is_feasible{};
  bool is_appended = false;
};

void RobotArm::move_linear(const ToolPose& pose, double speed, ToolFrame frame, FreeRotation free) {
  go_straight({"move_linear", pose, speed, frame, free});
}

void RobotArm::append_move_linear(const ToolPose& pose, double speed, ToolFrame frame,
                                  FreeRotation free) {
  go_straight({"append_move_linear", pose, speed, frame, free, nullptr, {}, true});
}

void RobotArm::move_linear_if(const ToolPose& pose, const Feasible& is_feasible, double speed,
                              ToolFrame frame, FreeRotation free) {
  go_straight({"move_linear_if", pose, speed, frame, free, nullptr, is_feasible});
}

void RobotArm::move_linear_with(const InteractionSettings& interaction, const ToolPose& pose,
                                double speed, ToolFrame frame, FreeRotation free) {
  go_straight({"move_linear_with", pose, speed, frame, free, &interaction});
}

void RobotArm::go_straight(const Line& line) {
  core().check_open();
  check_speed(line.call, line.speed);
  check_pose(line.call, line.pose);
  if (line.interaction != nullptr) check_in_loop(line.call);
  const ArmConfig& config = config_of(core(), arm_);
  AskedTrajectory asked;
  asked.joints = joints();
  asked.tool.emplace();
  asked.tool->arm = arm_;
  asked.tool->frame = fixed(line.frame);
  asked.tool->free_rotation = line.free;
  ToolPose goal = line.pose;
  if (line.frame == ToolFrame::kTool) {
    const ToolPose from =
        pose_at(core(), arm_, ToolFrame::kBase, before(line.call, line.is_appended, line.frame));
    goal = tool_pose_of(product(placement_of(from), placement_of(line.pose)));
  }
  ArmWaypoint& to = asked.tool->waypoints.emplace_back();
  to.position = goal.position;
  if (line.free != FreeRotation::kAll) to.orientation = goal.orientation;
  to.linear_speed = line.speed * config.speed_max;
  to.rotational_speed = line.speed * config.rotation_speed_max;
  const SetInteractionControl settings = control_of(line.interaction);
  core().follow({.asked = asked,
                 .interaction = line.interaction == nullptr ? nullptr : &settings,
                 .allows =
                     [is_feasible = line.is_feasible, arm = name()](const JointPlan& plan) {
                       if (is_feasible) check_way(arm, plan, is_feasible);
                     },
                 .is_appended = line.is_appended});
}

SetInteractionControl RobotArm::control_of(const InteractionSettings* interaction) const {
  SetInteractionControl control;
  if (interaction != nullptr) static_cast<InteractionSettings&>(control) = *interaction;
  control.arm = arm_;
  return control;
}

AskedTrajectory RobotArm::asked_of_tool(const std::vector<ArmWaypoint>& waypoints,
                                        const ToolPathOptions& options) const {
  AskedTrajectory asked;
  asked.joints = joints();
  asked.tool =
      AskedToolPath{arm_, options.frame, options.endpoint, waypoints, options.free_rotation};
  take_options(options, asked);
  return asked;
}

void RobotArm::follow_tool(const std::vector<ArmWaypoint>& waypoints,
                           const ToolPathOptions& options) {
  const InteractionSettings* interaction = options.interaction ? &*options.interaction : nullptr;
  if (interaction != nullptr) check_in_loop("follow_tool");
  const SetInteractionControl settings = control_of(interaction);
  core().follow({.asked = asked_of_tool(waypoints, options),
                 .interaction = interaction == nullptr ? nullptr : &settings});
}

void RobotArm::append_follow_tool(const std::vector<ArmWaypoint>& waypoints,
                                  const ToolPathOptions& options) {
  if (options.interaction) {
    throw std::invalid_argument(
        "append_follow_tool: an appended path has the interaction of the motion before: leave out "
        "`interaction`, or wait() and call follow_tool");
  }
  core().follow({.asked = asked_of_tool(waypoints, options), .is_appended = true});
}

void RobotArm::follow_with(const InteractionSettings& interaction,
                           const std::vector<AskedWaypoint>& waypoints,
                           const FollowOptions& options) {
  check_in_loop("follow_with");
  const SetInteractionControl settings = control_of(&interaction);
  core().follow({.asked = asked_of("follow_with", waypoints, options),
                 .interaction = &settings,
                 .duration = duration_of(waypoints, options)});
}

}  // namespace jointrig
