#include "gui/scene3d/push_hand.h"

#include <algorithm>

namespace jointrig::gui {

std::string PushHand::why_not(const MotorPanel& panel) const {
  if (port_ == nullptr || panel.robot().simulation == nullptr) {
    return "only a simulated robot can be pushed with the mouse";
  }
  if (panel.access() != Access::kArmed) return "not ARMED: a push moves joints";
  return {};
}

void PushHand::grasp(const MotorPanel& panel, int body, const std::array<double, 3>& point,
                     const std::array<double, 3>& at) {
  if (body <= 0 || !why_not(panel).empty()) return;
  held_ = Push{body, point, at, stiffness};
}

void PushHand::pull(MotorPanel& panel, const std::array<double, 3>& target) {
  if (!held_) return;
  if (!why_not(panel).empty() || !panel.frame().focused) return let_go();
  held_->target = target;
  held_->stiffness = std::clamp(stiffness, kSoftest, kStiffest);
  panel.client.note_motion();
  port_->push(*held_);
}

void PushHand::let_go() {
  if (!held_) return;
  held_.reset();
  port_->let_go();
}

}  // namespace jointrig::gui
