#pragma once
/// Quantities and their units. A slide joint has the linear unit where a hinge has the angular one;
/// of six numbers along and about axes the first three are linear.

#include <array>
#include <cstdint>
#include <string_view>

#include "control/core/enumeration.h"

namespace jointrig {

/// QuantityKind, word, unit about an axis, unit along an axis; the same two as files write them.
#define JOINTRIG_QUANTITY_KINDS(X)                                                     \
  X(kNone, "number", "", "", "1", "1")                                                 \
  X(kPosition, "position", "rad", "m", "rad", "m")                                     \
  X(kVelocity, "velocity", "rad/s", "m/s", "rad/s", "m/s")                             \
  X(kAcceleration, "acceleration", "rad/s²", "m/s²", "rad/s^2", "m/s^2")               \
  X(kJerk, "jerk", "rad/s³", "m/s³", "rad/s^3", "m/s^3")                               \
  X(kTorque, "torque", "N·m", "N", "Nm", "N")                                          \
  X(kTorqueRate, "torque rate", "N·m/s", "N/s", "Nm/s", "N/s")                         \
  X(kStiffness, "stiffness", "N·m/rad", "N/m", "Nm/rad", "N/m")                        \
  X(kIntegralGain, "integral gain", "N·m/(rad·s)", "N/(m·s)", "Nm/(rad s)", "N/(m s)") \
  X(kDamping, "damping", "N·m·s/rad", "N·s/m", "Nms/rad", "Ns/m")                      \
  X(kInertia, "inertia", "kg·m²", "kg", "kg m^2", "kg")                                \
  X(kForce, "force", "N", "N", "N", "N")                                               \
  X(kLength, "length", "m", "m", "m", "m")                                             \
  X(kMass, "mass", "kg", "kg", "kg", "kg")                                             \
  X(kTime, "time", "s", "s", "s", "s")                                                 \
  X(kFrequency, "frequency", "Hz", "Hz", "Hz", "Hz")                                   \
  X(kSpeed, "speed", "m/s", "m/s", "m/s", "m/s")                                       \
  X(kFreeFall, "free fall", "m/s²", "m/s²", "m/s^2", "m/s^2")
JOINTRIG_ENUM(QuantityKind, JOINTRIG_QUANTITY_KINDS)

/// Unit of a quantity, for hinges and for slides.
struct UnitPair {
  std::string_view angular;
  std::string_view linear;
};

#define JOINTRIG_QUANTITY_UNITS(member, word, angular, linear, file_angular, file_linear) \
  UnitPair{angular, linear},
#define JOINTRIG_QUANTITY_FILE_UNITS(member, word, angular, linear, file_angular, file_linear) \
  UnitPair{file_angular, file_linear},

/// Unit as messages, logs and the screen show it.
constexpr std::string_view unit_of(QuantityKind quantity, bool is_linear) noexcept {
  constexpr std::array kUnits{JOINTRIG_QUANTITY_KINDS(JOINTRIG_QUANTITY_UNITS)};
  const UnitPair& pair = kUnits[static_cast<std::size_t>(quantity)];
  return is_linear ? pair.linear : pair.angular;
}

/// Unit as files write it.
constexpr std::string_view file_unit_of(QuantityKind quantity, bool is_linear) noexcept {
  constexpr std::array kUnits{JOINTRIG_QUANTITY_KINDS(JOINTRIG_QUANTITY_FILE_UNITS)};
  const UnitPair& pair = kUnits[static_cast<std::size_t>(quantity)];
  return is_linear ? pair.linear : pair.angular;
}

}  // namespace jointrig
