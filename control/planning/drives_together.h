#pragma once
/// Drives of several tools in one cycle, of which some go together. Allocates and throws nothing.

#include <span>

#include "control/core/arm_commands.h"
#include "control/planning/cartesian_drive.h"

namespace jointrig {

/// A drive in one cycle.
struct DriveTurn {
  CartesianDrive* drive = nullptr;  ///< null: it has none in this cycle
  Vector6 wish = Vector6::Zero();   ///< twist that it is to have, of CartesianDrive::held()
  bool is_own = false;              ///< along the tool's axes
  bool is_together = false;
  double ramp = 1.0;   ///< found: part of the way to the wish
  double share = 0.0;  ///< found: of its step
};

/// The part of a command in a cycle: the drive leaves free what the command does, as far as the
/// joints can hold the rest (CartesianDrive::led()).
/// @param base   orientation of the arm's base, the drive's reference, in the world
/// @param share  of the velocity: the speed override; 0 to brake
DriveTurn turn_for(CartesianDrive& drive, const DriveTool& command, const Eigen::Matrix3d& base,
                   double share) noexcept;

/// Each looks how far it can go (CartesianDrive::ramp() and look()). Those that go together go as
/// far as the one that is held back most, and gain speed as slowly. Then go() takes the step.
void look_together(std::span<DriveTurn> turns, double dt) noexcept;

}  // namespace jointrig
