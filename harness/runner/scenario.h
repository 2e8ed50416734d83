#pragma once
/// A scenario as it was read: plain data, defaults filled in, parameters put in, repeats and
/// includes written out. Names of joints, signals and bodies are still names: runner.h binds them
/// to a robot.
///
/// docs/scenarios.md says what each key means; scenario.schema.json is its source.

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
#include "control/core/joint_parameter.h"
#include "control/core/modes.h"
#include "control/core/protection.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/world.h"

namespace jointrig::harness {

/// A piece of the file that is understood once the robot is known: a number with a unit (`60 deg`),
/// or an expression over signals.
struct Text {
  std::string text;
  SourceSpot spot;

  bool operator==(const Text& other) const { return text == other.text; }
};

/// Joint, part or "all", and what it is given.
struct Target {
  Text name;
  Text value;
  bool operator==(const Target&) const = default;
};

/// A moment: so many seconds on the robot's clock, or when a mark is set.
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
  std::optional<Text> stiffness;  ///< left out: stays as it is
  std::optional<Text> damping;
  bool wait = true;      ///< until the mode is read back and the motor is on
  double timeout = 2.0;  ///< [s] of that wait
  bool operator==(const SetStep&) const = default;
};

/// move and home.
struct MoveStep {
  std::vector<Target> targets;
  std::optional<Text> pose;        ///< in place of targets
  std::vector<Text> joints;        ///< of the pose; empty: all that it names
  std::optional<Text> speed;       ///< peak speed
  std::optional<double> duration;  ///< [s] in place of speed
  bool wait = true;                ///< until the goals are reached
  std::optional<Text> within;      ///< and the measured positions are this near
  double timeout = 30.0;           ///< [s] of that wait
  bool operator==(const MoveStep&) const = default;
};

struct CalibrateStep {
  std::vector<Text> joints;
  bool wait = true;
  double timeout = 60.0;  ///< [s]
  bool operator==(const CalibrateStep&) const = default;
};

/// A gain or a limit of joints, from now on.
struct SetParameterStep {
  std::vector<Text> joints;
  JointParameter parameter = JointParameter::kKp;
  Text value;
  bool operator==(const SetParameterStep&) const = default;
};

struct StopStep {
  std::vector<Text> joints;
  bool operator==(const StopStep&) const = default;
};

/// Where a tool shall be, in the base frame of its arm.
struct ToolTarget {
  Text arm;
  std::vector<Text> position;     ///< x y z; or
  std::vector<Text> by;           ///< so far from where its goal is; left out: there
  std::vector<Text> orientation;  ///< w x y z of a quaternion; or
  std::vector<Text> turn;         ///< a rotation vector from where its goal is; left out: as there
  bool operator==(const ToolTarget&) const = default;
};

struct MoveToolStep {
  ToolTarget target;
  bool wait = true;            ///< until the target has come to the goal
  std::optional<Text> within;  ///< and the tool is this near to it
  double timeout = 30.0;       ///< [s] of that wait
  bool operator==(const MoveToolStep&) const = default;
};

/// One command of set_arm.
struct ArmSetting {
  CommandKind kind = CommandKind::kSetToolStiffness;
  std::vector<Text> numbers;
  bool operator==(const ArmSetting&) const = default;
};

struct SetArmStep {
  Text arm;
  std::vector<ArmSetting> settings;
  std::vector<Target> posture;
  bool operator==(const SetArmStep&) const = default;
};

/// What the command suppress holds off, on which joints.
struct Suppressed {
  std::vector<Text> joints;
  std::vector<Suppressible> what;
  bool operator==(const Suppressed&) const = default;
};

/// Collision avoidance and detection, switched from now on.
struct SetProtectionStep {
  std::vector<std::pair<Protection, bool>> settings;
  bool operator==(const SetProtectionStep&) const = default;
};

/// Samples sent again and again, computed anew each time.
struct StreamStep {
  /// position, velocity, torque, duty; stream_trajectory: the acceleration that makes samples of a
  /// trajectory of the position and the velocity of its joint
  std::vector<std::pair<CommandKind, Target>> targets;
  std::vector<ToolTarget> tools;
  std::optional<Suppressed> suppress;
  double period = 0.0;             ///< [s] between samples; 0: every cycle
  std::optional<double> duration;  ///< [s]
  std::optional<Text> until;       ///< ends when this holds
  double timeout = 30.0;           ///< [s] of until
  std::string background;  ///< its name: the next step begins at once, and it goes on until stopped
  bool operator==(const StreamStep&) const = default;
};

/// Factor on the speed of all references.
struct SpeedStep {
  Text factor;
  bool operator==(const SpeedStep&) const = default;
};

struct StopStreamStep {
  Text name;
  bool operator==(const StopStreamStep&) const = default;
};

/// A time, a condition or an event.
struct WaitStep {
  double time = 0.0;  ///< [s] where until and event are left out
  std::optional<Text> until;
  std::optional<Text> event;
  double hold = 0.0;      ///< [s] that until has to hold without a break (key `for`)
  double timeout = 10.0;  ///< [s]
  bool operator==(const WaitStep&) const = default;
};

/// A command as it goes into the inbox, for expect_rejected.
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
  double age = 0.0;  ///< [s] by which it claims to be older
  bool operator==(const PlainCommand&) const = default;
};

struct ExpectRejectedStep {
  PlainCommand command;
  RejectReason reason = RejectReason::kWrongMode;
  std::optional<Text> joint;  ///< that the answer has to name
  bool operator==(const ExpectRejectedStep&) const = default;
};

/// Something done to the world.
using Action = std::variant<FaultAction, ForceAction, PayloadAction, ObstacleAction>;

struct ActionStep {
  Action action;
  std::optional<double> duration;    ///< [s]; left out: until it is ended or the run is over
  SourceSpot spot;                   ///< of the action's mapping
  std::map<std::string, Text> keys;  ///< as written, for what is checked once the robot is known
  bool operator==(const ActionStep& other) const {
    return action == other.action && duration == other.duration;
  }
};

/// Ends the action of the step or disturbance of that name.
struct EndStep {
  Text name;
  bool operator==(const EndStep&) const = default;
};

/// A condition: an expression, or the modes that joints shall be in.
struct Condition {
  std::optional<Text> expression;
  std::vector<Target> modes;
  std::vector<Text> joints;  ///< that `each` stands for; empty: all
  bool operator==(const Condition&) const = default;
};

struct ExpectStep {
  std::vector<Condition> conditions;
  bool operator==(const ExpectStep&) const = default;
};

struct MarkStep {
  bool operator==(const MarkStep&) const = default;  // its name is the step's
};

using StepKind =
    std::variant<SetStep, SetParameterStep, MoveStep, MoveToolStep, SetArmStep, CalibrateStep,
                 StopStep, SpeedStep, SetProtectionStep, StreamStep, StopStreamStep, WaitStep,
                 ExpectRejectedStep, ActionStep, EndStep, ExpectStep, MarkStep>;

struct Step {
  std::string name;   ///< given by the author; also the mark that is set when the step is over
  std::string label;  ///< for people: the name, or what it does
  StepKind what;
  SourceSpot spot;
  bool operator==(const Step& other) const { return name == other.name && what == other.what; }
};

/// A step's name without the rounds of repeats: `settled` of `settled[2]`.
std::string without_round(const std::string& name);

/// An action at a time of its own.
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
  Moment from;                ///< always and never alone
  std::optional<Moment> to;
  SourceSpot spot;
  bool operator==(const Assertion& other) const {
    return name == other.name && condition == other.condition && event == other.event &&
           from == other.from && to == other.to;
  }
};

/// An event or a condition, at most so long after a moment. After a mark: each time it is set.
struct WithinAssertion {
  std::string name;
  std::optional<Text> event;
  Condition condition;  ///< in place of event
  Moment after;
  double longest = 0.0;  ///< [s] (key `max`)
  double hold = 0.0;     ///< [s] that the condition has to hold without a break (key `for`)
  SourceSpot spot;
  bool operator==(const WithinAssertion& other) const {
    return name == other.name && event == other.event && condition == other.condition &&
           after == other.after && longest == other.longest && hold == other.hold;
  }
};

/// One number out of a signal over a window.
///
///     rms peak mean std min max final     of the samples; peak is the largest |x|
///     overshoot       beyond the target, as a part of the step from the first sample to the target
///     rise_time       from 10 to 90 % of that step [s]
///     settling_time   until it stays within the band around the target [s]
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
  std::vector<Text> joints;  ///< that `each` stands for: one metric each; empty: all
  Statistic statistic = Statistic::kRms;
  Moment from;
  std::optional<Moment> to;
  std::optional<Text> target;    ///< left out: the last sample
  double band = 0.02;            ///< of settling_time
  bool band_is_relative = true;  ///< to the step; else in the signal's unit
  std::optional<double> least;   ///< keys `min` and `max`
  std::optional<double> most;
  std::optional<double> warn;  ///< worse than this is a warning
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
  std::string family;                            ///< without
  std::map<std::string, std::string> variation;  ///< of the matrix: parameter and value
  std::filesystem::path file;
  std::string about;
  std::vector<std::string> tags;
  YamlNode robot;                     ///< name or file, for find_robot()
  std::vector<std::string> backends;  ///< on which it may run; empty: any
  double timeout_sim = 60.0;          ///< [s]
  double timeout_wall = 300.0;        ///< [s]
  std::vector<Text> requirements;
  std::string expected_failure;  ///< its reason (key `xfail`); empty: it has to pass
  /// For RobotSource::overrides: the scenario's config, with its scene, keyframe and seed in it.
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
  std::vector<Text> plots;         ///< signals for the report, beside those that are judged
  std::vector<std::string> notes;  ///< for the author: old names used, and the like
};

/// The obstacles of a scenario, wherever they are declared: the plant is compiled with them.
std::vector<ObstacleAction> obstacles_of(const Scenario& scenario);

}  // namespace jointrig::harness
