/// The page of a robot on feet in a real window: the iCub stands, hears messages and is pushed.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "harness/runner/scenario_reader.h"
#include "tests/gui/window/robot_hand.h"

namespace jointrig::gui {
namespace {

app::GuiRobot icub_on_its_feet() {
  const std::filesystem::path models(std::getenv("JOINTRIG_MODELS"));
  const std::filesystem::path file =
      models.parent_path() / "scenarios/whole_body/whole_body_stand.yaml";
  return app::robot_for(harness::read_scenarios(file).front(), {}, false);
}

struct BodyWindow {
  BodyWindow(int width, int height)
      : session(icub_on_its_feet(), width, height), hand(session), desk(session.desks().body) {}

  void stand() {
    hand.click("access/ARMED");
    hand.click("side/Whole-body");
    hand.click("body/stand");
    ASSERT_TRUE(hand.wait_for(3.0, [&] { return desk.state() == LawState::kRuns; }))
        << desk.state_text() << session.panel().notice();
    hand.look(1.0);
  }
  [[nodiscard]] bool completed(MessageId id) const {
    for (const BodyAnswer& answer : desk.answers()) {
      if (answer.id == id && answer.state == AnswerState::kCompleted) return true;
    }
    return false;
  }

  app::GuiSession session;
  testing::RobotHand hand;
  const BodyDesk& desk;
};

TEST(BodyWindowTest, AMessageIsClickedAndCompletedAndTheRobotStandsOn) {
  BodyWindow w(1920, 1080);
  w.stand();
  const double before = w.desk.places.pelvis_height;
  const MessageId lower = w.desk.next_id();
  w.hand.click("body/height/down");
  ASSERT_TRUE(w.hand.wait_for(6.0, [&] { return w.completed(lower); }))
      << w.session.panel().notice();
  w.hand.look(0.5);
  EXPECT_NEAR(w.desk.places.pelvis_height, before - BodyDesk::kHeightStep, 5e-3);

  // A hand, 5 cm ahead of where it is.
  const double ahead = w.desk.places.hands[0].pose.position[0];
  w.hand.click("body/here");
  const MessageId reach = w.desk.next_id();
  w.hand.click("body/row/1/x");
  w.hand.type(std::to_string(static_cast<int>(std::lround(1000.0 * ahead + 50.0))));
  w.hand.click("body/send");
  ASSERT_TRUE(w.hand.wait_for(6.0, [&] { return w.completed(reach); }))
      << w.session.panel().notice();
  w.hand.look(0.5);
  // As far as its elbow lets it, and what is left is the error that the controller itself reports.
  const double reached = w.desk.places.hands[0].pose.position[0];
  EXPECT_GT(reached, ahead + 0.02);
  EXPECT_LT(std::abs(reached - (ahead + 0.05)), w.desk.signal("left_hand_error") + 3e-3);
  EXPECT_EQ(w.desk.state(), LawState::kRuns) << w.desk.state_text();
  w.hand.picture("body");

  const MessageId home = w.desk.next_id();
  w.hand.click("body/home/all");
  EXPECT_TRUE(w.hand.wait_for(6.0, [&] { return w.completed(home) && w.completed(home + 3); }));
  EXPECT_GT(w.desk.places.pelvis_height, before - 0.5 * BodyDesk::kHeightStep);
  EXPECT_EQ(w.desk.state(), LawState::kRuns) << w.desk.state_text();
}

/// The picture's balance and the controller's are computed apart, from the same robot.
TEST(BodyWindowTest, TheBalanceDrawnIsTheControllersAndNothingIsCutOffInASmallWindow) {
  BodyWindow w(1280, 800);
  w.stand();
  w.hand.picture("body-small");
  if (w.session.scene() == nullptr) GTEST_SKIP() << "no 3D view on this machine";
  ASSERT_TRUE(w.session.scene()->balance);
  const Balance& balance = *w.session.scene()->balance;
  const std::size_t corners = balance.support.size();
  ASSERT_GE(corners, 4U);
  EXPECT_TRUE(balance.inside);
  double nearest = 1.0;
  for (std::size_t i = 0; i < corners; ++i) {
    const Point3& a = balance.support[i];
    const Point3& b = balance.support[(i + 1) % corners];
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    nearest = std::min(nearest, ((b[0] - a[0]) * (balance.capture[1] - a[1]) -
                                 (b[1] - a[1]) * (balance.capture[0] - a[0])) /
                                    length);
  }
  EXPECT_NEAR(nearest, w.desk.signal("capture_inside"), 2e-3);
}

}  // namespace
}  // namespace jointrig::gui
