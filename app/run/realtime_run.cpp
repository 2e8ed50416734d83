#include "app/run/realtime_run.h"

#include <chrono>
#include <thread>

namespace jointrig::app {
namespace {

/// Real time from here to the end of the scope.
class RealtimeScope {
 public:
  explicit RealtimeScope(const RealtimeOptions& options) : setup_(enter_realtime(options)) {}
  ~RealtimeScope() { leave_realtime(setup_); }
  RealtimeScope(const RealtimeScope&) = delete;
  RealtimeScope& operator=(const RealtimeScope&) = delete;
  [[nodiscard]] const RealtimeSetup& setup() const noexcept { return setup_; }

 private:
  RealtimeSetup setup_;
};

std::size_t truth_count(const RealtimeParts& parts) {
  return parts.world == nullptr ? 0 : parts.world->truth_count();
}

}  // namespace

RealtimeRun::RealtimeRun(const RealtimeParts& parts, double ring_seconds)
    : parts_(parts),
      follower_(parts.rig->stack(), truth_count(parts), ring_seconds),
      truth_(truth_count(parts)) {}

bool RealtimeRun::is_interrupted() const noexcept {
  return parts_.interrupted != nullptr && parts_.interrupted->load(std::memory_order_relaxed);
}

RealtimeSetup RealtimeRun::run(const RealtimeOptions& options,
                               const std::function<void()>& on_look) {
  // Started before this thread becomes real-time and bound to a core, so that it inherits neither;
  // stopped and joined on every exit.
  const std::jthread follower(
      [this, &on_look](const std::stop_token& loop_ended) { follow_until(loop_ended, on_look); });
  const RealtimeScope realtime(options);
  parts_.rig->start();
  while (!finished_.load(std::memory_order_relaxed) && !is_interrupted() && step()) {
  }
  parts_.rig->backend().stop();
  follower_.conclude();
  if (parts_.world != nullptr) parts_.world->close();
  return realtime.setup();
}

bool RealtimeRun::step() noexcept {
  if (parts_.world != nullptr) parts_.world->carry_out(parts_.rig->stack().snapshot().cycle);
  if (parts_.onlooker != nullptr) parts_.onlooker->before_cycle();
  if (!parts_.rig->loop().step()) return false;
  hand_over();
  if (parts_.onlooker != nullptr) parts_.onlooker->after_cycle();
  return true;
}

void RealtimeRun::hand_over() noexcept {
  Stack& stack = parts_.rig->stack();
  if (parts_.world != nullptr) parts_.world->sample(truth_);
  follower_.hand_over(truth_);
  if (parts_.log == nullptr) return;
  for (const Command& command : stack.drained()) {
    parts_.log->append(command, stack.snapshot().cycle, stack.snapshot().time_ns);
  }
  parts_.log->push(stack.snapshot(), parts_.rig->loop().state());
}

void RealtimeRun::follow(const std::function<void()>& on_look) {
  const auto look = [&] {
    if (on_look) on_look();
    if (parts_.onlooker == nullptr || parts_.runner->finished()) return;
    const std::string why = parts_.onlooker->look();
    if (!why.empty()) parts_.runner->break_off(harness::Outcome::kSafetyStop, why);
  };
  follower_.look_and_follow(look, [this] {
    if (parts_.runner->finished()) return false;
    const Snapshot& snapshot = follower_.snapshot();
    if (parts_.world != nullptr) parts_.world->show(snapshot.cycle, follower_.truth());
    parts_.runner->note_missed(follower_.cycles_missed(), follower_.events_missed());
    parts_.runner->on_cycle(snapshot, follower_.events());
    return !parts_.runner->finished();
  });
}

void RealtimeRun::follow_until(const std::stop_token& loop_ended,
                               const std::function<void()>& on_look) {
  try {
    for (;;) {
      const bool was_last = loop_ended.stop_requested();
      follow(on_look);
      if (parts_.runner->finished()) break;
      if (was_last) {
        break_off();
        break;
      }
      std::this_thread::sleep_for(CycleFollower::kRest);
    }
  } catch (const std::exception& e) {
    parts_.runner->break_off(harness::Outcome::kCouldNotRun,
                             std::string("could not judge: ") + e.what());
  }
  finished_.store(true, std::memory_order_relaxed);
}

void RealtimeRun::break_off() {
  parts_.runner->note_missed(follower_.cycles_missed(), follower_.events_missed());
  if (is_interrupted()) {
    parts_.runner->break_off(harness::Outcome::kCouldNotRun, "interrupted");
  } else {
    parts_.runner->break_off(harness::Outcome::kSafetyStop, parts_.rig->why_ended());
  }
}

}  // namespace jointrig::app
