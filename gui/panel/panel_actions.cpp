// What a click on a button or a menu means.

#include <algorithm>
#include <cmath>
#include <map>

#include "control/safety/admission.h"
#include "gui/panel/panel.h"

namespace jointrig {
namespace {

/// Motion needs more than a wish.
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

/// Why a joint in this mode wouldn't take it, in few words; empty: it would.
std::string_view obstacle(PanelAct act, JointMode mode) noexcept {
  const bool silent = mode == JointMode::kNotConfigured;
  const bool faulted = mode == JointMode::kHwFault;
  switch (act) {
    case PanelAct::kSetInteraction:
    case PanelAct::kSetImpedance:
      return "";
    case PanelAct::kForceIdle:
      // A silent board is set up anew by it.
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

std::string MotorPanel::why_not_access(Access least) const {
  if (access() >= least) return {};
  return least == Access::kArmed ? "not ARMED: nothing that moves a joint is sent"
                                 : "OBSERVE only: take CONTROL first";
}

std::string MotorPanel::why_not_alone(PanelAct act, JointIndex joint) const {
  if (!has_snapshot_) return "nothing has been heard of the robot yet";
  if (act == PanelAct::kCalibrate && !(*robot_.boards)[joint].needs_calibration) {
    return "its board needs no calibration";
  }
  return std::string(obstacle(act, now(joint).mode));
}

std::string MotorPanel::why_not(PanelAct act, JointIndex joint) const {
  const std::string refused = why_not_access(least_access(act));
  return refused.empty() ? why_not_alone(act, joint) : refused;
}

std::string MotorPanel::why_not_mode(ModeRequest request, JointIndex joint) const {
  if (request == ModeRequest::kForceIdle) return why_not(PanelAct::kForceIdle, joint);
  if (request == ModeRequest::kIdle) return why_not(PanelAct::kIdle, joint);
  if (robot_.real && moves_by_force(request) && access() < Access::kArmed) {
    return "on a real robot torque, openloop and cartesian need ARMED";
  }
  return why_not(PanelAct::kRun, joint);
}

JointSet MotorPanel::able(PanelAct act, const JointSet& joints) const {
  JointSet chosen;
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    if (joints.test(i) && why_not_alone(act, static_cast<JointIndex>(i)).empty()) chosen.set(i);
  }
  return chosen;
}

std::string MotorPanel::forecast(PanelAct act, const JointSet& joints) const {
  const std::size_t able_ones = able(act, joints).count();
  std::string text = std::to_string(able_ones) + (able_ones == 1 ? " joint " : " joints ") +
                     std::string(verb_of(act));
  std::map<std::string, int> staying;
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    if (!joints.test(i)) continue;
    const std::string why = why_not_alone(act, static_cast<JointIndex>(i));
    if (!why.empty()) ++staying[why];
  }
  std::string rest;
  for (const auto& [why, count] : staying) {
    rest += (rest.empty() ? "; " : ", ") + std::to_string(count) + " " + why;
  }
  return rest.empty() ? text : text + rest + (staying.size() + able_ones > 0 ? ": stay" : "");
}

bool MotorPanel::allowed(const std::string& why_not) {
  if (!why_not.empty()) tell(why_not);
  return why_not.empty();
}

void MotorPanel::sent(std::uint64_t number) {
  if (number == 0) tell("the loop takes no commands: its inbox is full; is it running?");
}

void MotorPanel::stop_all() {
  jogged_ = kNoJoint;
  end_live();
  end_autopilots("STOP");
  JointSet all;
  for (std::size_t i = 0; i < config().joints.size(); ++i) all.set(i);
  sent(client_->stop(all));
}

void MotorPanel::off_all() {
  end_autopilots("OFF");
  set_access(Access::kControl);
  // One by one: a joint that faults meanwhile would have the whole command refused.
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    if (now(static_cast<JointIndex>(i)).mode == JointMode::kHwFault) continue;
    sent(client_->set_mode(JointSet{}.set(i), ModeRequest::kIdle));
  }
}

void MotorPanel::act(PanelAct act, const JointSet& joints) {
  const JointSet chosen = able(act, joints);
  if (!allowed(why_not_access(least_access(act)))) return;
  if (chosen.none()) {
    tell("no joint here to " + std::string(to_string(act)) + ": " + forecast(act, joints));
    return;
  }
  switch (act) {
    case PanelAct::kRun:
      sent(client_->set_mode(chosen, ModeRequest::kPosition));
      break;
    case PanelAct::kIdle:
      sent(client_->set_mode(chosen, ModeRequest::kIdle));
      break;
    case PanelAct::kForceIdle:
      sent(client_->set_mode(chosen, ModeRequest::kForceIdle));
      break;
    case PanelAct::kCalibrate:
      access_.used(frame_.now);
      sent(client_->calibrate(chosen));
      break;
    case PanelAct::kHome:
      send_home(chosen);
      break;
    default:
      break;
  }
}

void MotorPanel::send_home(const JointSet& joints) {
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
    values.push_back({joint, {q, move_speed(joint)}});
  }
  access_.used(frame_.now);
  sent(client_->send<Move>(values));
}

void MotorPanel::go_to(const PoseConfig& pose) {
  if (!allowed(why_not_access(Access::kArmed))) return;
  const JointSet able_ones = able(PanelAct::kHome, group());
  RobotClient::Each<Move::Value> values;
  for (std::size_t i = 0; i < pose.q.size(); ++i) {
    const auto joint = static_cast<JointIndex>(i);
    if (pose.q[i] && able_ones.test(i)) values.push_back({joint, {*pose.q[i], move_speed(joint)}});
  }
  if (values.empty()) {
    tell("no joint of this pose is in position or mixed: Run first");
    return;
  }
  access_.used(frame_.now);
  sent(client_->send<Move>(values));
}

std::uint64_t MotorPanel::pilot(const RobotClient::Each<Move::Value>& goals, bool timed) {
  if (!allowed(why_not_access(Access::kArmed))) return 0;
  access_.used(frame_.now);
  RobotClient::Each<TimedMove::Value> timed_goals;
  for (const auto& [joint, goal] : goals) timed_goals.push_back({joint, {goal.q, goal.speed}});
  const std::uint64_t number =
      timed ? client_->send<TimedMove>(timed_goals) : client_->send<Move>(goals);
  sent(number);
  return number;
}

void MotorPanel::set_mode(JointIndex joint, ModeRequest request) {
  if (request == ModeRequest::kIdle) return idle(joint, false);
  if (!allowed(why_not_mode(request, joint))) return;
  sent(client_->set_mode(with_its_arm(request, joint), request));
}

JointSet MotorPanel::with_its_arm(ModeRequest request, JointIndex joint) const {
  JointSet joints = JointSet{}.set(joint);
  const bool enters = request == ModeRequest::kCartesian;
  if (request == ModeRequest::kForceIdle) return joints;
  if (!enters && now(joint).mode != JointMode::kCartesian) return joints;
  for (const ArmConfig& arm : config().arms) {
    const bool has_it = std::find(arm.joints.begin(), arm.joints.end(), joint) != arm.joints.end();
    for (const JointIndex mate : arm.joints) {
      // One that faulted has left cartesian, and would have the whole command refused.
      if (has_it && (enters || now(mate).mode == JointMode::kCartesian)) joints.set(mate);
    }
  }
  return joints;
}

void MotorPanel::ask(const Request& request) {
  access_.used(frame_.now);
  sent(client_->post(request));
}

void MotorPanel::set_interaction(const JointSet& joints, InteractionMode interaction) {
  if (!allowed(why_not_access(Access::kControl))) return;
  sent(client_->set_interaction(joints, interaction));
}

void MotorPanel::ask_speed_override(double factor) {
  if (!allowed(why_not_access(Access::kControl))) return;
  sent(client_->set_speed_override(std::clamp(factor, kLeastSpeedOverride, 1.0)));
}

void MotorPanel::set_impedance(JointIndex joint, double stiffness, double damping) {
  if (!allowed(why_not(PanelAct::kSetImpedance, joint))) return;
  const Refusal refusal =
      check_values(SetImpedance::Value{stiffness, damping}, config().joints[joint], joint);
  if (refusal) {
    const JointQuantity which =
        refusal.place == 1 ? JointQuantity::kStiffness : JointQuantity::kDamping;
    const bool slide = config().joints[joint].slide;
    tell(std::string(to_string(which)) + " " + show(refusal.value, which, slide) +
         " is beyond what this joint bears, " + show(refusal.limit, which, slide));
    return;
  }
  const std::uint64_t number = client_->send<SetImpedance>({{joint, {stiffness, damping}}});
  sent(number);
  const JointGains& gains = config().joints[joint].gains;
  parameters_sent_.push_back(
      {number, {joint, JointParameter::kStiffness, gains.stiffness, stiffness}, false});
  parameters_sent_.push_back(
      {number, {joint, JointParameter::kDamping, gains.damping, damping}, false});
}

void MotorPanel::idle(JointIndex joint, bool skip_question) {
  if (!allowed(why_not(PanelAct::kIdle, joint))) return;
  const JointConfig& c = config().joints[joint];
  const double load = std::abs(now(joint).setpoint.tau);
  const bool heavy = c.limits.tau_max > 0.0 && load > kHeavyFrom * c.limits.tau_max;
  if (!heavy || (skip_question && !robot_.real)) {
    sent(client_->set_mode(JointSet{}.set(joint), ModeRequest::kIdle));
    return;
  }
  // Falling freely from rest for 0.3 s, about as long as a hand needs to get there.
  constexpr double kReaction = 0.3;
  const double inertia = c.gains.inertia > 0.0 ? c.gains.inertia : 1.0;
  const double drop = 0.5 * load / inertia * kReaction * kReaction;
  question_ = {joint, c.name + " holds " + show(load, JointQuantity::kTorque, c.slide) +
                          ": off, it falls some " + show(drop, JointQuantity::kPosition, c.slide) +
                          " in the first 0.3 s, unless something stops it."};
}

void MotorPanel::answer(bool yes) {
  if (!question_) return;
  const JointIndex joint = question_->joint;
  question_.reset();
  if (yes && allowed(why_not(PanelAct::kIdle, joint))) {
    sent(client_->set_mode(JointSet{}.set(joint), ModeRequest::kIdle));
  }
}

}  // namespace jointrig
