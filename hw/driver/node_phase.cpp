#include "hw/driver/node_phase.h"

#include <fmt/core.h>

#include "hw/driver/drive_setup.h"

namespace jointrig::hw {

std::string phase_text(NodePhase phase, const std::string& who, const SetupRun& setup,
                       unsigned allowed_silence_ms) {
  switch (phase) {
    case NodePhase::kRunning:
    case NodePhase::kFailed:
      return {};
    case NodePhase::kAbsent:
      return who +
             " does not answer: no boot-up message came after a reset; look at its supply, "
             "its number and the bit rate";
    case NodePhase::kSettingUp:
      return fmt::format("{} is being set up: step {} of {}", who, setup.done() + 1, setup.size());
    case NodePhase::kStarting:
      return who + " was set up and started, but shows no operational heartbeat";
    case NodePhase::kLost:
      return fmt::format("{} has sent no heartbeat for {} ms", who, allowed_silence_ms);
    case NodePhase::kTakenOut:
      return who + " was taken out of operation by somebody else on the bus";
  }
  return {};
}

std::string other_serial_text(const std::string& who, const char* thing, std::uint32_t found,
                              std::uint32_t expected) {
  return fmt::format(
      "{} came back with the serial number {:X}h, at the start it was {:X}h: put its own {} back, "
      "or start again with this one",
      who, found, expected, thing);
}

}  // namespace jointrig::hw
