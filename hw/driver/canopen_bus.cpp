#include "hw/driver/canopen_bus.h"

#include <algorithm>
#include <utility>

namespace jointrig::hw {
namespace {

using canopen::HeartbeatEvent;
using canopen::NmtCommand;
using canopen::NmtState;

JointPdoSpec pdos_of(const DriveSettings& settings) {
  return {settings.node, settings.has_life_counter, settings.feed_forward, settings.pdos};
}

}  // namespace

CanopenBus::Node::Node(BusJoint&& joint)
    : name(std::move(joint.name)),
      number(joint.settings.node),
      allowed_silence_ms(static_cast<std::uint16_t>(kAllowedBeats * joint.settings.heartbeat_ms)),
      host(joint.host),
      pdos(pdos_of(joint.settings)),
      setup(joint.settings.node, setup_steps(joint.settings),
            {.time_out = std::int64_t{joint.settings.sdo_time_out_ms} * 1'000'000}) {}

CanopenBus::CanopenBus(std::vector<BusJoint> joints) : heartbeat_(kHostNode) {
  nodes_.reserve(joints.size());
  for (BusJoint& joint : joints) nodes_.emplace_back(std::move(joint));
}

void CanopenBus::start(std::int64_t now) noexcept {
  started_ = true;
  heartbeat_.set_period(kHostHeartbeat, now);
  nmt_.order(NmtCommand::kResetCommunication, canopen::kAllNodes, out_);
  for (Node& node : nodes_) reset(node);
}

void CanopenBus::restart(std::size_t joint) noexcept {
  Node& node = nodes_[joint];
  nmt_.order(NmtCommand::kResetCommunication, node.number, out_);
  reset(node);
}

void CanopenBus::reset(Node& node) noexcept {
  node.setup.cancel(out_);
  node.boot_ups = 0;
  node.doubled = node.asked_again = false;
  set_phase(node, NodePhase::kAbsent);
}

void CanopenBus::set_phase(Node& node, NodePhase phase) noexcept {
  node.phase = phase;
  node.host.set_configured(phase == NodePhase::kRunning);
}

CanopenBus::Node* CanopenBus::node_of(std::uint8_t number) noexcept {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(),
                                  [number](const Node& node) { return node.number == number; });
  return found != nodes_.end() ? &*found : nullptr;
}

// What comes
// -------------------------------------------------------------------------------------------

void CanopenBus::receive(const can::Frame& frame, std::int64_t now) noexcept {
  if (frame.extended) return;
  for (Node& node : nodes_) {
    if (node.pdos.take(frame) != JointPdos::Verdict::kNotMine) return;
  }
  if (nmt_.receive(frame, now)) return follow_events(now);
  const auto number = static_cast<std::uint8_t>(frame.id & 0x7FU);
  Node* node = node_of(number);
  if (node == nullptr) return;
  if (node->setup.receive(frame, now, out_)) return follow_setup(*node);
  if (const auto emergency = canopen::emergency_of(frame)) {
    node->emergency = *emergency;
    ++node->emergencies;
  }
}

void CanopenBus::poll(std::int64_t now) noexcept {
  if (!started_) return;
  heartbeat_.poll(NmtState::kOperational, now, out_);
  nmt_.poll(now);
  follow_events(now);
  for (Node& node : nodes_) {
    if (node.phase != NodePhase::kSettingUp) continue;
    node.setup.poll(now, out_);
    follow_setup(node);
  }
}

void CanopenBus::follow_events(std::int64_t now) noexcept {
  while (const auto event = nmt_.next_event()) {
    Node* node = node_of(event->what.node);
    if (node != nullptr) {
      follow_event(*node, *event, now);
    } else if (event->what.node != kHostNode) {
      foreign_[event->what.node] = true;
    }
  }
}

void CanopenBus::follow_event(Node& node, const canopen::NmtEvent& event,
                              std::int64_t now) noexcept {
  if (node.doubled) return;
  switch (event.what.kind) {
    case HeartbeatEvent::Kind::kBootUp:
      if (++node.boot_ups > 1 && node.phase == NodePhase::kSettingUp) return doubt(node);
      set_phase(node, NodePhase::kSettingUp);
      node.setup.start(now, out_);
      return;
    case HeartbeatEvent::Kind::kLost:
      if (node.phase != NodePhase::kFailed) set_phase(node, NodePhase::kLost);
      return;
    case HeartbeatEvent::Kind::kFirst:
    case HeartbeatEvent::Kind::kChanged:
    case HeartbeatEvent::Kind::kBack:
      break;
  }
  const bool operational = event.what.state == NmtState::kOperational;
  if (node.phase == NodePhase::kStarting && operational) {
    set_phase(node, NodePhase::kRunning);
  } else if (node.phase == NodePhase::kRunning && !operational) {
    set_phase(node, NodePhase::kTakenOut);
  }
}

/// A second boot-up before the first was set up: the node had just been powered on, or two nodes
/// have one number. Another reset tells.
void CanopenBus::doubt(Node& node) noexcept {
  node.setup.cancel(out_);
  node.boot_ups = 0;
  node.doubled = node.asked_again;
  if (!node.asked_again) nmt_.order(NmtCommand::kResetCommunication, node.number, out_);
  node.asked_again = true;
  set_phase(node, node.doubled ? NodePhase::kFailed : NodePhase::kAbsent);
}

void CanopenBus::follow_setup(Node& node) noexcept {
  if (node.phase != NodePhase::kSettingUp) return;
  if (node.setup.state() == SetupRun::State::kFailed) set_phase(node, NodePhase::kFailed);
  if (node.setup.state() != SetupRun::State::kDone) return;
  nmt_.watch(node.number, node.allowed_silence_ms);
  nmt_.order(NmtCommand::kStart, node.number, out_);
  set_phase(node, NodePhase::kStarting);
  node.boot_ups = 0;
  node.asked_again = false;
}

// The cycle
// -------------------------------------------------------------------------------------------

void CanopenBus::open_cycle(std::int64_t now) noexcept {
  poll(now);
  for (Node& node : nodes_) node.pdos.open_cycle();
  out_.push(sync_.next());
}

bool CanopenBus::is_complete() const noexcept {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    return node.phase != NodePhase::kRunning || node.pdos.is_complete();
  });
}

void CanopenBus::close_cycle() noexcept {
  for (Node& node : nodes_) {
    if (auto report = node.pdos.close_cycle()) {
      // What a drive's mapping does not carry is known by other means.
      if (!node.pdos.tells_mode()) report->mode = node.mode_told;
      if (!node.pdos.tells_error_code()) report->error_code = node.emergency.code;
      node.host.heard(*report);
    } else {
      node.host.silent();
    }
    if (const auto slow = node.pdos.take_slow()) node.host.heard(*slow);
  }
}

void CanopenBus::write(std::size_t joint, const JointSetpoint& setpoint) noexcept {
  Node& node = nodes_[joint];
  DriveOrder order;
  if (!node.host.order(setpoint, order) || node.phase != NodePhase::kRunning) return;
  node.mode_told = order.mode;
  std::array<can::Frame, JointPdos::kMostOut> frames;
  const std::size_t count = node.pdos.put(order, frames);
  for (std::size_t i = 0; i < count; ++i) out_.push(frames[i]);
}

void CanopenBus::begin() noexcept {
  for (Node& node : nodes_) node.host.begin();
}

void CanopenBus::stop() noexcept {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    write(i, JointSetpoint{});
    if (nodes_[i].phase == NodePhase::kRunning) {
      nmt_.order(NmtCommand::kEnterPreOperational, nodes_[i].number, out_);
    }
    set_phase(nodes_[i], NodePhase::kAbsent);
  }
  started_ = false;
}

// In words
// -------------------------------------------------------------------------------------------

bool CanopenBus::all_running() const noexcept {
  return std::all_of(nodes_.begin(), nodes_.end(),
                     [](const Node& node) { return node.phase == NodePhase::kRunning; });
}

bool CanopenBus::is_decided() const noexcept {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    return node.phase == NodePhase::kRunning || node.phase == NodePhase::kFailed;
  });
}

std::size_t CanopenBus::steps_done() const noexcept {
  std::size_t sum = 0;
  for (const Node& node : nodes_) sum += node.setup.done();
  return sum;
}

std::string CanopenBus::node_text(std::size_t joint) const {
  const Node& node = nodes_[joint];
  const std::string who = node.name + " (node " + std::to_string(node.number) + ")";
  switch (node.phase) {
    case NodePhase::kRunning:
      return {};
    case NodePhase::kAbsent:
      return who +
             " does not answer: no boot-up message came after a reset; look at its supply, "
             "its number and the bit rate";
    case NodePhase::kSettingUp:
      return who + " is being set up: step " + std::to_string(node.setup.done() + 1) + " of " +
             std::to_string(node.setup.size());
    case NodePhase::kStarting:
      return who + " was set up and started, but shows no operational heartbeat";
    case NodePhase::kLost:
      return who + " has sent no heartbeat for " + std::to_string(node.allowed_silence_ms) + " ms";
    case NodePhase::kTakenOut:
      return who + " was taken out of operation by somebody else on the bus";
    case NodePhase::kFailed:
      return node.doubled ? who +
                                ": two boot-up messages came after one reset: two nodes share the "
                                "number, or it starts over and over"
                          : node.name + ": " + node.setup.failure_text();
  }
  return {};
}

std::vector<std::uint8_t> CanopenBus::foreign_nodes() const {
  std::vector<std::uint8_t> numbers;
  for (std::size_t i = 0; i < foreign_.size(); ++i) {
    if (foreign_[i]) numbers.push_back(static_cast<std::uint8_t>(i));
  }
  return numbers;
}

}  // namespace jointrig::hw
