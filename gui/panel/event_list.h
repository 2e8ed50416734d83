#pragma once
/// List of events at the bottom of the window.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/event.h"

namespace jointrig::gui {

/// False for answers to a stream: sixty a second would push all other events out.
bool is_news(const Event& event) noexcept;

/// Kinds of events as people look for them.
#define JOINTRIG_EVENT_FAMILIES(X) \
  X(kCommands, "commands")         \
  X(kModes, "modes")               \
  X(kFaults, "faults")             \
  X(kLimits, "limits")             \
  X(kSafety, "safety")             \
  X(kMotion, "motion")             \
  X(kTiming, "timing")             \
  X(kNotices, "notices")
JOINTRIG_ENUM(EventFamily, JOINTRIG_EVENT_FAMILIES)

EventFamily family_of(EventKind kind) noexcept;

struct EventLine {
  TimeNs time_ns = 0;  ///< of the newest
  EventSeverity severity = EventSeverity::kInfo;
  EventFamily family = EventFamily::kCommands;
  JointIndex joint = kNoJoint;
  std::string text;           ///< of the worst
  std::uint32_t repeats = 1;  ///< events that this line stands for
  Event worst;
  TimeNs since_ns = 0;                ///< of the first
  std::vector<std::string> others{};  ///< names of further joints that the same happened to
  bool differ = false;                ///< with other numbers than the first
};

/// Events of one cause share a line, so that what recurs leaves the others in sight: an overrun, a
/// limit, a silence, a push of avoidance, a notice, a refusal of the same command by the same
/// reason. The line moves to the end, and tells the worst of them. It is left behind after kFoldFor
/// without one. Sentences that are the same in a row share a line, too.
///
/// Several joints to which the same happens at once, boards on one wire say, share a line, which
/// has the sentence of the first and the names of the others.
class EventList {
 public:
  static constexpr std::size_t kCapacity = 2000;      ///< choice: the oldest are dropped
  static constexpr TimeNs kFoldFor = 10'000'000'000;  ///< 10 s: a choice
  static constexpr TimeNs kAtOnce = 50'000'000;       ///< 50 ms: a choice
  static constexpr std::size_t kFoldAmong = 64;       ///< newest lines: a choice

  void add(const Event& event, std::string text);
  [[nodiscard]] const std::deque<EventLine>& lines() const noexcept { return lines_; }
  /// Events of at least this severity and of this family (none: of all) that contain `text`
  /// (ignoring case), newest last.
  [[nodiscard]] std::vector<const EventLine*> shown(
      EventSeverity least, std::string_view text,
      std::optional<EventFamily> family = std::nullopt) const;
  void clear() noexcept { lines_.clear(); }

 private:
  bool fold(const Event& event, std::string& text);
  bool join(const Event& event, const std::string& text);

  std::deque<EventLine> lines_;
};

/// The line as it is read: `r_elbow: limited by torque: ... (×12, the worst)`, for several joints
/// `r_elbow and 7 more: ...`, where these have other numbers
/// `r_elbow (and 7 more with values of their own): ...`, or for overruns `robot: overrun ×120,
/// worst 7.4 ms, most of that in wake_up`.
std::string words_of(const EventLine& line);

/// Names of all joints of a line that stands for several; empty for any other.
std::string joints_of(const EventLine& line);

/// Ignores case; every text contains the empty word.
bool contains_word(std::string_view text, std::string_view word) noexcept;

}  // namespace jointrig::gui
