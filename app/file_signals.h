#pragma once

#include <csignal>

namespace jointrig::app {

/// By default the system ends a program that writes beyond its limit of a file's size, or into a
/// pipe that nobody reads (`jointrig run … | head`). A program that drives a robot lives on: the
/// write fails, and that is told.
inline void survive_file_signals() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace jointrig::app
