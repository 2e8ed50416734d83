#include "control/stack/event_reporter.h"

namespace jointrig {

EventReporter::EventReporter(std::size_t joint_count) {
  state_.limit_acted.resize(joint_count);
  state_.limit_cycles.resize(joint_count);
}

void EventReporter::begin(std::uint64_t cycle, TimeNs time_ns) noexcept {
  cycle_ = cycle;
  time_ns_ = time_ns;
}

Event EventReporter::event(EventKind kind, std::size_t joint) const noexcept {
  Event e;
  e.time_ns = time_ns_;
  e.cycle = cycle_;
  e.kind = kind;
  e.joint = static_cast<JointIndex>(joint);
  return e;
}

Event EventReporter::event(EventKind kind, std::size_t joint,
                           const JointControl& control) const noexcept {
  Event e = event(kind, joint);
  const Fault& fault = control.machine().fault();
  e.mode = control.machine().shown();
  e.fault = fault.code;
  if (kind == EventKind::kFault || kind == EventKind::kFaultStays) {
    e.value = fault.value;
    e.limit = fault.limit;
  }
  return e;
}

void EventReporter::report(std::size_t joint, const JointSetup& setup, const JointControl& control,
                           const JointModeMachine::Change& change) noexcept {
  if (change.waits) {
    Event e = event(EventKind::kNotice, joint, control);
    e.detail = static_cast<std::uint8_t>(Notice::kNotEnabled);
    e.limit = control.machine().enable_timeout(setup.dt);
    e.value = JointModeMachine::kToldShare * e.limit;
    publish(e);
  }
  if (change.faulted) publish(event(EventKind::kFault, joint, control));
  if (change.fault_stays) publish(event(EventKind::kFaultStays, joint, control));
  if (change.cleared) {
    Event e = event(EventKind::kFaultCleared, joint, control);
    e.fault = change.old_fault;
    publish(e);
  }
  if (change.calibrated) {
    Event e = event(EventKind::kCalibrationDone, joint, control);
    e.value = control.zero();
    publish(e);
  }
  if (change.mode) report_mode(joint, control, change.was);
}

void EventReporter::report(std::size_t joint, const JointSetup& setup, const JointControl& control,
                           const JointControl::Outcome& outcome) noexcept {
  if (outcome.timed_out) {
    Event e = event(EventKind::kCommandTimeout, joint, control);
    e.value = e.limit = setup.config.timeout.seconds;
    e.detail = static_cast<std::uint8_t>(setup.config.timeout.reaction);
    publish(e);
  }
  if (outcome.engaged != 0.0) {
    Event e = event(EventKind::kEngaged, joint, control);
    e.value = outcome.engaged;
    e.limit = setup.config.limits.tau_rate_max * setup.dt;
    publish(e);
  }
  if (outcome.arrived) {
    Event e = event(EventKind::kGoalReached, joint, control);
    e.value = control.reference().q;
    publish(e);
  }
  if (outcome.faulted) publish(event(EventKind::kFault, joint, control));
}

void EventReporter::report_mode(std::size_t joint, const JointControl& control,
                                JointMode was) noexcept {
  Event e = event(EventKind::kModeChanged, joint, control);
  e.was = was;
  publish(e);
}

bool EventReporter::is_news(std::uint64_t& acted) const noexcept {
  const bool is_news = acted == 0 || cycle_ - acted >= kQuietCycles;
  acted = cycle_ + 1;
  return is_news;
}

void EventReporter::report_limits(std::size_t joint, const JointControl& control) noexcept {
  const ActingLimits& now = control.limits();
  if (!now.any()) return;
  for (const Limit limit : kAllLimit) {
    if (!now.has(limit)) continue;
    const auto row = static_cast<std::size_t>(limit);
    ++state_.limit_cycles[joint][row];
    if (!is_news(state_.limit_acted[joint][row])) continue;
    Event e = event(EventKind::kLimited, joint, control);
    e.detail = static_cast<std::uint8_t>(limit);
    e.value = now.cut(limit).wanted;
    e.limit = now.cut(limit).bound;
    publish(e);
  }
}

void EventReporter::report_notice(Notice kind, std::size_t joint,
                                  std::span<const JointControl> controls, double value,
                                  double limit) noexcept {
  Event e = joint < controls.size() ? event(EventKind::kNotice, joint, controls[joint])
                                    : event(EventKind::kNotice, joint);
  e.detail = static_cast<std::uint8_t>(kind);
  e.value = value;
  e.limit = limit;
  publish(e);
}

void EventReporter::report_overrun(LoopStage stage, std::int64_t took_ns,
                                   TimeNs period_ns) noexcept {
  Event e = event(EventKind::kOverrun, kNoJoint);
  e.detail = static_cast<std::uint8_t>(stage);
  e.value = to_seconds(took_ns);
  e.limit = to_seconds(period_ns);
  publish(e);
}

void EventReporter::restore(const State& state) { state_ = state; }

}  // namespace jointrig
