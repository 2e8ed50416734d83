#pragma once
/// Types that every folder shares. SI units: rad, m, s, N, N·m; a slide joint has m, m/s and N
/// where a hinge has rad, rad/s and N·m. Anything else carries a suffix (_ns, _deg, _C).
///
///     q    joint position        v    joint velocity       tau  joint torque (after the gear)
///     J    Jacobian              M    joint-space inertia  X_BT pose of frame T in frame B

#include <bitset>
#include <cstddef>
#include <cstdint>

#include "control/core/fixed_vector.h"

namespace jointrig {

/// Enough for a humanoid with two hands; a fixed bound keeps every sample of the loop
/// allocation-free.
inline constexpr std::size_t kMaxJoints = 128;

/// Joints of one robot by index, in the order of RobotConfig::joints.
using JointSet = std::bitset<kMaxJoints>;
using JointIndex = std::uint16_t;
inline constexpr JointIndex kNoJoint = 0xFFFF;

template <typename T>
using PerJoint = FixedVector<T, kMaxJoints>;

/// Time on the robot's own clock since its start: cycles times period, never a wall clock.
using TimeNs = std::int64_t;
inline constexpr double kSecondsPerNs = 1e-9;
constexpr double to_seconds(TimeNs t) noexcept { return static_cast<double>(t) * kSecondsPerNs; }
constexpr TimeNs to_ns(double seconds) noexcept {
  return static_cast<TimeNs>(seconds * 1e9 + (seconds < 0 ? -0.5 : 0.5));
}

}  // namespace jointrig
