#include "gui/scene3d/ghost.h"

#include <limits>

namespace jointrig {

void ghost_of(const MotorPanel& panel, std::vector<double>& q) {
  constexpr SliderKind kGoal{JointQuantity::kPosition, CommandKind::kMove};
  const std::size_t count = panel.config().joints.size();
  q.assign(count, std::numeric_limits<double>::quiet_NaN());
  if (!panel.has_snapshot()) return;
  for (std::size_t i = 0; i < count; ++i) {
    const auto joint = static_cast<JointIndex>(i);
    const JointSnapshot& now = panel.snapshot().joints[i];
    const SliderState& slider = panel.slider(joint, kGoal);
    if (slider.has_ghost) {
      q[i] = slider.ghost;
    } else if (follows_position(now.mode)) {
      q[i] = now.reference.q;
    }
  }
}

}  // namespace jointrig
