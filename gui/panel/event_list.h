#pragma once
/// List of events at the bottom of the window.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/event.h"

namespace jointrig::gui {

/// False for answers to a stream: sixty a second would push all other events out.
bool is_news(const Event& event) noexcept;

struct EventLine {
  TimeNs time_ns = 0;
  EventSeverity severity = EventSeverity::kInfo;
  JointIndex joint = kNoJoint;
  std::string text;
  std::uint32_t repeats = 1;  ///< repetitions of the same sentence in a row
};

class EventList {
 public:
  static constexpr std::size_t kCapacity = 2000;  ///< choice: the oldest are dropped

  void add(const Event& event, std::string text);
  [[nodiscard]] const std::deque<EventLine>& lines() const noexcept { return lines_; }
  /// Events of at least this severity that contain `text` (ignoring case), newest last.
  [[nodiscard]] std::vector<const EventLine*> shown(EventSeverity least,
                                                    std::string_view text) const;
  void clear() noexcept { lines_.clear(); }

 private:
  std::deque<EventLine> lines_;
};

/// Ignores case; every text contains the empty word.
bool contains_word(std::string_view text, std::string_view word) noexcept;

}  // namespace jointrig::gui
