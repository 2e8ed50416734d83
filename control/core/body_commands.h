#pragma once
/// Messages to a robot on feet (docs/whole-body.md has all as a table): what its chest, head,
/// pelvis, hands and feet are to do. Each carries an id of the sender's choice, by which the robot
/// answers; id 0 is refused.
///
/// Places and heights are expressed in the stance frame: on the ground in the middle of the soles
/// where the controller began, x ahead, z up.

#include <array>
#include <cstdint>

#include "control/core/command_field.h"
#include "control/core/modes.h"

namespace jointrig {

inline constexpr std::size_t kMaxWaypoints = 16;      ///< in a message: a choice
inline constexpr std::size_t kMaxMessageJoints = 10;  ///< of an arm
inline constexpr std::size_t kMaxHands = 4;
using MessageId = std::uint32_t;

/// Part that a trajectory moves.
enum class BodyTopic : std::uint8_t {
  kHand,
  kArm,
  kChest,
  kHead,
  kPelvis,  ///< how it is turned
  kHeight,  ///< of the pelvis
  kFoot,
  kNeck,
  kPlace,    ///< of the pelvis, from above
  kFingers,  ///< of a hand
};
inline constexpr std::size_t kBodyTopics = 10;

/// When a trajectory begins.
///
///     override  at once, in place of what runs and waits
///     queue     after the message `previous`, which must be the last one of its part
///     stream    at once, one point with a velocity, which goes on for `integration`; then the next
///               one must have come, or the part brakes and holds
#define JOINTRIG_EXECUTIONS(X) \
  X(kOverride, "override")     \
  X(kQueue, "queue")           \
  X(kStream, "stream")
JOINTRIG_ENUM(Execution, JOINTRIG_EXECUTIONS)

/// Along whose axes the weights of a message count, and those that it leaves out: of the stance
/// frame, of a part as it is turned at that moment, or of the part that the message moves.
#define JOINTRIG_TASK_FRAMES(X) \
  X(kStance, "stance")          \
  X(kPelvis, "pelvis")          \
  X(kChest, "chest")            \
  X(kHead, "head")              \
  X(kOwn, "own")
JOINTRIG_ENUM(TaskFrame, JOINTRIG_TASK_FRAMES)

/// In which frame the rows of a message are given. A part's frame is where it is as the message
/// comes; a foot's is that of its sole, by its number in robot.yaml.
///
/// A pose is x = p_F + R_F x_F. For a part that turns from its start, the frame counts as it has
/// turned since the start: with no turn the part is to the frame as it was then.
#define JOINTRIG_POINT_FRAMES(X) \
  X(kStance, "stance")           \
  X(kWorld, "world")             \
  X(kPelvis, "pelvis")           \
  X(kChest, "chest")             \
  X(kHead, "head")               \
  X(kFoot1, "first_foot")        \
  X(kFoot2, "second_foot")       \
  X(kFoot3, "third_foot")        \
  X(kFoot4, "fourth_foot")
JOINTRIG_ENUM(PointFrame, JOINTRIG_POINT_FRAMES)

/// Fingers of a hand go to where its gripper in robot.yaml is open or closed, or hold.
#define JOINTRIG_HAND_WISHES(X) \
  X(kOpen, "open")              \
  X(kClose, "close")            \
  X(kStop, "stop")
JOINTRIG_ENUM(HandWish, JOINTRIG_HAND_WISHES)

#define JOINTRIG_HOME_PARTS(X) \
  X(kArm, "arm")               \
  X(kChest, "chest")           \
  X(kPelvis, "pelvis")
JOINTRIG_ENUM(HomePart, JOINTRIG_HOME_PARTS)

/// State of a message that was accepted.
///
///     started    its part moves by it
///     completed  its path is at its end
///     replaced   another message took its place
///     dropped    the controller went off, or all was stopped
#define JOINTRIG_MESSAGE_CHANGES(X) \
  X(kStarted, "started")            \
  X(kCompleted, "completed")        \
  X(kReplaced, "replaced")          \
  X(kDropped, "dropped")
JOINTRIG_ENUM(MessageChange, JOINTRIG_MESSAGE_CHANGES)

/// Numbers of all rows of a message: so many that a refusal can name the place of each in a byte.
inline constexpr std::size_t kMaxRowNumbers = 232;
using WaypointRows = FixedVector<double, kMaxRowNumbers>;

/// A path of one part of the body through waypoints, at rest at the last one. Rows of numbers:
///
///     hand                 time, position x y z, orientation w x y z, in the stance frame
///     arm, neck            time, a position for each joint, from the body on
///     chest, head, pelvis  time, turn w x y z from the orientation in which it started
///     height               time, height of the pelvis above the soles
///     foot                 as the hand; of a foot in the air
///     pelvis trajectory    time, position x y z of the pelvis, turn w x y z as of pelvis
///     place                time, position x y of the pelvis, in the stance frame
///     fingers              time, a position for each joint of the hand's gripper
///
/// With `velocities` each row goes on with the speeds at its waypoint: linear x y z and angular
/// x y z of a hand or foot, angular of what turns, one for each joint, of the height. Times [s]
/// count from the start of the message; the one of a stream is 0.
///
/// `weights` and `left_out` are along the axes of `frame`: linear x y z, then angular x y z, as far
/// as the part has them. An axis that is left out isn't driven.
template <BodyTopic kTopic>
struct BodyTrajectory {
  static constexpr bool kHasHand = kTopic == BodyTopic::kHand || kTopic == BodyTopic::kArm;
  static constexpr bool kIsPose = kTopic == BodyTopic::kHand || kTopic == BodyTopic::kFoot;
  static constexpr bool kTurns =
      kTopic == BodyTopic::kChest || kTopic == BodyTopic::kHead || kTopic == BodyTopic::kPelvis;
  /// Axes of its task; 1: it has none to choose from, only a weight.
  static constexpr std::size_t kAxes = kIsPose ? 6 : kTurns ? 3 : 1;

  std::uint8_t hand = 0;  ///< of hand and arm; the number of the foot of a foot; else 0
  MessageId id = 0;
  Execution execution = Execution::kOverride;
  MessageId previous = 0;
  double integration = 0.0;              ///< of a stream: time for which a point goes on [s]
  TaskFrame frame = TaskFrame::kStance;  ///< of weights and left_out
  std::array<double, kAxes> weights{};   ///< 0: that of robot.yaml
  std::array<bool, kAxes> left_out{};    ///< true: the axis isn't driven
  PointFrame given_in = PointFrame::kStance;
  bool velocities = false;  ///< the rows have them
  WaypointRows waypoints;
  bool operator==(const BodyTrajectory&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = [] {
    using This = BodyTrajectory;
    constexpr auto kNone = QuantityKind::kNone;
    const auto timing = field_list(
        Field{"id", &This::id, kNone, Range::kMessageId},
        Field{"execution", &This::execution, kNone, Range::kWord},
        Field{"previous", &This::previous, kNone, Range::kPreviousId},
        Field{"integration", &This::integration, QuantityKind::kTime, Range::kIntegration});
    const auto limb = [] {
      if constexpr (kHasHand) return field_list(Field{"hand", &This::hand, kNone, Range::kHand});
      if constexpr (kTopic == BodyTopic::kFoot) {
        return field_list(Field{"foot", &This::hand, kNone, Range::kFoot});
      }
      if constexpr (!kHasHand && kTopic != BodyTopic::kFoot) return field_list();
    }();
    const auto axes = [] {
      const Field weights{kAxes == 1 ? "weight" : "weights", &This::weights, kNone,
                          Range::kTaskWeight};
      if constexpr (kAxes == 1) return field_list(weights);
      if constexpr (kAxes > 1) {
        return field_list(Field{"frame", &This::frame, kNone, Range::kWord}, weights,
                          Field{"left_out", &This::left_out, kNone, Range::kFlag});
      }
    }();
    const auto given = [] {
      if constexpr (kAxes == 1) return field_list();
      if constexpr (kAxes > 1) {
        return field_list(Field{"given_in", &This::given_in, kNone, Range::kWord});
      }
    }();
    const auto rows = field_list(Field{"velocities", &This::velocities, kNone, Range::kFlag},
                                 Field{"waypoints", &This::waypoints, kNone, Range::kWaypoints});
    return joined_fields(limb, timing, axes, given, rows);
  }();
};
/// A hand goes through poses. Rows: time, position x y z, orientation w x y z, in the stance frame.
using HandTrajectory = BodyTrajectory<BodyTopic::kHand>;
/// The joints of an arm go through positions. Rows: time, one for each joint, from the body on.
using ArmJointTrajectory = BodyTrajectory<BodyTopic::kArm>;
/// The chest turns. Rows: time, turn w x y z from the orientation in which it started.
using ChestTrajectory = BodyTrajectory<BodyTopic::kChest>;
/// The head turns. Rows: time, turn w x y z from the orientation in which it started.
using HeadTrajectory = BodyTrajectory<BodyTopic::kHead>;
/// The pelvis turns. Rows: time, turn w x y z from the orientation in which it started.
using PelvisOrientation = BodyTrajectory<BodyTopic::kPelvis>;
/// The pelvis goes up and down. Rows: time, height above the soles.
using PelvisHeight = BodyTrajectory<BodyTopic::kHeight>;
/// A foot in the air goes through poses. Rows: as of a hand.
using FootTrajectory = BodyTrajectory<BodyTopic::kFoot>;
/// The joints of the neck go through positions. Rows: time, one for each joint, from the body on.
using NeckTrajectory = BodyTrajectory<BodyTopic::kNeck>;

/// The pelvis goes through places, heights and turns at once: what pelvis_orientation and
/// pelvis_height do, and sideways and ahead. The centre of mass goes along with the pelvis, and
/// stays above the soles.
struct PelvisTrajectory {
  static constexpr std::size_t kAxes = 6;

  MessageId id = 0;
  Execution execution = Execution::kOverride;
  MessageId previous = 0;    ///< with queue: of place, height and turn
  double integration = 0.0;  ///< of a stream [s]
  /// For the angular weights and left_out; the linear ones are along the stance's axes.
  TaskFrame frame = TaskFrame::kStance;
  std::array<double, kAxes> weights{};
  std::array<bool, kAxes> left_out{};
  PointFrame given_in = PointFrame::kStance;
  bool velocities = false;
  WaypointRows waypoints;
  bool operator==(const PelvisTrajectory&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = field_list(
      Field{"id", &PelvisTrajectory::id, QuantityKind::kNone, Range::kMessageId},
      Field{"execution", &PelvisTrajectory::execution, QuantityKind::kNone, Range::kWord},
      Field{"previous", &PelvisTrajectory::previous, QuantityKind::kNone, Range::kPreviousId},
      Field{"integration", &PelvisTrajectory::integration, QuantityKind::kTime,
            Range::kIntegration},
      Field{"frame", &PelvisTrajectory::frame, QuantityKind::kNone, Range::kWord},
      Field{"weights", &PelvisTrajectory::weights, QuantityKind::kNone, Range::kTaskWeight},
      Field{"left_out", &PelvisTrajectory::left_out, QuantityKind::kNone, Range::kFlag},
      Field{"given_in", &PelvisTrajectory::given_in, QuantityKind::kNone, Range::kWord},
      Field{"velocities", &PelvisTrajectory::velocities, QuantityKind::kNone, Range::kFlag},
      Field{"waypoints", &PelvisTrajectory::waypoints, QuantityKind::kNone, Range::kWaypoints});
};

/// Accelerations of the joints of an arm or of the neck, from the body on, that the sender chooses
/// himself. It has to keep coming: after acceleration_timeout without one the joints brake and
/// hold.
template <BodyTopic kTopic>
struct DesiredAccelerations {
  std::uint8_t hand = 0;  ///< of the arm
  MessageId id = 0;
  FixedVector<double, kMaxMessageJoints> accelerations;  ///< [rad/s² or m/s²]
  bool operator==(const DesiredAccelerations&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStreamed = true;
  static constexpr auto kFields = [] {
    using This = DesiredAccelerations;
    constexpr auto kNone = QuantityKind::kNone;
    const auto all = field_list(Field{"id", &This::id, kNone, Range::kMessageId},
                                Field{"accelerations", &This::accelerations,
                                      QuantityKind::kAcceleration, Range::kUserAcceleration});
    const auto hand = field_list(Field{"hand", &This::hand, kNone, Range::kHand});
    if constexpr (kTopic == BodyTopic::kArm) return joined_fields(hand, all);
    if constexpr (kTopic != BodyTopic::kArm) return all;
  }();
};
/// Accelerations of the joints of an arm, from the body on: one for each.
using ArmDesiredAccelerations = DesiredAccelerations<BodyTopic::kArm>;
/// Accelerations of the joints of the neck, from the body on: one for each.
using NeckDesiredAccelerations = DesiredAccelerations<BodyTopic::kNeck>;

inline constexpr std::size_t kPartNumbers = kBodyTopics * kMaxHands;
/// Choices of a part in a message of several parts.
enum class PartChoice : std::uint8_t {
  kNone,     ///< a row of its trajectory
  kWeights,  ///< as `weights`, or the one `weight`
  kLeftOut,  ///< as `left_out`: 0 or 1
  kFrame,    ///< as `frame`: the number of a TaskFrame
};
inline constexpr std::size_t kPartChoices = 4;

/// Trajectories of several parts at once: accepted whole, or refused whole. Rows are those of each
/// part's own message behind the number of the part, the rows of a part together. Number of a part:
/// kMaxHands times its BodyTopic, plus that of the hand or foot.
///
/// Before the rows of a part may stand, once each, what its own message has beside them: the number
/// of the part plus kPartNumbers times its PartChoice, then the numbers of that field.
struct WholeBodyTrajectory {
  MessageId id = 0;
  Execution execution = Execution::kOverride;
  MessageId previous = 0;                     ///< with queue: of each part
  double integration = 0.0;                   ///< of a stream [s]
  PointFrame given_in = PointFrame::kStance;  ///< of the rows of poses and turns
  bool velocities = false;                    ///< the rows have them
  WaypointRows waypoints;
  bool operator==(const WholeBodyTrajectory&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = field_list(
      Field{"id", &WholeBodyTrajectory::id, QuantityKind::kNone, Range::kMessageId},
      Field{"execution", &WholeBodyTrajectory::execution, QuantityKind::kNone, Range::kWord},
      Field{"previous", &WholeBodyTrajectory::previous, QuantityKind::kNone, Range::kPreviousId},
      Field{"integration", &WholeBodyTrajectory::integration, QuantityKind::kTime,
            Range::kIntegration},
      Field{"given_in", &WholeBodyTrajectory::given_in, QuantityKind::kNone, Range::kWord},
      Field{"velocities", &WholeBodyTrajectory::velocities, QuantityKind::kNone, Range::kFlag},
      Field{"waypoints", &WholeBodyTrajectory::waypoints, QuantityKind::kNone, Range::kWaypoints});
};

/// A part goes home, by what the model's start pose has: the joints of an arm; the orientation of
/// the chest to the soles; orientation and height of the pelvis to them, and its place between
/// them. Wherever the controller began.
struct GoHome {
  HomePart part = HomePart::kArm;
  std::uint8_t hand = 0;  ///< of the arm
  MessageId id = 0;
  double duration = 0.0;  ///< [s]
  bool operator==(const GoHome&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields =
      field_list(Field{"part", &GoHome::part, QuantityKind::kNone, Range::kWord},
                 Field{"hand", &GoHome::hand, QuantityKind::kNone, Range::kHand},
                 Field{"id", &GoHome::id, QuantityKind::kNone, Range::kMessageId},
                 Field{"duration", &GoHome::duration, QuantityKind::kTime, Range::kDuration});
};

/// A foot is unloaded and free to move, or takes its share of the weight again. Its largest normal
/// force is a ramp of `duration`; unloaded, the foot holds its place until a foot trajectory moves
/// it.
struct FootLoadBearing {
  std::uint8_t foot = 0;
  MessageId id = 0;
  bool bears = true;
  double duration = 0.0;  ///< of the ramp [s]
  bool operator==(const FootLoadBearing&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = field_list(
      Field{"foot", &FootLoadBearing::foot, QuantityKind::kNone, Range::kFoot},
      Field{"id", &FootLoadBearing::id, QuantityKind::kNone, Range::kMessageId},
      Field{"bears", &FootLoadBearing::bears, QuantityKind::kNone, Range::kFlag},
      Field{"duration", &FootLoadBearing::duration, QuantityKind::kTime, Range::kDuration});
};

/// A hand presses on what it touches, at one point, by a force that is a ramp of `duration`; or
/// lets go, and holds its place.
struct HandLoadBearing {
  std::uint8_t hand = 0;
  MessageId id = 0;
  bool bears = true;
  double duration = 0.0;           ///< of the ramp [s]
  double force = 0.0;              ///< of the scene on the hand, along the normal [N]
  std::array<double, 3> normal{};  ///< of the scene, towards the hand, in the stance frame
  std::array<double, 3> point{};   ///< where the hand is touched, in the hand's frame [m]
  bool operator==(const HandLoadBearing&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = field_list(
      Field{"hand", &HandLoadBearing::hand, QuantityKind::kNone, Range::kHand},
      Field{"id", &HandLoadBearing::id, QuantityKind::kNone, Range::kMessageId},
      Field{"bears", &HandLoadBearing::bears, QuantityKind::kNone, Range::kFlag},
      Field{"duration", &HandLoadBearing::duration, QuantityKind::kTime, Range::kDuration},
      Field{"force", &HandLoadBearing::force, QuantityKind::kForce, Range::kBearing},
      Field{"normal", &HandLoadBearing::normal, QuantityKind::kNone, Range::kUnitNormal},
      Field{"point", &HandLoadBearing::point, QuantityKind::kLength, Range::kFinite});
};

/// The fingers of a hand go where they are wanted, in `duration`.
struct HandConfiguration {
  std::uint8_t hand = 0;
  MessageId id = 0;
  HandWish configuration = HandWish::kOpen;
  double duration = 0.0;  ///< [s]; without meaning for stop
  bool operator==(const HandConfiguration&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = field_list(
      Field{"hand", &HandConfiguration::hand, QuantityKind::kNone, Range::kHand},
      Field{"id", &HandConfiguration::id, QuantityKind::kNone, Range::kMessageId},
      Field{"configuration", &HandConfiguration::configuration, QuantityKind::kNone, Range::kWord},
      Field{"duration", &HandConfiguration::duration, QuantityKind::kTime, Range::kDuration});
};

/// All parts come to rest and hold, and the ramps of loads stay where they are; what waits is
/// dropped.
struct StopAllTrajectories {
  MessageId id = 0;
  bool operator==(const StopAllTrajectories&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr auto kFields =
      field_list(Field{"id", &StopAllTrajectories::id, QuantityKind::kNone, Range::kMessageId});
};

/// Rows of steps: foot (number, from 0), position x y z, orientation w x y z of its sole.
inline constexpr std::size_t kStepNumbers = 8;
template <std::size_t kMost>
using StepRows = FixedVector<double, kMost * kStepNumbers>;

/// Footsteps, one or a list. Checked in every field, then refused: the robot doesn't walk yet.
template <std::size_t kMost>
struct Footsteps {
  MessageId id = 0;
  Execution execution = Execution::kOverride;  ///< override or queue
  MessageId previous = 0;                      ///< with queue: of the last list; 0: none has come
  double swing_duration = 0.0;                 ///< of each step in the air [s]
  double transfer_duration = 0.0;              ///< of each step on both feet [s]
  double swing_height = 0.0;                   ///< of the sole on its way [m]; 0: the robot's own
  PointFrame given_in = PointFrame::kStance;
  StepRows<kMost> steps;
  bool operator==(const Footsteps&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = [] {
    using This = Footsteps;
    constexpr auto kNone = QuantityKind::kNone;
    return field_list(
        Field{"id", &This::id, kNone, Range::kMessageId},
        Field{"execution", &This::execution, kNone, Range::kWord},
        Field{"previous", &This::previous, kNone, Range::kPreviousId},
        Field{"swing_duration", &This::swing_duration, QuantityKind::kTime, Range::kStepTime},
        Field{"transfer_duration", &This::transfer_duration, QuantityKind::kTime, Range::kStepTime},
        Field{"swing_height", &This::swing_height, QuantityKind::kLength, Range::kSwingHeight},
        Field{"given_in", &This::given_in, kNone, Range::kWord},
        Field{"steps", &This::steps, kNone, Range::kWaypoints});
  }();
};
using Footstep = Footsteps<1>;
using FootstepList = Footsteps<kMaxWaypoints>;

/// Refused likewise.
struct PauseWalking {
  MessageId id = 0;
  bool pause = true;
  bool operator==(const PauseWalking&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr auto kFields =
      field_list(Field{"id", &PauseWalking::id, QuantityKind::kNone, Range::kMessageId},
                 Field{"pause", &PauseWalking::pause, QuantityKind::kNone, Range::kFlag});
};

template <typename C>
concept IsMessage = requires(C command) {
  command.id;
};

}  // namespace jointrig
