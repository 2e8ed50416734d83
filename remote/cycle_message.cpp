#include "remote/cycle_message.h"

#include <cstring>

#include "remote/robot.pb.h"

namespace jointrig::remote {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
/// A message stays far below what a client takes (client.cpp).
constexpr int kCyclesAtOnce = 8;
constexpr int kEventsAtOnce = 512;

}  // namespace

SnapshotWords snapshot_words(const RobotConfig& config) noexcept {
  return {config.joints.size(), config.arms.size(), config.laws.size(), signal_count(config.laws)};
}

void write_layout(const RobotConfig& config, v1::CycleRequest& request) {
  request.set_snapshot_words(snapshot_words(config).size());
  request.set_snapshot_bytes(sizeof(Snapshot));
  request.set_event_bytes(sizeof(Event));
}

bool is_our_layout(const RobotConfig& config, const v1::CycleRequest& request) {
  return request.snapshot_words() == snapshot_words(config).size() &&
         request.snapshot_bytes() == sizeof(Snapshot) && request.event_bytes() == sizeof(Event);
}

// The server's side ------------------------------------------------------------------------------

CycleSource::CycleSource(const RobotConfig& config, const EventRing& events,
                         const CommandInbox& inbox)
    : words_(snapshot_words(config)), events_(events), inbox_(&inbox) {}

bool CycleSource::fill(CycleTap& tap, v1::Cycles& message) {
  message.Clear();
  std::string& cycles = *message.mutable_snapshots();
  for (int i = 0; i < kCyclesAtOnce && tap.next(snapshot_); ++i) {
    const std::size_t begin = cycles.size();
    cycles.resize(begin + words_.size() * kWord);
    words_.pack(snapshot_, [&](std::size_t k, std::uint64_t word) {
      std::memcpy(cycles.data() + begin + k * kWord, &word, kWord);
    });
  }
  // After the cycles: the events of each were published before it came.
  Event event;
  for (int i = 0; i < kEventsAtOnce && events_.next(event); ++i) {
    message.mutable_events()->append(reinterpret_cast<const char*>(&event), sizeof event);
    if (event.sender == 0 || !named_.insert(event.sender).second) continue;
    v1::Sender& sender = *message.add_senders();
    sender.set_id(event.sender);
    sender.set_name(std::string(std::string_view(inbox_->sender_name(event.sender))));
  }
  message.set_missed_cycles(tap.missed());
  message.set_missed_events(events_.lost());
  return !cycles.empty() || !message.events().empty();
}

// The client's side ------------------------------------------------------------------------------

CycleReader::CycleReader(const RobotConfig& config)
    : words_(snapshot_words(config)),
      joints_(config.joints.size()),
      arms_(config.arms.size()),
      laws_(config.laws.size()),
      signals_(signal_count(config.laws)) {}

bool CycleReader::take(const v1::Cycles& message) {
  const std::size_t size = words_.size() * kWord;
  if (message.snapshots().size() % size != 0 || message.events().size() % sizeof(Event) != 0) {
    return false;
  }
  for (std::size_t at = 0; at < message.snapshots().size(); at += size) {
    cycles_.push_back(message.snapshots().substr(at, size));
  }
  for (; cycles_.size() > kMost; ++lost_) cycles_.pop_front();
  for (std::size_t at = 0; at < message.events().size(); at += sizeof(Event)) {
    std::memcpy(static_cast<void*>(&events_.emplace_back()), message.events().data() + at,
                sizeof(Event));
  }
  for (const v1::Sender& sender : message.senders()) {
    senders_[static_cast<std::uint16_t>(sender.id())] = sender.name();
  }
  missed_cycles_ = message.missed_cycles();
  missed_events_ = message.missed_events();
  return true;
}

bool CycleReader::next(Snapshot& snapshot, std::vector<Event>& events) {
  events.clear();
  while (!cycles_.empty()) {
    const std::string bytes = std::move(cycles_.front());
    cycles_.pop_front();
    words_.unpack(snapshot, [&](std::size_t k) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + k * kWord, kWord);
      return word;
    });
    if (laws_ == 0) snapshot.laws.clear();
    if (signals_ == 0) snapshot.law_signals.clear();
    if (!is_whole(snapshot)) {
      ++lost_;
      continue;
    }
    while (!events_.empty() && events_.front().cycle <= snapshot.cycle) {
      events.push_back(events_.front());
      events_.pop_front();
    }
    return true;
  }
  return false;
}

/// Sizes that a reader may rely on.
bool CycleReader::is_whole(const Snapshot& snapshot) const noexcept {
  return snapshot.joints.size() == joints_ && snapshot.arms.size() == arms_ &&
         snapshot.laws.size() == laws_ && snapshot.law_signals.size() == signals_ &&
         snapshot.plans.size() <= kMaxPlans &&
         snapshot.grippers.size() <= snapshot.grippers.capacity() &&
         snapshot.obstacles.size() <= snapshot.obstacles.capacity() &&
         snapshot.force_torque.size() <= kMaxForceTorqueSensors;
}

std::string CycleReader::sender(std::uint16_t id) const {
  const auto found = senders_.find(id);
  return found == senders_.end() ? std::string() : found->second;
}

}  // namespace jointrig::remote
