#pragma once

#include <algorithm>

#include "hw/can/time.h"

namespace jointrig::can {

/// Load of a bus over windows of one length, end to end. Any clock; update() may come at any pace.
class LoadWindow {
 public:
  explicit LoadWindow(TimeNs length = kSecond) : length_(length) {}

  /// @param busy  VirtualBus::busy() at `now`
  void update(TimeNs now, TimeNs busy) noexcept {
    if (!started_) {
      started_ = true;
      start_ = now;
      busy_at_start_ = busy;
    }
    if (now - start_ < length_) return;
    load_ = static_cast<double>(busy - busy_at_start_) / static_cast<double>(now - start_);
    peak_ = std::max(peak_, load_);
    start_ = now;
    busy_at_start_ = busy;
  }

  [[nodiscard]] double load() const noexcept {
    return load_;
  }  ///< of the last whole window; 1: full
  [[nodiscard]] double peak() const noexcept { return peak_; }  ///< of all of them

 private:
  TimeNs length_;
  bool started_ = false;
  TimeNs start_ = 0;
  TimeNs busy_at_start_ = 0;
  double load_ = 0;
  double peak_ = 0;
};

}  // namespace jointrig::can
