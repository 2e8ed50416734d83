/// A panel of a served robot commands under the lease alone, and looks on while another program has
/// it.

#include "gui/panel/panel_lease.h"

#include <string>
#include <vector>

#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::gui {
namespace {

/// A server whose lease a test gives away by hand.
class PaperServer final : public Served {
 public:
  [[nodiscard]] const std::string& address() const override { return address_; }
  [[nodiscard]] const std::string& viewer_address() const override { return viewers_; }
  [[nodiscard]] ServedNow now() const override { return {1, 0, holder, holder == "panel", lost}; }
  std::string take(bool by_force) override {
    if (!holder.empty() && holder != "panel" && !by_force) return holder + " holds the lease";
    holder = "panel";
    return {};
  }
  void release() override { holder.clear(); }
  void stopped() override {
    if (!elsewhere && holder != "panel") holder.clear();
  }

  // As a server elsewhere.
  [[nodiscard]] bool is_elsewhere() const override { return elsewhere; }
  std::string take_for_off() override { return elsewhere ? why_not_off(take(true)) : ""; }

  std::string holder;
  bool elsewhere = false;
  std::string lost;

 private:
  [[nodiscard]] std::string why_not_off(std::string why) {
    if (lost.empty()) return why;
    holder.clear();
    return lost;
  }
  std::string address_ = "127.0.0.1:4600";
  std::string viewers_;
};

struct ServedRobotPanel : ::testing::Test {
  ServedRobotPanel() { t.panel.client.lease.attach(&server); }
  [[nodiscard]] Access access() const { return t.panel.access(); }
  [[nodiscard]] std::vector<CommandKind> sent() {
    std::vector<CommandKind> kinds;
    for (const Command& command : t.commands()) {
      if (command.sender == t.asker.sender()) kinds.push_back(kind_of(command));
    }
    return kinds;
  }
  void move_all() { t.panel.acts.go_to({"far", {1.5, 1.5, 1.5}}, t.panel.group()); }

  PaperServer server;
  testing::RigWithPanel t;
};

TEST_F(ServedRobotPanel, MoreThanObserveTakesTheLeaseAndObserveGivesItBack) {
  EXPECT_EQ(server.holder, "");
  t.panel.set_access(Access::kControl);
  EXPECT_EQ(server.holder, "panel");
  t.panel.set_access(Access::kArmed);
  EXPECT_EQ(server.holder, "panel");
  t.panel.set_access(Access::kObserve);
  EXPECT_EQ(server.holder, "");
}

TEST_F(ServedRobotPanel, WhileAnotherHoldsItThePanelObservesAndSaysWho) {
  server.holder = "anna";
  t.frame();
  for (const Access wish : {Access::kControl, Access::kArmed}) {
    t.panel.set_access(wish);
    EXPECT_EQ(access(), Access::kObserve);
    EXPECT_EQ(server.holder, "anna");
    EXPECT_EQ(t.panel.notice().rfind("anna holds the robot", 0), 0U) << t.panel.notice();
  }
  t.panel.acts.act(PanelAct::kRun, t.panel.group());
  EXPECT_TRUE(sent().empty());
  EXPECT_EQ(t.panel.client.why_not(Access::kControl).rfind("anna holds the robot", 0), 0U);
}

TEST_F(ServedRobotPanel, TakingOverIsExplicitAndLeadsToControl) {
  server.holder = "anna";
  t.frame();
  ASSERT_TRUE(t.panel.client.lease.is_locked());
  t.panel.take_over();
  EXPECT_EQ(server.holder, "panel");
  EXPECT_EQ(access(), Access::kControl);
  EXPECT_FALSE(t.panel.client.lease.is_locked());
}

TEST_F(ServedRobotPanel, AnArmedPanelThatIsTakenOverObservesAndItsJogSendsNoBrake) {
  t.arm_and_run();
  t.panel.jog.hold(0, 1);
  ASSERT_EQ(sent(), std::vector{CommandKind::kMove});
  server.holder = "ben";
  t.frame();
  EXPECT_EQ(access(), Access::kObserve);
  EXPECT_EQ(t.panel.notice().rfind("ben took the robot over", 0), 0U) << t.panel.notice();
  t.frames(3);
  EXPECT_TRUE(sent().empty()) << "the robot is ben's";
}

TEST_F(ServedRobotPanel, BetweenTwoFramesACommandIsHeldBackToo) {
  t.arm_and_run();
  server.holder = "ben";  // and the panel has drawn no frame since
  move_all();
  EXPECT_TRUE(sent().empty());
  EXPECT_NE(t.panel.notice().find("doesn't hold the robot any more"), std::string::npos);
}

TEST_F(ServedRobotPanel, ACommandThatCrossedATakeoverIsFollowedByAStopOfAllJoints) {
  t.arm_and_run();
  server.holder = "ben";
  Move move;
  move.joints.set(1);
  move.values.push_back({1.0, 0.5});
  t.panel.client.ask(move);  // checked before, sent after
  EXPECT_EQ(sent(), (std::vector{CommandKind::kMove, CommandKind::kStop}));
}

TEST_F(ServedRobotPanel, AStopFromOutsideLeavesAPanelThatObserves) {
  t.arm_and_run();
  server.holder.clear();
  t.frame();
  EXPECT_EQ(access(), Access::kObserve);
  EXPECT_NE(t.panel.notice().find("stopped from outside"), std::string::npos);
  EXPECT_EQ(server.holder, "") << "nothing is taken back by itself";
}

TEST_F(ServedRobotPanel, StopNeedsNoLeaseAndEndsThatOfAnother) {
  t.arm_and_run();
  t.panel.set_access(Access::kObserve);
  t.frames(2);
  server.holder = "anna";
  t.frames(2);
  t.commands();
  t.panel.stop_all();
  EXPECT_EQ(sent(), std::vector{CommandKind::kStop});
  EXPECT_EQ(server.holder, "");
  EXPECT_EQ(access(), Access::kObserve);
}

TEST_F(ServedRobotPanel, ItsOwnStopLeavesThePanelItsLease) {
  t.arm_and_run();
  t.panel.stop_all();
  EXPECT_EQ(server.holder, "panel") << "not only once it has taken it again";
  t.frame();
  EXPECT_EQ(server.holder, "panel");
  EXPECT_EQ(access(), Access::kArmed);
}

TEST_F(ServedRobotPanel, OffNeedsNoLeaseAndLeavesTheRobotToThePanel) {
  t.arm_and_run();
  t.panel.set_access(Access::kObserve);
  t.frames(2);
  server.holder = "anna";
  t.frames(2);
  t.commands();
  t.panel.off_all();
  EXPECT_EQ(sent(),
            (std::vector{CommandKind::kSetMode, CommandKind::kSetMode, CommandKind::kSetMode}));
  EXPECT_EQ(server.holder, "panel");
  EXPECT_EQ(access(), Access::kControl);
}

/// Elsewhere the loop takes no mode of who hasn't got the lease: it is taken before.
TEST_F(ServedRobotPanel, OffOfARobotElsewhereTakesTheLeaseFirst) {
  server.elsewhere = true;
  server.holder = "anna";
  t.frames(2);
  t.commands();
  t.panel.off_all();
  EXPECT_EQ(server.holder, "panel");
  EXPECT_EQ(sent(),
            (std::vector{CommandKind::kSetMode, CommandKind::kSetMode, CommandKind::kSetMode}));
  EXPECT_EQ(access(), Access::kControl);
}

TEST_F(ServedRobotPanel, OffThatCantReachTheRobotSaysSoAndSendsNothing) {
  server.elsewhere = true;
  server.lost = "the connection is lost";
  t.frames(2);
  t.commands();
  t.panel.off_all();
  EXPECT_TRUE(sent().empty());
  EXPECT_EQ(access(), Access::kObserve);
  EXPECT_EQ(t.panel.notice(), "OFF was not sent: the connection is lost");
}

/// The server refuses it, and a stop would end the new holder's lease.
TEST_F(ServedRobotPanel, ACommandThatCrossedATakeoverElsewhereIsFollowedByNothing) {
  server.elsewhere = true;
  t.arm_and_run();
  server.holder = "ben";
  Move move;
  move.joints.set(1);
  move.values.push_back({1.0, 0.5});
  t.panel.client.ask(move);
  EXPECT_EQ(sent(), std::vector{CommandKind::kMove});
  EXPECT_EQ(server.holder, "ben");
}

TEST_F(ServedRobotPanel, ALostConnectionLeavesAPanelThatObservesAndSaysWhy) {
  server.elsewhere = true;
  t.arm_and_run();
  t.panel.jog.hold(0, 1);
  t.commands();
  server.lost = "the connection to robot:4600 is lost";
  server.holder.clear();
  t.frame();
  EXPECT_EQ(access(), Access::kObserve);
  EXPECT_EQ(t.panel.notice(), server.lost);
  t.frames(3);
  EXPECT_TRUE(sent().empty());
}

TEST_F(ServedRobotPanel, ARobotThatIsServedWhileThePanelCommandsIsTakenInTheNextFrame) {
  t.panel.client.lease.attach(nullptr);
  t.arm_and_run();
  t.panel.client.lease.attach(&server);
  t.frame();
  EXPECT_EQ(server.holder, "panel");
  EXPECT_EQ(access(), Access::kArmed);
  t.panel.client.lease.attach(nullptr);
  server.holder = "anna";
  t.panel.client.lease.attach(&server);
  t.frame();
  EXPECT_EQ(access(), Access::kObserve) << "anna was faster";
}

}  // namespace
}  // namespace jointrig::gui
