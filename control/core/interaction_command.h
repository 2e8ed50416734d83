#pragma once
/// The command set_interaction_control: what its numbers say.

#include <array>
#include <span>
#include <string_view>

#include "control/core/command.h"

namespace jointrig {

/// Where damping of an axis comes from.
///
///     scaled   the robot file's, times the root of stiffness over its cap
///     given    in numbers
///     ratio    of every motion on its spring; `damping[0]`
#define JOINTRIG_DAMPING_SOURCES(X) \
  X(kScaled, "scaled")              \
  X(kGiven, "given")                \
  X(kRatio, "ratio")
JOINTRIG_ENUM(DampingSource, JOINTRIG_DAMPING_SOURCES)

/// Interaction control of an arm. The interaction frame F sits at a point of the tool; its axes
/// stand still in the base or the world, or turn with the tool.
struct InteractionSettings {
  std::array<InteractionAxis, 6> axes{};
  Six stiffness{};                         ///< [N/m, N·m/rad]
  std::array<bool, 6> is_max_impedance{};  ///< as stiff as the pose allows, whatever `stiffness`
  DampingSource damping_source = DampingSource::kScaled;
  Six damping{};                  ///< [N·s/m, N·m·s/rad]
  Six force{};                    ///< asked for, or the limit's size [N, N·m]
  std::array<double, 3> point{};  ///< F's origin in the tool frame [m]
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z: F in `frame`
  ToolFrame frame = ToolFrame::kBase;
  bool undamped_force = false;   ///< no damping along axes under force control
  bool keeps_reference = false;  ///< goes on with the target as it was
  bool turns_freely = false;     ///< no virtual wall on rotation
  FixedVector<double, kMaxArmJoints> posture_stiffness;  ///< by joint; empty: as it was
};

/// Where each stands among the command's numbers; an enumeration by its place, a flag as 0 or 1.
enum InteractionPlace : std::uint8_t {
  kAtAxes = 0,
  kAtStiffness = 6,
  kAtMaxImpedance = 12,
  kAtDampingSource = 18,
  kAtDamping = 19,
  kAtForce = 25,
  kAtPoint = 31,
  kAtOrientation = 34,
  kAtFrame = 38,
  kAtUndampedForce = 39,
  kAtKeepsReference = 40,
  kAtTurnsFreely = 41,
  kAtPostureStiffness = 42,  ///< one for each joint of the arm, or none
};

/// Of numbers that check_interaction() let pass (control/safety/interaction_admission.h).
inline InteractionSettings to_interaction(std::span<const double> numbers) noexcept {
  InteractionSettings s;
  for (std::size_t i = 0; i < 6; ++i) {
    s.axes[i] = static_cast<InteractionAxis>(numbers[kAtAxes + i]);
    s.stiffness[i] = numbers[kAtStiffness + i];
    s.is_max_impedance[i] = numbers[kAtMaxImpedance + i] != 0.0;
    s.damping[i] = numbers[kAtDamping + i];
    s.force[i] = numbers[kAtForce + i];
  }
  s.damping_source = static_cast<DampingSource>(numbers[kAtDampingSource]);
  for (std::size_t i = 0; i < 3; ++i) s.point[i] = numbers[kAtPoint + i];
  for (std::size_t i = 0; i < 4; ++i) s.orientation[i] = numbers[kAtOrientation + i];
  s.frame = static_cast<ToolFrame>(numbers[kAtFrame]);
  s.undamped_force = numbers[kAtUndampedForce] != 0.0;
  s.keeps_reference = numbers[kAtKeepsReference] != 0.0;
  s.turns_freely = numbers[kAtTurnsFreely] != 0.0;
  for (std::size_t i = kAtPostureStiffness; i < numbers.size(); ++i) {
    s.posture_stiffness.push_back(numbers[i]);
  }
  return s;
}

/// What the number at `place` is, for messages: "its stiffness along z", "N/m".
struct InteractionNumber {
  std::string_view what;
  std::string_view axis;  ///< " along x" ... " about z"; empty: of none
  std::string_view unit;
};
constexpr InteractionNumber interaction_number(std::size_t place) noexcept {
  constexpr std::array<std::string_view, 6> kAxes{" along x", " along y", " along z",
                                                  " about x", " about y", " about z"};
  struct Group {
    std::size_t first;
    std::string_view what;
    std::string_view linear;
    std::string_view angular;
  };
  constexpr std::array kSixes{Group{kAtAxes, "its mode", "", ""},
                              Group{kAtStiffness, "its stiffness", "N/m", "N·m/rad"},
                              Group{kAtMaxImpedance, "its flag of max_impedance", "", ""},
                              Group{kAtDamping, "its damping", "N·s/m", "N·m·s/rad"},
                              Group{kAtForce, "its force", "N", "N·m"}};
  for (const Group& six : kSixes) {
    if (place < six.first || place >= six.first + 6) continue;
    const std::size_t axis = place - six.first;
    return {six.what, kAxes[axis], axis < 3 ? six.linear : six.angular};
  }
  if (place >= kAtPostureStiffness) return {"a stiffness of its posture", "", "N·m/rad"};
  if (place >= kAtUndampedForce) return {"a flag", "", ""};
  if (place == kAtFrame) return {"its frame", "", ""};
  if (place >= kAtOrientation) return {"the length of its quaternion", "", ""};
  if (place >= kAtPoint) return {"its point", kAxes[place - kAtPoint], "m"};
  return {"the source of its damping", "", ""};
}

}  // namespace jointrig
