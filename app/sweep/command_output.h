#pragma once

#include <string>
#include <vector>

namespace jointrig::app {

inline constexpr int kNoSuchCommand = 127;

struct CommandOutput {
  int code = 0;
  std::string text;  ///< output and errors
};

/// Runs a command of the PATH to its end. Throws std::runtime_error where no process can be made.
CommandOutput output_of(const std::vector<std::string>& command);

}  // namespace jointrig::app
