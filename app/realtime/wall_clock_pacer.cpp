#include "app/realtime/wall_clock_pacer.h"

#include <fmt/core.h>

#include <ctime>
#include <stdexcept>
#include <string>

namespace jointrig::app {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kGapNs = kSecondNs;  // choice: a longer delay is a gap, no lateness
constexpr double kSlowest = 1e-3;
constexpr double kFastest = 1e3;

class MonotonicClock final : public WallClock {
 public:
  [[nodiscard]] std::int64_t now_ns() const noexcept override {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * kSecondNs + time.tv_nsec;
  }

  void sleep_until(std::int64_t time_ns) noexcept override {
    const timespec time{time_ns / kSecondNs, time_ns % kSecondNs};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
  }
};

void relax_core() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

double checked_factor(double factor) {
  if (factor >= kSlowest && factor <= kFastest) return factor;  // false for NaN
  throw std::invalid_argument(
      fmt::format("real-time factor {:f} is not between 0.001 and 1000", factor));
}

}  // namespace

WallClock& monotonic_clock() noexcept {
  static MonotonicClock clock;
  return clock;
}

WallClockPacer::WallClockPacer(const PacerOptions& options, WallClock& clock)
    : clock_(&clock), period_ns_(options.period_ns), spin_ns_(options.spin_ns) {
  if (period_ns_ <= 0 || period_ns_ > kSecondNs) {
    throw std::invalid_argument(
        fmt::format("a period of {} ns is not between 1 ns and 1 s", period_ns_));
  }
  if (spin_ns_ < 0) throw std::invalid_argument("the time to spin is negative");
  set_real_time_factor(options.real_time_factor);
  start();
}

void WallClockPacer::set_real_time_factor(double factor) {
  factor_.store(checked_factor(factor), kRelaxed);
}

void WallClockPacer::start() noexcept {
  paced_factor_ = factor_.load(kRelaxed);
  begin_at(clock_->now_ns(), 0);
  last_robot_ns_ = 0;
  late_.clear();
  skipped_.store(0, kRelaxed);
  restarts_.store(0, kRelaxed);
}

std::int64_t WallClockPacer::to_wall(TimeNs robot_ns) const noexcept {
  // At factor 1 in integers: exact for any duration.
  if (paced_factor_ == 1.0) return robot_ns;
  return static_cast<std::int64_t>(static_cast<double>(robot_ns) / paced_factor_);
}

void WallClockPacer::begin_at(std::int64_t wall_ns, TimeNs robot_time) noexcept {
  origin_wall_ns_ = wall_ns;
  origin_robot_ns_ = robot_time;
}

/// A new factor acts from the last cycle on: the time before stays as it was.
void WallClockPacer::follow_factor(TimeNs robot_time) noexcept {
  const double wanted = factor_.load(kRelaxed);
  if (wanted == paced_factor_ || robot_time < last_robot_ns_) return;
  begin_at(origin_wall_ns_ + to_wall(last_robot_ns_ - origin_robot_ns_), last_robot_ns_);
  paced_factor_ = wanted;
}

std::int64_t WallClockPacer::wait_until(TimeNs robot_time) noexcept {
  if (stopped()) return 0;
  follow_factor(robot_time);
  if (begins_anew_) {
    begins_anew_ = false;
    last_robot_ns_ = robot_time;
    begin_at(clock_->now_ns(), robot_time);
    return 0;
  }
  const std::int64_t due_ns = origin_wall_ns_ + to_wall(robot_time - origin_robot_ns_);
  const std::int64_t longest_ns = to_wall(robot_time - last_robot_ns_ + period_ns_);
  const bool went_back = robot_time < last_robot_ns_;  // the run was reset
  last_robot_ns_ = robot_time;

  const std::int64_t ahead_ns = due_ns - clock_->now_ns();
  const bool clock_jumped = ahead_ns > longest_ns || ahead_ns < -kGapNs;
  if (!went_back && !clock_jumped) sleep_and_spin_until(due_ns);
  if (stopped()) return 0;

  const std::int64_t now_ns = clock_->now_ns();
  const std::int64_t late_ns = now_ns - due_ns;
  if (went_back || clock_jumped || late_ns > kGapNs) {
    begin_at(now_ns, robot_time);
    restarts_.store(restarts_.load(kRelaxed) + 1, kRelaxed);
    return 0;
  }
  late_.record(late_ns);
  skip_whole_periods(late_ns);
  return late_ns > 0 ? late_ns : 0;
}

void WallClockPacer::sleep_and_spin_until(std::int64_t due_ns) noexcept {
  const std::int64_t wake_ns = due_ns - spin_ns_;
  // A signal ends a sleep early; the next wait detects a clock that jumped back during it.
  while (!stopped() && clock_->now_ns() < wake_ns) clock_->sleep_until(wake_ns);
  while (!stopped() && clock_->now_ns() < due_ns) relax_core();
}

void WallClockPacer::skip_whole_periods(std::int64_t late_ns) noexcept {
  const std::int64_t period_ns = to_wall(period_ns_);
  if (period_ns <= 0 || late_ns < period_ns) return;
  const std::int64_t periods = late_ns / period_ns;
  origin_wall_ns_ += periods * period_ns;
  skipped_.store(skipped_.load(kRelaxed) + static_cast<std::uint64_t>(periods), kRelaxed);
}

}  // namespace jointrig::app
