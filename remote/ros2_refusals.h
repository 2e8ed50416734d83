#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

namespace jointrig::remote {

/// Why messages of ROS 2 were refused: DDS has no answers, so they go to the terminal and to the
/// diagnostics. Any thread.
class Ros2Refusals {
 public:
  using Clock = std::chrono::steady_clock;
  // Choices.
  static constexpr std::chrono::seconds kFresh{2};      ///< shown as the last one
  static constexpr std::chrono::seconds kBetween{1};    ///< between two that are told
  static constexpr std::chrono::seconds kSameAgain{5};  ///< the same is told again

  struct State {
    std::string last;  ///< empty: none for a while
    std::uint64_t count = 0;
  };

  explicit Ros2Refusals(std::function<void(const std::string&)> tell) : tell_(std::move(tell)) {}

  /// A stream that is refused would fill the terminal, or whoever reads it: one a second is told.
  void add(const std::string& sentence) {
    const Clock::time_point now = Clock::now();
    {
      const std::lock_guard lock(mutex_);
      ++count_;
      const bool is_same = sentence == last_;
      last_ = sentence;
      when_ = now;
      if (now < told_ + (is_same ? kSameAgain : kBetween)) return;
      told_ = now;
    }
    if (tell_) tell_("ros2: " + sentence);
  }

  [[nodiscard]] State state() const {
    const std::lock_guard lock(mutex_);
    return {Clock::now() < when_ + kFresh ? last_ : std::string(), count_};
  }

 private:
  std::function<void(const std::string&)> tell_;
  mutable std::mutex mutex_;
  std::string last_;
  std::uint64_t count_ = 0;
  Clock::time_point when_{};
  Clock::time_point told_{};
};

}  // namespace jointrig::remote
