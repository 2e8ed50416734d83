#include "gui/scene3d/ghost.h"

#include <limits>

#include "control/core/quaternion.h"

namespace jointrig::gui {
namespace {

/// X_BF = X_BT X_FT⁻¹
ToolPose flange_of(const ToolPose& tool, const ToolPose& offset) {
  if (offset == ToolPose{}) return tool;
  ToolPose flange;
  flange.orientation = product(tool.orientation, inverse(offset.orientation));
  const std::array<double, 3> lever = turned(flange.orientation, offset.position);
  for (std::size_t n = 0; n < 3; ++n) flange.position[n] = tool.position[n] - lever[n];
  return flange;
}

}  // namespace

void ghost_of(const MotorPanel& panel, std::vector<double>& q) {
  constexpr SliderKind kGoal{JointQuantity::kPosition, CommandKind::kMove};
  const std::size_t count = panel.config().joints.size();
  q.assign(count, std::numeric_limits<double>::quiet_NaN());
  if (!panel.watch.has_snapshot()) return;
  for (std::size_t i = 0; i < count; ++i) {
    const auto joint = static_cast<JointIndex>(i);
    const JointSnapshot& now = panel.snapshot().joints[i];
    const SliderState& slider = panel.sliders.state(joint, kGoal);
    if (slider.has_ghost) {
      q[i] = slider.ghost;
    } else if (follows_position(now.mode)) {
      q[i] = now.reference.q;
    }
  }
}

void asked_tools_of(const MotorPanel& panel, std::vector<Scene3d::AskedTool>& tools) {
  tools.clear();
  const auto& arms = panel.snapshot().arms;
  for (std::size_t i = 0; i < arms.size() && i < panel.config().arms.size(); ++i) {
    if (!arms[i].runs) continue;
    const ArmConfig& arm = panel.config().arms[i];
    // The model's frame is the flange; so is the ghost.
    tools.push_back({arm.name, arm.tool, flange_of(arms[i].tool, arms[i].offset),
                     flange_of(arms[i].goal, arms[i].offset)});
  }
}

}  // namespace jointrig::gui
