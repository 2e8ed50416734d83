#pragma once

#include <csignal>

namespace jointrig::app {

/// By default the system ends a program that writes beyond its limit of a file's size. Here the
/// write fails, and that is told.
inline void survive_size_limit() { std::signal(SIGXFSZ, SIG_IGN); }

/// For what drives a robot: it also lives on where nobody reads its output any more
/// (`jointrig run … | head`).
inline void survive_file_signals() {
  survive_size_limit();
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace jointrig::app
