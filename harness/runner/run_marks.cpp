#include "harness/runner/run_marks.h"

#include <string>

namespace jointrig::harness {

void RunMarks::define(const Scenario& scenario) {
  const auto define_of = [this](const std::string& name) {
    if (name.empty()) return;
    const std::string bare = without_round(name);
    for (const std::string& mark : {name, bare, name + ".start", bare + ".start"}) {
      signals_->define_mark(mark);
    }
  };
  for_each_step(scenario, [&](const Step& step) {
    define_of(step.name);
    const auto* machine = std::get_if<StateMachineStep>(&step.what);
    if (machine == nullptr) return;
    for (const MachineState& state : machine->states) define_of(state.name);
  });
  times_.resize(signals_->marks().size());
}

StepMarks RunMarks::of(const std::string& name) const {
  if (name.empty()) return {};
  const std::string any_round = without_round(name);
  return {signals_->find_mark(name + ".start"), signals_->find_mark(any_round + ".start"),
          signals_->find_mark(name), signals_->find_mark(any_round)};
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
