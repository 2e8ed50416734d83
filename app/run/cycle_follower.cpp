#include "app/run/cycle_follower.h"

#include <algorithm>

namespace jointrig::app {
namespace {

constexpr std::size_t kEventsExpected = 1024;  // in one cycle; more of them allocate

std::size_t cycles_in(double seconds, TimeNs period_ns) {
  return static_cast<std::size_t>(seconds / to_seconds(period_ns)) + 1;
}

}  // namespace

CycleFollower::CycleFollower(Stack& stack, std::size_t truth_count, double ring_seconds)
    : stack_(&stack),
      ring_(stack.config().joints.size(), truth_count,
            cycles_in(ring_seconds, stack.config().period_ns), stack.config().arms.size(),
            stack.config().laws.size(), signal_count(stack.config().laws)),
      truth_(truth_count),
      reader_(stack.events()) {
  events_.reserve(kEventsExpected);
}

void CycleFollower::hand_over(std::span<const double> truth) noexcept {
  if (ring_.full()) {
    ++missed_in_a_row_;
  } else {
    conclude();
  }
  ring_.push(stack_->snapshot(), truth);
}

void CycleFollower::conclude() noexcept {
  if (missed_in_a_row_ == 0) return;
  Event event;
  event.kind = EventKind::kCyclesMissed;
  event.time_ns = stack_->snapshot().time_ns;
  event.cycle = stack_->snapshot().cycle;
  event.value = static_cast<double>(missed_in_a_row_);
  stack_->events().publish(event);
  missed_in_a_row_ = 0;
}

bool CycleFollower::next() {
  if (!ring_.pop(snapshot_, truth_)) return false;
  most_behind_ = std::max(most_behind_, ring_.waiting());
  take_events(snapshot_.cycle);
  return true;
}

/// Events up to a cycle: the loop may be ahead of it.
void CycleFollower::take_events(std::uint64_t cycle) {
  events_.clear();
  for (;;) {
    if (!next_event_) {
      Event event;
      if (!reader_.next(event)) return;
      next_event_ = event;
    }
    if (next_event_->cycle > cycle) return;
    events_.push_back(*next_event_);
    next_event_.reset();
  }
}

}  // namespace jointrig::app
