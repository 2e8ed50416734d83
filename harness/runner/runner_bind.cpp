// Binding a scenario to a robot: all that happens before the first cycle.

#include <algorithm>
#include <stdexcept>

#include "harness/runner/runner.h"

namespace jointrig {
namespace {

constexpr std::size_t kMostTraces = 600;        // a choice: 14 MB of traces
constexpr std::size_t kMostPlottedJoints = 32;  // joints plotted because they are commanded
constexpr std::size_t kMostEvents = 5000;

Text expected_fault(const Text& text) { return {"fault." + text.text, text.spot}; }

}  // namespace

Runner::Runner(Scenario scenario, const RunSetup& setup)
    : scenario_(std::move(scenario)),
      setup_(setup),
      signals_(*setup.config, setup.world, setup.force_torque_sensors),
      link_(*setup.inbox),
      actions_(setup.world) {
  if (!link_.connected()) {
    throw std::runtime_error("no more clients can connect to the robot: disconnect one first");
  }
  fill_in_about();
  scene_.config = setup_.config;
  scene_.boards = setup_.boards;
  scene_.link = &link_;
  scene_.streams = &streams_;
  scene_.actions = &actions_;
  const Offer offer{setup_.backend, setup_.boards, setup_.world != nullptr,
                    setup_.force_torque_sensors};
  if (const auto reason = reason_to_skip(scenario_, offer)) {
    result_.reason = *reason;
    phase_ = Phase::kFinished;
    return;
  }
  define_marks();
  bind();
}

Runner::~Runner() = default;

void Runner::fill_in_about() {
  result_.scenario = scenario_.name;
  result_.family = scenario_.family;
  result_.variation = scenario_.variation;
  result_.file = scenario_.file.string();
  result_.about = scenario_.about;
  result_.tags = scenario_.tags;
  result_.backend = setup_.backend;
  result_.expected_failure = scenario_.expected_failure;
  result_.notes = scenario_.notes;
}

void Runner::define_marks() {
  for (const auto* steps : {&scenario_.setup, &scenario_.steps, &scenario_.teardown}) {
    for (const Step& step : *steps) {
      if (step.name.empty()) continue;
      const std::string bare = without_round(step.name);
      for (const std::string& name : {step.name, bare, step.name + ".start", bare + ".start"}) {
        signals_.define_mark(name);
      }
    }
  }
  marks_.resize(signals_.marks().size());
}

void Runner::bind() {
  const Binder binder(*setup_.config, signals_, bounds_);
  Problems problems;
  StepNeeds needs;
  for (const auto* list : {&scenario_.faults, &scenario_.disturbances}) {
    for (const TimedAction& timed : *list) {
      problems.collect(
          [&] { actions_.add(timed.name, timed.action, to_ns(timed.at), *setup_.config); });
    }
  }
  bind_steps(setup_steps_, scenario_.setup, "setup", binder, problems, needs);
  bind_steps(steps_, scenario_.steps, "steps", binder, problems, needs);
  bind_steps(teardown_, scenario_.teardown, "teardown", binder, problems, needs);
  bind_judges(binder, problems);
  bind_faults(binder, problems);
  problems.collect([&] { choose_traces(needs); });
  problems.throw_if_any();

  const Offer offer{setup_.backend, setup_.boards, setup_.world != nullptr,
                    setup_.force_torque_sensors};
  if (const auto reason = reason_to_skip(scenario_, offer, needs.commanded)) {
    result_.reason = *reason;
    phase_ = Phase::kFinished;
    return;
  }
  result_.outcome = Outcome::kPassed;
  event_log_.reserve(kMostEvents);
  std::size_t steps = 0;
  for (const auto* phase : {&setup_steps_, &steps_, &teardown_}) steps += phase->runs.size();
  mark_log_.reserve(2 * steps);
}

void Runner::bind_steps(PhaseSteps& phase, const std::vector<Step>& steps, const std::string& name,
                        const Binder& binder, Problems& problems, StepNeeds& needs) {
  phase.steps = &steps;
  phase.first_verdict = result_.verdicts.size();
  for (const Step& step : steps) {
    const std::size_t streams = stream_verdicts_.size();
    problems.collect(
        [&] { phase.runs.push_back(make_step_run(step, binder, actions_, streams_, needs)); });
    StepMarks marks;
    if (!step.name.empty()) {
      const std::string any_round = without_round(step.name);
      marks = {signals_.find_mark(step.name + ".start"), signals_.find_mark(any_round + ".start"),
               signals_.find_mark(step.name), signals_.find_mark(any_round)};
    }
    phase.marks.push_back(marks);
    if (std::holds_alternative<StreamStep>(step.what)) {
      stream_verdicts_.resize(streams + 1, result_.verdicts.size());
    }
    Verdict verdict;
    verdict.kind = VerdictKind::kStep;
    verdict.phase = name;
    verdict.name = step.label;
    verdict.place = place_text(step.spot);
    verdict.got = "not reached";
    result_.verdicts.push_back(std::move(verdict));
  }
}

void Runner::bind_judges(const Binder& binder, Problems& problems) {
  // An assertion that only lacks the truth of a simulated world is skipped, not wrong.
  const auto add = [&](VerdictKind kind, const std::string& name, const SourceSpot& spot,
                       auto make) {
    problems.collect([&] {
      try {
        make();
      } catch (const TruthMissing&) {
        skipped_.push_back(
            skipped_verdict(kind, name, spot, "it needs the truth of a simulated world"));
      }
    });
  };
  for (const Assertion& one : scenario_.always) {
    add(VerdictKind::kAlways, one.name, one.spot,
        [&] { judges_.push_back(make_always(one, binder)); });
  }
  for (const Assertion& one : scenario_.never) {
    add(VerdictKind::kNever, one.name, one.spot,
        [&] { judges_.push_back(make_never(one, binder)); });
  }
  for (const Assertion& one : scenario_.at_end) {
    add(VerdictKind::kAtEnd, one.name, one.spot,
        [&] { judges_.push_back(make_at_end(one, binder)); });
  }
  for (const WithinAssertion& one : scenario_.within) {
    add(VerdictKind::kWithin, one.name, one.spot,
        [&] { judges_.push_back(make_within(one, binder)); });
  }
  const auto cycles =
      static_cast<std::size_t>(scenario_.timeout_sim / to_seconds(setup_.config->period_ns)) + 2;
  for (const MetricSpec& one : scenario_.metrics) {
    add(VerdictKind::kMetric, one.name, one.spot, [&] {
      for (auto& judge : make_metrics(one, binder, cycles)) judges_.push_back(std::move(judge));
    });
  }
}

void Runner::bind_faults(const Binder& binder, Problems& problems) {
  fault_verdict_.kind = VerdictKind::kFaults;
  fault_verdict_.status = VerdictStatus::kPassed;
  fault_verdict_.name = "no unexpected fault";
  const auto allow = [&](const Text& text) {
    const EventPattern pattern = binder.event(text);
    if (pattern.is_fault()) faults_allowed_.push_back(pattern);
  };
  for (const Text& text : scenario_.faults_allowed) {
    problems.collect([&] { allow(expected_fault(text)); });
  }
  // A fault that is waited for, or has to come in time, is expected. What is wrong with such a
  // pattern has been said where it stands.
  const auto allow_quietly = [&](const std::optional<Text>& text) {
    try {
      if (text) allow(*text);
    } catch (const FileError&) {
      return;
    }
  };
  for (const WithinAssertion& one : scenario_.within) allow_quietly(one.event);
  for (const auto* steps : {&scenario_.setup, &scenario_.steps, &scenario_.teardown}) {
    for (const Step& step : *steps) {
      if (const auto* wait = std::get_if<WaitStep>(&step.what)) allow_quietly(wait->event);
    }
  }
}

void Runner::choose_traces(const StepNeeds& needs) {
  Problems problems;
  for (const Text& plot : scenario_.plots) {
    try {
      signals_.find(plot.text);
    } catch (const NoTruth&) {
      continue;
    } catch (const UnknownSignal& error) {
      problems.add(plot.spot, error.what());
    }
  }
  problems.throw_if_any();
  std::size_t joints = 0;
  for (std::size_t i = 0; i < setup_.config->joints.size(); ++i) {
    if (!needs.commanded.test(i) || joints++ >= kMostPlottedJoints) continue;
    for (const std::string_view what : {"q", "q_ref", "v", "tau", "tau_cmd"}) {
      signals_.find("each." + std::string(what), static_cast<JointIndex>(i));
    }
  }
  for (const Signal& signal : signals_.signals()) {
    const bool is_plotted = !signal.is_fixed && signal.kind != SignalKind::kWord &&
                            signal.name != "time" && signal.name != "cycle";
    if (is_plotted && traced_.size() < kMostTraces) traced_.push_back(&signal);
  }
  traces_ = std::make_unique<TraceRecorder>(traced_, to_seconds(setup_.config->period_ns));
}

}  // namespace jointrig
