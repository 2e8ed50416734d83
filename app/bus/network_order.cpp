#include "app/bus/network_order.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "control/core/nearest_word.h"
#include "hw/cia402/power_machine.h"

namespace jointrig::app {
namespace {

using canopen::NmtCommand;
using canopen::NmtState;

constexpr std::array<std::pair<std::string_view, NmtCommand>, 5> kOrders{
    {{"start", NmtCommand::kStart},
     {"stop", NmtCommand::kStop},
     {"preop", NmtCommand::kEnterPreOperational},
     {"reset", NmtCommand::kResetNode},
     {"reset-communication", NmtCommand::kResetCommunication}}};

bool is_reset(NmtCommand order) {
  return order == NmtCommand::kResetNode || order == NmtCommand::kResetCommunication;
}

}  // namespace

NmtCommand parse_order(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& [name, order] : kOrders) {
    if (word == name) return order;
    names.emplace_back(name);
  }
  const std::string meant = did_you_mean(word, names);
  throw std::invalid_argument("there is no order \"" + word + "\"" +
                              (meant.empty() ? "; there are start, stop, preop, reset and "
                                               "reset-communication"
                                             : meant));
}

std::string_view effect_on_drives(NmtCommand order) noexcept {
  switch (order) {
    case NmtCommand::kStart:
      return "start: PDOs run from here on, and a drive that is enabled follows them.";
    case NmtCommand::kStop:
      return "stop: the drive takes neither PDOs nor SDOs and sends only its heartbeat; an enabled "
             "drive stops as its option codes say and loses its power, and a joint without a "
             "brake sinks.";
    case NmtCommand::kEnterPreOperational:
      return "preop: no more PDOs, SDOs go on; an enabled drive stops as its option codes say and "
             "loses its power, and a joint without a brake sinks.";
    case NmtCommand::kResetNode:
      return "reset: the drive starts as at power-on; its power is off at once, a joint "
             "without a brake falls, settings that were not stored and the homing of an "
             "incremental encoder are lost.";
    case NmtCommand::kResetCommunication:
      return "reset-communication: heartbeats, PDOs and their mapping are as at power-on; an "
             "enabled drive stops as its option codes say and loses its power, and a joint "
             "without a brake sinks.";
  }
  return "";
}

std::vector<FoundNode> powered(const std::vector<FoundNode>& nodes) {
  std::vector<FoundNode> on;
  for (const FoundNode& node : nodes) {
    if (!node.statusword) continue;
    const auto state = cia402::state_of(*node.statusword);
    if (state == cia402::PowerState::kOperationEnabled ||
        state == cia402::PowerState::kQuickStopActive) {
      on.push_back(node);
    }
  }
  return on;
}

Followed followed(NmtCommand order, const std::vector<NmtState>& states) {
  using enum Followed::Verdict;
  if (is_reset(order)) {
    const bool booted =
        std::find(states.begin(), states.end(), NmtState::kInitialising) != states.end();
    if (booted) return {kYes, "booted"};
    return {states.empty() ? kUnknown : kNo, "no boot-up was heard"};
  }
  if (states.empty()) return {kUnknown, "it has no heartbeat, so its state is not known"};
  const std::string now(to_string(states.back()));
  const bool as_ordered = states.back() == canopen::after(NmtState::kPreOperational, order);
  return {as_ordered ? kYes : kNo, as_ordered ? now : "is " + now + ", as it says itself"};
}

}  // namespace jointrig::app
