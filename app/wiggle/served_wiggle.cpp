#include "app/wiggle/served_wiggle.h"

#include <chrono>
#include <stdexcept>
#include <string>

#include "app/run/connection_end.h"
#include "harness/log/event_text.h"

namespace jointrig::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestTakeover{2000};
constexpr milliseconds kOneLook{20};  ///< for a cycle, before connection and lease are looked at

}  // namespace

ServedWiggle::ServedWiggle(const RobotConfig& config,
                           std::unique_ptr<remote::Connection> connection, bool take_over)
    : config_(&config), connection_(std::move(connection)) {
  std::string why = connection_->follow_cycles();
  if (why.empty()) why = connection_->take(take_over, kLongestTakeover);
  if (!why.empty()) throw std::runtime_error(why);
}

bool ServedWiggle::step() {
  send_commands();
  do {
    look();
  } while (!connection_->next_cycle(kOneLook, *snapshot_, events_));
  look_for_refusals();
  return true;
}

void ServedWiggle::send_commands() {
  inbox_.drain(CommandInbox::kCapacity, [this](const Command& command) {
    const remote::Connection::Posted posted = connection_->post(command.request);
    if (posted.number == 0) throw std::runtime_error(posted.why_not);
  });
}

void ServedWiggle::look() {
  if (const std::string ended = why_ended(*connection_); !ended.empty()) {
    throw std::runtime_error(ended);
  }
  // By the server, not by the loop: more commands than it takes, say.
  const std::vector<remote::CommandAnswer> refused = connection_->take_refusals();
  if (!refused.empty()) throw std::runtime_error(refused.front().event.sentence);
}

/// A joint that doesn't move since its command was refused isn't one with a wrong sign.
void ServedWiggle::look_for_refusals() const {
  for (const Event& event : events_) {
    if (event.kind != EventKind::kRejected) continue;
    const std::string sender = connection_->sender_of(event);
    if (sender != connection_->sender()) continue;
    throw std::runtime_error(harness::sentence(event, *config_, sender));
  }
}

}  // namespace jointrig::app
