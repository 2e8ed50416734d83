#include "scenarios/runner/action_list.h"

#include <stdexcept>

namespace jointrig {

std::size_t ActionList::add(const std::string& name, const ActionStep& action, TimeNs at) {
  if (world_ == nullptr) {
    throw FileError(action.spot,
                    "faults and disturbances need a simulated world, which this backend doesn't "
                    "have: give the scenario \"backends: [sim]\"");
  }
  Entry entry;
  entry.name = name;
  entry.at = at;
  if (action.duration) entry.duration = to_ns(*action.duration);
  try {
    entry.handle =
        std::visit([this](const auto& what) { return world_->prepare(what); }, action.action);
  } catch (const std::invalid_argument& error) {
    throw FileError(action.spot, error.what());
  }
  entries_.push_back(std::move(entry));
  return entries_.size() - 1;
}

std::vector<std::string> ActionList::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (!entry.name.empty()) names.push_back(entry.name);
  }
  return names;
}

void ActionList::begin(std::size_t action, TimeNs now) noexcept {
  Entry& entry = entries_[action];
  entry.until = entry.duration == kNoTime ? kNoTime : now + entry.duration;
  entry.acts = true;
  world_->begin(entry.handle);
}

void ActionList::end(std::size_t action) noexcept {
  Entry& entry = entries_[action];
  if (entry.acts) world_->end(entry.handle);
  entry.acts = false;
}

void ActionList::end(std::string_view name) noexcept {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].name == name) end(i);
  }
}

void ActionList::update(TimeNs now) noexcept {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (entry.at <= now) {
      entry.at = kNoTime;
      begin(i, now);
    }
    if (entry.acts && entry.until <= now) end(i);
  }
}

void ActionList::end_all() noexcept {
  for (std::size_t i = 0; i < entries_.size(); ++i) end(i);
}

}  // namespace jointrig
