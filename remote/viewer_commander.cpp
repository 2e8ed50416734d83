#include "remote/viewer_commander.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "harness/log/event_text.h"

namespace jointrig::remote {
namespace {

/// A loop that runs answers in a cycle or two; a choice.
constexpr std::chrono::seconds kLongestAnswer{1};

}  // namespace

ViewerCommander::ViewerCommander(const ServedRobot& robot, Server& server)
    : robot_(&robot),
      server_(&server),
      lease_(&server.lease()),
      events_(*robot.events),
      change_(lease_->now().number) {
  for (std::uint16_t& sender : senders_) sender = robot.inbox->connect("viewer");
}

std::string ViewerCommander::name_of(ClientId client) { return fmt::format("viewer{}", client); }

std::string ViewerCommander::take(ClientId client, bool by_force) {
  const LeaseChange before = lease_->now();
  const std::size_t next = (sender_ + 1) % senders_.size();
  const std::string name = name_of(client);
  if (before.holder == client) return {};
  if (by_force || before.holder == 0) robot_->inbox->rename(senders_[next], name);
  std::string refusal = lease_->take(client, name, by_force, senders_[next]);
  if (!refusal.empty()) return refusal;
  sender_ = next;
  holder_ = client;
  epoch_ = lease_->now().epoch;
  return {};
}

std::string ViewerCommander::save(SavedChanges& saved) const {
  if (!robot_->save_parameters) return "parameters: none are written here";
  try {
    saved = robot_->save_parameters(/*only_compare=*/false);
    return {};
  } catch (const std::exception& error) {
    return fmt::format("parameters: {}", error.what());
  }
}

std::string ViewerCommander::why_not(ClientId client) const {
  const LeaseChange lease = lease_->now();
  if (lease.holder == client) return {};
  if (lease.holder == 0) return "commands need the lease, and it is free: call /take_lease first";
  return fmt::format("commands need the lease, and {} holds it: wait, or call /take_over_lease",
                     lease.holder_name);
}

void ViewerCommander::give(ClientId client, const Request& request, Told told) {
  const CommandKind kind = kind_of(request);
  if (const std::string refusal = why_not(client); !refusal.empty()) {
    return told(fmt::format("{}: {}", to_string(kind), refusal));
  }
  const Clock::time_point now = Clock::now();
  if (!commands_.take(now)) {
    return told(fmt::format("{}: more than {:.0f} commands a second, or {:.0f} at once",
                            to_string(kind), kCommandRate, kCommandBurst));
  }
  bool is_full = false;
  const LeaseRefusal refusal = lease_->pass(
      client, client == holder_ ? epoch_ : 0, [&] { is_full = !push(request); },
      // It went in while the loop ended the lease: a stop goes after it.
      [&] {
        Stop all;
        for (std::size_t i = 0; i < robot_->config->joints.size(); ++i) all.joints.set(i);
        push(all);
      });
  if (!refusal.reason.empty()) {
    return told(fmt::format("{}: {}", to_string(kind), refusal.sentence));
  }
  if (is_full) {
    return told(fmt::format("{}: the inbox is full, the loop takes no commands", to_string(kind)));
  }
  waiting_.push_back({number_, kind, now + kLongestAnswer, std::move(told), std::nullopt});
}

bool ViewerCommander::push(const Request& request) {
  return robot_->inbox->push(
      {.request = request, .sender = senders_[sender_], .number = ++number_});
}

void ViewerCommander::read_events() {
  for (Event event; events_.next(event);) {
    if (event.kind != EventKind::kAccepted && event.kind != EventKind::kRejected) continue;
    if (std::find(senders_.begin(), senders_.end(), event.sender) == senders_.end()) continue;
    for (Waiting& one : waiting_) {
      if (one.number == event.number) one.answer = event;
    }
  }
}

/// An answer is told with the state after it: the cycle that it names has left parameters and modes
/// as the command wants them once a later one is seen.
void ViewerCommander::answer(std::uint64_t cycle) {
  read_events();
  const Clock::time_point now = Clock::now();
  const auto done =
      std::stable_partition(waiting_.begin(), waiting_.end(), [&](const Waiting& one) {
        return now < one.due && !(one.answer && cycle > one.answer->cycle);
      });
  const std::vector<Waiting> answered(std::make_move_iterator(done),
                                      std::make_move_iterator(waiting_.end()));
  waiting_.erase(done, waiting_.end());
  for (const Waiting& one : answered) one.told(sentence_of(one));
}

std::string ViewerCommander::sentence_of(const Waiting& waiting) const {
  if (!waiting.answer) {
    return fmt::format("{}: the loop has not answered yet: it takes the command when it runs",
                       to_string(waiting.kind));
  }
  if (waiting.answer->kind == EventKind::kAccepted) return {};
  return harness::sentence(*waiting.answer, *robot_->config);
}

std::vector<LeaseChange> ViewerCommander::lease_changes() {
  std::vector<LeaseChange> changes = lease_->changes_after(change_);
  if (!changes.empty()) change_ = changes.back().number;
  return changes;
}

}  // namespace jointrig::remote
