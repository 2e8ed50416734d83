#pragma once

#include <cstdint>

namespace jointrig::hw {

/// Where a node stands.
enum class NodePhase : std::uint8_t {
  kAbsent,     ///< not heard since it was last asked to reset
  kSettingUp,  ///< pre-operational
  kStarting,   ///< ordered to be operational, not seen to be
  kRunning,
  kLost,      ///< was running, is silent
  kTakenOut,  ///< somebody else ordered it out of operation
  kFailed,    ///< set-up refused, or two drives under one number: node_text() says why
};

}  // namespace jointrig::hw
