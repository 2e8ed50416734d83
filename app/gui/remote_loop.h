#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/robot_feed.h"
#include "app/run/sender_numbers.h"
#include "gui/panel/served.h"
#include "remote/connection.h"

namespace jointrig::app {

/// Opens a connection; throws std::exception with a sentence.
using Connect =
    std::function<std::unique_ptr<remote::Connection>(const remote::ClientOptions& options)>;

struct RemoteOptions {
  remote::ClientOptions client;
  std::string robot;    ///< that has to be served there; empty: any
  std::string version;  ///< that the server must have
};

/// A robot that is served elsewhere, for a panel (docs/remote.md):
///
///     its thread   inbox → connection;   connection → plot rows, newest state, events
///     window       rows, state, events → panel;   panel → inbox, lease
///
/// The window never waits for the network, apart from a take of the lease and the writing of
/// parameters, half a second at most.
///
///     the link   when                                        the panel
///     live       something came within a second              as the lease is
///     silent     nothing came for kSilentAfter               OBSERVE; the lease is given back
///     lost       it ended, or was silent for kGoneAfter      OBSERVE; each second it is tried
///     again
///
/// Requests while it is lost are refused at once: nothing waits for a robot that comes back.
class RemoteLoop final : public RobotFeed, public gui::Served {
 public:
  static constexpr double kSilentAfter = 1.0;  ///< [s]: a choice
  static constexpr double kGoneAfter = 10.0;   ///< [s]: a choice
  static constexpr double kTryEach = 1.0;      ///< [s]
  static constexpr std::chrono::milliseconds kLongestTake{500};
  static constexpr std::size_t kMostRefusals = 64;

  /// Connects. Throws what `connect` throws, and std::runtime_error: another robot, another
  /// version.
  RemoteLoop(RemoteOptions options, Connect connect);
  /// Its lease ends, and the robot stops.
  ~RemoteLoop() override;

  [[nodiscard]] const remote::RobotFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] const RobotConfig& config() const noexcept { return facts_.config; }
  /// For calls that don't wait; null while it is lost. Another one is another connection.
  [[nodiscard]] std::shared_ptr<remote::Connection> connection() const;

  // For who follows each cycle (remote_follower.h).

  /// A second connection to the same robot. Throws as the first one.
  [[nodiscard]] std::unique_ptr<remote::Connection> connect_beside(const std::string& name,
                                                                   double rate) const;
  /// The server's refusals of commands that others have posted by this connection, since the last
  /// call; the newest kMostRefusals.
  [[nodiscard]] std::vector<remote::CommandAnswer> take_refusals_of_others();
  /// Told in its thread of each command that the panel has sent, with the connection's number. Once
  /// this returns, the watch before isn't called any more.
  using PostWatch = std::function<void(const Request& request, std::uint64_t number)>;
  void watch_posts(PostWatch watch);

  // RobotFeed

  [[nodiscard]] gui::PanelRobot panel_robot() override;
  [[nodiscard]] CommandInbox& inbox() override { return inbox_; }
  [[nodiscard]] gui::TraceRing& ring() override { return *ring_; }
  [[nodiscard]] const RobotConfig& plotted() override { return plotted_; }
  bool newest(Snapshot& snapshot) noexcept override;
  bool next(Event& event) override;
  [[nodiscard]] std::string sentence(const Event& /*event*/) override { return sentence_; }
  [[nodiscard]] std::optional<ParameterTable> take_parameters() override;
  [[nodiscard]] gui::LoopHealth health() override;
  std::vector<std::string> take_news() override;
  /// Never: it is tried again.
  [[nodiscard]] std::optional<std::string> why_ended() const override { return std::nullopt; }

  // Served

  [[nodiscard]] const std::string& address() const override { return options_.client.address; }
  [[nodiscard]] const std::string& viewer_address() const override { return none_; }
  [[nodiscard]] gui::ServedNow now() const override;
  std::string take(bool by_force) override;
  void release() override { wants_lease_.store(false); }
  void stopped() override {}  // the server ends the lease of others at a stop
  [[nodiscard]] bool is_elsewhere() const override { return true; }
  std::string take_for_off() override { return now().is_ours ? std::string() : take(true); }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Link { kLive, kSilent, kLost };
  struct Told {
    Event event;
    std::string sentence;
  };

  [[nodiscard]] std::unique_ptr<remote::Connection> connect(
      const remote::ClientOptions& options) const;
  void check(const remote::RobotFacts& facts) const;
  [[nodiscard]] std::string why_dead() const;

  // Its thread.

  void run(const std::stop_token& stop);
  void follow(remote::Connection& connection);
  void send_commands(remote::Connection& connection);
  void take_state(remote::Connection& connection);
  void take_answers(remote::Connection& connection);
  void keep_of_others(const remote::CommandAnswer& refusal);
  void keep_lease(remote::Connection& connection);
  void ask_for_parameters(remote::Connection& connection);
  /// @returns false: the connection has ended
  bool judge(remote::Connection& connection);
  void lose(const std::string& why);
  void try_again();
  void refuse_commands();
  void refuse(const Command& command, const std::string& why);
  void tell(const Event& event, std::string sentence);
  void tell_person(std::string sentence);
  void name_sender(const remote::HeardEvent& heard, Event& event);
  void name_suppressors(const remote::Connection& connection);
  bool is_own(const remote::HeardEvent& heard, Event& event);
  void count_state();

  RemoteOptions options_;
  Connect connect_;
  remote::RobotFacts facts_;
  std::string none_;
  std::uint64_t each_ = 1;  ///< cycles between two states
  RobotConfig plotted_;
  CommandInbox inbox_;
  std::unique_ptr<gui::TraceRing> ring_;
  std::atomic<bool> wants_lease_{false};
  std::string sentence_;  ///< the window's

  mutable std::mutex mutex_;  ///< of all up to the next line
  std::shared_ptr<remote::Connection> connection_;
  Link link_ = Link::kLive;
  std::string why_lost_;
  std::unique_ptr<Snapshot> newest_;
  bool has_newest_ = false;
  std::deque<Told> events_;
  std::vector<std::string> news_;
  std::deque<remote::CommandAnswer> refusals_of_others_;
  std::optional<ParameterTable> parameters_;  ///< that the window hasn't taken yet
  double states_ = 0.0;                       ///< a second

  std::mutex watch_mutex_;  ///< of the next one
  PostWatch watch_posts_;

  // Its thread's.
  std::unique_ptr<Snapshot> state_;
  std::uint64_t cycle_ = 0;                    ///< of the last state
  std::uint16_t own_ = 0;                      ///< the panel's sender; 0: it has sent nothing yet
  std::map<std::uint64_t, Command> sent_;      ///< by the connection's number, until answered
  std::map<std::uint64_t, Command> followed_;  ///< likewise: plans, until their end
  SenderNumbers senders_;                      ///< of others
  bool parameters_due_ = true;                 ///< others may have set some
  Clock::time_point asked_at_;                 ///< for them
  Clock::time_point pinged_at_;
  Clock::time_point tried_at_;
  Clock::time_point counted_from_ = Clock::now();
  int counted_ = 0;
  std::jthread thread_;
};

}  // namespace jointrig::app
