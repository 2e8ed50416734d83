/// The troubles of a virtual bus: error counters and what follows from them, plugs, faults to
/// order.

#include <algorithm>

#include "hw/can/virtual_bus.h"

namespace jointrig::can {
namespace {

constexpr int kWarningFrom = 96;
constexpr int kBusOffFrom = 256;
constexpr int kRecoveryBits = 128 * 11;
constexpr int kMaxCopies = 100;

}  // namespace

// --- fault confinement ---

void VirtualBus::count_send_error(Node& node, TimeNs now, bool up_to_passive_only) noexcept {
  // Missing acknowledgements do not drive an error passive node further (ISO 11898-1, 12.1.4.2).
  if (!up_to_passive_only || node.state.tx_errors < kPassiveFrom) node.state.tx_errors += 8;
  if (node.state.tx_errors >= kBusOffFrom) {
    enter_bus_off(node);
    return;
  }
  update_bus_state(node);
  if (node.state.bus == BusState::kErrorPassive) node.not_before = now + bits(kSuspendBits);
}

void VirtualBus::update_bus_state(Node& node) noexcept {
  if (node.state.bus == BusState::kBusOff) return;
  const int worst = std::max(node.state.tx_errors, node.state.rx_errors);
  node.state.bus = BusState::kErrorActive;
  if (worst >= kWarningFrom) node.state.bus = BusState::kErrorWarning;
  if (worst >= kPassiveFrom) node.state.bus = BusState::kErrorPassive;
}

void VirtualBus::enter_bus_off(Node& node) noexcept {
  node.state.bus = BusState::kBusOff;
  node.counters.discarded += node.to_send.size();
  node.to_send.clear();
}

void VirtualBus::force_bus_off(NodeId id, TimeNs now) noexcept {
  advance(now);
  break_off_frame_of(id);
  at(id).state.tx_errors = kBusOffFrom;
  enter_bus_off(at(id));
}

void VirtualBus::recover(NodeId id, TimeNs now) noexcept {
  advance(now);
  Node& node = at(id);
  if (node.state.bus != BusState::kBusOff) return;
  node.state.bus = BusState::kErrorActive;
  node.state.tx_errors = node.state.rx_errors = 0;
  node.not_before = now + bits(kRecoveryBits);
}

// --- plugs ---

void VirtualBus::set_online(NodeId id, bool online, TimeNs now) noexcept {
  advance(now);
  Node& node = at(id);
  if (node.state.online == online) return;
  break_off_frame_of(id);
  node.counters.discarded += node.to_send.size();
  node.to_send.clear();
  node.inbox.clear();
  node.held.reset();
  node.state = NodeState{};
  node.state.online = online;
  node.not_before = 0;
}

void VirtualBus::set_listen_only(NodeId id, bool listen_only) noexcept {
  at(id).listen_only = listen_only;
}

void VirtualBus::set_cut(NodeId id, bool cut, TimeNs now) noexcept {
  advance(now);
  Node& node = at(id);
  node.state.cut = cut;
  if (!cut) {
    node.not_before = std::max(node.not_before, now_);
    return;
  }
  break_off_frame_of(id);
  // Nobody acknowledges what waits: sixteen tries and the node is error passive.
  for (int tries = 0; tries < kPassiveFrom / 8 && !node.to_send.empty(); ++tries) {
    count_send_error(node, now, true);
  }
}

VirtualBus::NodeState VirtualBus::state(NodeId id) const noexcept {
  NodeState state = at(id).state;
  state.waiting = at(id).to_send.size();
  return state;
}

// --- faults ---

bool VirtualBus::add_fault(const FaultRule& rule) noexcept {
  const bool makes_sense = rule.sender < node_count() && rule.receiver < node_count() &&
                           rule.from <= rule.until && rule.delay >= 0 && rule.probability >= 0 &&
                           rule.probability <= 1 && rule.copies >= 1 && rule.copies <= kMaxCopies &&
                           (rule.kind != FaultKind::kHold || rule.until != kNever);
  if (rule_count_ == kMaxRules || !makes_sense) return false;
  rules_[rule_count_++] = Rule{rule, 0, 0, false};
  return true;
}

bool VirtualBus::hits(Rule& rule, const Frame& frame, NodeId sender, TimeNs time) noexcept {
  const FaultRule& r = rule.rule;
  if ((frame.id & r.id_mask) != (r.id & r.id_mask)) return false;
  if (r.sender != kAnyNode && r.sender != sender) return false;
  if (time < r.from || time >= r.until) return false;
  if (rule.matches++ < r.skip || (r.count != 0 && rule.hits >= r.count)) return false;
  if (r.probability < 1 && random_fraction() >= r.probability) return false;
  ++rule.hits;
  ++counters_.fault_hits;
  return true;
}

bool VirtualBus::is_corrupted(const Frame& frame, NodeId sender, TimeNs time) noexcept {
  bool corrupted = false;
  for (std::size_t i = 0; i < rule_count_; ++i) {
    if (rules_[i].rule.kind != FaultKind::kCorrupt) continue;
    corrupted = hits(rules_[i], frame, sender, time) || corrupted;
  }
  return corrupted;
}

/// In [0, 1). SplitMix64 (Steele, Lea, Flood 2014): the same on every machine.
double VirtualBus::random_fraction() noexcept {
  std::uint64_t z = (random_ += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1.0p-53;
}

}  // namespace jointrig::can
