#pragma once
/// What runs beside every mode to protect a robot and who stands near it: collision avoidance,
/// collision detection, and the messages that suppress them for as long as they keep coming.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "control/core/arm.h"
#include "control/core/enumeration.h"

namespace jointrig {

/// What a robot's file switches on, and a command while it runs.
#define JOINTRIG_PROTECTIONS(X)                 \
  X(kCollisionAvoidance, "collision_avoidance") \
  X(kCollisionDetection, "collision_detection")
JOINTRIG_ENUM(Protection, JOINTRIG_PROTECTIONS)

/// What the command suppress holds off, joint by joint, for kSuppressionTime after each message.
///
///     gravity_compensation  the model's gravity, in every mode and on every board that the stack
///                           sends torque to; the known payload's, too
///     collision_avoidance   its torque, and its stopping of references
///     contact_safety        impact and squish; not the wrench of the hand
///     cuff                  hand guiding by the cuff
#define JOINTRIG_SUPPRESSIBLES(X)                 \
  X(kGravityCompensation, "gravity_compensation") \
  X(kCollisionAvoidance, "collision_avoidance")   \
  X(kContactSafety, "contact_safety")             \
  X(kCuff, "cuff")
JOINTRIG_ENUM(Suppressible, JOINTRIG_SUPPRESSIBLES)

/// Messages at more than 5 Hz keep a thing suppressed (Rethink Robotics, "Arm Control Systems").
inline constexpr double kSuppressionTime = 0.2;  ///< s

/// What collision detection stops for.
#define JOINTRIG_CONTACT_KINDS(X) \
  X(kImpact, "impact")            \
  X(kSquish, "squish")            \
  X(kHandWrench, "hand_wrench")
JOINTRIG_ENUM(ContactKind, JOINTRIG_CONTACT_KINDS)

/// What collision avoidance began to do: its torque, or stopping a reference that leads further in.
#define JOINTRIG_AVOIDANCE_ACTS(X) \
  X(kPushes, "pushes")             \
  X(kStops, "stops")
JOINTRIG_ENUM(AvoidanceAct, JOINTRIG_AVOIDANCE_ACTS)

/// Two bodies that avoidance doesn't keep apart.
struct ExcludedBodies {
  std::string a, b;
  SettingPlace where;
  bool operator==(const ExcludedBodies&) const = default;
};

/// Defaults are choices: 5 cm at 5000 N/m take up the energy of 5 kg at 1.5 m/s.
struct CollisionAvoidanceConfig {
  bool on = false;
  double margin = 0.05;       ///< distance of two surfaces at which it begins to push [m]
  double stiffness = 5000.0;  ///< of what pushes then [N/m]
  double damping = 100.0;     ///< against approach, at full overlap [N·s/m]
  double torque_max = 0.0;    ///< of each joint [N·m or N]; 0: half of the joint's own limit
  std::vector<ExcludedBodies> exclude;
  bool operator==(const CollisionAvoidanceConfig&) const = default;
};

/// Thresholds on joints are theirs (JointConfig::impact_torque, squish_torque).
struct CollisionDetectionConfig {
  bool on = false;
  double stop_time = 0.5;         ///< after an impact or a hand wrench [s]; the Sawyer's
  double impact_time = 0.05;      ///< a change slower than this isn't sudden [s]; a choice
  double squish_time = 0.1;       ///< that a squish lasts before it counts [s]; a choice
  double hand_force_max = 100.0;  ///< [N]; a choice
  double hand_torque_max = 20.0;  ///< [N·m]; a choice
  bool operator==(const CollisionDetectionConfig&) const = default;
};

/// Of both, in one cycle.
struct ProtectionSnapshot {
  double distance = 0.0;  ///< of the nearest two surfaces looked at; at most what was looked at [m]
  double overlap = 0.0;   ///< of the enlarged shapes: margin less distance, the deepest [m]
  double force = 0.0;     ///< that pushes the deepest pair apart, before the cap [N]
  double impact = 0.0;    ///< largest sudden torque as a part of its threshold
  double squish = 0.0;    ///< largest external torque as a part of its threshold
  double hand_force = 0.0;   ///< largest of all arms [N]
  double hand_torque = 0.0;  ///< likewise [N·m]
  double stop_left = 0.0;    ///< until a contact's stop ends [s]; 0: none
  std::array<double, kAllSuppressible.size()> suppressed_for{};  ///< s; 0: isn't
  /// Until it acts again unless a message comes, on the last joint that has it [s]; 0: isn't.
  std::array<double, kAllSuppressible.size()> suppressed_left{};
  /// Sender of the newest message; 0: isn't suppressed.
  std::array<std::uint16_t, kAllSuppressible.size()> suppressed_by{};
  FewBits<Protection> on;
  FewBits<Suppressible> suppressed;  ///< on one joint or more
  bool pushes = false;               ///< avoidance
  bool squished = false;             ///< a part holds until a mode is asked for
  std::array<std::uint8_t, 4> spare{};
  bool operator==(const ProtectionSnapshot&) const = default;
};
static_assert(sizeof(ProtectionSnapshot) % 8 == 0);

}  // namespace jointrig
