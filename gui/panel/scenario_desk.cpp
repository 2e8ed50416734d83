#include "gui/panel/scenario_desk.h"

#include <sstream>

namespace jointrig::gui {

std::vector<std::size_t> ScenarioDesk::shown() const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string all = entries[i].name + " " + entries[i].file + " " + entries[i].tags;
    std::istringstream words(filter);
    bool fits = true;
    for (std::string word; words >> word;) fits = fits && all.find(word) != std::string::npos;
    if (fits) found.push_back(i);
  }
  return found;
}

void ScenarioDesk::choose(std::size_t entry) {
  if (entry >= entries.size()) return;
  if (running()) return panel_->tell("a scenario is running: end it before another is chosen");
  chosen_ = entry;
  breaks_.assign(entries[entry].steps.size(), false);
}

void ScenarioDesk::take_list(const ScenarioDesk& before) {
  entries = before.entries;
  filter = before.filter;
  list_error = before.list_error;
  wants_list = before.wants_list;
  chosen_ = before.chosen_;
  breaks_ = before.breaks_;
}

const ScenarioEntry* ScenarioDesk::chosen() const {
  return chosen_ < entries.size() ? &entries[chosen_] : nullptr;
}

const std::vector<ScenarioStep>& ScenarioDesk::steps() const {
  static const std::vector<ScenarioStep> kNone;
  if (running()) return play_->steps();
  const ScenarioEntry* entry = chosen();
  return entry != nullptr ? entry->steps : kNone;
}

StepState ScenarioDesk::state(std::size_t step) const {
  const ScenarioEntry* entry = chosen();
  const bool is_it = play_ != nullptr && (entry == nullptr || entry->name == play_->name());
  return is_it && step < play_->steps().size() ? play_->state(step) : StepState::kWaiting;
}

bool ScenarioDesk::has_break(std::size_t step) const {
  return step < breaks_.size() && breaks_[step];
}

void ScenarioDesk::toggle_break(std::size_t step) {
  if (step >= breaks_.size()) return;
  breaks_[step] = !breaks_[step];
  if (play_ != nullptr && step < play_->steps().size()) play_->set_break(step, breaks_[step]);
}

const ScenarioOutcome* ScenarioDesk::outcome() const {
  return play_ != nullptr && play_->finished() ? &play_->outcome() : nullptr;
}

std::string ScenarioDesk::why_not_run() const {
  if (running()) return "it is running";
  if (chosen() == nullptr) return "choose a scenario first";
  if (panel_->access() != Access::kArmed) return "not ARMED: nothing that moves a joint is sent";
  return {};
}

void ScenarioDesk::run() {
  if (std::string why = why_not_run(); !why.empty()) return panel_->tell(std::move(why));
  wants_run = true;
}

void ScenarioDesk::hold() {
  if (running()) play_->hold();
}

std::string ScenarioDesk::why_not_go_on() const {
  if (!held()) return "it isn't held";
  if (panel_->access() != Access::kArmed) return "not ARMED: nothing that moves a joint is sent";
  return {};
}

void ScenarioDesk::let_time_go_on() {
  Simulation* simulation = panel_->robot().simulation;
  if (simulation != nullptr) simulation->pause(false);
}

void ScenarioDesk::go_on(bool one_step) {
  if (std::string why = why_not_go_on(); !why.empty()) return panel_->tell(std::move(why));
  play_->go_on(one_step);
  let_time_go_on();
}

void ScenarioDesk::take_over() {
  if (!running()) return;
  play_->break_off("taken over by hand", false);
  let_time_go_on();
}

void ScenarioDesk::end(const std::string& why) {
  wants_run = false;
  if (!running()) return;
  play_->break_off(why, true);
  panel_->tell("scenario ended: " + why);
}

void ScenarioDesk::play(ScenarioPlay* play) {
  play_ = play;
  if (play_ == nullptr) return;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].name == play_->name()) chosen_ = i;
  }
  breaks_.resize(play_->steps().size(), false);
  for (std::size_t i = 0; i < breaks_.size(); ++i) play_->set_break(i, breaks_[i]);
}

void ScenarioDesk::begin_frame() {
  if (running()) panel_->client.note_motion();
}

}  // namespace jointrig::gui
