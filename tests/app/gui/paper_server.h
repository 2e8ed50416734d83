#pragma once
/// A server that exists on paper alone, for the panel's side of a connection.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "app/gui/remote_loop.h"
#include "app/gui/remote_options.h"
#include "app/version.h"

namespace jointrig::app {

using std::chrono::milliseconds;

/// Behaviour of the server that a test chooses, and the requests that reached it.
struct PaperServer {
  std::mutex mutex;
  remote::RobotFacts facts;
  std::string lost;      ///< of the present connection
  std::string why_none;  ///< no connection can be made
  double silent = 0.0;   ///< [s]
  std::string holder;
  bool is_mine = false;
  std::string lease_answer;          ///< to a take; "late": none in time, and then it is given
  std::uint64_t next_number = 1000;  ///< of a seat that others had before
  std::vector<Request> received;
  std::vector<remote::HeardEvent> events;
  std::vector<remote::CommandAnswer> refusals;
  std::vector<Snapshot> states;
  std::vector<remote::Trajectory> asked;         ///< to plan
  std::optional<remote::PlannedMotion> planned;  ///< the next plan that is made
  std::optional<ParameterTable> parameters;      ///< none: it gives no answer
  std::map<std::uint16_t, std::string> senders;  ///< their names, by the server's numbers
  std::string why_no_cycles;                     ///< to who wants to follow each
  std::vector<std::pair<Snapshot, std::vector<Event>>> cycles;  ///< with their events
  int parameter_calls = 0;
  int plans_alive = 0;  ///< that are waited for
  int connections = 0;
  int releases = 0;
  int pings = 0;
  bool ended = false;

  PaperServer() {
    facts.config.name = "paper";
    facts.config.joints.resize(2);
    facts.config.joints[0].name = "a";
    facts.config.joints[1].name = "b";
    facts.boards.resize(2);
    facts.backend = "sim";
    facts.version = std::string(kVersion);
  }
  void send_state(std::uint64_t cycle, double q) {
    const std::lock_guard lock(mutex);
    Snapshot& state = states.emplace_back();
    state.cycle = cycle;
    state.time_ns = static_cast<TimeNs>(cycle) * 1'000'000;
    state.joints.resize(2);
    state.joints[0].state.q = q;
  }
};

/// A plan that is there once the test has put it on the paper.
class PaperPlan final : public remote::PlanCall {
 public:
  explicit PaperPlan(PaperServer& server) : server_(&server) { ++server.plans_alive; }
  ~PaperPlan() override {
    const std::lock_guard lock(server_->mutex);
    --server_->plans_alive;
  }
  PaperPlan(const PaperPlan&) = delete;
  PaperPlan& operator=(const PaperPlan&) = delete;
  std::optional<remote::PlannedMotion> take() override {
    const std::lock_guard lock(server_->mutex);
    return std::exchange(server_->planned, std::nullopt);
  }

 private:
  PaperServer* server_;
};

class PaperConnection final : public remote::Connection {
  template <typename Call>
  auto locked(Call&& call) const {
    const std::lock_guard lock(server_->mutex);
    return call();
  }

 public:
  explicit PaperConnection(PaperServer& server) : server_(&server), facts_(server.facts) {}

  [[nodiscard]] const remote::RobotFacts& facts() const override { return facts_; }
  [[nodiscard]] const std::string& sender() const override { return sender_; }
  [[nodiscard]] std::string lost() const override {
    return locked([&] { return server_->lost; });
  }
  [[nodiscard]] double silent_for() const override {
    return locked([&] { return server_->silent; });
  }
  void ping() override {
    locked([&] { ++server_->pings; });
  }
  void end() noexcept override {
    locked([&] { server_->ended = true; });
  }
  [[nodiscard]] remote::LeaseState lease() const override {
    return locked([&] { return remote::LeaseState{1, server_->holder, server_->is_mine}; });
  }
  std::string take(bool by_force, milliseconds) override {
    return locked([&]() -> std::string {
      if (!server_->holder.empty() && !server_->is_mine && !by_force) {
        return "take: " + server_->holder + " holds the lease";
      }
      server_->is_mine = true;
      server_->holder = "panel";
      return server_->lease_answer == "late" ? "no answer about the lease" : "";
    });
  }
  void release() override {
    locked([&] {
      ++server_->releases;
      server_->is_mine = false;
      server_->holder.clear();
    });
  }
  std::unique_ptr<remote::PlanCall> begin_plan(const remote::Trajectory& trajectory) override {
    return locked([&] {
      server_->asked.push_back(trajectory);
      return std::make_unique<PaperPlan>(*server_);
    });
  }
  std::optional<ParameterTable> parameters(milliseconds) override {
    return locked([&] {
      ++server_->parameter_calls;
      return server_->parameters;
    });
  }
  std::string save_parameters(bool, milliseconds, remote::SavedChanges& saved) override {
    saved = {"robot.yaml", "+ kp"};
    return {};
  }
  Posted post(const Request& request) override {
    return locked([&]() -> Posted {
      const bool is_stop = kind_of(request) == CommandKind::kStop;
      if (!server_->is_mine && !is_stop) return {0, "move: this client doesn't hold the lease"};
      server_->received.push_back(request);
      return {++server_->next_number, ""};
    });
  }
  std::vector<remote::CommandAnswer> take_refusals() override {
    return locked([&] { return std::exchange(server_->refusals, {}); });
  }
  std::vector<remote::HeardEvent> take_events() override {
    return locked([&] { return std::exchange(server_->events, {}); });
  }
  std::string follow_cycles() override {
    return locked([&] { return server_->why_no_cycles; });
  }
  bool next_cycle(milliseconds longest, Snapshot& snapshot, std::vector<Event>& events) override {
    const bool came = locked([&] {
      if (server_->cycles.empty()) return false;
      std::tie(snapshot, events) = server_->cycles.front();
      server_->cycles.erase(server_->cycles.begin());
      return true;
    });
    if (!came) std::this_thread::sleep_for(longest);
    return came;
  }
  [[nodiscard]] std::uint64_t cycles_missed() const override { return 0; }
  [[nodiscard]] std::uint64_t events_missed() const override { return 0; }
  [[nodiscard]] std::string sender_of(const Event& event) const override {
    return locked([&] { return server_->senders[event.sender]; });
  }
  [[nodiscard]] std::string suppressor(std::uint16_t sender) const override {
    return locked([&] { return server_->senders[sender]; });
  }
  bool next(std::uint64_t cycle, milliseconds longest, Snapshot& newest) override {
    const bool came = locked([&] {
      if (server_->states.empty() || server_->states.front().cycle < cycle) return false;
      newest = server_->states.front();
      server_->states.erase(server_->states.begin());
      return true;
    });
    if (!came) std::this_thread::sleep_for(longest);
    return came;
  }

 private:
  PaperServer* server_;
  remote::RobotFacts facts_;
  std::string sender_ = "remote2:panel";
};

struct RemoteLoopTest : ::testing::Test {
  [[nodiscard]] std::unique_ptr<RemoteLoop> opened(const std::string& robot = "") {
    RemoteRobot where;
    where.address = "paper";
    where.robot = robot;
    return std::make_unique<RemoteLoop>(
        remote_options(where),
        [this](const remote::ClientOptions&) -> std::unique_ptr<remote::Connection> {
          const std::lock_guard lock(server.mutex);
          if (!server.why_none.empty()) throw std::runtime_error(server.why_none);
          ++server.connections;
          server.lost.clear();
          return std::make_unique<PaperConnection>(server);
        });
  }
  [[nodiscard]] std::string error(const std::string& robot = "") {
    try {
      static_cast<void>(opened(robot));
    } catch (const std::exception& refused) {
      return refused.what();
    }
    return "none";
  }
  template <typename Is>
  [[nodiscard]] bool wait_for(const Is& is_so) {
    for (int i = 0; i < 20'000; ++i) {
      {
        const std::lock_guard lock(server.mutex);
        if (is_so()) return true;
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  }
  [[nodiscard]] static bool wait_for_event(RemoteLoop& loop, Event& event) {
    for (int i = 0; i < 20'000; ++i) {
      if (loop.next(event)) return true;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  }
  [[nodiscard]] static std::string next_news(RemoteLoop& loop) {
    for (int i = 0; i < 20'000; ++i) {
      const std::vector<std::string> news = loop.take_news();
      if (!news.empty()) return news.front();
      std::this_thread::sleep_for(milliseconds(1));
    }
    return "none";
  }
  void set(const std::function<void()>& change) {
    const std::lock_guard lock(server.mutex);
    change();
  }

  PaperServer server;
};

}  // namespace jointrig::app
