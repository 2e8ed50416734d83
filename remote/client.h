#pragma once
/// A client of a served robot, for any thread. It keeps its lease alive by a thread of its own,
/// takes the state that comes, and keeps events and refusals until they are asked for.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "control/core/asked_reach.h"
#include "control/core/command.h"
#include "control/core/event.h"
#include "control/core/snapshot.h"
#include "control/exchange/parameter_exchange.h"
#include "remote/file_stream.h"
#include "remote/saved_changes.h"
#include "remote/served_files.h"
#include "remote/state_message.h"
#include "remote/trajectory.h"

namespace jointrig::remote {

struct ClientOptions {
  std::string address = "127.0.0.1:4600";
  std::string name = "client";
  double rate = 200.0;  ///< states a second; 0: one each cycle
  std::string tls_ca;   ///< file with the certificates that the server's is checked by; empty: none
  std::string token;    ///< empty: none
  /// Called when anything has come, or the connection has ended; from threads of the client's, or
  /// of gRPC's. It neither waits nor calls the client.
  std::function<void()> on_change = {};
};

/// The server can't be reached, is gone, or does not let this client in.
class ConnectionLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// Another client holds the lease, or this one no longer does.
class NoLease : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The one who is told of an answer.
enum class AnswerTo : std::uint8_t {
  kAsker,     ///< answer(), try_answer() or leave_answer() is called for each
  kRefusals,  ///< take_refusals()
};

/// Answer to a command.
struct CommandAnswer {
  std::uint64_t number = 0;
  bool accepted = false;
  EventRecord event;  ///< of a refusal: reason and sentence at least
};

struct LeaseState {
  std::uint64_t epoch = 0;
  std::string holder;  ///< empty: it is free
  bool is_mine = false;
};

class Client {
 public:
  static constexpr std::size_t kKeptEvents = 100'000;          ///< a choice: some 30 MB
  static constexpr std::chrono::milliseconds kSignOfLife{25};  ///< HolderWatch waits for 0.2 s

  /// Connects and waits for the first state. Throws ConnectionLost, or std::invalid_argument.
  explicit Client(const ClientOptions& options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] const RobotFacts& facts() const noexcept;
  /// Name of this client's commands in events and in the log.
  [[nodiscard]] const std::string& sender() const noexcept;

  /// Takes the lease. Throws NoLease, ConnectionLost, also without an answer after `longest`.
  void take(bool by_force = false, std::chrono::milliseconds longest = std::chrono::seconds(5));
  /// Gives it back, and the robot stops. No effect without a lease.
  void release();
  [[nodiscard]] LeaseState lease() const;

  /// Sends a command and returns its number. Throws NoLease before it is sent, ConnectionLost.
  std::uint64_t post(const Request& request, AnswerTo whom = AnswerTo::kRefusals);
  /// As post(), with the epoch given.
  std::uint64_t post(const Request& request, std::uint64_t epoch,
                     AnswerTo whom = AnswerTo::kRefusals);
  /// The command of a plan; a refusal's sentence has the plan's remark.
  std::uint64_t post(const PlannedMotion& planned, AnswerTo whom = AnswerTo::kRefusals);
  /// Has a motion planned, and sends the command that follows the plan. Throws as post(),
  /// std::invalid_argument for a trajectory that is none, and PlanDropped where a later one of the
  /// same joints supersedes it while it is planned.
  std::uint64_t follow(const Trajectory& trajectory, AnswerTo whom = AnswerTo::kRefusals);
  /// The first half of it: the command is to be posted soon, while its plan is kept. Throws
  /// likewise.
  PlannedMotion plan(const Trajectory& trajectory);
  /// As plan(), without waiting. Exceptions of plan() come from here or from PlanCall::take(). The
  /// call ends before the client.
  [[nodiscard]] std::unique_ptr<PlanCall> begin_plan(const Trajectory& trajectory);
  /// Joint positions that bring tools to poses, from where the robot is; nothing moves, and no
  /// lease is needed. Throws std::invalid_argument for what makes no sense, ConnectionLost.
  [[nodiscard]] ReachAnswer reach(const AskedReach& asked);
  /// Waits for the answer. Throws ConnectionLost, also after `longest`.
  [[nodiscard]] CommandAnswer answer(std::uint64_t number,
                                     std::chrono::milliseconds longest = std::chrono::seconds(5));
  /// The answer if it has come. Throws ConnectionLost.
  [[nodiscard]] std::optional<CommandAnswer> try_answer(std::uint64_t number);
  /// Nobody will ask for it: a refusal is one of take_refusals().
  void leave_answer(std::uint64_t number);
  /// Brakes all joints, whoever holds the lease. Throws ConnectionLost.
  void stop();
  /// Time until a sign of life is answered [s]. Throws ConnectionLost.
  [[nodiscard]] double round_trip();
  /// Why the connection ended; empty while it lives.
  [[nodiscard]] std::string lost() const;
  /// Time since anything came from the server [s].
  [[nodiscard]] double silent_for() const;
  /// Asks for an answer without waiting for it: a server that lives is not silent then. No effect
  /// once the connection is lost.
  void ping();
  /// Ends the connection, and whatever call waits for it, from any thread.
  void end() noexcept;

  /// Refusals since the last call, but for those that somebody will ask for.
  std::vector<CommandAnswer> take_refusals();
  /// Events since the last call, oldest first.
  std::vector<EventRecord> take_events();
  /// Events that came too late for this client, or that take_events() was called too late for.
  [[nodiscard]] std::uint64_t events_lost() const;
  /// Name of a sender in `suppressed_by` of the newest state; empty: unknown.
  [[nodiscard]] std::string suppressor(std::uint16_t sender) const;
  /// States that this client was too slow for.
  [[nodiscard]] std::uint64_t states_dropped() const;

  /// Has every cycle sent, whole, from here on; one client at a time can. Throws ConnectionLost:
  /// another build, another follower.
  void follow_cycles();
  /// The next cycle, and the events up to it. Returns false after `longest`, and once the
  /// connection is lost. For one thread.
  bool next_cycle(std::chrono::milliseconds longest, Snapshot& snapshot,
                  std::vector<Event>& events);
  /// Cycles that were lost on the way, since follow_cycles().
  [[nodiscard]] std::uint64_t cycles_missed() const;
  [[nodiscard]] std::uint64_t events_missed() const;
  /// Name of the sender of an event of next_cycle(); empty: unknown.
  [[nodiscard]] std::string sender_of(const Event& event) const;

  /// Parameters in force, by whomever they were set. Throws ConnectionLost.
  [[nodiscard]] ParameterTable parameters(
      std::chrono::milliseconds longest = std::chrono::seconds(5));
  /// Writes those that differ from robot.yaml on the server's machine into it, or only compares.
  /// Throws NoLease, ConnectionLost, std::invalid_argument with the server's sentence.
  SavedChanges save_parameters(bool only_compare,
                               std::chrono::milliseconds longest = std::chrono::seconds(5));
  /// Files that the server gives, newest first. Throws ConnectionLost.
  [[nodiscard]] std::vector<ServedFile> files();
  /// Begins to fetch one. The stream ends before the client.
  [[nodiscard]] std::unique_ptr<FileStream> fetch(const std::string& name);

  /// Copies the newest state.
  void newest(Snapshot& snapshot) const;
  /// Waits for a state of this cycle or a later one; returns false after `longest`. Throws
  /// ConnectionLost.
  bool wait_for(std::uint64_t cycle, std::chrono::milliseconds longest);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace jointrig::remote
