#pragma once

#include <cstdint>

#include "control/core/types.h"

namespace jointrig::sim {

/// Paces simulated time. A simulation without a pacer runs as fast as it can. The owner of a clock
/// implements it; the loop's thread calls it.
class Pacer {
 public:
  Pacer() = default;
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;
  virtual ~Pacer() = default;

  /// Begins the run: robot time 0 is now.
  virtual void start() noexcept = 0;

  /// Returns when `robot_time` is due; the return value is the delay [ns].
  virtual std::int64_t wait_until(TimeNs robot_time) noexcept = 0;
};

}  // namespace jointrig::sim
