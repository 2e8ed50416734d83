#pragma once

#include <stdexcept>

namespace jointrig {

/// Configuration that the robot's boards can't serve; the message names board, joint and the
/// missing ability.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace jointrig
