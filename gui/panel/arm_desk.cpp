#include "gui/panel/arm_desk.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "control/core/quaternion.h"
#include "control/core/tool_axes.h"
#include "control/motion/reference_generator.h"
#include "control/safety/arm_admission.h"

namespace jointrig::gui {
namespace {

constexpr std::size_t kRatio = 6;  // index in a Ghost

/// A hand sets at most four digits.
double to_four_digits(double value) {
  return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr);
}

std::string_view words(ArmLimit limit) noexcept {
  switch (limit) {
    case ArmLimit::kToolSpeed:
      return "target at its greatest speed";
    case ArmLimit::kError:
      return "spring clipped at error_max";
    case ArmLimit::kPostureTorque:
      return "posture at posture_torque_max";
    case ArmLimit::kForceLimit:
      return "force at its limit";
    case ArmLimit::kMotionLimit:
      return "motion at its limit";
    case ArmLimit::kGain:
      return "gains, for light joints";
    case ArmLimit::kRotationWall:
      return "rotation at its wall";
  }
  return to_string(limit);
}

}  // namespace

std::string_view axis_name(std::size_t axis) noexcept { return kToolAxisNames[axis]; }

std::string_view number_name(std::size_t place) noexcept {
  constexpr std::array<std::string_view, 6> kNames{"x", "y", "z", "roll", "pitch", "yaw"};
  return kNames[place];
}

double ArmDesk::most_damping_ratio() noexcept { return kMaxDampingRatio; }

// State.

ArmSnapshot ArmDesk::now() const {
  const auto& all = panel_->snapshot().arms;
  return arm < all.size() ? all[arm] : ArmSnapshot{};
}

JointSet ArmDesk::joints() const {
  JointSet all;
  for (const JointIndex joint : config().joints) all.set(joint);
  return all;
}

std::string ArmDesk::why_not(ArmAct act) const {
  if (!has_arms()) return "the robot's file has no `arms`";
  if (act == ArmAct::kGain) return panel_->client.why_not(Access::kControl);
  if (act == ArmAct::kWeigh) return panel_->client.why_not(Access::kArmed);
  if (act == ArmAct::kEnter || act == ArmAct::kLeave) {
    const ModeRequest request =
        act == ArmAct::kEnter ? ModeRequest::kCartesian : ModeRequest::kPosition;
    for (const JointIndex joint : config().joints) {
      const std::string why = panel_->acts.why_not_mode(request, joint);
      if (!why.empty()) return panel_->config().joints[joint].name + ": " + why;
    }
    return {};
  }
  if (std::string why = panel_->client.why_not(Access::kArmed); !why.empty()) return why;
  if (act == ArmAct::kGuide) {
    for (const JointIndex joint : config().joints) {
      const JointMode mode = panel_->snapshot().joints[joint].mode;
      if (follows_position(mode) || mode == JointMode::kCartesian) continue;
      return panel_->config().joints[joint].name + " is in " + std::string(to_string(mode)) +
             ", which doesn't hold it";
    }
    return {};
  }
  return now().runs || now().timed_out ? std::string() : state();
}

std::string ArmDesk::state() const {
  if (now().runs) return "runs";
  if (now().interaction.guide == GuideState::kGuiding) return "guided by hand";
  if (now().interaction.guide == GuideState::kStopped) return "holds until the cuff is released";
  if (now().timed_out) return "its targets fell silent: it holds until the next";
  for (const JointIndex joint : config().joints) {
    if (joint >= panel_->snapshot().joints.size()) continue;
    const JointMode mode = panel_->snapshot().joints[joint].mode;
    if (mode == JointMode::kCartesian) continue;
    return panel_->config().joints[joint].name + " is in " + std::string(to_string(mode)) +
           ": the arm is not in cartesian";
  }
  return "held: a joint of it waits for its motor, or is stopped by a fault of another";
}

std::vector<std::string> ArmDesk::acting() const {
  std::vector<std::string> all;
  const ArmSnapshot snapshot = now();
  for (const ArmLimit limit : kAllArmLimit) {
    if (snapshot.limits.has(limit)) all.emplace_back(words(limit));
  }
  return all;
}

ArmBar ArmDesk::error(std::size_t axis) const {
  return {now().error[axis], config().error_max[axis]};
}

ArmBar ArmDesk::wrench(std::size_t axis) const {
  return {now().wrench[axis], now().stiffness[axis] * config().error_max[axis]};
}

// Clicks.

std::string ArmDesk::refuse(std::string why) {
  if (!why.empty()) panel_->tell(why);
  return why;
}

void ArmDesk::post(const Request& request, ArmAct act) {
  if (refuse(why_not(act)).empty()) panel_->client.ask(request);
}

void ArmDesk::enter() {
  if (!refuse(why_not(ArmAct::kEnter)).empty()) return;
  panel_->acts.set_mode(config().joints.front(), ModeRequest::kCartesian);
}

void ArmDesk::leave() {
  if (!refuse(why_not(ArmAct::kLeave)).empty()) return;
  const std::vector<JointIndex>& all = config().joints;
  const auto driven = std::find_if(all.begin(), all.end(), [this](JointIndex joint) {
    return panel_->snapshot().joints[joint].mode == JointMode::kCartesian;
  });
  panel_->acts.set_mode(driven != all.end() ? *driven : all.front(), ModeRequest::kPosition);
}

void ArmDesk::send_target(const ToolPose& pose) {
  post(SetToolTarget{{arm, pose.position, pose.orientation}}, ArmAct::kMove);
}

void ArmDesk::jog(std::size_t axis, int direction) {
  if (!panel_->frame().focused || direction == 0) return;
  ToolPose goal = now().goal;
  const bool in_tool = jog_frame == JogFrame::kTool;
  std::array<double, 3> way{};
  way[axis % 3] = (direction < 0 ? -1.0 : 1.0) * (is_linear(axis) ? step : turn_step);
  if (is_linear(axis)) {
    if (in_tool) way = turned(goal.orientation, way);
    for (std::size_t i = 0; i < 3; ++i) goal.position[i] += way[i];
  } else {
    const Quaternion turn = of_turn(way[0], way[1], way[2]);
    goal.orientation = in_tool ? product(goal.orientation, turn) : product(turn, goal.orientation);
  }
  send_target(goal);
}

std::string ArmDesk::type_target(std::size_t axis, const std::string& text) {
  const Typed typed = read_typed(text, JointQuantity::kPosition, is_linear(axis));
  if (!typed.error.empty()) return refuse(typed.error);
  if (std::string why = why_not(ArmAct::kMove); !why.empty()) return refuse(why);
  ToolNumbers numbers = as_numbers(now().goal);
  numbers[axis] = typed.value;
  send_target(as_pose(numbers));
  return {};
}

void ArmDesk::target_here() { send_target(now().tool); }

const double* ArmDesk::dragged(std::size_t axis) const {
  return ghost_ && ghost_->arm == arm && ghost_->axis == axis ? &ghost_->value : nullptr;
}

double ArmDesk::stiffness(std::size_t axis) const {
  const double* ghost = dragged(axis);
  return ghost != nullptr ? *ghost : now().stiffness[axis];
}

void ArmDesk::drag_stiffness(std::size_t axis, double value) {
  ghost_ = Ghost{arm, axis, std::clamp(value, 0.0, config().stiffness_max[axis])};
}

double ArmDesk::damping_ratio() const {
  const double* ghost = dragged(kRatio);
  return ghost != nullptr ? *ghost : now().damping_ratio;
}

void ArmDesk::drag_damping_ratio(double value) {
  ghost_ = Ghost{arm, kRatio, std::clamp(value, 0.0, kMaxDampingRatio)};
}

void ArmDesk::release() {
  if (!ghost_) return;
  const Ghost ghost = *ghost_;
  ghost_.reset();
  if (ghost.arm != arm) return;
  const double value = to_four_digits(ghost.value);
  if (ghost.axis == kRatio) return post(SetToolDamping{arm, value, {}}, ArmAct::kGain);
  send_stiffness(ghost.axis, std::min(value, config().stiffness_max[ghost.axis]));
}

void ArmDesk::send_stiffness(std::size_t axis, double value) {
  const ArmSnapshot snapshot = now();
  SetToolStiffness command{arm, {}};
  for (const double stiffness : snapshot.stiffness) command.stiffness.push_back(stiffness);
  command.stiffness[axis] = value;
  post(command, ArmAct::kGain);
}

std::string ArmDesk::type_stiffness(std::size_t axis, const std::string& text) {
  const Typed typed = read_typed(text, JointQuantity::kStiffness, is_linear(axis));
  if (!typed.error.empty()) return refuse(typed.error);
  const double most = config().stiffness_max[axis];
  if (typed.value < 0.0 || typed.value > most) {
    const auto shown = [axis](double value) {
      return show(value, JointQuantity::kStiffness, is_linear(axis));
    };
    return refuse("stiffness " + shown(typed.value) + " along " + std::string(axis_name(axis)) +
                  " is beyond what arm " + config().name + " may have, 0 to " + shown(most));
  }
  if (std::string why = why_not(ArmAct::kGain); !why.empty()) return refuse(why);
  send_stiffness(axis, typed.value);
  return {};
}

void ArmDesk::set_term(ArmTerm term, bool on) { post(SetArmTerm{arm, term, on}, ArmAct::kWeigh); }

void ArmDesk::posture_here() {
  if (!refuse(why_not(ArmAct::kMove)).empty()) return;
  SetPosture command;
  for (const JointIndex joint : config().joints) {
    const JointLimits& limits = panel_->config().joints[joint].limits;
    const double q = panel_->snapshot().joints[joint].state.q;
    command.joints.set(joint);
    command.values.push_back({std::clamp(q, soft_min(limits), soft_max(limits))});
  }
  panel_->client.ask(command);
}

std::string ArmDesk::type_payload(std::size_t place, const std::string& text) {
  const Typed typed =
      read_typed(text, place == 0 ? JointQuantity::kMass : JointQuantity::kPosition, true);
  if (!typed.error.empty()) return refuse(typed.error);
  const double most = place == 0 ? config().payload_max : 1.0;
  const double least = place == 0 ? 0.0 : -1.0;
  if (typed.value < least || typed.value > most) {
    return refuse(fmt::format("{} {} is beyond what arm {} may carry: {:.4g} to {:.4g} {}",
                              place == 0 ? "a payload of" : "a centre at", text, config().name,
                              least, most, place == 0 ? "kg" : "m"));
  }
  if (std::string why = why_not(ArmAct::kWeigh); !why.empty()) return refuse(why);
  const KnownPayload& known = now().payload;
  SetPayload command{arm, known.mass, known.centre, known.inertia};
  (place == 0 ? command.mass : command.centre[place - 1]) = typed.value;
  if (command.mass == 0.0) command.inertia = {};
  post(command, ArmAct::kWeigh);
  return {};
}

}  // namespace jointrig::gui
