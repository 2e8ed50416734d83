#include "gui/panel/motion_list.h"

#include <cmath>

#include "gui/panel/quantity.h"
#include "gui/panel/tool_angles.h"

namespace jointrig::gui {

JointSet joints_of(const MotionList& list, const RobotConfig& config) {
  if (list.arm < config.arms.size()) return joints_of(config.arms[list.arm]);
  JointSet joints;
  for (const MotionWaypoint& waypoint : list.waypoints) {
    for (std::size_t i = 0; i < waypoint.q.size(); ++i) {
      if (waypoint.q[i]) joints.set(i);
    }
  }
  return joints;
}

bool asks_the_same(const MotionList& a, const MotionList& b) {
  const auto without_words = [](MotionList list) {
    list.name.clear();
    for (MotionWaypoint& waypoint : list.waypoints) waypoint.label.clear();
    return list;
  };
  return without_words(a) == without_words(b);
}

ToolPose tidy(const ToolPose& pose) {
  constexpr std::size_t kLengths = 3;
  ToolNumbers numbers = as_numbers(pose);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double per_si = 100.0 * shown_unit(JointQuantity::kPosition, i < kLengths).per_si;
    numbers[i] = std::round(numbers[i] * per_si) / per_si;
  }
  return as_pose(numbers);
}

}  // namespace jointrig::gui
