#include "app/doctor/wake_up.h"

#include <utility>

#include "app/realtime/wall_clock_pacer.h"

namespace jointrig::app {
namespace {

std::int64_t cycles_in(double seconds, TimeNs period_ns) {
  return static_cast<std::int64_t>(seconds * 1e9 / static_cast<double>(period_ns));
}

}  // namespace

WakeUp measure_bare_sleep(std::string name, TimeNs period_ns, double seconds) {
  WakeUp result;
  result.name = std::move(name);
  result.late = std::make_unique<DurationHistogram>();
  WallClock& clock = monotonic_clock();
  std::int64_t due_ns = clock.now_ns();
  for (std::int64_t left = cycles_in(seconds, period_ns); left > 0; --left) {
    due_ns += period_ns;
    clock.sleep_until(due_ns);
    const std::int64_t late_ns = clock.now_ns() - due_ns;
    if (late_ns < 0) continue;  // a signal cut the sleep short
    result.late->record(late_ns);
    const std::int64_t skipped = late_ns / period_ns;
    due_ns += skipped * period_ns;
    left -= skipped;
    result.skipped += static_cast<std::uint64_t>(skipped);
  }
  return result;
}

WakeUp measure_paced_loop(std::string name, TimeNs period_ns, double seconds, TimeNs spin_ns,
                          const std::function<void()>& cycle) {
  WakeUp result;
  result.name = std::move(name);
  result.late = std::make_unique<DurationHistogram>();
  if (cycle) result.cycle = std::make_unique<DurationHistogram>();
  const auto pacer =
      std::make_unique<WallClockPacer>(PacerOptions{.period_ns = period_ns, .spin_ns = spin_ns});
  const std::int64_t cycles = cycles_in(seconds, period_ns);
  pacer->start();
  for (std::int64_t i = 1; i + static_cast<std::int64_t>(pacer->skipped()) <= cycles; ++i) {
    const std::int64_t late_ns = pacer->wait_until(i * period_ns);
    if (pacer->restarts() == result.gaps) result.late->record(late_ns);
    result.gaps = pacer->restarts();
    if (!cycle) continue;
    const std::int64_t begin_ns = monotonic_clock().now_ns();
    cycle();
    result.cycle->record(monotonic_clock().now_ns() - begin_ns);
  }
  result.skipped = pacer->skipped();
  return result;
}

}  // namespace jointrig::app
