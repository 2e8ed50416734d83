#pragma once
/// The clock of transports and of the hub. Models and state machines are handed the time instead.

#include <ctime>

#include "hw/can/time.h"

namespace jointrig::can {

/// CLOCK_MONOTONIC [ns].
[[nodiscard]] inline TimeNs monotonic_now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return TimeNs{now.tv_sec} * kSecond + now.tv_nsec;
}

/// The time-out for ppoll that waits from `now` until `deadline`; never below zero, and never
/// more than a day.
[[nodiscard]] inline timespec time_left(TimeNs now, TimeNs deadline) noexcept {
  constexpr TimeNs kLongest = 86'400 * kSecond;
  TimeNs left = deadline > now ? deadline - now : 0;
  if (deadline > now && left > kLongest) left = kLongest;
  return {static_cast<time_t>(left / kSecond), static_cast<long>(left % kSecond)};
}

}  // namespace jointrig::can
