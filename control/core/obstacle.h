#pragma once
/// Obstacles that a robot is told of while it runs: collision avoidance and the check of planned
/// paths take them beside what stands fixed in the scene.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "control/core/arm.h"
#include "control/core/command_field.h"
#include "control/core/enumeration.h"
#include "control/core/fixed_vector.h"
#include "control/core/modes.h"

namespace jointrig {

/// Obstacles that a robot knows at once: a choice, each is looked at in every cycle.
inline constexpr std::size_t kMaxObstacles = 16;

/// A name in UTF-8, with zeros behind it.
using ObstacleName = std::array<std::uint8_t, 16>;

/// The first bytes of a name that is too long: who takes a name from outside checks fits_name().
constexpr ObstacleName obstacle_name(std::string_view text) noexcept {
  ObstacleName name{};
  for (std::size_t i = 0; i < std::min(text.size(), name.size()); ++i) {
    name[i] = static_cast<std::uint8_t>(text[i]);
  }
  return name;
}
constexpr bool fits_name(std::string_view text) noexcept {
  return !text.empty() && text.size() <= ObstacleName{}.size() &&
         text.find('\0') == std::string_view::npos;
}
inline std::string_view text_of(const ObstacleName& name) noexcept {
  const auto* const first = reinterpret_cast<const char*>(name.data());
  return {first, static_cast<std::size_t>(std::find(name.begin(), name.end(), 0) - name.begin())};
}

/// Sizes [m]:
///
///     box      half sides along its axes
///     sphere   radius
///     capsule  radius, and half the length of its segment, along the third axis
#define JOINTRIG_OBSTACLE_SHAPES(X) \
  X(kBox, "box")                    \
  X(kSphere, "sphere")              \
  X(kCapsule, "capsule")
JOINTRIG_ENUM(KnownShape, JOINTRIG_OBSTACLE_SHAPES)

/// Number of sizes of a shape; the others are 0.
constexpr std::size_t size_count(KnownShape shape) noexcept {
  return shape == KnownShape::kBox ? 3 : shape == KnownShape::kSphere ? 1 : 2;
}

/// An obstacle as the robot knows it in a cycle.
struct KnownObstacle {
  std::array<double, 3> size{};                           ///< [m]
  std::array<double, 3> position{};                       ///< of its centre in the world [m]
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};  ///< w x y z, in the world
  std::array<double, 3> velocity{};                       ///< in the world [m/s]
  double moves_for = 0.0;                                 ///< time left with its velocity [s]
  ObstacleName name{};
  KnownShape shape = KnownShape::kBox;
  std::array<std::uint8_t, 7> spare{};
  bool operator==(const KnownObstacle&) const = default;
};
static_assert(sizeof(KnownObstacle) % 8 == 0);

using KnownObstacles = FixedVector<KnownObstacle, kMaxObstacles>;

/// Tells of an obstacle, or that the one of this name is elsewhere, or another. A pose in the base
/// or at the tool of an arm is taken where that is now: the obstacle stays in the world.
struct SetObstacle {
  ObstacleName name{};
  KnownShape shape = KnownShape::kBox;
  std::array<double, 3> size{};
  std::array<double, 3> position{};
  std::array<double, 4> orientation{1.0, 0.0, 0.0, 0.0};
  std::array<double, 3> velocity{};  ///< of its centre; it doesn't turn
  double moves_for = 1.0;            ///< it goes on for so long, then it counts as standing [s]
  ToolFrame frame = ToolFrame::kWorld;
  std::uint8_t of_arm = 0;  ///< arm of a frame `base` or `tool`
  bool operator==(const SetObstacle&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields = field_list(
      Field{"name", &SetObstacle::name, QuantityKind::kNone, Range::kObstacleName},
      Field{"shape", &SetObstacle::shape, QuantityKind::kNone, Range::kWord},
      Field{"size", &SetObstacle::size, QuantityKind::kLength, Range::kObstacleSize},
      Field{"position", &SetObstacle::position, QuantityKind::kLength, Range::kObstaclePlace},
      Field{"orientation", &SetObstacle::orientation, QuantityKind::kNone, Range::kUnitLength},
      Field{"velocity", &SetObstacle::velocity, QuantityKind::kSpeed, Range::kObstacleSpeed},
      Field{"moves_for", &SetObstacle::moves_for, QuantityKind::kTime, Range::kObstacleTime},
      Field{"frame", &SetObstacle::frame, QuantityKind::kNone, Range::kWord},
      Field{"of_arm", &SetObstacle::of_arm, QuantityKind::kNone, Range::kArmNumber});
};

struct RemoveObstacle {
  ObstacleName name{};
  bool operator==(const RemoveObstacle&) const = default;

  static constexpr ModeSet kModes = kEveryMode;
  static constexpr auto kFields =
      field_list(Field{"name", &RemoveObstacle::name, QuantityKind::kNone, Range::kObstacleName});
};

/// Ranges of an obstacle's numbers; all are choices.
inline constexpr double kLeastObstacle = 1e-3;       ///< of a size [m]
inline constexpr double kLargestObstacle = 10.0;     ///< of a size [m]
inline constexpr double kFarthestObstacle = 100.0;   ///< of a coordinate [m]
inline constexpr double kFastestObstacle = 10.0;     ///< of a velocity along an axis [m/s]
inline constexpr double kLongestObstacleWay = 60.0;  ///< of moves_for [s]

}  // namespace jointrig
