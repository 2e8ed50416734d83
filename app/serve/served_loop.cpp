#include "app/serve/served_loop.h"

#include <future>
#include <stdexcept>

#include "app/run/run_log.h"

namespace jointrig::app {

ServedLoop::ServedLoop(const RobotConfig& config, std::optional<BackendKind> backend,
                       std::optional<double> speed_override)
    : pacer_({.period_ns = config.period_ns}),
      rig_(config,
           {.backend = backend,
            .plant = {},
            .held_until_driven = true,  // or an arm would have fallen before anyone connects
            .pacer = &pacer_,
            .speed_override = speed_override}),
      serving_(rig_, rig_.robot_notes()) {}

ServedLoop::~ServedLoop() { end(); }

void ServedLoop::start_log(const std::string& path) {
  Stack& stack = rig_.stack();
  log_ = std::make_unique<harness::RobotLog>(
      path, stack.config(), stack.events(), stack.inbox(),
      run_log_options(rig_.stack().config(), rig_.backend().description().name));
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
    serving_.before_cycle();
    if (!rig_.loop().step()) {
      ended_.store(true, std::memory_order_release);
      break;
    }
    if (log_) push_cycle(*log_, rig_);
    serving_.after_cycle();
  }
  rig_.backend().stop();
}

void ServedLoop::end() noexcept {
  pacer_.stop();
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
}

void ServedLoop::stop() {
  end();
  if (!log_) return;
  const harness::RobotLogStatus status = std::exchange(log_, nullptr)->close();
  if (!status.ok) throw std::runtime_error(status.message);
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
