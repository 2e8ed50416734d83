#pragma once
/// Ctrl+C, the end of the session and an order to end: a verb ends what it has begun.

#include <atomic>
#include <csignal>

namespace jointrig::app {

/// Exit code of a verb that was ended so, as that of a shell.
inline constexpr int kInterruptedCode = 130;

inline std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

inline void end_on_interrupt() {
  interrupted.store(false);
  const auto note = [](int /*signal*/) { interrupted.store(true); };
  std::signal(SIGINT, note);
  std::signal(SIGTERM, note);
  std::signal(SIGHUP, note);
}

}  // namespace jointrig::app
