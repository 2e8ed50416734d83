#include "gui/panel/reference_sliders.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/motion/reference_generator.h"
#include "control/safety/admission.h"

namespace jointrig::gui {
namespace {

constexpr double kNoStep = 1e-6;  // rad or m: a smaller step is no motion of the hand

constexpr SliderKind kGoal{JointQuantity::kPosition, CommandKind::kMove};
constexpr SliderKind kStream{JointQuantity::kPosition, CommandKind::kStreamPosition};
constexpr SliderKind kVelocitySlider{JointQuantity::kVelocity, CommandKind::kStreamVelocity};
constexpr SliderKind kTorqueSlider{JointQuantity::kTorque, CommandKind::kStreamTorque};
constexpr SliderKind kDutySlider{JointQuantity::kDuty, CommandKind::kStreamDuty};

bool springs_back(const SliderKind& kind) noexcept {
  return kind.quantity != JointQuantity::kPosition;
}
bool must_stream(const SliderKind& kind) noexcept { return kind.command != CommandKind::kMove; }

}  // namespace

ReferenceSliders::ReferenceSliders(const RobotWatch& watch, PanelClient& client,
                                   const JointActs& acts)
    : watch_(&watch),
      client_(&client),
      acts_(&acts),
      sliders_(config().joints.size()),
      modes_seen_(config().joints.size(), JointMode::kNotConfigured) {}

void ReferenceSliders::begin_frame(int page) {
  const FrameInput& frame = watch_->frame();
  const bool may_stream = live_guard_.update(frame.focused, frame.had_input, page, frame.now);
  if (!may_stream || !client_->armed() || watch_->is_stale()) end_live();
  follow_modes();
  stream_live();
}

std::vector<SliderKind> ReferenceSliders::of(JointIndex joint) const {
  switch (now(joint).mode) {
    case JointMode::kPosition:
      return {kGoal};
    case JointMode::kPositionDirect:
      return {kStream};
    case JointMode::kVelocity:
      return {kVelocitySlider};
    case JointMode::kMixed:
      return {kGoal, kVelocitySlider};
    case JointMode::kTorque:
      return {kTorqueSlider};
    case JointMode::kOpenloop:
      return {kDutySlider};
    default:
      return {};
  }
}

double ReferenceSliders::reference_of(JointIndex joint, JointQuantity quantity) const {
  const JointReference& reference = now(joint).reference;
  switch (quantity) {
    case JointQuantity::kVelocity:
      return reference.v;
    case JointQuantity::kTorque:
      return reference.tau;
    case JointQuantity::kDuty:
      return reference.duty;
    default:
      return reference.q;
  }
}

Bar ReferenceSliders::range(JointIndex joint, const SliderKind& kind) const {
  const JointLimits& limits = config().joints[joint].limits;
  const JointState& state = now(joint).state;
  Bar bar;
  bar.reference = reference_of(joint, kind.quantity);
  bar.has_reference = true;
  switch (kind.quantity) {
    case JointQuantity::kVelocity:
      bar.high = limits.v_max;
      bar.value = state.v;
      break;
    case JointQuantity::kTorque:
      bar.high = limits.tau_max;
      bar.value = state.tau;
      break;
    case JointQuantity::kDuty:
      bar.high = 1.0;
      bar.value = now(joint).setpoint.duty;
      break;
    default:
      bar = watch_->status(joint).position;
      bar.has_reference = true;
      return bar;
  }
  bar.low = -bar.high;
  bar.soft_low = bar.low;
  bar.soft_high = bar.high;
  return bar;
}

const SliderState& ReferenceSliders::state(JointIndex joint, const SliderKind& kind) const {
  return sliders_[joint][static_cast<std::size_t>(kind.quantity)];
}

std::string ReferenceSliders::what_is_wrong(JointIndex joint, const SliderKind& kind,
                                            double value) const {
  const JointConfig& c = config().joints[joint];
  // The loop shapes a streamed sample; a typed one counts as a goal.
  const CommandKind like =
      kind.command == CommandKind::kStreamPosition ? CommandKind::kMove : kind.command;
  const Refusal refusal = check_number(value_fields_of(like).front().range, value, c, joint, 0);
  if (!refusal) return {};
  return show(value, kind.quantity, c.slide) + " is beyond the limit of " + c.name + ", " +
         show(refusal.limit, kind.quantity, c.slide);
}

void ReferenceSliders::drag(JointIndex joint, const SliderKind& kind, double value) {
  const Bar ends = range(joint, kind);
  SliderState& s = slider_of(joint, kind);
  s.ghost = std::clamp(value, ends.soft_low, ends.soft_high);
  s.has_ghost = true;
  s.dragging = true;
  if (is_live(joint)) client_->note_motion();
}

void ReferenceSliders::release(JointIndex joint, const SliderKind& kind) {
  SliderState& s = slider_of(joint, kind);
  if (!s.dragging) return;
  s.dragging = false;
  if (springs_back(kind)) {
    s.ghost = 0.0;
    if (!is_live(joint)) s.has_ghost = false;
    if (!is_live(joint))
      client_->tell("nothing sent: a " + std::string(to_string(kind.quantity)) +
                    " has to be streamed; switch the joint's Live on");
    return;
  }
  if (is_live(joint)) return;  // already streamed
  s.has_ghost = false;
  if (must_stream(kind)) {
    client_->tell("nothing sent: position_direct takes a stream; switch the joint's Live on");
    return;
  }
  if (!client_->allowed(acts_->why_not(PanelAct::kReference, joint))) return;
  client_->note_motion();
  send_reference(joint, kind, s.ghost);
}

std::string ReferenceSliders::type(JointIndex joint, const SliderKind& kind,
                                   const std::string& text) {
  std::string refused = take_typed(joint, kind, text);
  if (!refused.empty()) client_->tell(refused);
  return refused;
}

std::string ReferenceSliders::take_typed(JointIndex joint, const SliderKind& kind,
                                         const std::string& text) {
  const Typed typed = read_typed(text, kind.quantity, config().joints[joint].slide);
  if (!typed.error.empty()) return typed.error;
  if (std::string wrong = what_is_wrong(joint, kind, typed.value); !wrong.empty()) return wrong;
  if (std::string why = acts_->why_not(PanelAct::kReference, joint); !why.empty()) return why;
  SliderState& s = slider_of(joint, kind);
  client_->note_motion();
  if (is_live(joint)) {
    s.ghost = typed.value;
    s.has_ghost = true;
    return {};
  }
  if (must_stream(kind)) return "this mode takes a stream; switch the joint's Live on";
  send_reference(joint, kind, typed.value);
  return {};
}

void ReferenceSliders::send_reference(JointIndex joint, const SliderKind& kind, double value) {
  const bool is_goal = kind.command == CommandKind::kMove;
  const std::array<double, 2> numbers{value, move_speed(config(), joint)};
  Request request = blank_request(kind.command);
  add_joint(request, joint, std::span(numbers).first(is_goal ? 2 : 1));
  client_->sent(client_->robot().post(request));
}

void ReferenceSliders::set_live(JointIndex joint, bool live) {
  if (!live) {
    live_.reset(joint);
    for (SliderState& s : sliders_[joint]) s.has_ghost = false;
    return;
  }
  if (!client_->allowed(acts_->why_not(PanelAct::kReference, joint))) return;
  if (of(joint).empty()) return;
  live_.set(joint);
  for (const SliderKind& kind : of(joint)) {
    // Starts from the joint's reference, so that switching on moves nothing.
    SliderState& s = slider_of(joint, kind);
    s.ghost = springs_back(kind) ? 0.0 : reference_of(joint, kind.quantity);
    s.has_ghost = true;
  }
}

void ReferenceSliders::end_live() {
  for (std::size_t i = 0; live_.any() && i < sliders_.size(); ++i) {
    if (live_.test(i)) set_live(static_cast<JointIndex>(i), false);
  }
}

void ReferenceSliders::drop() {
  end_live();
  for (auto& sliders : sliders_) sliders = {};
}

/// A joint that changed its mode has other sliders: the old ones must not act.
void ReferenceSliders::follow_modes() {
  for (std::size_t i = 0; i < sliders_.size(); ++i) {
    const JointMode mode = watch_->snapshot().joints[i].mode;
    if (mode == modes_seen_[i]) continue;
    modes_seen_[i] = mode;
    live_.reset(i);
    sliders_[i] = {};
  }
}

/// Largest step of a position stream per frame: by the speed override, and by the loop's limit for
/// one sample.
double ReferenceSliders::stream_step(JointIndex joint) const {
  const double by_speed =
      watch_->speed_override() * move_speed(config(), joint) * watch_->frame_time();
  const double most = config().joints[joint].limits.step_max;
  return most > 0.0 ? std::min(most, by_speed) : by_speed;
}

void ReferenceSliders::stream(JointIndex joint, const SliderKind& kind) {
  const SliderState& s = state(joint, kind);
  const double at = reference_of(joint, kind.quantity);
  switch (kind.command) {
    case CommandKind::kMove:
      // A goal needs no repetition: it is sent only while the hand moves it.
      if (s.dragging && std::abs(s.ghost - at) > kNoStep) send_reference(joint, kind, s.ghost);
      break;
    case CommandKind::kStreamPosition: {
      const double step = stream_step(joint);
      send_reference(joint, kind, std::clamp(s.ghost, at - step, at + step));
      break;
    }
    default:
      send_reference(joint, kind, s.ghost);
      break;
  }
}

void ReferenceSliders::stream_live() {
  for (std::size_t i = 0; live_.any() && i < sliders_.size(); ++i) {
    if (!live_.test(i)) continue;
    const auto joint = static_cast<JointIndex>(i);
    for (const SliderKind& kind : of(joint)) stream(joint, kind);
  }
}

}  // namespace jointrig::gui
