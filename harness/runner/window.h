#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "control/core/types.h"

namespace jointrig::harness {

/// Times at which a run set a mark.
struct MarkTimes {
  static constexpr TimeNs kUnset = std::numeric_limits<TimeNs>::min();
  TimeNs last = kUnset;
  std::uint64_t count = 0;
};

/// A moment of a scenario, bound to a run: a time, or a mark by number.
struct BoundMoment {
  TimeNs time = 0;
  std::optional<std::size_t> mark;
};

/// The cycles from one moment to another, both included. Opens once.
class Window {
 public:
  Window() = default;
  Window(BoundMoment from, std::optional<BoundMoment> to) : from_(from), to_(to) {}

  /// True if this cycle lies in it. Call once a cycle, after the cycle's marks are set.
  bool holds(TimeNs now, std::span<const MarkTimes> marks) noexcept {
    if (closed_) return false;
    if (!open_) open_ = has_come(from_, now, marks);
    if (!open_) return false;
    if (to_ && has_come(*to_, now, marks)) {
      closed_ = true;
      // A time may lie between two cycles and has then passed; a mark is set in a cycle.
      return to_->mark.has_value() || to_->time == now;
    }
    return true;
  }

  [[nodiscard]] bool has_opened() const noexcept { return open_; }

 private:
  static bool has_come(const BoundMoment& moment, TimeNs now,
                       std::span<const MarkTimes> marks) noexcept {
    if (!moment.mark) return now >= moment.time;
    return marks[*moment.mark].count > 0;
  }

  BoundMoment from_;
  std::optional<BoundMoment> to_;
  bool open_ = false;
  bool closed_ = false;
};

}  // namespace jointrig::harness
