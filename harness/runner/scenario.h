#pragma once
/// A scenario as read from its file: plain data, defaults filled in, parameters replaced, repeats
/// and includes expanded. Names of joints, signals and bodies are still text: runner.h binds them
/// to a robot.
///
/// docs/scenarios.md explains each key; scenario.schema.json is its source.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "control/core/command.h"
#include "control/core/faults.h"
#include "control/core/free_rotation.h"
#include "control/core/joint_parameter.h"
#include "control/core/modes.h"
#include "control/core/plan_execution.h"
#include "control/core/protection.h"
#include "control/planning/ik_outcome.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/world.h"

namespace jointrig::harness {

/// Text of the file that needs the robot: a number with a unit (`60 deg`), or an expression over
/// signals.
struct Text {
  std::string text;
  SourceSpot spot;

  bool operator==(const Text& other) const { return text == other.text; }
};

/// A joint, a part or "all", with a value.
struct Target {
  Text name;
  Text value;
  bool operator==(const Target&) const = default;
};

/// One value for all joints of a step, or values of their own.
struct EachValue {
  Text all;
  std::vector<Target> by_joint;  ///< in place of `all`: by joint, part or "all"
  bool operator==(const EachValue&) const = default;
};

/// A moment: a time on the robot's clock, or the time when a mark is set.
struct Moment {
  double time = 0.0;
  std::optional<Text> mark;  ///< in place of time
  bool operator==(const Moment&) const = default;
};

/// set_mode, set_interaction and set_impedance: up to three commands, gains first.
struct SetStep {
  std::vector<Text> joints;
  std::optional<ModeRequest> mode;
  std::optional<InteractionMode> interaction;
  std::optional<EachValue> stiffness;  ///< absent, or without the joint: unchanged
  std::optional<EachValue> damping;
  bool wait = true;      ///< until the mode is read back and the motor is on
  double timeout = 2.0;  ///< [s] of that wait
  bool operator==(const SetStep&) const = default;
};

/// move and home.
struct MoveStep {
  std::vector<Target> targets;
  std::optional<Text> pose;        ///< in place of targets
  std::vector<Text> joints;        ///< joints of the pose; empty: all joints of the pose
  std::optional<EachValue> speed;  ///< peak speed; absent, or without the joint: its own
  std::optional<double> duration;  ///< [s] in place of speed
  std::vector<std::pair<Text, double>> durations;  ///< [s] of every joint, in place of duration
  bool wait = true;                                ///< until the goals are reached
  std::optional<Text> within;                      ///< and the measured positions are this near
  double timeout = 30.0;                           ///< [s] of that wait
  bool operator==(const MoveStep&) const = default;
};

/// target: goals, with velocities there or without, or velocities alone.
struct TargetStep {
  std::vector<Target> goals;
  std::vector<Target> velocities;
  std::optional<EachValue> speed;  ///< bounds; absent, or without the joint: its own
  std::optional<EachValue> acceleration;
  std::optional<EachValue> jerk;
  Synchronisation synchronise = Synchronisation::kTime;
  MotionShape shape = MotionShape::kJerkLimited;
  bool wait = true;            ///< until the goals are reached
  std::optional<Text> within;  ///< and the measured positions are this near
  double timeout = 30.0;       ///< [s] of that wait
  bool operator==(const TargetStep&) const = default;
};

/// Bounds of a tool's motion; absent: the trajectory's, then the arm's own.
struct ToolMotion {
  std::optional<Text> linear_speed;
  std::optional<Text> linear_acceleration;
  std::optional<Text> rotational_speed;
  std::optional<Text> rotational_acceleration;
  std::optional<Text> corner_distance;
  bool operator==(const ToolMotion&) const = default;
};

/// Pose of a tool as it is written. It has one or none of `position` and `by`, and of
/// `orientation` and `turn`.
struct ToolPlace {
  std::vector<Text> position;     ///< x y z; or
  std::vector<Text> by;           ///< displacement; absent: none
  std::vector<Text> orientation;  ///< w x y z of a quaternion; or
  std::vector<Text> turn;         ///< rotation vector; absent: none
  bool operator==(const ToolPlace&) const = default;
};

/// Pose of a tool on a trajectory, in place of joint positions; `by` and `turn` from the point
/// before.
struct TrajectoryPose : ToolPlace {
  ToolMotion motion;
  std::vector<Target> posture;  ///< joint positions to be near to
  bool operator==(const TrajectoryPose&) const = default;
};

/// One command of set_arm.
struct ArmSetting {
  CommandKind kind = CommandKind::kSetToolStiffness;
  std::vector<Text> numbers;
  bool operator==(const ArmSetting&) const = default;
};

/// A point of a trajectory. A joint that it doesn't name stays where the point before has it.
struct TrajectoryPoint {
  std::string label;  ///< for people
  std::vector<Target> targets;
  std::optional<TrajectoryPose> tool;  ///< in place of targets
  std::optional<Text> pose;            ///< in place of targets
  std::optional<Text> speed;           ///< share of v_max, on the way to it; absent: the step's
  std::optional<Text> acceleration;    ///< share of a_max
  std::optional<double> time;          ///< from the start [s]: all points or none
  std::vector<Target> velocities;      ///< with `time`; a joint that isn't named has 0
  std::vector<Target> accelerations;
  std::vector<Target> tolerance;         ///< a joint that isn't named isn't watched there
  std::vector<Target> max_acceleration;  ///< without `time`, on the way to it
  std::vector<ArmSetting> interaction;   ///< of the arm whose joints move, from there; or none
  bool operator==(const TrajectoryPoint&) const = default;
};

/// A plan through waypoints, and the command follow_plan.
struct TrajectoryStep {
  std::vector<TrajectoryPoint> waypoints;
  std::optional<Text> speed;           ///< share of v_max; absent: 1
  std::optional<Text> acceleration;    ///< share of a_max; absent: 1
  std::optional<Text> arm;             ///< whose tool goes through poses; absent: joints move
  ToolFrame frame = ToolFrame::kBase;  ///< of the poses
  std::optional<Text> endpoint;        ///< a site or a body in place of the arm's tool
  FreeRotation free_rotation = FreeRotation::kNone;  ///< of the tool
  ToolMotion motion;                                 ///< of all waypoints
  bool rounds_corners = false;                       ///< as of AskedTrajectory
  bool brakes_behind = false;                        ///< likewise
  bool checks_collisions = true;
  std::vector<Target> path_tolerance;  ///< a joint that isn't named isn't watched
  std::vector<Target> goal_tolerance;
  double settling_time = 1.0;  ///< [s]
  PlanExecution execution = PlanExecution::kInverseDynamics;
  std::vector<ArmSetting> interaction;  ///< of the arm whose joints move; one, or none
  bool replace = false;                 ///< goes on from the plan that some follow, or all
  bool wait = true;                     ///< until it is finished
  double timeout = 60.0;                ///< [s] of that wait
  bool operator==(const TrajectoryStep&) const = default;
};

struct CalibrateStep {
  std::vector<Text> joints;
  bool wait = true;
  double timeout = 60.0;  ///< [s]
  bool operator==(const CalibrateStep&) const = default;
};

/// Changes a gain or a limit of joints from now on.
struct SetParameterStep {
  std::vector<Text> joints;
  JointParameter parameter = JointParameter::kKp;
  EachValue value;
  bool operator==(const SetParameterStep&) const = default;
};

struct StopStep {
  std::vector<Text> joints;
  bool is_gentle = false;  ///< `cancel`
  bool operator==(const StopStep&) const = default;
};

/// Target of a tool, in the base frame of its arm or in the world; `by` and `turn` from its goal.
struct ToolTarget : ToolPlace {
  Text arm;
  TargetFrame frame = TargetFrame::kBase;  ///< in the world: position and orientation
  bool operator==(const ToolTarget&) const = default;
};

struct MoveToolStep {
  ToolTarget target;
  bool wait = true;            ///< until the target has come to the goal
  std::optional<Text> within;  ///< and the tool is this near to it
  double timeout = 30.0;       ///< [s] of that wait
  bool operator==(const MoveToolStep&) const = default;
};

/// A velocity that a tool follows for a time.
struct DriveToolStep {
  Text arm;
  ArmSetting drive;       ///< numbers of the command's fields, in order
  bool wait = true;       ///< until its time is over and the tool rests
  double timeout = 30.0;  ///< [s] of that wait
  bool operator==(const DriveToolStep&) const = default;
};

/// Where a tool is to be, for inverse kinematics.
struct ReachTarget {
  ToolTarget tool;  ///< `by` and `turn` from where the tool is; without orientation and turn: any
  ToolFrame frame = ToolFrame::kBase;                ///< base or world
  FreeRotation free_rotation = FreeRotation::kNone;  ///< of orientation or turn
  bool operator==(const ReachTarget&) const = default;
};

/// Poses of one or several tools at once, and joints that bring them there.
struct ReachGoal {
  std::vector<ReachTarget> tools;
  std::vector<Text> with;       ///< joints that may move beside those of the arms
  std::vector<Target> posture;  ///< joint positions to be near to; absent: where the joint is
  bool operator==(const ReachGoal&) const = default;
};

/// A move to joint positions of inverse kinematics.
struct ReachStep {
  ReachGoal goal;
  std::optional<Text> speed;       ///< peak speed of a joint
  std::optional<double> duration;  ///< [s] in place of speed
  bool wait = true;                ///< until the goals are reached
  std::optional<Text> within;      ///< and the tools are this near to them
  double timeout = 30.0;           ///< [s] of that wait
  bool operator==(const ReachStep&) const = default;
};

struct ExpectUnreachableStep {
  ReachGoal goal;
  IkOutcome reason = IkOutcome::kOutOfReach;
  std::optional<Text> joint;  ///< joint whose limit it is
  std::optional<Text> says;   ///< part of the sentence
  bool operator==(const ExpectUnreachableStep&) const = default;
};

struct SetArmStep {
  Text arm;
  std::vector<ArmSetting> settings;
  std::vector<Target> posture;
  bool operator==(const SetArmStep&) const = default;
};

/// Functions that the command suppress switches off, and their joints.
struct Suppressed {
  std::vector<Text> joints;
  std::vector<Suppressible> what;
  bool operator==(const Suppressed&) const = default;
};

/// Switches collision avoidance and detection from now on.
struct SetProtectionStep {
  std::vector<std::pair<Protection, bool>> settings;
  bool operator==(const SetProtectionStep&) const = default;
};

/// Tells the robot of an obstacle, or that it is gone; the world stays as it is.
struct ToldObstacleStep {
  CommandKind kind = CommandKind::kSetObstacle;
  SetObstacle obstacle;     ///< of remove_obstacle the name alone
  std::optional<Text> arm;  ///< of a frame `base` or `tool`; absent: the first
  bool operator==(const ToldObstacleStep&) const = default;
};

/// Switches a law of one's own, or changes its parameters from now on.
struct SetLawStep {
  Text law;
  std::optional<bool> on;
  std::vector<Target> parameters;  ///< by name
  bool operator==(const SetLawStep&) const = default;
};

/// Opens, closes or moves a gripper, or grasps with it.
struct GripperStep {
  CommandKind kind = CommandKind::kOpenGripper;
  Text gripper;  ///< empty: the robot's only one
  std::optional<Text> width;
  std::optional<Text> share;
  std::optional<Text> force;
  std::optional<Text> speed;
  std::optional<Text> epsilon_inner;
  std::optional<Text> epsilon_outer;
  std::optional<GripperChange> becomes;  ///< absent: by the kind
  bool wait = true;
  double timeout = 10.0;  ///< [s]
  bool operator==(const GripperStep&) const = default;
};

/// A message to a robot on feet.
struct MessageStep {
  CommandKind kind = CommandKind::kHandTrajectory;
  Text hand;                    ///< or foot, by its name; empty: the first
  Text given_in;                ///< a foot's name and `_foot`; empty: `numbers` has the frame
  std::vector<double> numbers;  ///< of its fields, 0 for the hand or foot and for a part
  /// Parts that the message moves, where there are several: place of a part's number among the
  /// numbers, and the part's name.
  std::vector<std::pair<std::size_t, Text>> parts;
  bool operator==(const MessageStep&) const = default;
};

/// Samples that are sent repeatedly, computed each time.
struct StreamStep {
  /// position, velocity, torque, duty; for stream_trajectory the acceleration, which makes
  /// trajectory samples from the joint's position and velocity, and its torque if there is one
  std::vector<std::pair<CommandKind, Target>> targets;
  std::vector<ToolTarget> tools;
  std::optional<Suppressed> suppress;
  double period = 0.0;             ///< [s] between samples; 0: every cycle
  std::optional<double> duration;  ///< [s]
  std::optional<Text> until;       ///< ends when this is true
  double timeout = 30.0;           ///< [s] of until
  /// Its name: the next step begins at once, and the stream goes on until it is stopped.
  std::string background;
  bool operator==(const StreamStep&) const = default;
};

/// Sets a factor on the speed of all references.
struct SpeedStep {
  Text factor;
  bool operator==(const SpeedStep&) const = default;
};

/// Tells the controller how bodies fall.
struct GravityStep {
  std::vector<Text> gravity;  ///< three
  bool operator==(const GravityStep&) const = default;
};

struct StopStreamStep {
  Text name;
  bool operator==(const StopStreamStep&) const = default;
};

/// A time, a condition or an event.
struct WaitStep {
  double time = 0.0;  ///< [s], if until and event are absent
  std::optional<Text> until;
  std::optional<Text> event;
  double hold = 0.0;      ///< [s] for which until must stay true (key `for`)
  double timeout = 10.0;  ///< [s]
  bool operator==(const WaitStep&) const = default;
};

/// A command as sent to the inbox, for expect_rejected.
struct PlainCommand {
  CommandKind kind = CommandKind::kStop;
  ModeRequest mode = ModeRequest::kIdle;
  InteractionMode interaction = InteractionMode::kStiff;
  std::vector<Text> joints;     ///< of commands without values
  std::vector<Target> targets;  ///< of commands with values
  std::optional<Text> second;   ///< damping of set_impedance, factor of set_speed_override
  Text arm;                     ///< of commands for one
  std::optional<ToolTarget> tool;
  ArmSetting setting;  ///< of other commands for an arm
  std::optional<Suppressible> suppress;
  std::optional<std::pair<Protection, bool>> protection;
  std::optional<SetLawStep> law;  ///< with one setting
  std::optional<MessageStep> message;
  std::optional<GripperStep> gripper;
  std::optional<TrajectoryStep> trajectory;
  std::optional<TargetStep> target;
  std::optional<DriveToolStep> drive;
  std::optional<ToldObstacleStep> obstacle;
  std::optional<GravityStep> gravity;
  double age = 0.0;  ///< [s] by which its time is set back
  bool operator==(const PlainCommand&) const = default;
};

struct ExpectRejectedStep {
  PlainCommand command;
  RejectReason reason = RejectReason::kWrongMode;
  std::optional<Text> joint;  ///< joint that the answer must name
  std::optional<Text> says;   ///< part of the sentence
  bool operator==(const ExpectRejectedStep&) const = default;
};

/// An action on the world.
using Action = std::variant<FaultAction, ForceAction, PayloadAction, ObstacleAction>;

struct ActionStep {
  Action action;
  std::optional<double> duration;    ///< [s]; absent: until it is ended or the run ends
  SourceSpot spot;                   ///< place of the action's mapping
  std::map<std::string, Text> keys;  ///< as written, for checks that need the robot
  bool operator==(const ActionStep& other) const {
    return action == other.action && duration == other.duration;
  }
};

/// Ends the action of the step or disturbance of that name.
struct EndStep {
  Text name;
  bool operator==(const EndStep&) const = default;
};

/// A condition: an expression, or the modes of joints.
struct Condition {
  std::optional<Text> expression;
  std::vector<Target> modes;
  std::vector<Text> joints;  ///< joints in place of `each`; empty: all
  bool operator==(const Condition&) const = default;
};

struct ExpectStep {
  std::vector<Condition> conditions;
  bool operator==(const ExpectStep&) const = default;
};

struct MarkStep {
  bool operator==(const MarkStep&) const = default;  // its name is the step's
};

struct Step;

/// Lists of steps side by side; over when all of them are.
struct ParallelStep {
  std::vector<std::vector<Step>> lists;
  bool operator==(const ParallelStep& other) const;
};

/// A way out of a state: when a condition holds, when an event comes, a time after the entry, or,
/// with none of them, when the state's steps are over.
struct Transition {
  Text to;  ///< a state, or kEndOfMachine
  std::optional<Condition> when;
  double hold = 0.0;  ///< [s] for which `when` must stay true (key `for`)
  std::optional<Text> event;
  std::optional<double> after;  ///< [s]
  bool operator==(const Transition&) const = default;
};
inline constexpr std::string_view kEndOfMachine = "end";

struct MachineState {
  std::string name;  ///< in a repeat with its round; also a mark, as of a step
  std::vector<Step> steps;
  std::vector<Transition> next;  ///< none: the machine is over with the steps
  bool operator==(const MachineState& other) const;
};

/// One state at a time; begins in the first.
struct StateMachineStep {
  std::vector<MachineState> states;
  double timeout = 60.0;  ///< [s]
  bool operator==(const StateMachineStep&) const = default;
};

using StepKind =
    std::variant<SetStep, SetParameterStep, MoveStep, TargetStep, TrajectoryStep, MoveToolStep,
                 DriveToolStep, ReachStep, ExpectUnreachableStep, SetArmStep, CalibrateStep,
                 StopStep, SpeedStep, GravityStep, SetProtectionStep, SetLawStep, ToldObstacleStep,
                 MessageStep, GripperStep, StreamStep, StopStreamStep, WaitStep, ExpectRejectedStep,
                 ActionStep, EndStep, ExpectStep, MarkStep, ParallelStep, StateMachineStep>;

struct Step {
  std::string name;   ///< the author's name; also the mark that is set at the step's end
  std::string label;  ///< for people: the name, or a description
  StepKind what;
  SourceSpot spot;
  bool operator==(const Step& other) const { return name == other.name && what == other.what; }
};

/// The lists of steps within a step.
std::vector<const std::vector<Step>*> lists_within(const Step& step);

/// Calls f(step) for each step, and for those within it after it: the order of verdicts.
template <typename F>
void for_each_step(const std::vector<Step>& steps, const F& f) {
  for (const Step& step : steps) {
    f(step);
    for (const std::vector<Step>* list : lists_within(step)) for_each_step(*list, f);
  }
}

/// A step's name without the rounds of repeats: `settled` of `settled[2]`.
std::string without_round(const std::string& name);

/// An action at a given time.
struct TimedAction {
  std::string name;
  double at = 0.0;  ///< [s] on the robot's clock
  ActionStep action;
  bool operator==(const TimedAction&) const = default;
};

/// always and never: in every cycle of a window; at_end: in the last cycle of the steps.
struct Assertion {
  std::string name;
  Condition condition;
  std::optional<Text> event;  ///< of never
  Moment from;                ///< only for always and never
  std::optional<Moment> to;
  SourceSpot spot;
  bool operator==(const Assertion& other) const {
    return name == other.name && condition == other.condition && event == other.event &&
           from == other.from && to == other.to;
  }
};

/// An event or a condition at most so long after a moment; after each setting of a mark.
struct WithinAssertion {
  std::string name;
  std::optional<Text> event;
  Condition condition;  ///< in place of event
  Moment after;
  double longest = 0.0;  ///< [s] (key `max`)
  double hold = 0.0;     ///< [s] for which the condition must stay true (key `for`)
  SourceSpot spot;
  bool operator==(const WithinAssertion& other) const {
    return name == other.name && event == other.event && condition == other.condition &&
           after == other.after && longest == other.longest && hold == other.hold;
  }
};

/// One number from a signal over a window.
///
///     rms peak mean std min max final     statistics of the samples; peak is the largest |x|
///     overshoot       largest excess beyond the target, as a share of the step from the first
///     sample rise_time       from 10 to 90 % of that step [s] settling_time   time until it stays
///     within the band around the target [s]
#define JOINTRIG_STATISTICS(X) \
  X(kRms, "rms")               \
  X(kPeak, "peak")             \
  X(kMean, "mean")             \
  X(kStd, "std")               \
  X(kMin, "min")               \
  X(kMax, "max")               \
  X(kFinal, "final")           \
  X(kOvershoot, "overshoot")   \
  X(kRiseTime, "rise_time")    \
  X(kSettlingTime, "settling_time")
JOINTRIG_ENUM(Statistic, JOINTRIG_STATISTICS)

struct MetricSpec {
  std::string name;
  Text of;
  std::vector<Text> joints;  ///< joints in place of `each`: one metric each; empty: all
  Statistic statistic = Statistic::kRms;
  Moment from;
  std::optional<Moment> to;
  std::optional<Text> target;    ///< absent: the last sample
  double band = 0.02;            ///< of settling_time
  bool band_is_relative = true;  ///< to the step; else in the signal's unit
  std::optional<double> least;   ///< keys `min` and `max`
  std::optional<double> most;
  std::optional<double> warn;  ///< a worse value is a warning
  SourceSpot spot;
  std::map<std::string, Text> keys;  ///< min, max, warn and band as written
  bool operator==(const MetricSpec& other) const {
    return name == other.name && of == other.of && joints == other.joints &&
           statistic == other.statistic && from == other.from && to == other.to &&
           target == other.target && band == other.band &&
           band_is_relative == other.band_is_relative && least == other.least &&
           most == other.most && warn == other.warn;
  }
};

struct Scenario {
  std::string name;                              ///< with the variation: `lift[payload=1kg]`
  std::string family;                            ///< without the variation
  std::map<std::string, std::string> variation;  ///< of the matrix: parameter and value
  std::filesystem::path file;
  std::string about;
  std::vector<std::string> tags;
  YamlNode robot;                     ///< name or file, for find_robot()
  std::vector<std::string> backends;  ///< allowed backends; empty: any
  double timeout_sim = 60.0;          ///< [s]
  double timeout_wall = 300.0;        ///< [s]
  std::vector<Text> requirements;
  std::string expected_failure;  ///< its reason (key `xfail`); empty: it must pass
  /// For RobotSource::overrides: the scenario's config, with scene, keyframe and seed.
  YamlNode config;
  std::vector<TimedAction> faults;
  std::vector<TimedAction> disturbances;
  std::vector<Step> setup;
  std::vector<Step> steps;
  std::vector<Step> teardown;
  std::vector<Assertion> always;
  std::vector<Assertion> never;
  std::vector<Assertion> at_end;
  std::vector<WithinAssertion> within;
  std::vector<Text> faults_allowed;  ///< `joint` or `joint.fault` (no_fault_except)
  std::vector<MetricSpec> metrics;
  std::vector<Text> plots;         ///< signals for the report, beside the judged ones
  std::vector<std::string> notes;  ///< for the author: old names in use, and the like
};

/// Those of set-up, steps and teardown.
template <typename F>
void for_each_step(const Scenario& scenario, const F& f) {
  for (const auto* steps : {&scenario.setup, &scenario.steps, &scenario.teardown}) {
    for_each_step(*steps, f);
  }
}

/// The obstacles of a scenario, from all sections: the plant is compiled with them.
std::vector<ObstacleAction> obstacles_of(const Scenario& scenario);

}  // namespace jointrig::harness
