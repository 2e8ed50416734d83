#include "gui/panel/guide_desk.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace jointrig::gui {
void GuideDesk::begin_frame() {
  if (const std::optional<ArmIndex> let_go = cuff_.begin_frame()) send_cuff(*let_go, 0.0);
}

void GuideDesk::send_cuff(ArmIndex arm, double seconds) {
  panel_->client.ask(SetCuff{arm, seconds});
}

std::string GuideDesk::why_not_guide() const { return arms_->why_not(ArmAct::kGuide); }

void GuideDesk::hold() {
  if (!panel_->frame().focused) return;
  if (const std::string why = why_not_guide(); !why.empty()) return panel_->tell(why);
  if (cuff_.hold(arms_->arm, panel_->frame().now)) send_cuff(arms_->arm, kGraspFor);
}

/// `right_j1: it isn't let go yet: keep your hand still; this joint moves at 6.9 deg/s against a
/// limit of 1.1 deg/s`
std::string GuideDesk::note() const {
  const GuideNote note = arms_->now().interaction.note;
  const auto& joints = panel_->config().joints;
  if (note.joint >= joints.size()) return {};
  const JointConfig& joint = joints[note.joint];
  std::string text = joint.name + ": " + std::string(describe(note.what));
  const std::string_view unit = unit_of(note.what);
  if (unit.empty()) return text;
  JointQuantity quantity = JointQuantity::kPosition;
  if (unit == "rad/s") quantity = JointQuantity::kVelocity;
  if (unit == "N·m") quantity = JointQuantity::kTorque;
  return text + " " + show(note.value, quantity, joint.slide) + " against a limit of " +
         show(note.limit, quantity, joint.slide);
}

std::string GuideDesk::state() const {
  const std::string told = note();
  switch (arms_->now().interaction.guide) {
    case GuideState::kBraking:
      return told.empty() ? "brakes before it is let go" : told;
    case GuideState::kGuiding:
      return "guided: a hand moves it";
    case GuideState::kStopped:
      return told.empty() ? "stopped: it holds until the cuff is released" : told;
    case GuideState::kOff:
      break;
  }
  const JointIndex first = arms_->config().joints.front();
  const auto& joints = panel_->snapshot().joints;
  const bool is_suppressed =
      first < joints.size() && joints[first].suppressed.has(Suppressible::kCuff);
  return is_suppressed ? "its cuff is suppressed" : "not guided";
}

bool GuideDesk::is_free(std::size_t axis) const {
  return (arms_->now().interaction.free_axes >> axis & 1U) != 0;
}

void GuideDesk::set_free(std::size_t axis, bool free) {
  if (const std::string why = arms_->why_not(ArmAct::kWeigh); !why.empty())
    return panel_->tell(why);
  SetFreeAxes command{.arm = arms_->arm};
  for (std::size_t i = 0; i < 6; ++i) command.axes[i] = i == axis ? free : is_free(i);
  panel_->client.ask(command);
}

std::string GuideDesk::why_not_apply() const { return arms_->why_not(ArmAct::kWeigh); }

std::string GuideDesk::type_force(std::size_t axis, const std::string& text) {
  const Typed typed = read_typed(text, JointQuantity::kTorque, is_linear(axis));
  std::string why = typed.error;
  const double most = arms_->config().interaction.force_max[axis];
  if (why.empty() && std::abs(typed.value) > most) {
    why = show(typed.value, JointQuantity::kTorque, is_linear(axis)) + " is beyond what arm " +
          arms_->config().name + " may press with, " +
          show(most, JointQuantity::kTorque, is_linear(axis));
  }
  if (why.empty()) {
    form().force[axis] = typed.value;
  } else {
    panel_->tell(why);
  }
  return why;
}

void GuideDesk::apply() {
  if (const std::string why = why_not_apply(); !why.empty()) return panel_->tell(why);
  InteractionSettings settings;
  settings.axes = form().axes;
  settings.force = form().force;
  settings.frame = form().frame;
  const ArmSnapshot now = arms_->now();
  settings.stiffness = now.interaction.active ? now.interaction.stiffness : now.stiffness;
  for (std::size_t i = 0; i < 6; ++i) {
    // A limit is a magnitude; its typed sign is ignored.
    if (settings.axes[i] == InteractionAxis::kImpedanceWithForceLimit) {
      settings.force[i] = std::abs(settings.force[i]);
    }
  }
  panel_->client.ask(SetInteractionControl{settings, arms_->arm});
}

void GuideDesk::off() {
  if (const std::string why = why_not_apply(); !why.empty()) return panel_->tell(why);
  panel_->client.ask(SetInteractionControl{{}, arms_->arm, false});
}

}  // namespace jointrig::gui
