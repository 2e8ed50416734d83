#pragma once
/// How every verb of the program fails.

#include <cstdio>
#include <exception>

namespace jointrig::app {

inline constexpr int kCouldNotRun = 2;

/// Runs a verb; whatever it throws becomes one sentence and exit code 2.
template <typename Verb>
int guarded(const char* verb, Verb&& run) {
  try {
    return run();
  } catch (const std::exception& e) {
    std::fflush(stdout);  // what it had to say before comes before
    std::fprintf(stderr, "jointrig %s: %s\n", verb, e.what());
    return kCouldNotRun;
  }
}

}  // namespace jointrig::app
