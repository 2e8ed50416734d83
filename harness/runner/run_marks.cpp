#include "harness/runner/run_marks.h"

#include <string>

namespace jointrig::harness {

void RunMarks::define(const Scenario& scenario) {
  for (const auto* steps : {&scenario.setup, &scenario.steps, &scenario.teardown}) {
    for (const Step& step : *steps) {
      if (step.name.empty()) continue;
      const std::string bare = without_round(step.name);
      for (const std::string& name : {step.name, bare, step.name + ".start", bare + ".start"}) {
        signals_->define_mark(name);
      }
    }
  }
  times_.resize(signals_->marks().size());
}

StepMarks RunMarks::of(const Step& step) const {
  if (step.name.empty()) return {};
  const std::string any_round = without_round(step.name);
  return {signals_->find_mark(step.name + ".start"), signals_->find_mark(any_round + ".start"),
          signals_->find_mark(step.name), signals_->find_mark(any_round)};
}

void RunMarks::set(const std::optional<std::size_t>& mark,
                   const std::optional<std::size_t>& of_any_round, TimeNs now) noexcept {
  const auto set_one = [this, now](std::size_t one) {
    times_[one].last = now;
    ++times_[one].count;
    signals_->set_mark(one);
  };
  if (!mark) return;
  set_one(*mark);
  if (of_any_round && of_any_round != mark) set_one(*of_any_round);
  if (log_.size() < log_.capacity()) log_.emplace_back(*mark, now);
}

void RunMarks::finish(Result& result) const {
  for (const auto& [mark, time] : log_) {
    result.marks.push_back({signals_->marks()[mark], to_seconds(time)});
  }
}

}  // namespace jointrig::harness
