#include "app/wiggle/served_wiggle.h"

#include <fmt/core.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace jointrig::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestTakeover{2000};
constexpr milliseconds kOneLook{20};  ///< for a cycle, before connection and lease are looked at
constexpr double kTooSilent = 1.0;    ///< as of a run (app/run/connected_job.cpp) [s]

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
  return true;
}

void ServedWiggle::send_commands() {
  inbox_.drain(CommandInbox::kCapacity, [this](const Command& command) {
    const remote::Connection::Posted posted = connection_->post(command.request);
    if (posted.number == 0) throw std::runtime_error(posted.why_not);
  });
}

void ServedWiggle::look() const {
  if (const std::string lost = connection_->lost(); !lost.empty()) {
    throw std::runtime_error("the connection is lost: " + lost);
  }
  if (connection_->silent_for() > kTooSilent) {
    throw std::runtime_error(
        fmt::format("no word came from the robot for {:.1f} s", connection_->silent_for()));
  }
  const remote::LeaseState lease = connection_->lease();
  if (lease.is_mine) return;
  throw std::runtime_error(
      lease.holder.empty() ? "ended from outside: somebody stopped the robot, or the lease ended"
                           : "ended from outside: " + lease.holder + " took the robot over");
}

}  // namespace jointrig::app
