#pragma once
/// Messages to a robot on feet (docs/whole-body.md has all as a table): what its chest, head,
/// pelvis, hands and feet are to do. Each carries an id of the sender's choice, by which the robot
/// answers; id 0 is refused.
///
/// Places and heights are expressed in the stance frame: on the ground in the middle of the soles
/// where the controller began, x ahead, z up.

#include <array>
#include <cstdint>
#include <tuple>

#include "control/core/command_field.h"
#include "control/core/modes.h"

namespace jointrig {

inline constexpr std::size_t kMaxWaypoints = 16;      ///< in a message: a choice
inline constexpr std::size_t kMaxMessageJoints = 10;  ///< of an arm
inline constexpr std::size_t kMaxHands = 4;
using MessageId = std::uint32_t;

/// What a trajectory moves.
enum class BodyTopic : std::uint8_t { kHand, kArm, kChest, kHead, kPelvis, kHeight, kFoot };

/// When a trajectory begins.
///
///     override  at once, in place of what runs and waits
///     queue     after the message `previous`, which must be the last one of its part
#define JOINTRIG_EXECUTIONS(X) \
  X(kOverride, "override")     \
  X(kQueue, "queue")
JOINTRIG_ENUM(Execution, JOINTRIG_EXECUTIONS)

#define JOINTRIG_HOME_PARTS(X) \
  X(kArm, "arm")               \
  X(kChest, "chest")           \
  X(kPelvis, "pelvis")
JOINTRIG_ENUM(HomePart, JOINTRIG_HOME_PARTS)

/// What became of a message that was accepted.
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

using WaypointRows = FixedVector<double, kMaxWaypoints*(1 + kMaxMessageJoints)>;

/// A path of one part of the body through waypoints, at rest at the last one. Rows of numbers:
///
///     hand                 time, position x y z, orientation w x y z, in the stance frame
///     arm                  time, a position for each joint of the arm, from the body on
///     chest, head, pelvis  time, turn w x y z from the orientation in which it started
///     height               time, height of the pelvis above the soles
///     foot                 as the hand; of a foot in the air
///
/// Times [s] count from the start of the message.
template <BodyTopic kTopic>
struct BodyTrajectory {
  std::uint8_t hand = 0;  ///< of hand and arm; the number of the foot of a foot; else 0
  MessageId id = 0;
  Execution execution = Execution::kOverride;
  MessageId previous = 0;
  WaypointRows waypoints;
  bool operator==(const BodyTrajectory&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr bool kHasHand = kTopic == BodyTopic::kHand || kTopic == BodyTopic::kArm;
  static constexpr auto kFields = [] {
    using This = BodyTrajectory;
    constexpr auto kNone = QuantityKind::kNone;
    const auto all = std::tuple{
        Field{"id", &This::id, kNone, Range::kMessageId},
        Field{"execution", &This::execution, kNone, Range::kWord},
        Field{"previous", &This::previous, kNone, Range::kPreviousId},
        Field{"waypoints", &This::waypoints, kNone, Range::kWaypoints},
    };
    const auto hand = std::tuple{Field{"hand", &This::hand, kNone, Range::kHand}};
    const auto foot = std::tuple{Field{"foot", &This::hand, kNone, Range::kFoot}};
    if constexpr (kHasHand) return std::tuple_cat(hand, all);
    if constexpr (kTopic == BodyTopic::kFoot) return std::tuple_cat(foot, all);
    if constexpr (!kHasHand && kTopic != BodyTopic::kFoot) return all;
  }();
};
using HandTrajectory = BodyTrajectory<BodyTopic::kHand>;
using ArmJointTrajectory = BodyTrajectory<BodyTopic::kArm>;
using ChestTrajectory = BodyTrajectory<BodyTopic::kChest>;
using HeadTrajectory = BodyTrajectory<BodyTopic::kHead>;
using PelvisOrientation = BodyTrajectory<BodyTopic::kPelvis>;
using PelvisHeight = BodyTrajectory<BodyTopic::kHeight>;
using FootTrajectory = BodyTrajectory<BodyTopic::kFoot>;

/// A part goes to where it was when the controller began: the joints of an arm; the orientation of
/// the chest; orientation and height of the pelvis.
struct GoHome {
  HomePart part = HomePart::kArm;
  std::uint8_t hand = 0;  ///< of the arm
  MessageId id = 0;
  double duration = 0.0;  ///< [s]
  bool operator==(const GoHome&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields =
      std::tuple{Field{"part", &GoHome::part, QuantityKind::kNone, Range::kWord},
                 Field{"hand", &GoHome::hand, QuantityKind::kNone, Range::kHand},
                 Field{"id", &GoHome::id, QuantityKind::kNone, Range::kMessageId},
                 Field{"duration", &GoHome::duration, QuantityKind::kTime, Range::kDuration}};
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
  static constexpr auto kFields = std::tuple{
      Field{"foot", &FootLoadBearing::foot, QuantityKind::kNone, Range::kFoot},
      Field{"id", &FootLoadBearing::id, QuantityKind::kNone, Range::kMessageId},
      Field{"bears", &FootLoadBearing::bears, QuantityKind::kNone, Range::kFlag},
      Field{"duration", &FootLoadBearing::duration, QuantityKind::kTime, Range::kDuration}};
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
  static constexpr auto kFields = std::tuple{
      Field{"hand", &HandLoadBearing::hand, QuantityKind::kNone, Range::kHand},
      Field{"id", &HandLoadBearing::id, QuantityKind::kNone, Range::kMessageId},
      Field{"bears", &HandLoadBearing::bears, QuantityKind::kNone, Range::kFlag},
      Field{"duration", &HandLoadBearing::duration, QuantityKind::kTime, Range::kDuration},
      Field{"force", &HandLoadBearing::force, QuantityKind::kForce, Range::kBearing},
      Field{"normal", &HandLoadBearing::normal, QuantityKind::kNone, Range::kUnitNormal},
      Field{"point", &HandLoadBearing::point, QuantityKind::kLength, Range::kFinite}};
};

/// All parts come to rest and hold; what waits is dropped.
struct StopAllTrajectories {
  MessageId id = 0;
  bool operator==(const StopAllTrajectories&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr auto kFields =
      std::tuple{Field{"id", &StopAllTrajectories::id, QuantityKind::kNone, Range::kMessageId}};
};

/// Footsteps: foot (number, from 0), position x y z, orientation w x y z of its sole in the stance
/// frame. Checked, then refused: the robot doesn't walk yet.
struct FootstepList {
  MessageId id = 0;
  FixedVector<double, kMaxWaypoints * 8> steps;
  bool operator==(const FootstepList&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields =
      std::tuple{Field{"id", &FootstepList::id, QuantityKind::kNone, Range::kMessageId},
                 Field{"steps", &FootstepList::steps, QuantityKind::kNone, Range::kWaypoints}};
};

/// Refused likewise.
struct PauseWalking {
  MessageId id = 0;
  bool pause = true;
  bool operator==(const PauseWalking&) const = default;

  static constexpr ModeSet kModes{ControlMode::kTorque};
  static constexpr auto kFields =
      std::tuple{Field{"id", &PauseWalking::id, QuantityKind::kNone, Range::kMessageId},
                 Field{"pause", &PauseWalking::pause, QuantityKind::kNone, Range::kFlag}};
};

template <typename C>
concept IsMessage = requires(C command) {
  command.id;
};

}  // namespace jointrig
