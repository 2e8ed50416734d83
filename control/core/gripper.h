#pragma once
/// Grippers: joints that open and close around objects.
///
/// A gripper's opening is told by its share s: the mean over its joints of
///
///     s_i = (q_i − closed_i) / (open_i − closed_i)          0 closed, 1 open
///
/// and, where the robot's file has it, by its width w(s) [m]: the way between its fingertips,
/// linear between points at equal steps of s. A force F at the fingertips, with which each presses
/// on the object, takes the torque (principle of virtual work)
///
///     τ_i = −F ∂w/∂q_i,     ∂w/∂q_i = w'(s) / (n (open_i − closed_i))      n joints
///
/// beside the torque that holds the joint against gravity.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/fixed_vector.h"
#include "control/core/types.h"

namespace jointrig {

inline constexpr std::size_t kMaxGrippers = 4;        ///< a choice
inline constexpr std::size_t kMaxGripperJoints = 24;  ///< a hand with five fingers
inline constexpr std::size_t kMaxWidths = 33;         ///< points of w(s): a choice
using GripperIndex = std::uint8_t;
inline constexpr GripperIndex kNoGripper = 0xFF;

template <typename T>
using PerGripper = FixedVector<T, kMaxGrippers>;

/// Activity of a gripper in a cycle.
///
///     idle      between open and closed, with nothing to do
///     moving    on its way to an opening that was asked for
///     open      as far as it goes
///     closed    likewise, with nothing between its fingers
///     grasping  closing on an object, or pressing on it until the force is there
///     grasped   holds an object with the force that was asked for
///     missed    a grasp met nothing, or an object of another width than expected
///     lost      the object is gone; the fingers hold where they are
///     stalled   something stood in the way of a motion that was no grasp
#define JOINTRIG_GRIPPER_STATES(X) \
  X(kIdle, "idle")                 \
  X(kMoving, "moving")             \
  X(kOpen, "open")                 \
  X(kClosed, "closed")             \
  X(kGrasping, "grasping")         \
  X(kGrasped, "grasped")           \
  X(kMissed, "missed")             \
  X(kLost, "lost")                 \
  X(kStalled, "stalled")
JOINTRIG_ENUM(GripperState, JOINTRIG_GRIPPER_STATES)

/// Result of a command. Value of the event: the width [m], or the share where no width is known.
/// Limit: of grasped the force [N]; of missed the width expected; of lost and stalled the width
/// before, and the goal.
///
///     opened, closed, reached   at the opening that was asked for
///     grasped                   the object is held
///     missed                    see GripperState
///     lost                      see GripperState
///     stalled                   see GripperState
///     stopped                   a stop, another command or a fault ended it
#define JOINTRIG_GRIPPER_CHANGES(X) \
  X(kOpened, "opened")              \
  X(kClosed, "closed")              \
  X(kReached, "reached")            \
  X(kGrasped, "grasped")            \
  X(kMissed, "missed")              \
  X(kLost, "lost")                  \
  X(kStalled, "stalled")            \
  X(kStopped, "stopped")
JOINTRIG_ENUM(GripperChange, JOINTRIG_GRIPPER_CHANGES)

/// Scale of an opening.
#define JOINTRIG_OPENING_SCALES(X) \
  X(kWidth, "width")               \
  X(kShare, "share")
JOINTRIG_ENUM(OpeningScale, JOINTRIG_OPENING_SCALES)

struct GripperJoint {
  JointIndex joint = kNoJoint;
  double open = 0.0;    ///< [rad or m]
  double closed = 0.0;  ///< [rad or m]
  bool operator==(const GripperJoint&) const = default;

  [[nodiscard]] double stroke() const noexcept { return open - closed; }
  [[nodiscard]] double at(double share) const noexcept { return closed + share * stroke(); }
};

struct GripperConfig {
  std::string name;
  std::vector<GripperJoint> joints;
  /// w at equal steps of the share, from closed to open [m]; empty: unknown
  std::vector<double> widths;
  double force = 0.0;      ///< of a grasp that names none [N]; 0: half of force_max
  double force_max = 0.0;  ///< [N]; 0: what the joints' torque limits allow
  /// Change of the share, since it was grasped, from which the object counts as lost: a choice, for
  /// soft objects give
  double slip = 0.05;
  bool operator==(const GripperConfig&) const = default;

  [[nodiscard]] bool knows_width() const noexcept { return widths.size() > 1; }

  /// w(s) [m]; 0 where it is unknown.
  [[nodiscard]] double width(double share) const noexcept {
    if (!knows_width()) return 0.0;
    const Piece at = piece(share);
    return widths[at.index] + at.rest * (widths[at.index + 1] - widths[at.index]);
  }
  /// w'(s) [m]; 0 where it is unknown.
  [[nodiscard]] double slope(double share) const noexcept {
    if (!knows_width()) return 0.0;
    const std::size_t i = piece(share).index;
    return (widths[i + 1] - widths[i]) * static_cast<double>(widths.size() - 1);
  }
  /// The share of a width, which rises with it; widths beyond both ends are at an end.
  [[nodiscard]] double share_of(double width) const noexcept {
    if (!knows_width() || width <= widths.front()) return 0.0;
    for (std::size_t i = 1; i < widths.size(); ++i) {
      if (width > widths[i]) continue;
      const double rest = (width - widths[i - 1]) / (widths[i] - widths[i - 1]);
      return (static_cast<double>(i - 1) + rest) / static_cast<double>(widths.size() - 1);
    }
    return 1.0;
  }
  /// ∂w/∂q_i [m/rad, or 1 for a slide]
  [[nodiscard]] double lever(std::size_t i, double share) const noexcept {
    return slope(share) / (static_cast<double>(joints.size()) * joints[i].stroke());
  }

 private:
  struct Piece {
    std::size_t index = 0;
    double rest = 0.0;
  };
  [[nodiscard]] Piece piece(double share) const noexcept {
    const auto steps = static_cast<double>(widths.size() - 1);
    const double at = std::clamp(share, 0.0, 1.0) * steps;
    const auto index = std::min(static_cast<std::size_t>(at), widths.size() - 2);
    return {index, at - static_cast<double>(index)};
  }
};

[[nodiscard]] inline JointSet joints_of(const GripperConfig& gripper) {
  JointSet joints;
  for (const GripperJoint& joint : gripper.joints) joints.set(joint.joint);
  return joints;
}

/// A gripper in this cycle.
struct GripperSnapshot {
  double share = 0.0;
  double width = 0.0;  ///< [m]; 0 where it is unknown
  /// With which the fingertips press, by the external torques of the joints [N]; 0 where these are
  /// unknown
  double force = 0.0;
  double asked = 0.0;  ///< force of the grasp, while one is on [N]
  GripperState state = GripperState::kIdle;
  bool operator==(const GripperSnapshot&) const = default;
};

}  // namespace jointrig
