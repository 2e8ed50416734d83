#pragma once

#include <cstdint>

#include "control/core/types.h"

namespace jointrig::sim {

/// Makes simulated time pass as slowly as wanted. A simulation without one runs as fast as it can.
/// Implemented by whoever owns a clock; called by the loop's thread.
class Pacer {
 public:
  Pacer() = default;
  Pacer(const Pacer&) = delete;
  Pacer& operator=(const Pacer&) = delete;
  virtual ~Pacer() = default;

  /// The run begins: robot time 0 is now.
  virtual void start() noexcept = 0;

  /// Returns when `robot_time` is due; the return value is how late that was [ns].
  virtual std::int64_t wait_until(TimeNs robot_time) noexcept = 0;
};

}  // namespace jointrig::sim
