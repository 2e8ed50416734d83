#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "control/exchange/command_inbox.h"
#include "control/joint/joint_control.h"
#include "control/stack/joints.h"

namespace jointrig {

/// State of the stack that belongs to none of its parts.
struct StackCore {
  std::vector<JointSetup> setups;  ///< with the parameters as changed by commands
  std::vector<JointControl> joints;
  std::array<std::uint64_t, CommandInbox::kMaxSenders>
      last_number{};  ///< of each sender's commands
  double speed_override = 1.0;
  std::uint64_t cycle = 0;
  TimeNs time_ns = 0;

  [[nodiscard]] Joints all() noexcept { return {setups, joints}; }
  [[nodiscard]] ConstJoints all() const noexcept { return {setups, joints}; }
};

}  // namespace jointrig
