#pragma once
/// A client of a served robot for a program that has no gRPC of its own: an interface, in a library
/// that is loaded when it is wanted (app/serve/server_library.h). No exception crosses it but those
/// of make_connection().

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/core/command.h"
#include "control/core/event.h"
#include "control/core/snapshot.h"
#include "remote/client.h"
#include "remote/state_message.h"

namespace jointrig::remote {

/// An event of the served robot. Its sender is a name, since numbers of senders are the server's
/// own.
struct HeardEvent {
  Event event;
  std::string sender;
  std::string sentence;
};

/// Client, with sentences in place of exceptions. Any thread.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  /// Its lease ends with it, and the robot stops.
  virtual ~Connection() = default;

  [[nodiscard]] virtual const RobotFacts& facts() const = 0;
  /// Name of this client's commands in events.
  [[nodiscard]] virtual const std::string& sender() const = 0;

  /// Why it ended; empty while it lives.
  [[nodiscard]] virtual std::string lost() const = 0;
  /// Time since anything came from the server [s].
  [[nodiscard]] virtual double silent_for() const = 0;
  /// Asks for an answer without waiting for it.
  virtual void ping() = 0;
  /// Ends it, and whatever call waits.
  virtual void end() noexcept = 0;

  [[nodiscard]] virtual LeaseState lease() const = 0;
  /// @returns empty, or a sentence that tells why not, after `longest` at the latest
  virtual std::string take(bool by_force, std::chrono::milliseconds longest) = 0;
  virtual void release() = 0;

  struct Posted {
    std::uint64_t number = 0;  ///< 0: not sent
    std::string why_not;
  };
  virtual Posted post(const Request& request) = 0;
  /// Has a motion planned there, and doesn't wait for the plan. Where none was made the command's
  /// ticket is empty, which the loop refuses, and the remark tells why. The call ends before the
  /// connection.
  [[nodiscard]] virtual std::unique_ptr<PlanCall> begin_plan(const Trajectory& trajectory) = 0;
  /// Parameters in force; none: no answer within `longest`.
  virtual std::optional<ParameterTable> parameters(std::chrono::milliseconds longest) = 0;
  /// As of Client. @returns empty, or a sentence that tells why not, after `longest` at the latest
  virtual std::string save_parameters(bool only_compare, std::chrono::milliseconds longest,
                                      SavedChanges& saved) = 0;
  /// Refusals by the server since the last call; those of the loop are events.
  virtual std::vector<CommandAnswer> take_refusals() = 0;
  /// Since the last call, oldest first.
  virtual std::vector<HeardEvent> take_events() = 0;

  /// Has every cycle sent from here on. @returns empty, or a sentence that tells why not
  virtual std::string follow_cycles() = 0;
  // After follow_cycles(), for one thread; as of Client.
  virtual bool next_cycle(std::chrono::milliseconds longest, Snapshot& snapshot,
                          std::vector<Event>& events) = 0;
  [[nodiscard]] virtual std::uint64_t cycles_missed() const = 0;
  [[nodiscard]] virtual std::uint64_t events_missed() const = 0;
  [[nodiscard]] virtual std::string sender_of(const Event& event) const = 0;

  /// Name of a sender in `suppressed_by` of the newest state; empty: unknown.
  [[nodiscard]] virtual std::string suppressor(std::uint16_t sender) const = 0;

  /// Waits for a state of this cycle or a later one, and copies the newest.
  /// @returns false after `longest`, and once the connection is lost
  virtual bool next(std::uint64_t cycle, std::chrono::milliseconds longest, Snapshot& newest) = 0;
};

/// Connects, and waits for the first state. Throws std::exception with a sentence.
[[nodiscard]] std::unique_ptr<Connection> make_connection(const ClientOptions& options);

}  // namespace jointrig::remote
