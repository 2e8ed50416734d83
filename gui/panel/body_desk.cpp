#include "gui/panel/body_desk.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "control/core/command_facts.h"

namespace jointrig::gui {
namespace {

constexpr const char* kNothing = "–";

std::string length(double metres) { return show(metres, JointQuantity::kPosition, true); }
std::string angle(double radians) { return show(radians, JointQuantity::kPosition, false); }

/// Signals of a part are 0 exactly while nothing is wanted of it.
std::string wanted(double error, const std::string& text) { return error == 0.0 ? kNothing : text; }

}  // namespace

BodyDesk::BodyDesk(MotorPanel& panel) : panel_(&panel) {
  const RobotConfig& robot = panel.config();
  if (!robot.whole_body) return;
  for (std::size_t i = 0; i < robot.laws.size(); ++i) {
    if (robot.laws[i].is_whole_body) law_ = static_cast<LawIndex>(i);
  }
}

// State -------------------------------------------------------------------------------------

LawState BodyDesk::state() const {
  const Snapshot& now = panel_->snapshot();
  return law_ < now.laws.size() ? now.laws[law_].state : LawState::kOff;
}

double BodyDesk::signal(std::string_view name) const {
  const std::vector<LawSignal>& known = panel_->config().laws[law_].signals;
  const auto at = std::find_if(known.begin(), known.end(),
                               [name](const LawSignal& one) { return one.name == name; });
  const std::size_t place =
      first_signal(panel_->config().laws, law_) + static_cast<std::size_t>(at - known.begin());
  if (at == known.end() || place >= panel_->snapshot().law_signals.size()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return panel_->snapshot().law_signals[place];
}

bool BodyDesk::is_falling() const {
  return state() == LawState::kRuns && signal("capture_inside") < 0.0;
}

std::string BodyDesk::who_is_not_in_torque() const {
  std::string first;
  std::size_t others = 0;
  for (std::size_t i = 0; i < panel_->config().joints.size(); ++i) {
    if (panel_->snapshot().joints[i].mode == JointMode::kTorque) continue;
    if (first.empty()) {
      first = panel_->config().joints[i].name;
    } else {
      ++others;
    }
  }
  if (first.empty()) return "its base is not known, or a joint is held";
  const std::string more = others == 0 ? " is" : fmt::format(" and {} more are", others);
  return first + more + " not in mode torque";
}

std::string BodyDesk::failure_text() const {
  const auto& event = panel_->body.failure();
  if (!event) return "its joints are damped";
  switch (static_cast<LawFailure>(event->detail)) {
    case LawFailure::kFell:
      return fmt::format("it fell, its capture point {} outside the soles (limit {})",
                         length(event->value), length(event->limit));
    case LawFailure::kTipped:
      return fmt::format("it tipped by {} (limit {})", angle(event->value), angle(event->limit));
    case LawFailure::kNoSolution:
      return fmt::format("no solution for {:.0f} ms (limit {:.0f} ms)", 1e3 * event->value,
                         1e3 * event->limit);
    case LawFailure::kNoBase:
      return "nobody knows where its base is: no IMU, and no foot bears";
    default:
      return "its law " + std::string(to_string(static_cast<LawFailure>(event->detail)));
  }
}

std::string BodyDesk::state_text() const {
  const double inside = signal("capture_inside");
  switch (state()) {
    case LawState::kRuns:
      return is_falling()
                 ? "falling: its capture point is " + length(-inside) + " outside the soles"
                 : "stands, its capture point " + length(inside) + " inside the soles";
    case LawState::kWaits:
      return "waits: " + who_is_not_in_torque();
    case LawState::kHolds:
      return "holds until its base is known";
    case LawState::kFailed:
      return "damped: " + failure_text() + ". Stand it up, then Stand";
    case LawState::kOff:
      break;
  }
  return "off";
}

std::string BodyDesk::gave_way_text() const {
  const auto& event = panel_->body.gave_way();
  if (!event) return {};
  const auto what = static_cast<BodyConstraint>(event->detail);
  std::string text(to_string(what));
  std::replace(text.begin(), text.end(), '_', ' ');
  const auto foot = static_cast<std::size_t>(event->value);
  if (what == BodyConstraint::kFoot && foot < config().feet.size()) {
    text += " " + config().feet[foot].name;
  }
  if (signal("gave_way") > 0.0) return text + ", now";
  return text +
         fmt::format(", {:.1f} s ago", to_seconds(panel_->snapshot().time_ns - event->time_ns));
}

/// A message may choose another weight than robot.yaml.
double BodyDesk::weight_now(const std::string& name, double otherwise) const {
  const double now = signal(name);
  return state() == LawState::kRuns && now > 0.0 ? now : otherwise;
}

std::vector<BodyDesk::Task> BodyDesk::tasks() const {
  const WholeBodyConfig& body = config();
  std::vector<Task> tasks;
  const auto turned = [&](const std::string& name, const std::string& from, double weight,
                          const char* key) {
    const double error = signal(from);
    tasks.push_back({name, wanted(error, angle(error)), weight, key});
  };
  const auto part = [&](const std::string& name) {
    turned(name, name + "_error", weight_now(name + "_turn_weight_x", body.upright_weight),
           "upright_weight");
  };
  tasks.push_back({"centre of mass",
                   fmt::format("{}  {}  {}", length(signal("com_error_x")),
                               length(signal("com_error_y")), length(signal("com_error_z"))),
                   weight_now("com_weight_x", body.com_weight), "com_weight"});
  tasks.push_back({"angular momentum", kNothing, body.spin_weight, "spin_weight"});
  if (!body.upright.empty()) {
    turned("upright frames", "upright_error", body.upright_weight, "upright_weight");
  }
  if (!body.chest.empty()) part("chest");
  if (!body.head.empty()) part("head");
  if (!body.pelvis.empty()) {
    part("pelvis");
    const double error = signal("height_error");
    tasks.push_back({"height", wanted(error, length(error)),
                     weight_now("height_weight", body.height_weight), "height_weight"});
  }
  for (const HandConfig& hand : body.hands) {
    const double way = signal(hand.name + "_hand_error");
    tasks.push_back({hand.name + " hand",
                     wanted(way, length(way) + "  " + angle(signal(hand.name + "_hand_turn"))),
                     weight_now(hand.name + "_hand_weight_x", body.hand_weight), "hand_weight"});
    turned(hand.name + " arm", hand.name + "_arm_error", body.arm_weight, "arm_weight");
  }
  turned("posture", "posture_error", body.posture_weight, "posture_weight");
  return tasks;
}

std::vector<BodyDesk::Value> BodyDesk::values() const {
  const LawConfig& law = panel_->config().laws[law_];
  const std::size_t first = first_signal(panel_->config().laws, law_);
  const auto& now = panel_->snapshot().law_signals;
  std::vector<Value> values;
  for (std::size_t i = 0; i < law.signals.size() && first + i < now.size(); ++i) {
    const LawSignal& one = law.signals[i];
    if (one.name.find(values_like) == std::string::npos) continue;
    values.push_back(
        {one.name, fmt::format("{:.5g}{}{}", now[first + i], one.unit.empty() ? "" : " ", one.unit),
         one.meaning});
  }
  return values;
}

std::vector<BodyDesk::FootForce> BodyDesk::feet() const {
  std::vector<FootForce> feet;
  double all = 0.0;
  for (const FootConfig& foot : config().feet) {
    feet.push_back({foot.name, signal(foot.name + "_force")});
    all += feet.back().force;
  }
  for (FootForce& foot : feet) foot.share = all > 0.0 ? foot.force / all : 0.0;
  return feet;
}

JointSet BodyDesk::all_joints() const {
  JointSet all;
  for (std::size_t i = 0; i < panel_->config().joints.size(); ++i) all.set(i);
  return all;
}

std::string BodyDesk::why_not_stand() const {
  if (std::string why = panel_->client.why_not(Access::kArmed); !why.empty()) return why;
  if (state() == LawState::kRuns) return "it stands";
  if (state() == LawState::kHolds) return "it holds until its base is known, then it stands";
  for (std::size_t i = 0; i < panel_->config().joints.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    if (panel_->snapshot().joints[i].mode == JointMode::kTorque) continue;
    const std::string why = panel_->acts.why_not_mode(ModeRequest::kTorque, joint);
    if (!why.empty()) return panel_->config().joints[i].name + ": " + why;
  }
  return {};
}

void BodyDesk::stand() {
  if (!panel_->client.allowed(why_not_stand())) return;
  const LawState now = state();
  if (now == LawState::kOff || now == LawState::kFailed) panel_->client.ask(SwitchLaw{law_, true});
  panel_->client.ask(SetMode{all_joints(), ModeRequest::kTorque});
}

// Messages ----------------------------------------------------------------------------------

std::string BodyDesk::why_not(CommandKind kind) const {
  return panel_->client.why_not(starts_motion(kind) ? Access::kArmed : Access::kControl);
}

/// An id that was sent counts before its answer is heard.
MessageId BodyDesk::next_id() const { return std::max(last_sent_, panel_->body.last_id()) + 1; }

void BodyDesk::hold(double now) {
  if (held_since_ && now - said_at_ < kStreamEvery) return;
  if (!held_since_) held_since_ = now;
  said_at_ = now;
  post(form, now - *held_since_);
}

void BodyDesk::post(const BodyForm& message, double gone) {
  if (!panel_->client.allowed(why_not(message.kind()))) return;
  last_sent_ = next_id();
  panel_->client.ask(message.request(last_sent_, gone));
}

void BodyDesk::go_home(HomePart part, std::uint8_t hand) {
  BodyForm home;
  home.fill(CommandKind::kGoHome, hand, places);
  home.set("part", static_cast<double>(part));
  post(home);
}

void BodyDesk::go_home_all() {
  for (std::size_t hand = 0; hand < config().hands.size(); ++hand) {
    go_home(HomePart::kArm, static_cast<std::uint8_t>(hand));
  }
  if (!config().chest.empty()) go_home(HomePart::kChest);
  if (!config().pelvis.empty()) go_home(HomePart::kPelvis);
}

void BodyDesk::change_height(double by) {
  BodyPlaces there = places;
  there.pelvis_height += by;
  BodyForm height;
  height.fill(CommandKind::kPelvisHeight, 0, there);
  post(height);
}

void BodyDesk::stop_all() {
  BodyForm stop;
  stop.fill(CommandKind::kStopAllTrajectories, 0, places);
  post(stop);
}

std::string BodyDesk::answer_text(const BodyAnswer& answer) {
  return fmt::format("{} {}: {}{}", to_string(answer.kind), answer.id, to_string(answer.state),
                     answer.why.empty() ? "" : ": " + answer.why);
}

}  // namespace jointrig::gui
