#include "gui/panel/joint_acts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "control/core/when_off.h"
#include "gui/panel/quantity.h"

namespace jointrig::gui {
namespace {

/// Motion needs a higher access than other actions.
Access least_access(PanelAct act) noexcept {
  switch (act) {
    case PanelAct::kHome:
    case PanelAct::kCalibrate:
    case PanelAct::kReference:
      return Access::kArmed;
    default:
      return Access::kControl;
  }
}

/// Reason why a joint in this mode would refuse it, in a few words; empty: it would accept.
std::string_view obstacle(PanelAct act, JointMode mode) noexcept {
  const bool silent = mode == JointMode::kNotConfigured;
  const bool faulted = mode == JointMode::kHwFault;
  switch (act) {
    case PanelAct::kSetInteraction:
    case PanelAct::kSetImpedance:
      return "";
    case PanelAct::kForceIdle:
      // For a silent board it is the request to be set up again.
      return faulted || silent ? "" : "not in fault";
    default:
      break;
  }
  if (silent) return "board silent";
  if (faulted) return "in fault";
  switch (act) {
    case PanelAct::kIdle:
      return mode == JointMode::kIdle ? "idle already" : "";
    case PanelAct::kRun:
      return mode == JointMode::kCalibrating  ? "calibrating"
             : mode == JointMode::kConfigured ? "not calibrated"
                                              : "";
    case PanelAct::kHome:
      return mode == JointMode::kPosition || mode == JointMode::kMixed ? ""
                                                                       : "not in position or mixed";
    case PanelAct::kCalibrate:
      return mode == JointMode::kIdle || mode == JointMode::kCalibDone ||
                     mode == JointMode::kConfigured
                 ? ""
                 : "not idle";
    default:
      return "";
  }
}

std::string_view verb_of(PanelAct act) noexcept {
  switch (act) {
    case PanelAct::kRun:
      return "to POSITION, motor on";
    case PanelAct::kIdle:
      return "to IDLE, motor off";
    case PanelAct::kForceIdle:
      return "out of the fault, to IDLE";
    case PanelAct::kHome:
      return "home";
    default:
      return "calibrate: each moves by itself";
  }
}

bool moves_by_force(ModeRequest request) noexcept {
  return request == ModeRequest::kTorque || request == ModeRequest::kOpenloop ||
         request == ModeRequest::kCartesian;
}

}  // namespace

std::string JointActs::why_not_alone(PanelAct act, JointIndex joint) const {
  if (!watch_->has_snapshot()) return "no data from the robot yet";
  if (act == PanelAct::kCalibrate && !(*watch_->robot().boards)[joint].needs_calibration) {
    return "its board needs no calibration";
  }
  return std::string(obstacle(act, watch_->now(joint).mode));
}

std::string JointActs::why_not(PanelAct act, JointIndex joint) const {
  const std::string refused = client_->why_not(least_access(act));
  return refused.empty() ? why_not_alone(act, joint) : refused;
}

std::string JointActs::why_not_mode(ModeRequest request, JointIndex joint) const {
  if (request == ModeRequest::kForceIdle) return why_not(PanelAct::kForceIdle, joint);
  if (request == ModeRequest::kIdle) return why_not(PanelAct::kIdle, joint);
  if (watch_->robot().real && moves_by_force(request) && client_->access() < Access::kArmed) {
    return "on a real robot torque, openloop and cartesian need ARMED";
  }
  return why_not(PanelAct::kRun, joint);
}

std::string JointActs::what_falls(const JointSet& joints) const {
  if (!tells_brakes(config())) return "";
  std::string falls;
  std::string held;
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    const JointSnapshot& now = watch_->now(static_cast<JointIndex>(i));
    const JointConfig& joint = config().joints[i];
    const bool goes_off = joints.test(i) && now.state.status == BoardStatus::kEnabled;
    if (!goes_off) continue;
    const WhenOff end = when_off(joint, now.setpoint.tau);
    if (end == WhenOff::kFalls) falls += (falls.empty() ? "; falls: " : ", ") + joint.name;
    if (end == WhenOff::kHeld) held += (held.empty() ? "; held by brakes: " : ", ") + joint.name;
  }
  return falls + held;
}

JointSet JointActs::able(PanelAct act, const JointSet& joints) const {
  JointSet chosen;
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    if (joints.test(i) && why_not_alone(act, static_cast<JointIndex>(i)).empty()) chosen.set(i);
  }
  return chosen;
}

std::string JointActs::forecast(PanelAct act, const JointSet& joints) const {
  const std::size_t able_ones = able(act, joints).count();
  std::string text =
      fmt::format("{} {} {}", able_ones, able_ones == 1 ? "joint" : "joints", verb_of(act));
  if (act == PanelAct::kIdle) text += what_falls(able(act, joints));
  std::map<std::string, int> staying;
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    if (!joints.test(i)) continue;
    const std::string why = why_not_alone(act, static_cast<JointIndex>(i));
    if (!why.empty()) ++staying[why];
  }
  std::string rest;
  for (const auto& [why, count] : staying) {
    rest += fmt::format("{}{} {}", rest.empty() ? "; " : ", ", count, why);
  }
  return rest.empty() ? text : text + rest + (staying.size() + able_ones > 0 ? ": stay" : "");
}

void JointActs::act(PanelAct act, const JointSet& joints) {
  const JointSet chosen = able(act, joints);
  if (!client_->allowed(client_->why_not(least_access(act)))) return;
  if (chosen.none()) {
    client_->tell("no joint here to " + std::string(to_string(act)) + ": " + forecast(act, joints));
    return;
  }
  switch (act) {
    case PanelAct::kRun:
      client_->sent(client_->robot().set_mode(chosen, ModeRequest::kPosition));
      break;
    case PanelAct::kIdle:
      client_->sent(client_->robot().set_mode(chosen, ModeRequest::kIdle));
      break;
    case PanelAct::kForceIdle:
      client_->sent(client_->robot().set_mode(chosen, ModeRequest::kForceIdle));
      break;
    case PanelAct::kCalibrate:
      client_->note_motion();
      client_->sent(client_->robot().calibrate(chosen));
      break;
    case PanelAct::kHome:
      send_home(chosen);
      break;
    default:
      break;
  }
}

void JointActs::send_home(const JointSet& joints) {
  const PoseConfig* home = nullptr;
  for (const PoseConfig& pose : config().poses) {
    if (pose.name == "home") home = &pose;
  }
  RobotClient::Each<Move::Value> values;
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    if (!joints.test(i)) continue;
    const auto joint = static_cast<JointIndex>(i);
    const bool named = home != nullptr && home->q[i].has_value();
    const double q = named ? home->q[i].value_or(0.0) : config().joints[i].q_start;
    values.push_back({joint, {q, move_speed(config(), joint)}});
  }
  client_->note_motion();
  client_->sent(client_->robot().send<Move>(values));
}

void JointActs::go_to(const PoseConfig& pose, const JointSet& joints) {
  if (!client_->allowed(client_->why_not(Access::kArmed))) return;
  const JointSet able_ones = able(PanelAct::kHome, joints);
  RobotClient::Each<Move::Value> values;
  for (std::size_t i = 0; i < pose.q.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    if (pose.q[i] && able_ones.test(i))
      values.push_back({joint, {*pose.q[i], move_speed(config(), joint)}});
  }
  if (values.empty()) {
    client_->tell("no joint of this pose is in position or mixed: Run first");
    return;
  }
  client_->note_motion();
  client_->sent(client_->robot().send<Move>(values));
}

std::uint64_t JointActs::pilot(const RobotClient::Each<Move::Value>& goals, bool timed) {
  if (!client_->allowed(client_->why_not(Access::kArmed))) return 0;
  client_->note_motion();
  if (!timed) return client_->sent(client_->robot().send<Move>(goals));
  RobotClient::Each<TimedMove::Value> timed_goals;
  for (const auto& [joint, goal] : goals) timed_goals.push_back({joint, {goal.q, goal.speed}});
  return client_->sent(client_->robot().send<TimedMove>(timed_goals));
}

void JointActs::set_mode(JointIndex joint, ModeRequest request) {
  if (request == ModeRequest::kIdle) return idle(joint, false);
  if (!client_->allowed(why_not_mode(request, joint))) return;
  client_->sent(client_->robot().set_mode(with_its_arm(request, joint), request));
}

JointSet JointActs::with_its_arm(ModeRequest request, JointIndex joint) const {
  JointSet joints = JointSet{}.set(joint);
  const bool enters = request == ModeRequest::kCartesian;
  if (request == ModeRequest::kForceIdle) return joints;
  if (!enters && watch_->now(joint).mode != JointMode::kCartesian) return joints;
  for (const ArmConfig& arm : config().arms) {
    const bool has_it = std::find(arm.joints.begin(), arm.joints.end(), joint) != arm.joints.end();
    for (const JointIndex mate : arm.joints) {
      // A joint that faulted has left cartesian; the stack would refuse the whole command because
      // of it.
      if (has_it && (enters || watch_->now(mate).mode == JointMode::kCartesian)) joints.set(mate);
    }
  }
  return joints;
}

void JointActs::set_interaction(const JointSet& joints, InteractionMode interaction) {
  if (!client_->allowed(client_->why_not(Access::kControl))) return;
  client_->sent(client_->robot().set_interaction(joints, interaction));
}

void JointActs::idle(JointIndex joint, bool skip_question) {
  if (!client_->allowed(why_not(PanelAct::kIdle, joint))) return;
  const JointConfig& c = config().joints[joint];
  const double load = std::abs(watch_->now(joint).setpoint.tau);
  const bool is_held = when_off(c, load) == WhenOff::kHeld;
  const bool heavy = !is_held && c.limits.tau_max > 0.0 && load > kHeavyFrom * c.limits.tau_max;
  if (!heavy || (skip_question && !watch_->robot().real)) {
    client_->sent(client_->robot().set_mode(JointSet{}.set(joint), ModeRequest::kIdle));
    return;
  }
  if (question_ && question_->joint == joint) return answer(true);
  // Free fall from rest for 0.3 s, about the reaction time of a hand.
  constexpr double kReaction = 0.3;
  const double inertia = c.gains.inertia > 0.0 ? c.gains.inertia : 1.0;
  const double drop = 0.5 * load / inertia * kReaction * kReaction;
  asked_at_ = watch_->frame().now;
  const std::string brake =
      c.brake.is_there()
          ? "Its brake holds " + show(c.brake.holding_torque, JointQuantity::kTorque, c.slide) +
                " alone. "
          : "";
  question_ = {joint, brake + c.name + " holds " + show(load, JointQuantity::kTorque, c.slide) +
                          ": off, it falls some " + show(drop, JointQuantity::kPosition, c.slide) +
                          " in the first 0.3 s, unless something stops it."};
}

double JointActs::question_left() const {
  return question_ ? kAsksFor - (watch_->frame().now - asked_at_) : 0.0;
}

void JointActs::begin_frame() {
  if (!question_) return;
  if (question_left() <= 0.0 || !why_not(PanelAct::kIdle, question_->joint).empty()) {
    question_.reset();
  }
}

void JointActs::answer(bool yes) {
  if (!question_) return;
  if (yes && watch_->frame().now - asked_at_ < kDoubleClick) return;
  const JointIndex joint = question_->joint;
  question_.reset();
  if (yes && client_->allowed(why_not(PanelAct::kIdle, joint))) {
    client_->sent(client_->robot().set_mode(JointSet{}.set(joint), ModeRequest::kIdle));
  }
}

double move_speed(const RobotConfig& config, JointIndex joint) {
  return config.joints[joint].limits.v_max;
}

}  // namespace jointrig::gui
