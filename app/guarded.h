#pragma once
/// Error handling of every verb.

#include <cstdio>
#include <exception>

namespace jointrig::app {

inline constexpr int kCouldNotRun = 2;

/// Runs a verb; any exception becomes one sentence and exit code 2.
template <typename Verb>
int guarded(const char* verb, Verb&& run) {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fflush(stdout);  // its output comes before the error
    std::fprintf(stderr, "jointrig %s: %s\n", verb, e.what());
    return kCouldNotRun;
  }
}

}  // namespace jointrig::app
