/// A panel's feed from a robot that is served elsewhere, with a connection of paper.

#include <cmath>

#include "control/core/plan.h"
#include "control/exchange/robot_client.h"
#include "gui/plot/history.h"
#include "tests/app/gui/paper_server.h"

namespace jointrig::app {
namespace {

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

TEST_F(RemoteLoopTest, WhoSuppressesHasItsNameOnThePanelToo) {
  const auto loop = opened();
  const RobotClient panel(loop->config(), loop->inbox(), "panel");
  Snapshot state;
  state.cycle = 5;
  state.joints.resize(server.facts.config.joints.size());
  state.protection.suppressed_by = {0, 9};
  set([&] {
    server.senders[9] = "remote3:ben";
    server.states.push_back(state);
  });
  Snapshot newest;
  ASSERT_TRUE(wait_for([&] { return loop->newest(newest) && newest.cycle == 5; }));
  EXPECT_EQ(newest.protection.suppressed_by[0], 0) << "nobody";
  EXPECT_EQ(panel.name_of(newest.protection.suppressed_by[1]), "remote3:ben")
      << "9 is the server's number of it";
}

TEST_F(RemoteLoopTest, ParametersAreThoseInForceAtTheConnectionAndAfterSomebodyHasSetSome) {
  ParameterTable table;
  for (std::vector<double>& row : table) row = {1.0, 2.0};
  set([&] { server.parameters = table; });
  const auto loop = opened();
  std::optional<ParameterTable> taken;
  const auto comes = [&] {
    return wait_for([&] { return (taken = loop->take_parameters()).has_value(); });
  };
  ASSERT_TRUE(comes());
  EXPECT_EQ(*taken, table);

  table[0][1] = 3.0;
  Event accepted;
  accepted.kind = EventKind::kAccepted;
  accepted.command = CommandKind::kMove;
  set([&] {
    server.parameters = table;
    server.events = {{accepted, "remote3:ben", "accepted: move"}};
  });
  Event event;
  ASSERT_TRUE(wait_for_event(*loop, event));
  std::this_thread::sleep_for(milliseconds(1100));
  EXPECT_FALSE(loop->take_parameters().has_value()) << "a move sets none";
  set([&] { EXPECT_EQ(server.parameter_calls, 1); });
  accepted.command = CommandKind::kSetParameter;
  set([&] { server.events = {{accepted, "remote3:ben", "accepted: set_parameter"}}; });
  ASSERT_TRUE(comes());
  EXPECT_EQ(*taken, table);
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

TEST_F(RemoteLoopTest, WhatBecomesOfAPlanHasTheNumberOfThePanelsCommandUntilItsEnd) {
  const auto loop = opened();
  RobotClient panel(loop->config(), loop->inbox(), "panel");
  ASSERT_EQ(loop->take(false), "");
  const std::uint64_t number = panel.post(FollowPlan{JointSet{}.set(0), 3, 1});
  ASSERT_TRUE(wait_for([&] { return server.received.size() == 1; }));
  const auto heard = [](EventKind kind, PlanChange change) {
    remote::HeardEvent one;
    one.event.kind = kind;
    one.event.number = 1001;
    one.event.detail = static_cast<std::uint8_t>(change);
    one.sender = "remote2:panel";
    return one;
  };
  set([&] {
    server.events = {heard(EventKind::kAccepted, PlanChange::kStarted),
                     heard(EventKind::kPlan, PlanChange::kStarted),
                     heard(EventKind::kPlan, PlanChange::kWaypoint),
                     heard(EventKind::kPlan, PlanChange::kFinished)};
    server.events.push_back(server.events.back());  // of a plan that has ended
    server.events.back().sender = "remote3:ben";
  });
  Event event;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(wait_for_event(*loop, event));
    EXPECT_EQ(event.number, number) << i;
    EXPECT_EQ(event.sender, panel.sender()) << i;
  }
  ASSERT_TRUE(wait_for_event(*loop, event));
  EXPECT_NE(event.sender, panel.sender());
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
