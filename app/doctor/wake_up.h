#pragma once
/// Measures the lateness of a thread that wakes once a period.

#include <functional>
#include <memory>
#include <string>

#include "control/core/types.h"
#include "control/stack/duration_histogram.h"

namespace jointrig::app {

/// Results of one way of waiting.
struct WakeUp {
  std::string name;
  std::unique_ptr<DurationHistogram> late;   ///< of each wake-up
  std::unique_ptr<DurationHistogram> cycle;  ///< of the work after it; null without work
  std::uint64_t skipped = 0;                 ///< whole periods without a wake-up
  std::uint64_t gaps = 0;  ///< stops of more than a second; excluded from all other figures
};

/// Reference: clock_nanosleep to absolute times, and nothing else.
WakeUp measure_bare_sleep(std::string name, TimeNs period_ns, double seconds);

/// The pacer under a loop that calls `cycle` each period, as `jointrig run --realtime` does.
/// @param spin_ns  lead of the wake-up, for spinning
WakeUp measure_paced_loop(std::string name, TimeNs period_ns, double seconds, TimeNs spin_ns,
                          const std::function<void()>& cycle);

}  // namespace jointrig::app
