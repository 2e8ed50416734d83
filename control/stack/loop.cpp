#include "control/stack/loop.h"

#include <chrono>

namespace jointrig {
namespace {

/// For measuring only.
std::int64_t clock_ns() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

float to_us(std::int64_t ns) noexcept { return static_cast<float>(ns) * 1e-3F; }

}  // namespace

Loop::Loop(Backend& backend, Stack& stack)
    : backend_(&backend),
      stack_(&stack),
      exchange_(backend.description().joints.size(), stack.config().arms.size(),
                stack.config().laws.size(), signal_count(stack.config().laws)),
      statistics_(backend.description().period_ns) {
  state_.joints.resize(backend.description().joints.size());
  command_.joints.resize(backend.description().joints.size());
}

bool Loop::step() noexcept {
  const Tick tick = backend_->wait();
  if (!tick.is_due) return false;

  const std::int64_t begin = clock_ns();
  backend_->read(state_);
  for (std::size_t i = 0; i < kNoticesPerCycle; ++i) {
    const std::optional<BoardNotice> notice = backend_->next_notice();
    if (!notice) break;
    stack_->note(*notice);
  }
  const std::int64_t have_read = clock_ns();
  stack_->set_paced(tick.late_ns.has_value());
  stack_->cycle(state_, command_);
  const std::int64_t have_decided = clock_ns();
  backend_->write(command_);
  const std::int64_t have_written = clock_ns();

  CycleTimes times;
  times.late_ns = tick.late_ns;
  times.read_ns = have_read - begin;
  times.decide_ns = have_decided - have_read;
  times.write_ns = have_written - have_decided;
  const std::optional<LoopStage> overrun = statistics_.record(times);
  // Unpaced cycles can't be late: their times are statistics, not events.
  if (overrun && times.late_ns) {
    stack_->report_overrun(*overrun, *times.late_ns + times.cycle_ns());
  }

  Snapshot& snapshot = stack_->snapshot();
  snapshot.overruns = statistics_.overruns();
  snapshot.times = {to_us(times.read_ns), to_us(times.decide_ns), to_us(times.write_ns),
                    to_us(times.late_ns.value_or(0))};
  exchange_.publish(snapshot);
  return true;
}

}  // namespace jointrig
