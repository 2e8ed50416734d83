#pragma once
/// Ctrl+C, which ends a verb without an end of its own.

#include <atomic>
#include <csignal>

namespace jointrig::app {

inline std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

inline void end_on_interrupt() {
  interrupted.store(false);
  const auto note = [](int /*signal*/) { interrupted.store(true); };
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
}

}  // namespace jointrig::app
