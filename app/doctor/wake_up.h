#pragma once
/// Measures how late a thread wakes that wants to run once a period.

#include <functional>
#include <memory>
#include <string>

#include "control/core/types.h"
#include "control/stack/duration_histogram.h"

namespace jointrig::app {

/// What one way of waiting gave.
struct WakeUp {
  std::string name;
  std::unique_ptr<DurationHistogram> late;   ///< of each wake-up
  std::unique_ptr<DurationHistogram> cycle;  ///< of the work after it; null where there is none
  std::uint64_t skipped = 0;                 ///< whole periods without a wake-up
  std::uint64_t gaps = 0;  ///< times that it stood still for more than a second; in no other figure
};

/// The yardstick: clock_nanosleep to absolute times, and nothing else.
WakeUp measure_bare_sleep(std::string name, TimeNs period_ns, double seconds);

/// The pacer under a loop that calls `cycle` each period, as `jointrig run --realtime` does.
/// @param spin_ns  how early to wake and spin
WakeUp measure_paced_loop(std::string name, TimeNs period_ns, double seconds, TimeNs spin_ns,
                          const std::function<void()>& cycle);

}  // namespace jointrig::app
