/// A panel in a real window, whose robot a program in another process holds, loses and is killed
/// with.

#include "app/serve/server_library.h"
#include "tests/gui/window/robot_hand.h"
#include "tests/support/child_process.h"

namespace jointrig::gui {
namespace {

struct ServedWindow : ::testing::Test {
  ServedWindow() : app(app::robot_called("franka"), 1600, 900, {}, serving()), hand(app) {}

  [[nodiscard]] static app::ServingOptions serving() {
    app::ServingOptions options;
    options.server.listen = "127.0.0.1:0";
    options.viewers = "127.0.0.1:0";
    return options;
  }
  [[nodiscard]] MotorPanel& panel() { return app.session().panel(); }
  [[nodiscard]] const PanelLease& lease() { return panel().client.lease; }
  [[nodiscard]] const JointSnapshot& joint() { return panel().snapshot().joints[0]; }
  [[nodiscard]] std::string address() { return app.session().served()->address(); }
  /// With motors on, and nobody's.
  void run_all() {
    hand.click("access/CONTROL");
    hand.hold("group/RunAll", 1.1);
    ASSERT_TRUE(hand.wait_for(3.0, [&] { return joint().mode == JointMode::kPosition; }));
    hand.click("access/OBSERVE");
    ASSERT_TRUE(hand.wait_for(1.0, [&] { return lease().now().holder.empty(); }));
  }
  /// A program that holds the robot and moves its first joint to 1.5 rad.
  [[nodiscard]] std::unique_ptr<testing::ChildProcess> begin_holder() {
    auto holder = std::make_unique<testing::ChildProcess>(
        std::vector<std::string>{std::getenv("JOINTRIG_HOLDER"), address()});
    EXPECT_EQ(holder->line(), "moving");
    EXPECT_TRUE(hand.wait_for(3.0, [&] { return joint().reference.v > 0.05; }));
    return holder;
  }
  void expect_held() {
    EXPECT_TRUE(hand.wait_for(3.0, [&] { return joint().reference.v == 0.0; }));
    EXPECT_LT(joint().reference.q, 1.4) << "its goal is at 1.5";
    const double q = joint().reference.q;
    hand.look(0.3);
    EXPECT_EQ(joint().reference.q, q);
  }

  app::GuiApp app;
  testing::RobotHand hand;
};

TEST_F(ServedWindow, AProgramThatHoldsTheRobotLocksThePanelUntilThatTakesOver) {
  run_all();
  const std::unique_ptr<testing::ChildProcess> holder = begin_holder();
  ASSERT_TRUE(hand.wait_for(2.0, [&] { return lease().is_locked(); }));
  EXPECT_EQ(lease().now().holder, "holder");
  EXPECT_EQ(lease().now().clients, 1U);
  hand.click("access/ARMED");
  EXPECT_EQ(panel().access(), Access::kObserve);
  hand.picture("served-locked");
  hand.click("served/take over");
  EXPECT_TRUE(lease().is_locked()) << "it has to be held";
  hand.hold("served/take over", 1.1);
  EXPECT_EQ(panel().access(), Access::kControl);
  EXPECT_TRUE(lease().now().is_ours);
  EXPECT_NE(holder->line().find("panel"), std::string::npos) << "it is told who has it";
  expect_held();
  hand.picture("served-taken-over");
}

TEST_F(ServedWindow, AParameterThatAProgramSetsIsSeenInThePanel) {
  run_all();
  remote::ClientOptions options;
  options.address = address();
  const std::unique_ptr<remote::Connection> program = app::load_connection(options);
  ASSERT_EQ(program->take(false, std::chrono::seconds(5)), "");
  SetParameter command;
  command.joints.set(1);
  command.parameter = JointParameter::kVelocityMax;
  command.values.push_back({1.25});
  ASSERT_NE(program->post(command).number, 0U);
  EXPECT_TRUE(hand.wait_for(3.0, [&] { return panel().config().joints[1].limits.v_max == 1.25; }));
}

TEST_F(ServedWindow, AKilledProgramLeavesARobotThatHoldsAndNobodyHasTheLease) {
  run_all();
  begin_holder()->send(SIGKILL);
  expect_held();
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return lease().now().clients == 0; }));
  EXPECT_EQ(lease().now().holder, "");
  hand.click("access/ARMED");
  EXPECT_EQ(panel().access(), Access::kArmed);
}

TEST_F(ServedWindow, AStopOfThePanelEndsTheProgramsLease) {
  run_all();
  const std::unique_ptr<testing::ChildProcess> holder = begin_holder();
  hand.key("F10");
  expect_held();
  EXPECT_NE(holder->line().find("lease"), std::string::npos);
  EXPECT_EQ(lease().now().holder, "");
  EXPECT_EQ(panel().access(), Access::kObserve);
}

TEST_F(ServedWindow, WhileTimeStandsStillTheLeaseIsGivenAllTheSame) {
  hand.click("sim/pause");
  hand.click("access/CONTROL");
  EXPECT_EQ(panel().access(), Access::kControl) << panel().notice();
  hand.look(1.0);  // far beyond the longest silence
  EXPECT_TRUE(lease().now().is_ours);
}

TEST_F(ServedWindow, ARobotThatIsOpenedInItsPlaceIsServedAtTheSameAddress) {
  run_all();
  hand.click("access/CONTROL");
  const std::string before = address();
  const app::GuiSession* const first = &app.session();
  hand.hold("sim/reset", 1.1);
  ASSERT_TRUE(hand.wait_for(5.0, [&] { return &app.session() != first; }));
  ASSERT_NE(app.session().served(), nullptr) << panel().notice();
  EXPECT_EQ(address(), before);
  EXPECT_TRUE(hand.wait_for(2.0, [&] { return lease().now().is_ours; })) << "as before";
  run_all();
  const std::unique_ptr<testing::ChildProcess> holder = begin_holder();
  EXPECT_EQ(lease().now().clients, 1U);
}

}  // namespace
}  // namespace jointrig::gui
