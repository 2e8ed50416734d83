#pragma once

#include "control/joint/joint_control.h"

namespace jointrig {

/// True for a joint that goes where its arm's law takes the tool, and not to its own reference.
inline bool is_led_by_tool(const JointControl& control) noexcept {
  return control.machine().mode() == ControlMode::kCartesian;
}

}  // namespace jointrig
