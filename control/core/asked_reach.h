#pragma once
/// Poses of tools for which a scenario, a script or a client asks inverse kinematics, and its
/// answer.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "control/core/arm.h"
#include "control/core/free_rotation.h"
#include "control/core/types.h"

namespace jointrig {

/// Pose of an arm's tool; `by` and `turn` are told from where the tool is. With neither orientation
/// nor turn the tool may turn as it likes.
struct AskedPose {
  ArmIndex arm = 0;
  ToolFrame frame = ToolFrame::kBase;                  ///< base or world
  std::optional<std::array<double, 3>> position{};     ///< in the frame [m]; or
  std::optional<std::array<double, 3>> by{};           ///< along its axes [m]
  std::optional<std::array<double, 4>> orientation{};  ///< w x y z, in the frame; or
  std::optional<std::array<double, 3>> turn{};         ///< rotation vector [rad]
  FreeRotation free_rotation = FreeRotation::kNone;    ///< of orientation or turn

  [[nodiscard]] bool holds_rotation() const noexcept {
    return orientation.has_value() || turn.has_value();
  }
};

struct AskedReach {
  struct Posture {
    JointIndex joint = kNoJoint;
    double q = 0.0;  ///< [rad or m]
  };
  std::vector<AskedPose> tools{};
  JointSet with{};                 ///< joints that may move beside those of the arms
  std::vector<Posture> posture{};  ///< to be near to; joints without one: to where they are
};

struct ReachAnswer {
  struct Rest {
    double position = 0.0;  ///< [m]
    double rotation = 0.0;  ///< of the rotation that is held [rad]
    bool operator==(const Rest&) const = default;
  };
  std::string refusal{};             ///< a sentence; empty: the positions bring the tools there
  std::string reason{};              ///< solved, joint_limits, out_of_reach, not_finite
  std::vector<JointIndex> joints{};  ///< that may move, by rising index
  std::vector<double> q{};    ///< of these [rad or m]; with a refusal those that come nearest
  std::vector<Rest> rests{};  ///< that these leave, by tool
  // With joint_limits: of the joint that is furthest beyond.
  JointIndex joint = kNoJoint;
  double value = 0.0;  ///< position that it would need [rad or m]
  double limit = 0.0;  ///< [rad or m]
  bool operator==(const ReachAnswer&) const = default;
};

}  // namespace jointrig
