#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/run/sender_numbers.h"
#include "control/exchange/command_inbox.h"
#include "harness/runner/plan_desk.h"
#include "remote/connection.h"

namespace jointrig::app {

/// Commands of a scenario's runner to a robot that another program serves, and the answers to them:
///
///     runner → inbox → send()  →  connection
///     runner ←        translate()  ←  events of each cycle
///
/// The runner knows its commands by their numbers in the inbox, the server by those of the
/// connection. One thread.
class ConnectedCommands final : public harness::PlansElsewhere {
 public:
  ConnectedCommands() = default;

  /// Commands go there from now on; answers to those before are others' from now on.
  void use(std::shared_ptr<remote::Connection> connection);
  [[nodiscard]] CommandInbox& inbox() noexcept { return inbox_; }

  /// Plans of the scenario's trajectories, made by the server's planner.
  std::unique_ptr<harness::PlanElsewhere> begin(const AskedTrajectory& asked) override;

  /// Answers get the numbers that the runner gave, and all others a sender of this inbox.
  /// @param heard  the connection that the events came by
  void translate(std::vector<Event>& events, const remote::Connection& heard);

  /// Sends what lies in the inbox, and appends it to `sent`.
  /// @returns why a command could not be sent; empty: all were
  [[nodiscard]] std::string send(std::vector<Command>& sent);

  /// This inbox's number of a sender elsewhere; 0: of nobody.
  [[nodiscard]] std::uint16_t number_of(const std::string& sender) {
    return senders_.of(sender, inbox_);
  }

 private:
  bool is_own(Event& event);

  std::shared_ptr<remote::Connection> connection_;
  CommandInbox inbox_;
  std::map<std::uint64_t, Command> sent_;  ///< by the connection's number
  SenderNumbers senders_;                  ///< of others
};

}  // namespace jointrig::app
