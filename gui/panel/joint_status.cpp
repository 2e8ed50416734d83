#include "gui/panel/joint_status.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "control/motion/reference_generator.h"
#include "gui/panel/fault_text.h"
#include "gui/panel/quantity.h"

namespace jointrig::gui {
namespace {

constexpr double kSaturatedFrom = 0.999;   // share of tau_max
constexpr double kAtTargetHinge = 0.0087;  // rad: half a degree, a choice
constexpr double kAtTargetSlide = 0.0005;  // m

void add_limits(JointStatus& status, const JointSnapshot& joint) {
  if (!joint.limits.any()) return;
  std::string acting;
  for (const Limit limit : kAllLimit) {
    if (joint.limits.has(limit)) {
      acting += (acting.empty() ? "" : ", ") + std::string(to_string(limit));
    }
  }
  status.badges.push_back(
      {BadgeKind::kLimited, "LIM " + acting, "this limit acts on the output now: " + acting});
}

/// In a mode, and not driven: its board has not enabled yet, or can't.
bool waits_for_motor(const JointSnapshot& joint) {
  const bool is_off =
      joint.state.status == BoardStatus::kReady || joint.state.status == BoardStatus::kCalibDone;
  return is_driven(joint.mode) && is_off;
}

void add_badges(JointStatus& status, const JointConfig& config, const JointSnapshot& joint,
                TimeNs period_ns) {
  if (waits_for_motor(joint)) {
    status.badges.push_back({BadgeKind::kMotorOff, "OFF",
                             "the motor is off: its board was asked to enable, and has not yet"});
  }
  add_limits(status, joint);
  if (std::abs(joint.setpoint.tau) >= kSaturatedFrom * config.limits.tau_max &&
      config.limits.tau_max > 0.0) {
    status.badges.push_back(
        {BadgeKind::kSaturated, "SAT",
         "the torque asked for is at the joint's limit, " +
             show(config.limits.tau_max, JointQuantity::kTorque, config.slide)});
  }
  if (joint.timed_out) {
    status.badges.push_back(
        {BadgeKind::kTimeout, "TMO",
         "commands stopped coming: reaction " + std::string(to_string(config.timeout.reaction))});
  }
  if (joint.mode == JointMode::kConfigured) {
    status.badges.push_back(
        {BadgeKind::kUncalibrated, "CAL", "calibrate the joint before it may drive"});
  }
  if (joint.mode == JointMode::kCalibrating) {
    const int percent = static_cast<int>(std::lround(100.0 * joint.state.progress));
    status.badges.push_back({BadgeKind::kUncalibrated, fmt::format("CAL {} %", percent),
                             "the joint moves by itself to find its zero; Idle aborts"});
  }
  if (joint.state.missed >= kStaleFrom) {
    const double age_ms = 1e3 * joint.state.missed * to_seconds(period_ns);
    status.badges.push_back({BadgeKind::kStale, fmt::format("STALE {} ms", std::lround(age_ms)),
                             "no fresh sample from the board"});
  }
  if (joint.moving) {
    status.badges.push_back({BadgeKind::kMoving, "MOVE", "moving to a goal"});
  }
}

Bar position_bar(const JointConfig& config, const JointSnapshot& joint, bool has_reference) {
  const JointLimits& limits = config.limits;
  Bar bar{limits.q_min,  limits.q_max,      soft_min(limits), soft_max(limits),
          joint.state.q, joint.reference.q, has_reference};
  if (!std::isfinite(bar.low) || !std::isfinite(bar.high)) {
    // A joint without limits: a turn (or a metre) around its position.
    const double half = config.slide ? 1.0 : 3.14159265358979;
    bar.low = bar.soft_low = std::floor(joint.state.q / half) * half - half;
    bar.high = bar.soft_high = bar.low + 3.0 * half;
  }
  return bar;
}

}  // namespace

double Bar::place(double of) const noexcept {
  if (!(high > low) || !std::isfinite(of)) return 0.5;
  return std::clamp((of - low) / (high - low), 0.0, 1.0);
}

JointStatus status_of(const JointConfig& config, const JointSnapshot& joint,
                      const FaultRecord& record, const Silence& silence, TimeNs now_ns,
                      TimeNs period_ns) {
  JointStatus status;
  status.mode = joint.mode;
  status.compliant =
      joint.interaction == InteractionMode::kCompliant && shows_interaction(joint.mode);
  status.faulted = joint.mode == JointMode::kHwFault;
  status.silent = silence.lasts();
  status.look = status.silent ? JointMode::kNotConfigured : joint.mode;
  if (!status.silent && waits_for_motor(joint)) status.look = JointMode::kIdle;
  status.title = status.silent
                     ? "SILENT " + silent_for_text(to_seconds(now_ns - silence.since_ns()))
                     : title_of(joint.mode, joint.interaction);
  // The modes with an interaction are those that follow a position.
  status.has_reference = shows_interaction(joint.mode);
  status.error = status.has_reference ? joint.reference.q - joint.state.q : 0.0;
  status.position = position_bar(config, joint, status.has_reference);
  const double tau_max = config.limits.tau_max;
  status.torque = {-tau_max, tau_max, -tau_max, tau_max, joint.state.tau, joint.setpoint.tau, true};
  status.at_target = !status.silent && !waits_for_motor(joint) &&
                     joint.mode == JointMode::kPosition && !joint.moving &&
                     std::abs(status.error) < (config.slide ? kAtTargetSlide : kAtTargetHinge);
  if (joint.timeout_left > 0.0 && config.timeout.seconds > 0.0) {
    status.timeout_part = std::min(1.0, joint.timeout_left / config.timeout.seconds);
  }
  add_badges(status, config, joint, period_ns);
  if (status.faulted) {
    status.fault_line = fault_text(joint.fault, config.slide) + " · " +
                        ago_text(to_seconds(now_ns - record.since_ns));
    if (record.count > 1) status.fault_line += fmt::format(" · {} times", record.count);
  }
  return status;
}

}  // namespace jointrig::gui
