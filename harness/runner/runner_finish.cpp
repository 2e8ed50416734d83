// What a run leaves behind.

#include <algorithm>
#include <cmath>

#include "harness/log/event_text.h"
#include "harness/runner/runner.h"

namespace jointrig {

void Runner::finish() {
  actions_.end_all();
  finish_verdicts();
  finish_missed();
  const double period = to_seconds(setup_.config->period_ns);
  result_.sim_time = static_cast<double>(result_.cycles) * period;
  for (const auto& [mark, time] : mark_log_) {
    result_.marks.push_back({signals_.marks()[mark], to_seconds(time)});
  }
  for (const Event& event : event_log_) {
    const bool has_joint = event.joint < setup_.config->joints.size();
    result_.events.push_back({to_seconds(event.time_ns), event.cycle,
                              std::string(to_string(event.kind)),
                              has_joint ? setup_.config->joints[event.joint].name : "",
                              sentence(event, *setup_.config)});
  }
  finish_traces();
  finish_modes();
  finish_limits();

  if (scenario_.expected_failure.empty() || result_.outcome == Outcome::kCouldNotRun) return;
  if (result_.outcome == Outcome::kPassed) {
    result_.outcome = Outcome::kFailed;
    result_.reason =
        "it was expected to fail (" + scenario_.expected_failure + ") and passed: remove xfail";
  } else {
    result_.outcome = Outcome::kPassed;
    result_.reason = "failed as expected (" + scenario_.expected_failure + "): " + result_.reason;
  }
}

void Runner::finish_verdicts() {
  for (const auto& judge : judges_) result_.verdicts.push_back(judge->verdict());
  for (Verdict& verdict : skipped_) result_.verdicts.push_back(std::move(verdict));
  result_.verdicts.push_back(fault_verdict_);
}

void Runner::finish_missed() {
  if (!has_missed()) return;
  std::string note = "missed " + std::to_string(result_.cycles_missed) + " cycles";
  if (result_.events_missed > 0) {
    note += " and " + std::to_string(result_.events_missed) + " events";
  }
  result_.notes.push_back(note);
  worsen(Outcome::kCouldNotRun,
         "could not judge: the scenario fell behind the loop and missed cycles; leave it a core of "
         "its own, lower --rtf, or run it without --realtime");
}

void Runner::finish_limits() {
  for (std::size_t i = 0; i < limits_now_.size(); ++i) {
    for (const Limit limit : kAllLimit) {
      const auto which = static_cast<std::size_t>(limit);
      const std::uint32_t cycles = limits_now_[i][which] - limits_before_[i][which];
      if (cycles == 0) continue;
      result_.limits.push_back(
          {setup_.config->joints[i].name, std::string(to_string(limit)), cycles});
    }
  }
}

// As they were in the first cycle, then as the events tell.
void Runner::finish_modes() {
  const auto& joints = setup_.config->joints;
  const auto add = [this, &joints](TimeNs time, std::size_t joint) {
    result_.modes.push_back({to_seconds(time), joints[joint].name,
                             std::string(to_string(modes_now_[joint].mode)),
                             std::string(to_string(modes_now_[joint].interaction))});
  };
  for (std::size_t i = 0; i < modes_now_.size(); ++i) add(began_, i);
  for (const Event& event : event_log_) {
    const bool changes_mode = event.kind == EventKind::kModeChanged;
    if (!changes_mode && event.kind != EventKind::kInteractionChanged) continue;
    if (event.joint >= modes_now_.size()) continue;
    ModeNow& now = modes_now_[event.joint];
    if (changes_mode) {
      now.mode = event.mode;
    } else {
      now.interaction = static_cast<InteractionMode>(event.detail);
    }
    add(event.time_ns, event.joint);
  }
}

void Runner::finish_traces() {
  result_.traces = traces_->traces();
  for (std::size_t i = 0; i < traced_.size(); ++i) {
    const Signal& signal = *traced_[i];
    Trace& trace = result_.traces.signals[i];
    const auto add = [&trace](double value, bool is_limit, bool is_soft = false) {
      const PlotBound bound{value, is_limit, is_soft};
      const bool known =
          std::find(trace.bounds.begin(), trace.bounds.end(), bound) != trace.bounds.end();
      if (std::isfinite(value) && !known) trace.bounds.push_back(bound);
    };
    for (const SignalBound& bound : bounds_) {
      if (bound.signal == &signal) add(bound.value, false);
    }
    if (signal.joint == kNoJoint) continue;
    const JointConfig& joint = setup_.config->joints[signal.joint];
    trace.joint = joint.name;
    const std::string quantity = signal.name.substr(joint.name.size() + 1);
    if (quantity == "q" || quantity == "q_ref") {
      add(joint.limits.q_min, true);
      add(joint.limits.q_max, true);
      if (joint.limits.soft_margin > 0.0) {
        add(joint.limits.q_min + joint.limits.soft_margin, true, true);
        add(joint.limits.q_max - joint.limits.soft_margin, true, true);
      }
    } else if (quantity == "v" || quantity == "v_ref") {
      add(-joint.limits.v_max, true);
      add(joint.limits.v_max, true);
    } else if (quantity == "tau" || quantity == "tau_cmd") {
      add(-joint.limits.tau_max, true);
      add(joint.limits.tau_max, true);
    }
  }
}

std::string Runner::progress() const {
  const auto line = [](std::string_view name, const PhaseSteps& phase) {
    const std::size_t number = std::min(phase.next + 1, phase.runs.size());
    std::string text =
        std::string(name) + " " + std::to_string(number) + "/" + std::to_string(phase.runs.size());
    if (phase.next < phase.runs.size()) text += " " + (*phase.steps)[phase.next].label;
    return text;
  };
  switch (phase_) {
    case Phase::kSetup:
      return line("setup", setup_steps_);
    case Phase::kSteps:
      return line("steps", steps_);
    case Phase::kPending:
      return "waiting for assertions";
    case Phase::kTeardown:
      return line("teardown", teardown_);
    case Phase::kFinished:
      return std::string(to_string(result_.outcome));
  }
  return "";
}

}  // namespace jointrig
