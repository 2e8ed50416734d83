#include "hw/can/virtual_bus.h"

#include <algorithm>
#include <compare>

namespace jointrig::can {
namespace {

/// Error flag (6), its echo (up to 6), delimiter (8), intermission (3).
constexpr int kErrorFrameBits = 6 + 6 + 8 + 3;

/// Order of two frames with one arbitration field: by what follows the field on the wire, the first
/// dominant bit wins.
std::strong_ordering compare_after_arbitration(const Frame& a, const Frame& b) noexcept {
  if (const auto order = a.fd <=> b.fd; std::is_neq(order)) return order;
  if (const auto order = a.bit_rate_switch <=> b.bit_rate_switch; std::is_neq(order)) return order;
  if (const auto order = a.error_state <=> b.error_state; std::is_neq(order)) return order;
  if (const auto order = a.size <=> b.size; std::is_neq(order)) return order;
  return std::lexicographical_compare_three_way(a.bytes().begin(), a.bytes().end(),
                                                b.bytes().begin(), b.bytes().end());
}

/// For std::push_heap, whose top is the greatest: the earliest delivery.
template <typename Queued>
bool is_later(const Queued& a, const Queued& b) noexcept {
  if (a.delivery.time != b.delivery.time) return a.delivery.time > b.delivery.time;
  return a.order > b.order;
}

}  // namespace

VirtualBus::Node::Node(std::string_view its_name, const VirtualBusConfig& config)
    : name(its_name), to_send(config.tx_queue) {
  inbox.reserve(config.rx_queue);
}

VirtualBus::VirtualBus(const VirtualBusConfig& config) : config_(config), random_(config.seed) {
  config_.tx_queue = std::max<std::size_t>(1, config_.tx_queue);
  config_.rx_queue = std::max<std::size_t>(1, config_.rx_queue);
}

NodeId VirtualBus::attach(std::string_view name) {
  nodes_.emplace_back(name, config_);
  return node_count() - 1;
}

VirtualBus::SendResult VirtualBus::send(NodeId id, const Frame& frame, TimeNs now) noexcept {
  Node& node = at(id);
  SendResult result = SendResult::kQueued;
  if (!valid(frame) || (frame.fd && !config_.fd)) {
    result = SendResult::kUnsupported;
  } else if (!node.state.online || node.listen_only) {
    result = SendResult::kOffline;
  } else if (node.state.bus == BusState::kBusOff) {
    result = SendResult::kBusOff;
  } else if (!node.to_send.push({frame, std::max(now, now_)})) {
    result = SendResult::kFull;
  }
  if (result != SendResult::kQueued) {
    ++node.counters.refused;
  } else if (node.state.cut) {
    count_send_error(node, now, true);
  }
  return result;
}

void VirtualBus::advance(TimeNs now) noexcept {
  while (true) {
    // The first of these: a frame that ends, a frame held back too long, a frame that starts.
    const TimeNs end = in_flight_ ? in_flight_->end : kNever;
    const TimeNs start = in_flight_ ? kNever : next_start();
    const TimeNs next = std::min({end, next_release(), start});
    if (next > now) break;
    now_ = std::max(now_, next);
    if (end == next) {
      finish_frame();
    } else if (start == next) {
      start_frame(next);
    } else {
      release_held(next);
    }
  }
  now_ = std::max(now_, now);
}

TimeNs VirtualBus::next_event() const noexcept {
  TimeNs next = std::min(in_flight_ ? in_flight_->end : next_start(), next_release());
  for (const Node& node : nodes_) {
    if (!node.inbox.empty() && node.inbox.front().delivery.time > now_) {
      next = std::min(next, node.inbox.front().delivery.time);
    }
  }
  return next;
}

std::size_t VirtualBus::receive(NodeId id, std::span<Delivery> into) noexcept {
  std::vector<Queued>& inbox = at(id).inbox;
  std::size_t count = 0;
  while (count < into.size() && !inbox.empty() && inbox.front().delivery.time <= now_) {
    into[count++] = inbox.front().delivery;
    std::pop_heap(inbox.begin(), inbox.end(), is_later<Queued>);
    inbox.pop_back();
  }
  return count;
}

// --- the wire ---

bool VirtualBus::on_wire(const Node& node) noexcept {
  return node.state.online && !node.state.cut && node.state.bus != BusState::kBusOff;
}

TimeNs VirtualBus::ready_time(const Node& node) const noexcept {
  if (node.to_send.empty() || !on_wire(node)) return kNever;
  return std::max({node.to_send.front().since, node.not_before, free_at_});
}

TimeNs VirtualBus::next_start() const noexcept {
  TimeNs next = kNever;
  for (const Node& node : nodes_) next = std::min(next, ready_time(node));
  return next;
}

std::uint32_t VirtualBus::key_of_head(const Node& node) noexcept {
  return arbitration_key(node.to_send.front().frame);
}

void VirtualBus::start_frame(TimeNs start) noexcept {
  InFlight next;
  next.start = start;
  next.sender = arbitrate(start, next.outcome);
  next.frame = at(next.sender).to_send.front().frame;
  const TimeNs whole = duration(next.frame, config_.rates, config_.stuffing);
  next.end = start + whole;
  if (next.outcome == Outcome::kGood && is_corrupted(next.frame, next.sender, start)) {
    next.outcome = Outcome::kDestroyed;
    next.end = start + static_cast<TimeNs>(random_fraction() * static_cast<double>(whole));
  } else if (next.outcome == Outcome::kGood && !somebody_acknowledges(next.sender)) {
    next.outcome = Outcome::kNotAcknowledged;
  }
  if (next.outcome != Outcome::kGood) next.end += bits(kErrorFrameBits);
  in_flight_ = next;
}

NodeId VirtualBus::arbitrate(TimeNs start, Outcome& outcome) noexcept {
  std::uint32_t best = ~0U;
  for (const Node& node : nodes_) {
    if (ready_time(node) <= start) best = std::min(best, key_of_head(node));
  }
  NodeId winner = kAnyNode;
  for (NodeId id = 0; id < node_count(); ++id) {
    if (ready_time(at(id)) > start || key_of_head(at(id)) != best) continue;
    winner = winner == kAnyNode ? id : settle_collision(winner, id, outcome);
  }
  return winner;
}

/// Two frames with one identifier at once. The same frame: nobody notices. Else the one that is
/// overwritten destroys both, unless it is error passive and only hurts itself.
NodeId VirtualBus::settle_collision(NodeId a, NodeId b, Outcome& outcome) noexcept {
  const auto order =
      compare_after_arbitration(at(a).to_send.front().frame, at(b).to_send.front().frame);
  if (std::is_eq(order)) return a;
  ++counters_.collisions;
  const NodeId stronger = std::is_lt(order) ? a : b;
  Node& weaker = at(std::is_lt(order) ? b : a);
  if (weaker.state.bus != BusState::kErrorPassive) outcome = Outcome::kCollision;
  weaker.overwritten = true;
  return stronger;
}

bool VirtualBus::somebody_acknowledges(NodeId sender) const noexcept {
  for (NodeId id = 0; id < node_count(); ++id) {
    if (id != sender && on_wire(at(id)) && !at(id).listen_only) return true;
  }
  return false;
}

void VirtualBus::finish_frame() noexcept {
  const InFlight done = *in_flight_;
  in_flight_.reset();
  busy_ += done.end - done.start;
  free_at_ = done.end;
  for (Node& node : nodes_) {
    if (node.overwritten && on_wire(node)) count_send_error(node, done.end, false);
  }
  if (done.broken_off) {  // nobody has a whole frame
    ++counters_.error_frames;
  } else if (done.outcome == Outcome::kGood) {
    succeed(done);
  } else {
    fail(done);
  }
  for (Node& node : nodes_) node.overwritten = false;
}

void VirtualBus::fail(const InFlight& done) noexcept {
  ++counters_.error_frames;
  ++at(done.sender).counters.retransmissions;
  count_send_error(at(done.sender), done.end, done.outcome == Outcome::kNotAcknowledged);
  for (NodeId id = 0; id < node_count(); ++id) {
    Node& node = at(id);
    if (id == done.sender || node.overwritten || !on_wire(node)) continue;
    ++node.state.rx_errors;
    update_bus_state(node);
  }
}

void VirtualBus::succeed(const InFlight& done) noexcept {
  ++counters_.frames;
  for (std::size_t i = 0; i < rule_count_; ++i) {
    Rule& rule = rules_[i];
    rule.hit_now =
        rule.rule.kind != FaultKind::kCorrupt && hits(rule, done.frame, done.sender, done.end);
  }
  for (NodeId id = 0; id < node_count(); ++id) {
    if (id == done.sender || sends_the_same(at(id), done)) {
      take_sent_frame(at(id), done.end);
    } else if (on_wire(at(id)) && !at(id).overwritten) {
      deliver(done, id);
    }
  }
}

bool VirtualBus::sends_the_same(const Node& node, const InFlight& done) noexcept {
  return on_wire(node) && !node.to_send.empty() && node.to_send.front().since <= done.start &&
         node.not_before <= done.start && node.to_send.front().frame == done.frame;
}

void VirtualBus::break_off_frame_of(NodeId node) noexcept {
  if (in_flight_ && in_flight_->sender == node) in_flight_->broken_off = true;
}

void VirtualBus::take_sent_frame(Node& node, TimeNs now) noexcept {
  node.to_send.pop();
  ++node.counters.sent;
  if (node.state.tx_errors > 0) --node.state.tx_errors;
  update_bus_state(node);
  if (node.state.bus == BusState::kErrorPassive) node.not_before = now + bits(kSuspendBits);
}

void VirtualBus::deliver(const InFlight& done, NodeId receiver) noexcept {
  Node& node = at(receiver);
  if (node.state.rx_errors > 0) {
    node.state.rx_errors = std::min(node.state.rx_errors - 1, kPassiveFrom - 1);
    update_bus_state(node);
  }
  Delivery delivery{done.frame, done.end, done.sender};
  int copies = 1;
  TimeNs wait_for_next = 0;
  bool reorder = false;
  for (std::size_t i = 0; i < rule_count_; ++i) {
    const FaultRule& rule = rules_[i].rule;
    if (!rules_[i].hit_now || (rule.receiver != kAnyNode && rule.receiver != receiver)) continue;
    switch (rule.kind) {
      case FaultKind::kLose:
        copies = 0;
        break;
      case FaultKind::kDelay:
        delivery.time += rule.delay;
        break;
      case FaultKind::kHold:
        delivery.time = std::max(delivery.time, rule.until);
        break;
      case FaultKind::kDouble:
        if (copies > 0) copies += rule.copies;
        break;
      case FaultKind::kReorder:
        reorder = true;
        wait_for_next = rule.delay;
        break;
      case FaultKind::kCorrupt:
        break;
    }
    if (copies == 0) return;
  }
  if (reorder && !node.held) {
    node.held = HeldBack{delivery, delivery.time + wait_for_next};
    return;
  }
  for (int i = 0; i < copies; ++i) put(node, delivery);
  if (node.held) {
    node.held->delivery.time = std::max(node.held->delivery.time, delivery.time);
    put(node, node.held->delivery);
    node.held.reset();
  }
}

void VirtualBus::put(Node& node, const Delivery& delivery) noexcept {
  if (node.inbox.size() == config_.rx_queue) {
    ++node.counters.overruns;
    return;
  }
  node.inbox.push_back({delivery, order_++});
  std::push_heap(node.inbox.begin(), node.inbox.end(), is_later<Queued>);
  ++node.counters.received;
}

TimeNs VirtualBus::next_release() const noexcept {
  TimeNs next = kNever;
  for (const Node& node : nodes_) {
    if (node.held) next = std::min(next, node.held->until);
  }
  return next;
}

void VirtualBus::release_held(TimeNs now) noexcept {
  for (Node& node : nodes_) {
    if (!node.held || node.held->until > now) continue;
    node.held->delivery.time = node.held->until;
    put(node, node.held->delivery);
    node.held.reset();
  }
}

TimeNs VirtualBus::busy() const noexcept {
  if (!in_flight_) return busy_;
  return busy_ + std::max<TimeNs>(0, std::min(now_, in_flight_->end) - in_flight_->start);
}

TimeNs VirtualBus::bits(int count) const noexcept {
  return duration(FrameBits{count, 0}, config_.rates);
}

}  // namespace jointrig::can
