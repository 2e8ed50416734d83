#pragma once
/// Words, settings and snapshot of an arm's interaction control and hand guiding (zero-G), part of
/// control/core/arm.h. Ranges and caps are those published for the Sawyer (Rethink Robotics, "Arm
/// Control Systems", interaction control); choices are marked.

#include <array>
#include <cstddef>
#include <cstdint>

#include "control/core/enumeration.h"
#include "control/core/types.h"

namespace jointrig {

/// Control mode along or about one axis of the interaction frame. k, d, f, m are stiffness,
/// damping, force and motion limit of that axis, e is reference minus position, V the speed:
///
///     impedance                       k e − d V
///     force                           f − d V
///     impedance_with_force_limit      k e − d V, no more than ± f in all
///     force_with_motion_limit         f − d V within ± m of the reference, and back from beyond
#define JOINTRIG_INTERACTION_AXES(X)                        \
  X(kImpedance, "impedance")                                \
  X(kForce, "force")                                        \
  X(kImpedanceWithForceLimit, "impedance_with_force_limit") \
  X(kForceWithMotionLimit, "force_with_motion_limit")
JOINTRIG_ENUM(InteractionAxis, JOINTRIG_INTERACTION_AXES)

constexpr bool has_spring(InteractionAxis axis) noexcept {
  return axis == InteractionAxis::kImpedance || axis == InteractionAxis::kImpedanceWithForceLimit;
}

/// Hand guiding of an arm.
///
///     off       the joints follow their modes
///     braking   grasped in motion: the joints brake to a standstill before they are released
///     guiding   released: gravity is compensated, the hand moves the arm
///     stopped   a limit ended guiding, or the check refused it: the joints hold until the cuff is
///     released
#define JOINTRIG_GUIDE_STATES(X) \
  X(kOff, "off")                 \
  X(kBraking, "braking")         \
  X(kGuiding, "guiding")         \
  X(kStopped, "stopped")
JOINTRIG_ENUM(GuideState, JOINTRIG_GUIDE_STATES)

/// Reason of an event of hand guiding: word, sentence, unit of value and limit.
#define JOINTRIG_GUIDE_CHANGES(X)                                                                 \
  X(kLetGo, "let_go", "it can be guided by hand; without a hand it drifts in 2 s by", "rad")      \
  X(kReleased, "released", "it is no longer guided and continues from its position", "")          \
  X(kWrongMode, "wrong_mode",                                                                     \
    "it can't be guided: this joint is in no mode that holds it. Release the cuff, and ask for "  \
    "position or another mode that holds",                                                        \
    "")                                                                                           \
  X(kRefused, "refused",                                                                          \
    "it isn't let go: its weight isn't the model's. Release the cuff, and tell the arm its "      \
    "payload "                                                                                    \
    "or correct the masses; in 2 s it would drift by",                                            \
    "rad")                                                                                        \
  X(kTooFast, "too_fast",                                                                         \
    "it was guided too fast and holds until the cuff is released: it moved at", "rad/s")          \
  X(kDrifted, "drifted",                                                                          \
    "it went too far in the first 2 s and holds until the cuff is released: it moved by", "rad")  \
  X(kLost, "lost", "it can't be guided any longer: this joint is off, held or in another mode",   \
    "")                                                                                           \
  X(kIgnored, "ignored", "its cuff is suppressed: release it, then press it again", "")           \
  X(kMoving, "moving", "it isn't let go yet: keep your hand still; this joint moves at", "rad/s") \
  X(kEngaging, "engaging", "it isn't let go yet: wait until the motor of this joint is on", "")   \
  X(kPartHeld, "part_held",                                                                       \
    "it isn't let go yet: this joint is held after a contact, or since a board is silent or "     \
    "lost. "                                                                                      \
    "Wait, or ask for its mode again",                                                            \
    "")                                                                                           \
  X(kSaturated, "saturated",                                                                      \
    "it isn't let go yet: support the arm; this joint is at the end of its torque, so that its "  \
    "load isn't known: it needs",                                                                 \
    "N·m")
JOINTRIG_ENUM(GuideChange, JOINTRIG_GUIDE_CHANGES)

#define JOINTRIG_GUIDE_TEXT(member, word, sentence, unit) std::string_view{sentence},
#define JOINTRIG_GUIDE_UNIT(member, word, sentence, unit) std::string_view{unit},
constexpr std::string_view describe(GuideChange change) noexcept {
  constexpr std::array kSentences{JOINTRIG_GUIDE_CHANGES(JOINTRIG_GUIDE_TEXT)};
  return kSentences[static_cast<std::size_t>(change)];
}
constexpr std::string_view unit_of(GuideChange change) noexcept {
  constexpr std::array kUnits{JOINTRIG_GUIDE_CHANGES(JOINTRIG_GUIDE_UNIT)};
  return kUnits[static_cast<std::size_t>(change)];
}

/// Settings of interaction control, as in robot.yaml. Six numbers: along, then about x y z.
struct InteractionConfig {
  /// Cap of the stiffness that max_impedance takes; the pose decides the value [N/m, N·m/rad].
  std::array<double, 6> impedance_max{3000.0, 3000.0, 3000.0, 300.0, 300.0, 300.0};
  /// Damping at the cap of the stiffness; it falls with the stiffness [N·s/m, N·m·s/rad]. All 0:
  /// the arm's damping_ratio, on the inertia that the tool has. (The numbers published, 8 and 2,
  /// are a ratio of 0.06 on 4 kg.)
  std::array<double, 6> damping{};
  /// Damping of axes under force control: a choice, 0.5 m/s and 1 rad/s at the caps of force.
  std::array<double, 6> force_damping{100.0, 100.0, 100.0, 5.0, 5.0, 5.0};
  std::array<double, 6> force_max{50.0, 50.0, 50.0, 5.0, 5.0, 5.0};  ///< caps [N, N·m]
  /// Caps of the limit in force_with_motion_limit [m, rad].
  std::array<double, 6> motion_max{0.12, 0.12, 0.12, 0.2618, 0.2618, 0.2618};
  /// Gain of the measured force on axes under force control; 0: open loop [1/s].
  double force_feedback = 0.0;
  double rotation_max = 1.4398966328953218;  ///< virtual wall about each axis, 82.5° [rad]
  double posture_stiffness_max = 10.0;       ///< cap for each joint [N·m/rad or N/m]
  bool operator==(const InteractionConfig&) const = default;
};

/// Settings of hand guiding, as in robot.yaml: choices.
struct ZeroGConfig {
  /// Time in which an arm that a hand pushed comes to 5 % of its speed, by damping in proportion to
  /// its inertia; 0: none [s]
  double stop_time = 1.0;
  double damping = 0.0;  ///< damping of each joint beside that [N·m·s/rad or N·s/m]
  /// Cap of the friction that slows the drift of an arm whose model is wrong, as a share of each
  /// joint's largest torque.
  double friction = 0.05;
  /// Cap of each joint's drift in the first 2 s, predicted and actual [rad or m]
  double drift_max = 0.5;
  double speed_max = 1.0;  ///< cap of each joint's speed [rad/s or m/s]
  /// Joint whose board reads the cuff; none: cuff by command alone.
  JointIndex cuff_joint = kNoJoint;
  std::uint8_t cuff_input = 0;   ///< number of its digital input, from 0
  bool cuff_active_low = false;  ///< the input is without voltage while the cuff is grasped
  bool operator==(const ZeroGConfig&) const = default;
};

inline constexpr std::uint8_t kAllAxes = 0x3F;  ///< all axes of a tool, one bit each from x

/// News of hand guiding: an event, and in the snapshot the last one since the cuff was grasped.
struct GuideNote {
  double value = 0.0;
  double limit = 0.0;
  JointIndex joint = kNoJoint;  ///< none: nothing was told, or of the arm as a whole
  GuideChange what = GuideChange::kReleased;
  std::array<std::uint8_t, 5> spare{};

  bool operator==(const GuideNote&) const = default;
};

/// Interaction control and hand guiding of an arm in one cycle.
struct InteractionSnapshot {
  std::array<double, 6> stiffness{};  ///< along the axes of the frame [N/m, N·m/rad]
  std::array<double, 6> force{};      ///< force asked for, or force limit [N, N·m]
  double cuff_left = 0.0;             ///< time left for which a command holds the cuff [s]
  double drift = 0.0;  ///< drift predicted at the last grasp, of the worst joint [rad, m]
  std::array<InteractionAxis, 6> axes{};
  bool active = false;  ///< interaction control is on
  bool cuff = false;    ///< the cuff is grasped, by a command or by its input
  GuideState guide = GuideState::kOff;
  std::uint8_t free_axes = kAllAxes;  ///< free axes of guiding, one bit each from x
  std::array<std::uint8_t, 6> spare{};
  GuideNote note;  ///< what the guide told last

  bool operator==(const InteractionSnapshot&) const = default;
};
static_assert(sizeof(InteractionSnapshot) % 8 == 0);

}  // namespace jointrig
