#pragma once
/// Numbers as people read and type them. Degrees and millimetres exist only here: all other code
/// uses SI.

#include <string>
#include <string_view>

#include "control/core/enumeration.h"

namespace jointrig::gui {

#define JOINTRIG_QUANTITIES(X)     \
  X(kPosition, "position")         \
  X(kVelocity, "velocity")         \
  X(kAcceleration, "acceleration") \
  X(kTorque, "torque")             \
  X(kDuty, "duty")                 \
  X(kStiffness, "stiffness")       \
  X(kDamping, "damping")           \
  X(kMass, "mass")
JOINTRIG_ENUM(JointQuantity, JOINTRIG_QUANTITIES)

/// Unit in which a quantity is shown: number = per_si · SI value, then the unit.
struct QuantityUnit {
  double per_si = 1.0;
  std::string_view text;
  int decimals = 1;
};

/// @param slide  a joint that translates: mm and N where a hinge has ° and N·m
QuantityUnit shown_unit(JointQuantity quantity, bool slide) noexcept;

/// `-12.3 °`; "–" for a value that is not finite.
std::string show(double si, JointQuantity quantity, bool slide);
/// The number alone.
std::string show_number(double si, JointQuantity quantity, bool slide);

/// Typed text as an SI value, or the error in it.
struct Typed {
  double value = 0.0;
  std::string error;  ///< a sentence; empty: no error
};

/// `30`, `30 deg`, `30°`, `0.5 rad`, `120 mm`, `2.5 Nm`, `40 %`. A plain number is in the unit
/// shown.
Typed read_typed(std::string_view text, JointQuantity quantity, bool slide);

}  // namespace jointrig::gui
