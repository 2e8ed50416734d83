#include "gui/panel/tool_angles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "control/core/quaternion.h"

namespace jointrig::gui {
namespace {

/// Limit of the pitch's sine: within about 15 µrad of a quarter turn rounding decides between roll
/// and yaw.
constexpr double kQuarterTurn = 1.0 - 1e-10;

}  // namespace

ToolNumbers as_numbers(const ToolPose& pose) noexcept {
  const auto [w, x, y, z] = pose.orientation;
  const auto& p = pose.position;
  const double sine = std::clamp(2.0 * (w * y - z * x), -1.0, 1.0);
  if (std::abs(sine) > kQuarterTurn) {
    const double yaw =
        std::remainder(-2.0 * std::copysign(1.0, sine) * std::atan2(x, w), 2.0 * std::numbers::pi);
    return {p[0], p[1], p[2], 0.0, std::copysign(0.5 * std::numbers::pi, sine), yaw};
  }
  return {p[0],
          p[1],
          p[2],
          std::atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
          std::asin(sine),
          std::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))};
}

ToolPose as_pose(const ToolNumbers& numbers) noexcept {
  const Quaternion roll = of_turn(numbers[3], 0.0, 0.0);
  const Quaternion pitch = of_turn(0.0, numbers[4], 0.0);
  const Quaternion yaw = of_turn(0.0, 0.0, numbers[5]);
  return {{numbers[0], numbers[1], numbers[2]}, product(yaw, product(pitch, roll))};
}

}  // namespace jointrig::gui
