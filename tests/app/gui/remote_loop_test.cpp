/// A panel's feed from a robot that is served elsewhere, with a connection of paper.

#include "app/gui/remote_loop.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "app/gui/remote_options.h"
#include "app/version.h"
#include "control/exchange/robot_client.h"
#include "gui/plot/history.h"

namespace jointrig::app {
namespace {

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
  std::unique_ptr<remote::PlanCall> begin_plan(const remote::Trajectory& /*trajectory*/) override {
    return nullptr;  // not on paper
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
  std::string follow_cycles() override { return "not on paper"; }
  bool next_cycle(milliseconds, Snapshot&, std::vector<Event>&) override { return false; }
  [[nodiscard]] std::uint64_t cycles_missed() const override { return 0; }
  [[nodiscard]] std::uint64_t events_missed() const override { return 0; }
  [[nodiscard]] std::string sender_of(const Event&) const override { return {}; }
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

TEST_F(RemoteLoopTest, AStateIsARowOfThePlotsAtTheStreamsRate) {
  const auto loop = opened();  // 200 states a second of a loop of 1 kHz: each fifth cycle
  gui::History history(loop->plotted(), 10.0);
  server.send_state(5, 0.25);
  server.send_state(10, 0.5);
  server.send_state(17, 0.75);  // the server was late: that of cycle 15
  server.send_state(25, 1.0);   // and that of cycle 20 is missing
  for (int i = 0; i < 20'000 && history.end() < 5; ++i) {
    while (loop->ring().pop([&](const gui::TraceRow& row) { history.push(row); })) {
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
  ASSERT_EQ(history.end(), 5U);
  EXPECT_DOUBLE_EQ(history.period(), 0.005);
  const gui::SampleRing& q = history.series(history.signal(0, gui::JointTrace::kPosition));
  const double degrees = 57.29577951308232;
  EXPECT_NEAR(static_cast<double>(q.at(0)), 0.25 * degrees, 1e-4);
  EXPECT_NEAR(static_cast<double>(q.at(2)), 0.75 * degrees, 1e-4);
  EXPECT_TRUE(std::isnan(q.at(3))) << "a gap, not a line over it";
  EXPECT_NEAR(static_cast<double>(q.at(4)), 1.0 * degrees, 1e-4);
  Snapshot newest;
  ASSERT_TRUE(loop->newest(newest));
  EXPECT_EQ(newest.cycle, 25U) << "the robot's own cycles";
}

TEST_F(RemoteLoopTest, AnAnswerHasTheNumberThatThePanelGaveItsCommand) {
  const auto loop = opened();
  RobotClient panel(loop->config(), loop->inbox(), "panel");
  ASSERT_EQ(loop->take(false), "");
  const std::uint64_t number = panel.move(JointSet{}.set(1), 0.5);
  ASSERT_TRUE(wait_for([&] { return server.received.size() == 1; }));
  EXPECT_EQ(std::get<Move>(server.received[0]).values[0].q, 0.5);
  set([&] {
    Event accepted;
    accepted.kind = EventKind::kAccepted;
    accepted.number = 1001;
    server.events = {{accepted, "remote3:ben", "of another client, with the same number"},
                     {accepted, "remote2:panel", "accepted: move"}};
  });
  Event event;
  ASSERT_TRUE(wait_for_event(*loop, event));
  EXPECT_NE(event.sender, panel.sender());
  EXPECT_EQ(panel.name_of(event.sender), "remote3:ben");
  ASSERT_TRUE(wait_for_event(*loop, event));
  EXPECT_EQ(event.sender, panel.sender());
  EXPECT_EQ(event.number, number);
  EXPECT_EQ(loop->sentence(event), "accepted: move");
}

TEST_F(RemoteLoopTest, ARefusalOfTheServerComesBackAsOneOfTheLoop) {
  const auto loop = opened();
  RobotClient panel(loop->config(), loop->inbox(), "panel");
  ASSERT_EQ(loop->take(false), "");
  const std::uint64_t number = panel.move(JointSet{}.set(0), 0.5);
  ASSERT_TRUE(wait_for([&] { return server.received.size() == 1; }));
  set([&] {
    remote::CommandAnswer answer{1001, false, {}};
    answer.event.sentence = "move: the lease 4 is over, anna holds it";
    server.refusals.push_back(answer);
  });
  Event event;
  ASSERT_TRUE(wait_for_event(*loop, event));
  EXPECT_EQ(event.kind, EventKind::kRejected);
  EXPECT_EQ(event.number, number);
  EXPECT_EQ(event.sender, panel.sender());
  EXPECT_EQ(loop->sentence(event), "move: the lease 4 is over, anna holds it");
}

TEST_F(RemoteLoopTest, TheLeaseIsTakenByForceOnlyWhenThatIsAskedFor) {
  const auto loop = opened();
  set([&] { server.holder = "anna"; });
  EXPECT_NE(loop->take(false).find("anna"), std::string::npos);
  EXPECT_EQ(loop->now().holder, "anna");
  EXPECT_FALSE(loop->now().is_ours);
  EXPECT_EQ(loop->take(true), "");
  EXPECT_TRUE(loop->now().is_ours);
  loop->release();
  EXPECT_FALSE(loop->now().is_ours);
  EXPECT_TRUE(wait_for([&] { return server.releases == 1; }));
}

TEST_F(RemoteLoopTest, OffTakesTheLeaseFromWhoeverHasIt) {
  const auto loop = opened();
  set([&] { server.holder = "anna"; });
  EXPECT_EQ(loop->take_for_off(), "");
  EXPECT_TRUE(loop->now().is_ours);
}

TEST_F(RemoteLoopTest, ALeaseThatComesTooLateIsGivenBack) {
  const auto loop = opened();
  set([&] { server.lease_answer = "late"; });
  EXPECT_EQ(loop->take(false), "no answer about the lease");
  EXPECT_FALSE(loop->now().is_ours);
  EXPECT_TRUE(wait_for([&] { return server.releases == 1; }));
}

TEST_F(RemoteLoopTest, ASilentRobotIsAskedIfItLivesAndThenTheLeaseIsGivenBack) {
  const auto loop = opened();
  ASSERT_EQ(loop->take(false), "");
  set([&] { server.silent = 0.5; });
  EXPECT_TRUE(wait_for([&] { return server.pings >= 1; }));
  EXPECT_TRUE(loop->now().is_ours) << "a loop that is paused answers";
  set([&] { server.silent = 1.5; });
  EXPECT_EQ(next_news(*loop),
            "no word comes from paper:4600: all values are old, and the panel observes");
  EXPECT_FALSE(loop->now().is_ours);
  EXPECT_EQ(loop->now().lost, "no word comes from paper:4600: all values are old");
  EXPECT_TRUE(wait_for([&] { return server.releases == 1; }));
  EXPECT_EQ(loop->take(true), loop->now().lost) << "at once";
  set([&] { server.silent = 0.0; });
  EXPECT_EQ(next_news(*loop), "paper:4600 is heard again");
  EXPECT_EQ(loop->now().lost, "");
  EXPECT_FALSE(loop->now().is_ours) << "a person takes it again";
}

TEST_F(RemoteLoopTest, ALostConnectionRefusesWhatIsAskedForAndIsMadeAgain) {
  const auto loop = opened();
  RobotClient panel(loop->config(), loop->inbox(), "panel");
  ASSERT_EQ(loop->take(false), "");
  panel.stop(JointSet{}.set(0).set(1));
  ASSERT_TRUE(wait_for([&] { return server.received.size() == 1; }));
  set([&] {
    server.why_none = "no robot answers at paper:4600";
    server.lost = "paper:4600: Socket closed";
    server.is_mine = false;
  });
  EXPECT_EQ(next_news(*loop),
            "the connection to paper:4600 is lost (Socket closed): all values are old; it is tried "
            "again each second");
  Event event;
  ASSERT_TRUE(wait_for_event(*loop, event));
  EXPECT_EQ(event.kind, EventKind::kRejected) << "nobody knows if it was carried out";
  const std::uint64_t number = panel.stop(JointSet{}.set(0).set(1));
  ASSERT_TRUE(wait_for_event(*loop, event));
  EXPECT_EQ(event.number, number);
  EXPECT_EQ(loop->sentence(event),
            "stop was not carried out: there is no connection to paper:4600");
  EXPECT_FALSE(loop->take(true).empty());
  set([&] { server.why_none.clear(); });
  EXPECT_EQ(next_news(*loop).rfind("connected to paper:4600 again: the panel observes", 0), 0U);
  EXPECT_EQ(loop->now().lost, "");
  EXPECT_EQ(server.received.size(), 1U) << "nothing of before is sent";
  server.send_state(3, 0.1);  // a server that was started anew begins with its first cycles
  Snapshot newest;
  for (int i = 0; i < 20'000 && !(loop->newest(newest) && newest.cycle == 3); ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(newest.cycle, 3U);
}

TEST_F(RemoteLoopTest, AnotherRobotInItsPlaceIsNotShownAsThisOne) {
  const auto loop = opened();
  set([&] {
    server.facts.config.joints[1].limits.q_max = 0.1;
    server.lost = "paper:4600: Socket closed";
  });
  ASSERT_TRUE(wait_for([&] { return server.connections == 2; }));
  for (int i = 0; i < 20'000 && loop->now().lost.find("other settings") == std::string::npos; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_NE(loop->now().lost.find("close the panel and connect anew"), std::string::npos)
      << loop->now().lost;
}

TEST_F(RemoteLoopTest, AnotherRobotOrVersionIsRefusedInASentence) {
  EXPECT_EQ(error("paper"), "none");
  EXPECT_EQ(error("papper"), "paper:4600 serves paper, not \"papper\": did you mean \"paper\"?");
  EXPECT_EQ(error("franka"), "paper:4600 serves paper, not \"franka\"");
  server.facts.version = "0.0.1";
  EXPECT_EQ(error().rfind("paper:4600 is served by jointrig 0.0.1, and this is ", 0), 0U)
      << error();
}

TEST(RemoteOptions, AnAddressHasTheUsualPortWhereNoneIsGiven) {
  const auto address = [](const std::string& given) {
    RemoteRobot where;
    where.address = given;
    try {
      return remote_options(where).client.address;
    } catch (const std::invalid_argument& refused) {
      return std::string("refused");
    }
  };
  EXPECT_EQ(address("robot"), "robot:4600");
  EXPECT_EQ(address("10.0.0.7:4711"), "10.0.0.7:4711");
  EXPECT_EQ(address("[::1]"), "[::1]:4600");
  EXPECT_EQ(address("[::1]:5000"), "[::1]:5000");
  for (const char* bad : {"", "robot:", ":4600", "robot:46x0", "robot:0", "robot:70000", "a b"}) {
    EXPECT_EQ(address(bad), "refused") << bad;
  }
}

}  // namespace
}  // namespace jointrig::app
