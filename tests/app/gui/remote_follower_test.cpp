/// A scenario and a log of a panel on a robot that is served elsewhere, with connections of paper.

#include "app/gui/remote_follower.h"

#include <algorithm>

#include "control/exchange/robot_client.h"
#include "harness/log/log_reader.h"
#include "harness/runner/scenario_reader.h"
#include "tests/app/gui/paper_server.h"
#include "tests/app/gui/scratch.h"

namespace jointrig::app {
namespace {

constexpr const char* kTwoWaits = R"(schema: 1
scenario: waits
robot: paper
steps:
  - {name: short, wait: 2 ms}
  - {name: to_idle, set_mode: {joints: a, mode: idle}}
  - {name: long, wait: 5 ms}
)";

struct RemoteFollowerTest : RemoteLoopTest {
  RemoteFollowerTest() {
    loop = opened();
    EXPECT_EQ(loop->take(false), "");
    set([&] { server.senders[7] = "remote2:panel"; });
  }
  [[nodiscard]] ScenarioStage& play(RemoteFollower& follower) {
    return follower.play(
        harness::read_scenarios(scratch.write("scenario.yaml", kTwoWaits)).front());
  }
  void send_cycles(std::uint64_t count) {
    for (std::uint64_t k = 0; k < count; ++k) send_cycle({});
  }
  /// A cycle with the loop's answer to the newest command.
  void accept() {
    Event event;
    event.kind = EventKind::kAccepted;
    event.command = CommandKind::kSetMode;
    event.cycle = cycle + 1;
    event.sender = 7;
    set([&] { event.number = server.next_number; });
    send_cycle({event});
  }
  void send_cycle(const std::vector<Event>& events) {
    Snapshot snapshot;
    snapshot.cycle = ++cycle;
    snapshot.time_ns = static_cast<TimeNs>(snapshot.cycle) * 1'000'000;
    snapshot.joints.resize(2);
    for (JointSnapshot& joint : snapshot.joints) joint.mode = JointMode::kIdle;
    set([&] { server.cycles.emplace_back(snapshot, events); });
  }
  [[nodiscard]] bool has_ended(const ScenarioStage& stage) {
    return wait_for([&] { return stage.finished(); });
  }
  [[nodiscard]] bool has_received(std::size_t commands) {
    return wait_for([&] { return server.received.size() == commands; });
  }

  testing::Scratch scratch;
  std::unique_ptr<RemoteLoop> loop;
  std::uint64_t cycle = 100;
};

TEST_F(RemoteFollowerTest, AScenarioIsJudgedByTheCyclesThatComeAndItsCommandsGoByThePanelsLease) {
  RemoteFollower follower(*loop);
  const ScenarioStage& stage = play(follower);
  send_cycles(4);
  ASSERT_TRUE(has_received(1));
  EXPECT_EQ(kind_of(server.received[0]), CommandKind::kSetMode);
  accept();
  send_cycles(20);
  ASSERT_TRUE(has_ended(stage)) << "in step " << stage.current() << ", "
                                << to_string(stage.state(stage.current()));
  EXPECT_TRUE(stage.outcome().passed) << stage.outcome().reason;
  EXPECT_EQ(server.releases, 0) << "the panel's lease stays";
}

TEST_F(RemoteFollowerTest, ARefusalByTheServerEndsItWithTheServersSentence) {
  RemoteFollower follower(*loop);
  const ScenarioStage& stage = play(follower);
  send_cycles(4);
  ASSERT_TRUE(has_received(1));
  set([&] {
    remote::CommandAnswer refused;
    refused.number = server.next_number;
    refused.event.sentence = "set_mode: more commands than the server takes";
    server.refusals.push_back(refused);
  });
  ASSERT_TRUE(has_ended(stage));
  EXPECT_EQ(stage.outcome().reason, "set_mode: more commands than the server takes");
}

TEST_F(RemoteFollowerTest, WithoutCyclesAScenarioCouldNotRun) {
  set([&] { server.why_no_cycles = "another program follows each cycle of this robot already"; });
  RemoteFollower follower(*loop);
  const ScenarioStage& stage = play(follower);
  ASSERT_TRUE(has_ended(stage));
  EXPECT_EQ(stage.outcome().reason, "another program follows each cycle of this robot already");
  EXPECT_EQ(stage.outcome().word, "could_not_run");
  set([&] { server.why_no_cycles.clear(); });
  const ScenarioStage& again = play(follower);
  send_cycles(4);
  EXPECT_TRUE(has_received(1)) << "it can be tried again";
  EXPECT_FALSE(again.finished());
}

TEST_F(RemoteFollowerTest, AStopThatAPersonAsksForIsSentAndWhoeverTakesTheLeaseEndsIt) {
  RemoteFollower follower(*loop);
  ScenarioStage& stage = play(follower);
  send_cycles(1);
  stage.break_off("STOP", true);
  ASSERT_TRUE(has_ended(stage));
  ASSERT_TRUE(has_received(1));
  EXPECT_EQ(kind_of(server.received[0]), CommandKind::kStop);

  const ScenarioStage& next = play(follower);
  send_cycles(1);
  set([&] {
    server.is_mine = false;
    server.holder = "remote3:ben";
  });
  ASSERT_TRUE(has_ended(next));
  EXPECT_EQ(next.outcome().reason, "ended from outside: remote3:ben took the robot over");
}

TEST_F(RemoteFollowerTest, ALogHasThePanelsCommandsUnderTheNumbersThatTheirAnswersHave) {
  RemoteFollower follower(*loop);
  const std::string path = scratch.path("elsewhere.mcap");
  follower.start_log(path, {});
  send_cycles(10);
  ASSERT_TRUE(wait_for([&] { return server.cycles.empty(); }));
  RobotClient panel(loop->config(), loop->inbox(), "panel");
  panel.move(JointSet{}.set(1), 0.5);
  ASSERT_TRUE(has_received(1));
  send_cycles(4);
  accept();
  ASSERT_TRUE(wait_for([&] { return server.cycles.empty(); }));
  ASSERT_TRUE(wait_for([&] { return follower.log_status().cycles == 15; }));
  const harness::RobotLogStatus status = follower.stop_log();
  EXPECT_TRUE(status.ok) << status.message;
  const harness::LogReader log(path);
  EXPECT_EQ(log.series("/j/a", "q").value.size(), 15U);
  const std::vector<double> commands = log.series("/commands", "number").value;
  EXPECT_EQ(commands, std::vector<double>{1001.0});
  EXPECT_EQ(log.series("/event_data", "number").value, commands);
}

TEST_F(RemoteFollowerTest, AConnectionThatIsLostEndsTheLogAndTheScenario) {
  RemoteFollower follower(*loop);
  follower.start_log(scratch.path("lost.mcap"), {});
  const ScenarioStage& stage = play(follower);
  send_cycles(3);
  ASSERT_TRUE(wait_for([&] { return server.cycles.empty(); }));
  set([&] { server.lost = "paper: the server is gone"; });
  ASSERT_TRUE(has_ended(stage));
  EXPECT_NE(stage.outcome().reason.find("the server is gone"), std::string::npos)
      << stage.outcome().reason;
  ASSERT_TRUE(wait_for([&] { return !follower.log_status().ok; }));
  EXPECT_NE(follower.stop_log().message.find("the server is gone"), std::string::npos);
}

}  // namespace
}  // namespace jointrig::app
