#pragma once
/// NMT orders by hand: the name of each, its effect on drives, and whether nodes followed it.
/// Pure.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bus/node_scan.h"
#include "hw/canopen/nmt.h"

namespace jointrig::app {

/// start, stop, preop, reset, reset-communication. Throws std::invalid_argument with the list of
/// words.
[[nodiscard]] canopen::NmtCommand parse_order(const std::string& word);

/// One sentence for a person beside the robot.
[[nodiscard]] std::string_view effect_on_drives(canopen::NmtCommand order) noexcept;

/// Nodes with their power stage on: OPERATION ENABLED, and QUICK STOP ACTIVE, in which a drive
/// holds.
[[nodiscard]] std::vector<FoundNode> powered(const std::vector<FoundNode>& nodes);

/// Result of an order at one node: a heartbeat or boot-up heard after it.
struct Followed {
  enum class Verdict { kYes, kNo, kUnknown };
  Verdict verdict = Verdict::kUnknown;
  std::string words;
};
/// @param states  received after the order, oldest first; a boot-up is kInitialising
[[nodiscard]] Followed followed(canopen::NmtCommand order,
                                const std::vector<canopen::NmtState>& states);

}  // namespace jointrig::app
