#include "gui/panel/event_list.h"

#include <algorithm>

#include "control/core/command_facts.h"

namespace jointrig::gui {

bool is_news(const Event& event) noexcept {
  if (event.kind != EventKind::kAccepted) return true;
  return !is_streamed(event.command) && event.command != CommandKind::kSuppress &&
         event.command != CommandKind::kSetCuff;
}

void EventList::add(const Event& event, std::string text) {
  if (!lines_.empty() && lines_.back().text == text) {
    ++lines_.back().repeats;
    lines_.back().time_ns = event.time_ns;
    return;
  }
  lines_.push_back({event.time_ns, severity_of(event), event.joint, std::move(text)});
  if (lines_.size() > kCapacity) lines_.pop_front();
}

std::vector<const EventLine*> EventList::shown(EventSeverity least, std::string_view text) const {
  std::vector<const EventLine*> chosen;
  for (const EventLine& line : lines_) {
    if (line.severity >= least && contains_word(line.text, text)) chosen.push_back(&line);
  }
  return chosen;
}

bool contains_word(std::string_view text, std::string_view word) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

}  // namespace jointrig::gui
