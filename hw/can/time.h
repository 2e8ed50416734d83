#pragma once
/// Time on a bus. Models and state machines are handed it; only transports and the hub read a
/// clock.

#include <cstdint>
#include <limits>

namespace jointrig::can {

using TimeNs = std::int64_t;  ///< nanoseconds; from the monotonic clock where a clock is read

inline constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();
inline constexpr TimeNs kMicrosecond = 1'000;
inline constexpr TimeNs kMillisecond = 1'000'000;
inline constexpr TimeNs kSecond = 1'000'000'000;

}  // namespace jointrig::can
