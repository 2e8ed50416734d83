#include "app/serve/served_loop.h"

#include <future>
#include <stdexcept>

#include "app/run/run_log.h"
#include "app/version.h"

namespace jointrig::app {

ServedLoop::ServedLoop(const RobotConfig& config, BackendKind backend,
                       std::optional<double> speed_override)
    : pacer_({.period_ns = config.period_ns}),
      rig_(config,
           {.backend = backend,
            .plant = {},
            .held_until_driven = true,  // or an arm would have fallen before anyone connects
            .pacer = &pacer_,
            .speed_override = speed_override}),
      notes_(rig_.robot_notes()),
      watch_(config.period_ns),
      hold_(watch_, rig_.stack().inbox(), rig_.stack().events(), config.joints.size()),
      planner_(rig_.stack(), rig_.loop().exchange()) {}

ServedLoop::~ServedLoop() {
  pacer_.stop();
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
}

void ServedLoop::start_log(const std::string& path) {
  Stack& stack = rig_.stack();
  log_ = std::make_unique<harness::RobotLog>(path, stack.config(), stack.events(), stack.inbox(),
                                             run_log_options(rig_));
}

RealtimeSetup ServedLoop::start(const RealtimeOptions& options) {
  std::promise<RealtimeSetup> started;
  std::future<RealtimeSetup> is_started = started.get_future();
  thread_ = std::jthread(
      [this, options, promise = std::move(started)](const std::stop_token& stop) mutable {
        const RealtimeSetup setup = enter_realtime(options);
        // Last: from here on boards wait for their next setpoint.
        try {
          rig_.start();
        } catch (...) {
          leave_realtime(setup);
          return promise.set_exception(std::current_exception());
        }
        promise.set_value(setup);
        run(stop);
        leave_realtime(setup);
      });
  return is_started.get();  // throws the error of the start
}

void ServedLoop::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    hold_.before_cycle(rig_.stack().snapshot());
    if (!rig_.loop().step()) {
      ended_.store(true, std::memory_order_release);
      break;
    }
    if (log_) write_log();
  }
  rig_.backend().stop();
}

void ServedLoop::write_log() noexcept {
  const Stack& stack = rig_.stack();
  for (const Command& command : stack.drained()) {
    log_->append(command, stack.snapshot().cycle, stack.snapshot().time_ns);
  }
  log_->push(stack.snapshot(), rig_.loop().state());
}

void ServedLoop::stop() {
  pacer_.stop();
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  if (!log_) return;
  const harness::RobotLogStatus status = std::exchange(log_, nullptr)->close();
  if (!status.ok) throw std::runtime_error(status.message);
}

remote::ServedRobot ServedLoop::served() {
  Stack& stack = rig_.stack();
  return {.config = &stack.config(),
          .inbox = &stack.inbox(),
          .events = &stack.events(),
          .snapshots = &rig_.loop().exchange(),
          .watch = &watch_,
          .backend = rig_.backend().description().name,
          .version = std::string(kVersion),
          .notes = notes_,
          .plan = [this](const remote::Trajectory& wish) { return planner_.plan(wish); }};
}

std::string ServedLoop::log_failure() const {
  if (!log_) return {};
  const harness::RobotLogStatus status = log_->status();
  return status.ok ? std::string{} : status.message;
}

std::optional<std::string> ServedLoop::why_ended() const {
  if (!ended_.load(std::memory_order_acquire)) return std::nullopt;
  return rig_.why_ended();
}

}  // namespace jointrig::app
