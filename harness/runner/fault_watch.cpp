#include "harness/runner/fault_watch.h"

#include <algorithm>

#include "harness/log/event_text.h"

namespace jointrig::harness {

FaultWatch::FaultWatch() {
  verdict_.kind = VerdictKind::kFaults;
  verdict_.status = VerdictStatus::kPassed;
  verdict_.name = "no unexpected fault";
}

void FaultWatch::bind(const Scenario& scenario, const Binder& binder, Problems& problems) {
  const auto allow = [&](const Text& text) {
    const EventPattern pattern = binder.event(text);
    if (pattern.is_fault()) allowed_.push_back(pattern);
  };
  for (const Text& text : scenario.faults_allowed) {
    const bool is_of_law = text.text.starts_with(to_string(EventKind::kLawFailed));
    problems.collect([&] { allow({is_of_law ? text.text : "fault." + text.text, text.spot}); });
  }
  // An invalid pattern was already reported at its own place.
  const auto allow_quietly = [&](const std::optional<Text>& text) {
    try {
      if (text) allow(*text);
    } catch (const FileError&) {
      return;
    }
  };
  for (const WithinAssertion& one : scenario.within) allow_quietly(one.event);
  for_each_step(scenario, [&](const Step& step) {
    if (const auto* wait = std::get_if<WaitStep>(&step.what)) allow_quietly(wait->event);
    const auto* machine = std::get_if<StateMachineStep>(&step.what);
    if (machine == nullptr) return;
    for (const MachineState& state : machine->states) {
      for (const Transition& way : state.next) allow_quietly(way.event);
    }
  });
}

bool FaultWatch::watch(std::span<const Event> events, TimeNs now, const RobotConfig& config,
                       RunRecord& record) {
  if (verdict_.failed()) return false;
  const auto is_unexpected = [this](const Event& event) {
    const bool is_fault = event.kind == EventKind::kFault || event.kind == EventKind::kLawFailed;
    return is_fault &&
           std::none_of(allowed_.begin(), allowed_.end(),
                        [&](const EventPattern& pattern) { return pattern.matches(event); });
  };
  const auto fault = std::find_if(events.begin(), events.end(), is_unexpected);
  if (fault == events.end()) return false;
  verdict_.status = VerdictStatus::kFailed;
  verdict_.at = to_seconds(now);
  verdict_.expected = verdict_.name;
  verdict_.got = sentence(*fault, config);
  record.note_failure(now, verdict_);
  record.worsen(Outcome::kSafetyStop, "unexpected fault: " + verdict_.got);
  return true;
}

}  // namespace jointrig::harness
