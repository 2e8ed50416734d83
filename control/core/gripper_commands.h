#pragma once
/// Commands for grippers (gripper.h; docs/grippers.md). Their joints stay in mode position, and
/// refuse as they refuse a move: in another mode, held, in a fault. A command replaces the one
/// before. A stop ends a motion, while an object that is grasped stays grasped.

#include "control/core/command_field.h"
#include "control/core/gripper.h"
#include "control/core/modes.h"

namespace jointrig {

/// Opens a gripper as far as it goes, and lets go of an object.
struct OpenGripper {
  GripperIndex gripper = 0;
  double speed = 0.0;  ///< largest speed of the width [m/s]; 0: half of what its joints allow
  bool operator==(const OpenGripper&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields =
      field_list(Field{"gripper", &OpenGripper::gripper, QuantityKind::kNone, Range::kGripper},
                 Field{"speed", &OpenGripper::speed, QuantityKind::kSpeed, Range::kGripperSpeed});
};

/// Closes a gripper as far as it goes. It stops at what stands in its way, and presses on nothing.
struct CloseGripper {
  GripperIndex gripper = 0;
  double speed = 0.0;  ///< as of OpenGripper
  bool operator==(const CloseGripper&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields =
      field_list(Field{"gripper", &CloseGripper::gripper, QuantityKind::kNone, Range::kGripper},
                 Field{"speed", &CloseGripper::speed, QuantityKind::kSpeed, Range::kGripperSpeed});
};

/// Moves a gripper to an opening: a width, or a share of its way from closed (0) to open (1).
struct MoveGripper {
  GripperIndex gripper = 0;
  double opening = 0.0;  ///< [m], or a share
  OpeningScale scale = OpeningScale::kWidth;
  double speed = 0.0;  ///< as of OpenGripper
  bool operator==(const MoveGripper&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields =
      field_list(Field{"gripper", &MoveGripper::gripper, QuantityKind::kNone, Range::kGripper},
                 Field{"opening", &MoveGripper::opening, QuantityKind::kNone, Range::kOpening},
                 Field{"scale", &MoveGripper::scale, QuantityKind::kNone, Range::kWord},
                 Field{"speed", &MoveGripper::speed, QuantityKind::kSpeed, Range::kGripperSpeed});
};

/// Closes a gripper until it meets an object, then presses on it with a force. While it closes, it
/// pushes with no more than that. An object counts if the fingers stand between
/// width − epsilon_inner and width + epsilon_outer; with a width of 0 any object does.
struct Grasp {
  GripperIndex gripper = 0;
  double force = 0.0;            ///< at the fingertips [N]; 0: the gripper's own
  double speed = 0.0;            ///< as of OpenGripper
  double width = 0.0;            ///< of the object [m]; 0: any
  double epsilon_inner = 0.005;  ///< [m]
  double epsilon_outer = 0.005;  ///< [m]
  bool operator==(const Grasp&) const = default;

  static constexpr ModeSet kModes{ControlMode::kPosition};
  static constexpr bool kStartsMotion = true;
  static constexpr auto kFields = field_list(
      Field{"gripper", &Grasp::gripper, QuantityKind::kNone, Range::kGripper},
      Field{"force", &Grasp::force, QuantityKind::kForce, Range::kGraspForce},
      Field{"speed", &Grasp::speed, QuantityKind::kSpeed, Range::kGripperSpeed},
      Field{"width", &Grasp::width, QuantityKind::kLength, Range::kGripperWidth},
      Field{"epsilon_inner", &Grasp::epsilon_inner, QuantityKind::kLength, Range::kGripperWidth},
      Field{"epsilon_outer", &Grasp::epsilon_outer, QuantityKind::kLength, Range::kGripperWidth});
};

template <typename C>
concept IsForGripper = requires(C command) {
  command.gripper;
};

}  // namespace jointrig
