/// A panel in a real window on the robot of `jointrig serve`, which stops, freezes, dies and comes
/// back.

#include <filesystem>
#include <fstream>

#include "app/gui/remote_options.h"
#include "app/serve/server_library.h"
#include "harness/log/log_reader.h"
#include "harness/runner/scenario_reader.h"
#include "tests/gui/window/robot_hand.h"
#include "tests/gui/window/serve_process.h"
#include "tests/support/child_process.h"

namespace jointrig::gui {
namespace {

struct ConnectedWindow : ::testing::Test {
  ConnectedWindow() : app(remote(), app::GuiApp::screen_for(1280, 800, {})), hand(app) {}

  [[nodiscard]] std::unique_ptr<app::RemoteLoop> remote() const {
    app::RemoteRobot where;
    where.address = server->address();
    where.robot = "franka";
    return std::make_unique<app::RemoteLoop>(app::remote_options(where), app::load_connection);
  }
  [[nodiscard]] MotorPanel& panel() { return app.session().panel(); }
  [[nodiscard]] const PanelLease& lease() { return panel().client.lease; }
  [[nodiscard]] const JointSnapshot& joint() { return panel().snapshot().joints[0]; }
  [[nodiscard]] bool has_event(const std::string& words) {
    for (const EventLine& line : panel().watch.events.lines()) {
      if (line.text.find(words) != std::string::npos) return true;
    }
    return false;
  }
  void run_all() {
    hand.click("access/CONTROL");
    ASSERT_EQ(panel().access(), Access::kControl) << panel().notice();
    hand.hold("group/RunAll", 1.1);
    ASSERT_TRUE(hand.wait_for(3.0, [&] { return joint().mode == JointMode::kPosition; }));
  }
  /// Sends the first joint far away, as a person does.
  void begin_move() {
    hand.click("access/ARMED");
    hand.click("size/full");
    hand.drag("joint/panda_joint1/position/slider", 0.5, 0.9);
    ASSERT_TRUE(hand.wait_for(3.0, [&] { return joint().reference.v > 0.1; }));
  }
  void expect_held() {
    EXPECT_TRUE(hand.wait_for(3.0, [&] { return joint().reference.v == 0.0; }));
    const double q = joint().reference.q;
    hand.look(0.3);
    EXPECT_EQ(joint().reference.q, q);
  }

  std::unique_ptr<testing::ServeProcess> server =
      std::make_unique<testing::ServeProcess>("127.0.0.1:0");
  app::GuiApp app;
  testing::RobotHand hand;
};

TEST_F(ConnectedWindow, WatchesUntilItTakesTheRobotThenMovesAJointAndStopsIt) {
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return app.session().history().end() > 20; }));
  EXPECT_EQ(panel().access(), Access::kObserve);
  EXPECT_EQ(lease().now().holder, "") << "watching takes nothing";
  EXPECT_EQ(panel().config().joints.size(), 8U);
  EXPECT_NEAR(panel().config().joints[3].limits.q_min, -3.0718, 1e-9) << "of panda_joint4's MJCF";
  EXPECT_FALSE(hand.sees("sim/reset")) << "the server starts it";
  hand.picture("connected");
  run_all();
  EXPECT_TRUE(lease().now().is_ours);
  EXPECT_TRUE(has_event("took the lease")) << "the log of the server has it, too";
  begin_move();
  hand.picture("connected-moving");
  hand.key("F10");
  ASSERT_TRUE(hand.wait_for(2.0, [&] {
    return panel().stop_latch.when().rfind("STOP at ", 0) == 0;
  })) << panel().stop_latch.when();
  expect_held();
  EXPECT_TRUE(lease().now().is_ours) << "its own stop leaves it the lease";
  hand.click("access/OBSERVE");
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return lease().now().holder.empty(); }));
}

TEST_F(ConnectedWindow, ItsCommandsAreRecordedAsAScenarioForTheSameRobot) {
  run_all();
  hand.click("access/ARMED");
  hand.click("record/session");
  EXPECT_TRUE(app.session().desks().recording.session.recording());
  hand.hold("group/HomeAll", 1.1);
  hand.look(1.0);
  hand.picture("connected-session");
  hand.click("record/session");
  const std::string said = panel().notice();
  const std::string before = "saved: jointrig run ";
  const std::string after = " --connect " + server->address();
  ASSERT_EQ(said.rfind(before, 0), 0U) << said;
  const std::size_t end = said.find(after);
  ASSERT_NE(end, std::string::npos) << said;
  const auto scenarios = harness::read_scenarios(said.substr(before.size(), end - before.size()));
  ASSERT_EQ(scenarios.size(), 1U);
  EXPECT_EQ(scenarios[0].robot.text(), "franka");
  EXPECT_FALSE(scenarios[0].steps.empty());
}

TEST_F(ConnectedWindow, AScenarioIsPlayedOnTheServedRobotAndAStopEndsIt) {
  std::filesystem::create_directories("scenarios");
  std::ofstream("scenarios/elsewhere.yaml")
      << "schema: 1\nscenario: elsewhere\nrobot: franka\n"
         "steps:\n"
         "  - set_mode: {joints: arm, mode: position}\n"
         "  - move: {joints: {panda_joint1: 20 deg}, speed: 60 deg/s}\n"
         "  - trajectory: {waypoints: [{joints: {panda_joint1: 0 deg}}, {joints: {panda_joint1: "
         "-20 "
         "deg}}]}\n"
         "assert:\n"
         "  at_end:\n"
         "    - {expr: abs(panda_joint1.q + 20 deg) < 1 deg}\n";
  const auto desk = [&]() -> ScenarioDesk& { return app.session().desks().scenario; };
  run_all();
  hand.click("access/ARMED");
  hand.click("side/Scenario");
  hand.look(0.5);
  const auto listed = [&] {
    for (std::size_t i = 0; i < desk().entries.size(); ++i) {
      if (desk().entries[i].name == "elsewhere") return i;
    }
    return desk().entries.size();
  };
  ASSERT_LT(listed(), desk().entries.size()) << desk().list_error;
  desk().choose(listed());
  hand.look(0.2);
  hand.click("scenario/break/1");
  hand.click("scenario/run");
  ASSERT_TRUE(hand.wait_for(10.0, [&] { return desk().held(); })) << panel().notice();
  hand.look(0.3);
  EXPECT_NEAR(joint().reference.q, 0.0, 0.01) << "a breakpoint holds the steps";
  hand.click("scenario/go_on");
  ASSERT_TRUE(hand.wait_for(15.0, [&] { return desk().outcome() != nullptr; }));
  EXPECT_TRUE(desk().outcome()->passed) << desk().outcome()->reason;
  hand.picture("connected-scenario");
  EXPECT_TRUE(lease().now().is_ours) << "the panel's lease stays";

  hand.click("scenario/break/1");
  hand.click("scenario/run");
  ASSERT_TRUE(hand.wait_for(10.0, [&] { return joint().reference.v > 0.1; })) << "once more";
  hand.key("F10");
  expect_held();
  ASSERT_NE(desk().outcome(), nullptr);
  EXPECT_FALSE(desk().outcome()->passed);
}

TEST_F(ConnectedWindow, ALogHasEachCycleAndTheCommandsWithTheirAnswers) {
  const auto desk = [&]() -> RecordingDesk& { return app.session().desks().recording; };
  hand.click("record/log");
  ASSERT_TRUE(hand.wait_for(5.0, [&] { return desk().log_bytes > 100'000; })) << panel().notice();
  run_all();
  begin_move();
  hand.picture("connected-log");
  const std::string path = desk().log_file;
  hand.click("record/log");
  EXPECT_FALSE(desk().logging);
  EXPECT_EQ(panel().notice().rfind("logged ", 0), 0U) << panel().notice();
  const harness::LogReader log(path);
  const harness::Series q = log.series("/j/panda_joint1", "q");
  ASSERT_GT(q.value.size(), 1000U);
  const TimeNs all = q.time_ns.back() - q.time_ns.front();
  EXPECT_EQ(static_cast<std::size_t>(all / 1'000'000) + 1, q.value.size()) << "no cycle is missing";
  const harness::Series sent = log.series("/commands", "number");
  ASSERT_GT(sent.value.size(), 1U) << "to position, and a move";
  const harness::Series answers = log.series("/event_data", "number");
  for (const double number : sent.value) {
    EXPECT_NE(std::find(answers.value.begin(), answers.value.end(), number), answers.value.end())
        << number << " has no answer";
  }
}

TEST_F(ConnectedWindow, AChangedLimitIsComparedWithTheFileOfTheServer) {
  run_all();
  panel().parameters.set(0, JointParameter::kVelocityMax, 1.25);
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return panel().config().joints[0].limits.v_max == 1.25; }))
      << panel().notice();
  ParameterDesk& desk = app.session().desks().parameters;
  EXPECT_EQ(desk.why_not_compare(), "");
  desk.wish = ParameterWish::kCompare;  // its button is below this small window
  hand.look(0.2);
  const std::string& difference = desk.difference;
  EXPECT_NE(difference.find("panda_joint1"), std::string::npos) << panel().notice();
  EXPECT_NE(difference.find("velocity_max"), std::string::npos) << difference;
}

TEST_F(ConnectedWindow, AnothersRobotIsLockedUntilItIsTakenOverAndStopIsAnyones) {
  run_all();
  hand.click("access/OBSERVE");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return lease().now().holder.empty(); }));
  const auto begin = [&] {
    auto holder = std::make_unique<testing::ChildProcess>(
        std::vector<std::string>{std::getenv("JOINTRIG_HOLDER"), server->address()});
    EXPECT_EQ(holder->line(), "moving");
    EXPECT_TRUE(hand.wait_for(3.0, [&] { return joint().reference.v > 0.05; }));
    EXPECT_TRUE(hand.wait_for(2.0, [&] { return lease().is_locked(); }));
    return holder;
  };
  std::unique_ptr<testing::ChildProcess> holder = begin();
  EXPECT_EQ(lease().now().holder, "holder");
  hand.click("access/ARMED");
  EXPECT_EQ(panel().access(), Access::kObserve);
  hand.picture("connected-locked");
  hand.hold("served/take over", 1.1);
  EXPECT_EQ(panel().access(), Access::kControl) << panel().notice();
  EXPECT_NE(holder->line().find("panel@"), std::string::npos) << "it is told who has it";
  expect_held();
  hand.click("access/OBSERVE");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return lease().now().holder.empty(); }));
  holder = begin();
  hand.key("F10");
  expect_held();
  EXPECT_NE(holder->line().find("lease"), std::string::npos);
  EXPECT_EQ(panel().access(), Access::kObserve);
}

TEST_F(ConnectedWindow, AMotionIsPlannedByTheServerRunAndRefusedWhereItMeetsSomething) {
  MotionDesk& desk = app.session().desks().motion;
  const auto enter = [&](const std::string& item, const std::string& text) {
    hand.click(item);
    hand.key("ctrl+a");
    hand.type(text);
    hand.key("Return");
  };
  const auto plan = [&] {
    hand.click("motion/plan");
    return hand.wait_for(20.0, [&] {
      return desk.state() == MotionState::kPassed || desk.state() == MotionState::kRefused;
    });
  };
  hand.click("side/Motion");
  EXPECT_NE(desk.why_not_plan().find("record a waypoint"), std::string::npos);
  run_all();
  hand.click("motion/record");
  enter("motion/joint/panda_joint1", "25");
  hand.click("motion/copy");
  enter("motion/joint/panda_joint1", "-35");
  hand.click("access/OBSERVE");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return !lease().now().is_ours; }));
  EXPECT_NE(desk.why_not_plan().find("take it with CONTROL"), std::string::npos)
      << desk.why_not_plan();
  hand.click("access/ARMED");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return lease().now().is_ours; }));
  ASSERT_TRUE(plan()) << desk.status_text();
  ASSERT_EQ(desk.state(), MotionState::kPassed) << desk.status_text();
  ASSERT_EQ(desk.answer()->times.size(), 2U);
  EXPECT_GT(desk.answer()->duration, 1.0);
  hand.picture("connected-motion");
  hand.click("motion/run");
  ASSERT_TRUE(hand.wait_for(5.0, [&] { return desk.running_row() == 1U; })) << desk.status_text();
  EXPECT_GT(desk.path_time().value_or(0.0), 0.0);
  ASSERT_TRUE(hand.wait_for(30.0, [&] { return !desk.running(); }));
  EXPECT_NE(desk.status_text().find("finished"), std::string::npos) << desk.status_text();
  EXPECT_NEAR(joint().state.q, -35.0 * M_PI / 180.0, 0.02);

  enter("motion/joint/panda_joint2", "60");
  enter("motion/joint/panda_joint4", "-170");
  enter("motion/joint/panda_joint6", "5");
  ASSERT_TRUE(plan()) << desk.status_text();
  EXPECT_EQ(desk.state(), MotionState::kRefused);
  EXPECT_EQ(desk.refused_row(), 1U);
  EXPECT_FALSE(desk.answer()->meets.empty()) << desk.status_text();
  EXPECT_EQ(desk.answer()->meets_q.size(), panel().config().joints.size());
  const double before = panel().snapshot().joints[1].reference.q;
  hand.click("motion/run");
  hand.look(0.3);
  EXPECT_EQ(panel().snapshot().joints[1].reference.q, before);
}

TEST_F(ConnectedWindow, AToolIsSentAndJogged) {
  run_all();
  hand.click("access/ARMED");
  const ArmDesk& desk = app.session().desks().arms;
  hand.click("side/Cartesian");
  hand.click("arm/enter");
  ASSERT_TRUE(hand.wait_for(3.0, [&] { return desk.now().runs; })) << desk.state();

  const double before = desk.now().tool.position[2];
  hand.click("arm/jog/z/back");
  EXPECT_TRUE(hand.wait_for(4.0, [&] {
    return std::abs(desk.now().tool.position[2] - before + 0.01) < 0.003;
  })) << desk.now().tool.position[2] - before;
  hand.click("arm/target/y");
  hand.key("ctrl+a");
  hand.type("5 cm");
  hand.key("Return");
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return desk.now().goal.position[1] == 0.05; }))
      << panel().notice();
  hand.picture("connected-cartesian");  // on the way, the frame of its goal ahead
  EXPECT_TRUE(
      hand.wait_for(4.0, [&] { return std::abs(desk.now().tool.position[1] - 0.05) < 0.01; }));
  hand.click("arm/leave");
  EXPECT_TRUE(hand.wait_for(3.0, [&] { return !desk.now().runs; }));
}

TEST_F(ConnectedWindow, AFrozenServerIsShownAsOldAndIsHeardAgain) {
  run_all();
  hand.click("access/ARMED");
  server->send(SIGSTOP);
  ASSERT_TRUE(hand.wait_for(4.0, [&] { return panel().access() == Access::kObserve; }));
  EXPECT_NE(panel().notice().find("no word comes from " + server->address()), std::string::npos);
  const JointStatus old = panel().watch.status(0);
  EXPECT_TRUE(old.silent);
  EXPECT_EQ(old.title.rfind("OLD for ", 0), 0U) << old.title;
  hand.look(0.2);
  hand.picture("connected-frozen");
  server->send(SIGCONT);
  ASSERT_TRUE(hand.wait_for(4.0, [&] { return !panel().watch.status(0).silent; }));
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return lease().now().lost.empty(); }));
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return lease().now().holder.empty(); })) << "given back";
  EXPECT_EQ(panel().access(), Access::kObserve);
}

TEST_F(ConnectedWindow, AKilledServerIsToldAndAStopThatCantArriveToo) {
  run_all();
  const std::string address = server->address();
  server.reset();
  ASSERT_TRUE(hand.wait_for(4.0, [&] { return !lease().now().lost.empty(); }));
  EXPECT_EQ(lease().now().lost.rfind("the connection to " + address + " is lost", 0), 0U);
  EXPECT_EQ(panel().access(), Access::kObserve);
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return panel().watch.status(0).silent; }));
  hand.key("F10");
  EXPECT_TRUE(hand.wait_for(2.0, [&] {
    return panel().stop_latch.when().rfind("STOP DID NOT ARRIVE", 0) == 0;
  })) << panel().stop_latch.when();
  hand.picture("connected-lost");
  hand.click("access/CONTROL");
  EXPECT_EQ(panel().access(), Access::kObserve);
  server = std::make_unique<testing::ServeProcess>(address);
  ASSERT_TRUE(hand.wait_for(6.0, [&] { return lease().now().lost.empty(); }));
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return !panel().watch.status(0).silent; }));
  EXPECT_TRUE(has_event("connected to " + address + " again"));
  run_all();
}

}  // namespace
}  // namespace jointrig::gui
