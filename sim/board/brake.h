#pragma once
/// A holding brake: its coil and what its springs do, with the delays of both ways.
///
///     current flows for release_s   it opens
///     no current for engage_s       it closes
///
/// A current that changes before the end of a delay leaves the brake as it is. While it is closed
/// it is a Coulomb friction of its holding torque: a larger load turns the joint against it.

#include <array>

#include "control/core/enumeration.h"
#include "control/core/robot_config.h"

namespace jointrig::sim {

/// By hand: the master's word (60FEh), in place of the drive's sequence.
#define JOINTRIG_BRAKE_ORDERS(X) \
  X(kBySequence, "by_sequence")  \
  X(kClose, "close")             \
  X(kOpen, "open")
JOINTRIG_ENUM(BrakeOrder, JOINTRIG_BRAKE_ORDERS)

struct BrakeState {
  bool closed = true;
  bool current = false;  ///< in its coil
  double passed = 0.0;   ///< since the current changed [s]

  /// An interval begins with or without current.
  void advance(bool with_current, const BrakeConfig& brake, double period) noexcept {
    constexpr double kRounding = 1e-9;  // of a sum of periods
    passed = with_current == current ? passed + period : 0.0;
    current = with_current;
    const double delay = current ? brake.release_s : brake.engage_s;
    if (passed + kRounding >= delay) closed = !current;
  }
};

}  // namespace jointrig::sim
