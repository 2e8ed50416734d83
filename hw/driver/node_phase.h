#pragma once

#include <cstdint>
#include <string>

namespace jointrig::hw {

class SetupRun;

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

/// Reason that keeps a node from running, in words; empty: nothing does, or it has failed, for
/// which each kind of node has words of its own. Allocates.
/// @param who  `j1 (node 3)`
[[nodiscard]] std::string phase_text(NodePhase phase, const std::string& who, const SetupRun& setup,
                                     unsigned allowed_silence_ms);

/// A node came back as another device.
/// @param thing  "board" or "sensor"
[[nodiscard]] std::string other_serial_text(const std::string& who, const char* thing,
                                            std::uint32_t found, std::uint32_t expected);

}  // namespace jointrig::hw
