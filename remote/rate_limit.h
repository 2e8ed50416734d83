#pragma once

#include <algorithm>
#include <chrono>

namespace jointrig::remote {

// Commands of one client. Choices: at once, with those of the others, they fit into one cycle
// (Stack::kCommandsPerCycle is 32).
inline constexpr double kCommandRate = 8000.0;  ///< [1/s]
inline constexpr double kCommandBurst = 24.0;

/// Bounds how often something happens: on the average `rate` times a second, at most `burst` at
/// once (a token bucket). One thread.
class RateLimit {
 public:
  using Time = std::chrono::steady_clock::time_point;

  RateLimit(double rate, double burst) noexcept : rate_(rate), burst_(burst), tokens_(burst) {}

  /// Returns false where it happens too often.
  bool take(Time now) noexcept {
    if (last_ != Time{}) {
      const double passed = std::chrono::duration<double>(now - last_).count();
      tokens_ = std::min(burst_, tokens_ + rate_ * passed);
    }
    last_ = now;
    if (tokens_ < 1.0) return false;
    tokens_ -= 1.0;
    return true;
  }

 private:
  double rate_;
  double burst_;
  double tokens_;
  Time last_{};
};

}  // namespace jointrig::remote
