#pragma once
/// Protections that run beside every mode for the robot and the people near it: collision
/// avoidance, collision detection, and the messages that suppress them while they keep coming.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/arm.h"
#include "control/core/enumeration.h"

namespace jointrig {

/// Protections that robot.yaml switches on, and a command while the robot runs.
#define JOINTRIG_PROTECTIONS(X)                 \
  X(kCollisionAvoidance, "collision_avoidance") \
  X(kCollisionDetection, "collision_detection")
JOINTRIG_ENUM(Protection, JOINTRIG_PROTECTIONS)

/// Functions that the command suppress switches off, joint by joint, for kSuppressionTime after
/// each message.
///
///     gravity_compensation  gravity and known payload, in every mode and on every board that the
///                           stack sends torque to
///     collision_avoidance   repulsion torque, and stopping of references
///     contact_safety        impact and squish; not the wrench of the hand
///     cuff                  hand guiding by the cuff
#define JOINTRIG_SUPPRESSIBLES(X)                 \
  X(kGravityCompensation, "gravity_compensation") \
  X(kCollisionAvoidance, "collision_avoidance")   \
  X(kContactSafety, "contact_safety")             \
  X(kCuff, "cuff")
JOINTRIG_ENUM(Suppressible, JOINTRIG_SUPPRESSIBLES)

/// Messages at more than 5 Hz keep a function suppressed (Rethink Robotics, "Arm Control Systems").
inline constexpr double kSuppressionTime = 0.2;  ///< s

/// Contacts at which collision detection stops.
#define JOINTRIG_CONTACT_KINDS(X) \
  X(kImpact, "impact")            \
  X(kSquish, "squish")            \
  X(kHandWrench, "hand_wrench")
JOINTRIG_ENUM(ContactKind, JOINTRIG_CONTACT_KINDS)

/// Actions of collision avoidance: a torque, or the stop of a reference that leads further in.
#define JOINTRIG_AVOIDANCE_ACTS(X) \
  X(kPushes, "pushes")             \
  X(kStops, "stops")
JOINTRIG_ENUM(AvoidanceAct, JOINTRIG_AVOIDANCE_ACTS)

/// Two bodies between which avoidance does not act.
struct ExcludedBodies {
  std::string a, b;
  SettingPlace where;
  bool operator==(const ExcludedBodies&) const = default;
};

/// Body of each shape that avoidance looks at, by the shape's number: for messages. The stack takes
/// them from the model, so that they are no setting: all are equal.
struct ShapeNames {
  std::vector<std::string> bodies;
  bool operator==(const ShapeNames&) const noexcept { return true; }
};

/// Defaults are choices: 5 cm at 5000 N/m take up the energy of 5 kg at 1.5 m/s.
struct CollisionAvoidanceConfig {
  bool on = false;
  double margin = 0.05;       ///< distance of two surfaces at which the repulsion begins [m]
  double stiffness = 5000.0;  ///< stiffness of the repulsion [N/m]
  double damping = 100.0;     ///< against approach, at full overlap [N·s/m]
  double torque_max = 0.0;    ///< cap for each joint [N·m or N]; 0: half of the joint's own limit
  std::vector<ExcludedBodies> exclude;
  ShapeNames shapes;
  bool operator==(const CollisionAvoidanceConfig&) const = default;
};

/// Two shapes (CollisionAvoidanceConfig::shapes) as one number, for events; never 0.
constexpr std::uint64_t number_of_shapes(std::uint16_t a, std::uint16_t b) noexcept {
  return 1 + ((std::uint64_t{a} << 16) | b);
}
/// Bodies of the two shapes of such a number; both empty where it is 0 or the first is not known,
/// the second alone where it is an obstacle, which has no body.
struct ShapePair {
  std::string_view a, b;
};
inline ShapePair bodies_of(const CollisionAvoidanceConfig& config, std::uint64_t number) noexcept {
  const std::uint64_t a = (number - 1) >> 16;
  const std::uint64_t b = (number - 1) & 0xFFFF;
  const std::vector<std::string>& bodies = config.shapes.bodies;
  if (number == 0 || a >= bodies.size()) return {};
  return {bodies[a], b < bodies.size() ? std::string_view(bodies[b]) : std::string_view()};
}

/// Thresholds on joints are in JointConfig (impact_torque, squish_torque).
struct CollisionDetectionConfig {
  bool on = false;
  /// Impact and squish count in every mode; else only where a joint follows a reference stiffly.
  bool when_yielding = false;
  double stop_time = 0.5;         ///< hold after an impact or a hand wrench [s]; the Sawyer's
  double impact_time = 0.05;      ///< a change slower than this isn't sudden [s]; a choice
  double squish_time = 0.1;       ///< duration of a squish before it counts [s]; a choice
  double hand_force_max = 100.0;  ///< [N]; a choice
  double hand_torque_max = 20.0;  ///< [N·m]; a choice
  bool operator==(const CollisionDetectionConfig&) const = default;
};

/// Avoidance and detection in one cycle.
struct ProtectionSnapshot {
  /// Distance of the nearest two surfaces, at most the distance searched [m]
  double distance = 0.0;
  double overlap = 0.0;      ///< deepest overlap of the enlarged shapes: margin minus distance [m]
  double force = 0.0;        ///< force that pushes the deepest pair apart, before the cap [N]
  double impact = 0.0;       ///< largest sudden torque, as a fraction of its threshold
  double squish = 0.0;       ///< largest external torque, as a fraction of its threshold
  double hand_force = 0.0;   ///< largest force on a hand, of all arms [N]
  double hand_torque = 0.0;  ///< largest torque on a hand, of all arms [N·m]
  double stop_left = 0.0;    ///< time until a contact's stop ends [s]; 0: none
  std::array<double, kAllSuppressible.size()> suppressed_for{};  ///< s; 0: not suppressed
  /// Time until the function acts again without another message, on the last joint [s]; 0: not
  /// suppressed.
  std::array<double, kAllSuppressible.size()> suppressed_left{};
  /// Sender of the newest message; 0: not suppressed.
  std::array<std::uint16_t, kAllSuppressible.size()> suppressed_by{};
  FewBits<Protection> on;
  FewBits<Suppressible> suppressed;  ///< suppressed on at least one joint
  bool pushes = false;               ///< avoidance pushes
  bool squished = false;             ///< a part holds until a mode is asked for
  std::array<std::uint8_t, 4> spare{};
  bool operator==(const ProtectionSnapshot&) const = default;
};
static_assert(sizeof(ProtectionSnapshot) % 8 == 0);

}  // namespace jointrig
