#include "app/serve/served_run.h"

#include <chrono>
#include <thread>
#include <utility>

namespace jointrig::app {
namespace {

/// For the server's word on why a lease ended: it looks each few ms, unless the machine is busy.
constexpr std::chrono::milliseconds kLongestWait{2000};
constexpr std::chrono::milliseconds kWaitEach{1};

}  // namespace

ServedRun::ServedRun(Rig& rig, const std::string& scenario, ServingOptions options,
                     std::function<void(const std::string&)> tell)
    : name_("scenario_" + scenario),
      sender_(rig.stack().inbox().connect(name_)),
      tell_(std::move(tell)),
      serving_(rig, rig.robot_notes()) {
  options.server.tell = [this](const std::string& sentence) { note(sentence); };
  serving_.start(options);
  if (!serving_.address().empty()) {
    tell_(scenario + " is served at " + serving_.address() + "; watch it with jointrig.connect(\"" +
          serving_.address() + "\", watch=True) in Python");
  }
  if (serving_.viewers() != nullptr) {
    tell_("viewers: open " + serving_.viewer_address() + " in Foxglove, Lichtblick or PlotJuggler");
  }
  if (!serving_.ros2().empty()) tell_(serving_.ros2());
}

void ServedRun::before_cycle() noexcept {
  serving_.before_cycle();
  loop_runs_.store(true, std::memory_order_relaxed);
  // The scenario runs in this loop: a thread that a busy machine keeps from running is no silence.
  if (gives_signs_.load(std::memory_order_relaxed)) serving_.heard();
}

std::string ServedRun::look() {
  if (!loop_runs_.load(std::memory_order_relaxed)) return {};
  if (!holds_) {
    std::string why = serving_.server().take(name_, /*by_force=*/true, sender_);
    if (!why.empty()) return why;
    holds_ = true;
    gives_signs_.store(true, std::memory_order_relaxed);
    return {};
  }
  if (serving_.server().state().is_local) return {};
  gives_signs_.store(false, std::memory_order_relaxed);
  return "ended from outside: " + why_lost();
}

void ServedRun::note(const std::string& sentence) {
  {
    const std::lock_guard lock(mutex_);
    last_change_ = sentence;
  }
  tell_(sentence);
}

/// The robot stands still meanwhile, and the scenario asks for nothing.
std::string ServedRun::why_lost() const {
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  while (std::chrono::steady_clock::now() < end) {
    {
      const std::lock_guard lock(mutex_);
      const bool is_older = last_change_.find(name_ + " took the lease") != std::string::npos;
      if (!last_change_.empty() && !is_older) return last_change_;
    }
    std::this_thread::sleep_for(kWaitEach);
  }
  return "the lease ended";
}

}  // namespace jointrig::app
