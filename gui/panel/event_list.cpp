#include "gui/panel/event_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "control/core/command_facts.h"

namespace jointrig::gui {
namespace {

/// Kinds whose value tells how bad it was.
bool is_measured(EventKind kind) noexcept {
  return kind == EventKind::kOverrun || kind == EventKind::kLimited ||
         kind == EventKind::kCommandTimeout || kind == EventKind::kCyclesMissed ||
         kind == EventKind::kAvoidance;
}

/// Kinds whose value is each joint's own and has to be seen.
bool has_own_value(EventKind kind) noexcept {
  return is_measured(kind) || kind == EventKind::kEngaged;
}

bool same_refusal(const Event& a, const Event& b) noexcept {
  return a.command == b.command && a.reason == b.reason && a.sender == b.sender;
}

bool same_cause(const Event& a, const Event& b) noexcept {
  if (a.kind != b.kind || a.joint != b.joint || a.arm != b.arm) return false;
  if (a.kind == EventKind::kOverrun) return true;
  if (a.kind == EventKind::kRejected) return same_refusal(a, b) && a.detail == b.detail;
  if (a.kind == EventKind::kNotice) return a.detail == b.detail;
  return is_measured(a.kind) && a.detail == b.detail;
}

/// The same for another joint, and told of within the same moment. Answers are each a person's own,
/// and what has a measure has another one for each joint.
bool same_for_another_joint(const Event& event, const EventLine& line) noexcept {
  const Event& first = line.worst;
  const bool is_answer = event.kind == EventKind::kAccepted || event.kind == EventKind::kRejected;
  return !is_answer && !has_own_value(event.kind) && event.kind == first.kind &&
         event.joint != kNoJoint && first.joint != kNoJoint && event.joint != first.joint &&
         event.arm == first.arm && event.fault == first.fault && event.mode == first.mode &&
         event.was == first.was && event.detail == first.detail && event.reason == first.reason &&
         event.command == first.command && event.sender == first.sender &&
         event.time_ns >= line.since_ns && event.time_ns - line.since_ns <= EventList::kAtOnce;
}

/// Name that a sentence begins with: `elbow` of `elbow: idle -> position`.
std::string subject_of(std::string_view text) {
  return std::string(text.substr(0, text.find(": ")));
}

/// `mode idle` of `elbow: mode idle`.
std::string_view predicate_of(std::string_view text) {
  const std::size_t colon = text.find(": ");
  return colon == std::string_view::npos ? text : text.substr(colon);
}

/// The line stands for this joint, too, and tells the same of it: boards that stay silent say so
/// each second.
bool is_one_of_others(const Event& event, const std::string& text, const EventLine& line) {
  const Event& first = line.worst;
  if (line.others.empty() || event.kind != EventKind::kNotice || first.kind != event.kind ||
      first.detail != event.detail) {
    return false;
  }
  return std::find(line.others.begin(), line.others.end(), subject_of(text)) != line.others.end();
}

/// Surfaces are the worse, the nearer they are.
bool is_worse(const Event& event, const Event& than) noexcept {
  if (event.kind == EventKind::kAvoidance) return event.value < than.value;
  return std::abs(event.value) >= std::abs(than.value);
}

}  // namespace

bool is_news(const Event& event) noexcept {
  if (event.kind != EventKind::kAccepted) return true;
  return !is_streamed(event.command) && event.command != CommandKind::kSuppress &&
         event.command != CommandKind::kSetCuff;
}

EventFamily family_of(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::kAccepted:
    case EventKind::kRejected:
    case EventKind::kLease:
    case EventKind::kLeaseLost:
      return EventFamily::kCommands;
    case EventKind::kModeChanged:
    case EventKind::kEngaged:
    case EventKind::kInteractionChanged:
    case EventKind::kCalibrationDone:
    case EventKind::kLawState:
    case EventKind::kStaysHeld:
      return EventFamily::kModes;
    case EventKind::kFault:
    case EventKind::kFaultCleared:
    case EventKind::kFaultStays:
    case EventKind::kLawFailed:
    case EventKind::kForceSensor:
    case EventKind::kImu:
    case EventKind::kFootSensor:
      return EventFamily::kFaults;
    case EventKind::kLimited:
    case EventKind::kGaveWay:
      return EventFamily::kLimits;
    case EventKind::kFalls:
    case EventKind::kHeld:
    case EventKind::kGuide:
    case EventKind::kContact:
    case EventKind::kContactOver:
    case EventKind::kAvoidance:
    case EventKind::kSuppressed:
    case EventKind::kUnsuppressed:
    case EventKind::kBalance:
      return EventFamily::kSafety;
    case EventKind::kGoalReached:
    case EventKind::kTared:
    case EventKind::kLoadChanged:
    case EventKind::kPlan:
    case EventKind::kPlanBroken:
    case EventKind::kDrive:
    case EventKind::kDriveBroken:
    case EventKind::kMessage:
    case EventKind::kGripper:
      return EventFamily::kMotion;
    case EventKind::kCommandTimeout:
    case EventKind::kOverrun:
    case EventKind::kCyclesMissed:
      return EventFamily::kTiming;
    case EventKind::kNotice:
      break;
  }
  return EventFamily::kNotices;
}

bool EventList::fold(const Event& event, std::string& text) {
  const auto last = lines_.rbegin();
  const auto end = last + static_cast<std::ptrdiff_t>(std::min(kFoldAmong, lines_.size()));
  const auto is_recent = [&](const EventLine& line) {
    return event.time_ns >= line.time_ns && event.time_ns - line.time_ns <= kFoldFor;
  };
  const auto found = std::find_if(last, end, [&](const EventLine& line) {
    const bool is_repeated = &line == &lines_.back() && line.text == text;
    return is_repeated || (is_recent(line) &&
                           (same_cause(event, line.worst) || is_one_of_others(event, text, line)));
  });
  if (found == end) return false;
  // The first of several joints counts.
  if (is_one_of_others(event, text, *found)) {
    found->time_ns = event.time_ns;
    return true;
  }
  EventLine line = std::move(*found);
  lines_.erase(std::next(found).base());
  ++line.repeats;
  line.time_ns = event.time_ns;
  if (is_worse(event, line.worst)) {
    line.worst = event;
    line.text = std::move(text);
  }
  lines_.push_back(std::move(line));
  return true;
}

/// Stands where it is: what comes at once moves nothing.
bool EventList::join(const Event& event, const std::string& text) {
  const auto last = lines_.rbegin();
  const auto end = last + static_cast<std::ptrdiff_t>(std::min(kFoldAmong, lines_.size()));
  const auto found = std::find_if(
      last, end, [&](const EventLine& line) { return same_for_another_joint(event, line); });
  if (found == end || text.find(": ") == std::string::npos) return false;
  const std::string name = subject_of(text);
  if (std::find(found->others.begin(), found->others.end(), name) != found->others.end()) {
    return false;
  }
  found->others.push_back(name);
  found->differ = found->differ || predicate_of(text) != predicate_of(found->text);
  return true;
}

void EventList::add(const Event& event, std::string text) {
  if (fold(event, text) || join(event, text)) return;
  lines_.push_back({event.time_ns,
                    severity_of(event),
                    family_of(event.kind),
                    event.joint,
                    std::move(text),
                    1,
                    event,
                    event.time_ns,
                    {}});
  if (lines_.size() > kCapacity) lines_.pop_front();
}

std::vector<const EventLine*> EventList::shown(EventSeverity least, std::string_view text,
                                               std::optional<EventFamily> family) const {
  std::vector<const EventLine*> chosen;
  for (const EventLine& line : lines_) {
    if (family && line.family != *family) continue;
    const bool has_text = contains_word(line.text, text) || contains_word(joints_of(line), text);
    if (line.severity >= least && has_text) chosen.push_back(&line);
  }
  return chosen;
}

std::string joints_of(const EventLine& line) {
  if (line.others.empty()) return {};
  std::string names = subject_of(line.text);
  for (const std::string& other : line.others) names += ", " + other;
  return names;
}

std::string words_of(const EventLine& line) {
  if (!line.others.empty()) {
    // The first joint owns the numbers where the others have some of their own.
    return fmt::format("{} {}{} more{}{}{}", subject_of(line.text), line.differ ? "(and " : "and ",
                       line.others.size(), line.differ ? " with values of their own)" : "",
                       predicate_of(line.text),
                       line.repeats > 1 ? fmt::format("  (×{})", line.repeats) : "");
  }
  if (line.repeats == 1) return line.text;
  if (line.worst.kind == EventKind::kOverrun) {
    constexpr double kMilli = 1e3;
    return fmt::format("robot: overrun ×{}, worst {:.1f} ms after it was due (period {:g} ms)",
                       line.repeats, kMilli * line.worst.value, kMilli * line.worst.limit);
  }
  const char* const which = is_measured(line.worst.kind) ? ", the worst" : "";
  return fmt::format("{}  (×{}{})", line.text, line.repeats, which);
}

bool contains_word(std::string_view text, std::string_view word) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

}  // namespace jointrig::gui
