#pragma once
/// The kinds of the check of a robot.

#include <cstdint>
#include <string>
#include <string_view>

#include "control/core/enumeration.h"

namespace jointrig::app {

#define JOINTRIG_CHECK_KINDS(X) \
  X(kHold, "hold")              \
  X(kMove, "move")              \
  X(kDirect, "direct")          \
  X(kVelocity, "velocity")      \
  X(kMixed, "mixed")            \
  X(kTorque, "torque")          \
  X(kOpenloop, "openloop")      \
  X(kIdle, "idle")              \
  X(kTimeout, "timeout")        \
  X(kStop, "stop")              \
  X(kPush, "push")              \
  X(kLoad, "load")              \
  X(kGuide, "guide")            \
  X(kCartesian, "cartesian")
JOINTRIG_ENUM(CheckKind, JOINTRIG_CHECK_KINDS)

/// Source of the positions and speeds that are judged.
enum class CheckWitness : std::uint8_t {
  kTruth,    ///< the simulation's plant
  kReports,  ///< the robot's own boards: all that a connection has
};

/// True if it pushes the robot, which only a simulated plant can.
bool needs_pushes(CheckKind kind) noexcept;

/// True if it asks joints one after the other, or group beside group (joint_groups.h).
bool asks_groups(CheckKind kind) noexcept;

/// Description of what it does and what has to hold, in one or two sentences with all limits.
std::string_view about(CheckKind kind) noexcept;

/// All kinds with what they do, for the verb's help: lines of at most 100 columns.
std::string help_of_kinds();

}  // namespace jointrig::app
