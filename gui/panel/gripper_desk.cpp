#include "gui/panel/gripper_desk.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace jointrig::gui {
namespace {

constexpr double kMilli = 1e3;

/// "20", "20 N": above 0.
std::optional<double> force_of(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string rest(end, text.data() + text.size());
  std::erase(rest, ' ');
  const bool is_force = error == std::errc{} && (rest.empty() || rest == "N") && value > 0.0;
  return is_force ? std::optional(value) : std::nullopt;
}

}  // namespace

GripperDesk::GripperDesk(MotorPanel& panel) : panel_(&panel) {
  for (const GripperConfig& gripper : grippers()) {
    forces_.push_back(gripper.force > 0.0 ? fmt::format("{:g} N", gripper.force) : std::string());
  }
}

bool GripperDesk::has_state(GripperIndex gripper) const {
  return panel_->watch.has_snapshot() && gripper < panel_->snapshot().grippers.size();
}

GripperState GripperDesk::state(GripperIndex gripper) const {
  return has_state(gripper) ? panel_->snapshot().grippers[gripper].state : GripperState::kIdle;
}

double GripperDesk::share(GripperIndex gripper) const {
  return has_state(gripper) ? std::clamp(panel_->snapshot().grippers[gripper].share, 0.0, 1.0)
                            : 0.0;
}

std::string GripperDesk::opening_text(GripperIndex gripper) const {
  if (!has_state(gripper)) return "–";
  const GripperConfig& config = grippers()[gripper];
  const GripperSnapshot& now = panel_->snapshot().grippers[gripper];
  if (!config.knows_width()) return fmt::format("{:.0f} %", 100.0 * now.share);
  return fmt::format("{:.1f} mm of {:.0f} mm", kMilli * now.width, kMilli * config.widths.back());
}

std::string GripperDesk::state_text(GripperIndex gripper) const {
  if (!has_state(gripper)) return "unknown";
  const GripperSnapshot& now = panel_->snapshot().grippers[gripper];
  std::string text(to_string(now.state));
  if (now.asked > 0.0) text += fmt::format(", {:.1f} N of {:g} N", now.force, now.asked);
  return text;
}

std::string GripperDesk::why_not(GripperIndex gripper) const {
  if (std::string why = panel_->client.why_not(Access::kArmed); !why.empty()) return why;
  for (const GripperJoint& joint : grippers()[gripper].joints) {
    if (joint.joint >= panel_->snapshot().joints.size()) return "nothing is known of its joints";
    if (panel_->snapshot().joints[joint.joint].mode == JointMode::kPosition) continue;
    return panel_->config().joints[joint.joint].name + " is not in position";
  }
  return {};
}

std::string GripperDesk::why_no_grasp(GripperIndex gripper) const {
  if (!grippers()[gripper].knows_width()) {
    return "robot.yaml doesn't tell its width, which a force needs";
  }
  return why_not(gripper);
}

void GripperDesk::open(GripperIndex gripper) {
  if (panel_->client.allowed(why_not(gripper))) panel_->client.ask(OpenGripper{gripper});
}

void GripperDesk::close(GripperIndex gripper) {
  if (panel_->client.allowed(why_not(gripper))) panel_->client.ask(CloseGripper{gripper});
}

void GripperDesk::grasp(GripperIndex gripper) {
  if (!panel_->client.allowed(why_no_grasp(gripper))) return;
  panel_->client.ask(Grasp{.gripper = gripper, .force = force_of(forces_[gripper]).value_or(0.0)});
}

void GripperDesk::stop(GripperIndex gripper) {
  panel_->client.stop(joints_of(grippers()[gripper]));
}

std::string GripperDesk::type_force(GripperIndex gripper, const std::string& text) {
  if (const std::optional<double> force = force_of(text)) {
    forces_[gripper] = fmt::format("{:g} N", *force);
    return {};
  }
  std::string why = "a force is a number above 0, in N, not \"" + text + "\"";
  panel_->tell(why);
  return why;
}

}  // namespace jointrig::gui
