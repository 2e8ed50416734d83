#include "app/bus/node_scan.h"

#include <algorithm>

#include "app/bus/frame_words.h"
#include "hw/canopen/bytes.h"
#include "hw/canopen/eds_reader.h"

namespace jointrig::app {
namespace {

using canopen::SdoClient;

constexpr std::array<canopen::EntryAddress, 7> kObjects{
    {{0x1000, 0}, {0x1018, 1}, {0x1018, 2}, {0x1018, 3}, {0x1018, 4}, {0x1008, 0}, {0x6041, 0}}};
constexpr std::int64_t kLastWords = 50'000'000;  // [ns] for a second answer to the last question
constexpr std::uint8_t kAbortKind = 4;

}  // namespace

NodeScan::NodeScan(const NodeScanOptions& options) : options_(options) {
  for (std::size_t node = 0; node < seen_.size(); ++node) {
    seen_[node].node.node = static_cast<std::uint8_t>(node);
  }
  for (int node = options.first; node <= options.last; ++node) {
    waiting_.push_back(static_cast<std::uint8_t>(node));
  }
}

void NodeScan::start(std::int64_t now) noexcept { end_ = now + options_.listen; }

void NodeScan::receive(const can::Frame& frame, std::int64_t now) {
  hear(frame);
  const FrameRole role = role_of(frame);
  if (role.kind != FrameKind::kSdoAnswer) return;
  ++seen_[role.node].answers;
  const auto asked = std::find_if(probes_.begin(), probes_.end(),
                                  [&](const Probe& probe) { return probe.node == role.node; });
  if (asked == probes_.end()) return ask_again(role.node);
  canopen::FrameQueue next;
  asked->sdo.receive(frame, now, next);
  send(next, role.node);
  if (!follow(*asked, now)) probes_.erase(asked);
  begin_probes(now);
}

void NodeScan::hear(const can::Frame& frame) {
  const FrameRole role = role_of(frame);
  Seen& seen = seen_[role.node];
  switch (role.kind) {
    case FrameKind::kHeartbeat:
      if (const auto state = canopen::heartbeat_state_of(frame)) seen.node.nmt = *state;
      break;
    case FrameKind::kSdoRequest:
      seen.foreign_questions = true;
      return;  // another client addresses it; that doesn't prove that it exists
    case FrameKind::kTpdo:
    case FrameKind::kEmergency:
    case FrameKind::kSdoAnswer:
      break;
    default:
      return;
  }
  seen.heard = true;
}

/// A node that sends a frame after its time-out is slow, not absent.
void NodeScan::ask_again(std::uint8_t node) {
  Seen& seen = seen_[node];
  if (seen.asked_again || seen.node.answers) return;
  if (std::find(waiting_.begin(), waiting_.end(), node) != waiting_.end()) return;
  if (node < options_.first || node > options_.last) return;
  seen.asked_again = true;
  waiting_.push_back(node);
}

void NodeScan::poll(std::int64_t now) {
  for (std::size_t i = 0; i < probes_.size();) {
    canopen::FrameQueue next;
    probes_[i].sdo.poll(now, next);
    send(next, probes_[i].node);
    if (follow(probes_[i], now)) {
      ++i;
    } else {
      probes_.erase(probes_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  begin_probes(now);
  if (!probes_.empty() || !waiting_.empty()) {
    end_ = std::max(end_, now + kLastWords);
  } else if (now >= end_) {
    done_ = true;
  }
}

void NodeScan::begin_probes(std::int64_t now) {
  while (static_cast<int>(probes_.size()) < options_.in_flight && !waiting_.empty()) {
    const std::uint8_t node = waiting_.front();
    waiting_.pop_front();
    const bool known = seen_[node].heard;
    const std::int64_t patience = known ? options_.second_patience : options_.patience;
    Probe& probe =
        probes_.emplace_back(Probe{node, 0, SdoClient(node, {.time_out = patience, .tries = 1})});
    ask(probe, now);
  }
}

bool NodeScan::ask(Probe& probe, std::int64_t now) {
  canopen::FrameQueue next;
  const canopen::EntryAddress object = kObjects[probe.object];
  probe.sdo.upload(object.index, object.sub, now, next);
  send(next, probe.node);
  return true;
}

bool NodeScan::follow(Probe& probe, std::int64_t now) {
  if (probe.sdo.state() == SdoClient::State::kBusy) return true;
  const bool silent =
      probe.sdo.state() == SdoClient::State::kFailed && !probe.sdo.refused_by_node();
  if (silent) {
    if (seen_[probe.node].heard && probe.object == 0) ask_again(probe.node);
    return false;
  }
  seen_[probe.node].node.answers = true;
  if (probe.sdo.state() == SdoClient::State::kDone) keep(probe);
  const bool no_drive = !seen_[probe.node].node.is_drive();
  if (++probe.object == kObjects.size()) return false;
  if (kObjects[probe.object].index == 0x6041 && no_drive) return false;
  return ask(probe, now);
}

void NodeScan::keep(const Probe& probe) {
  FoundNode& node = seen_[probe.node].node;
  const std::span<const std::uint8_t> value = probe.sdo.value();
  const std::uint64_t bits = canopen::load_little_endian(value, value.size());
  const auto number = static_cast<std::uint32_t>(bits);
  switch (probe.object) {
    case 0:
      node.device_type = number;
      break;
    case 1:
      node.vendor = number;
      break;
    case 2:
      node.product = number;
      break;
    case 3:
      node.revision = number;
      break;
    case 4:
      node.serial = number;
      break;
    case 5:
      node.name.assign(value.begin(), value.end());
      break;
    default:
      node.statusword = static_cast<std::uint16_t>(bits);
  }
}

void NodeScan::send(canopen::FrameQueue& from, std::uint8_t node) {
  while (const auto frame = from.pop()) {
    if (frame->data[0] >> 5 != kAbortKind) ++seen_[node].questions;  // an abort has no answer
    out_.push(*frame);
  }
}

std::vector<FoundNode> NodeScan::found() const {
  std::vector<FoundNode> nodes;
  for (const Seen& seen : seen_) {
    if (!seen.heard || seen.node.node == 0) continue;
    nodes.push_back(seen.node);
    nodes.back().doubled = seen.answers > seen.questions && !seen.foreign_questions;
  }
  return nodes;
}

}  // namespace jointrig::app
