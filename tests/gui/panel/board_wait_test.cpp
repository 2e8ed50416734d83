#include "gui/panel/board_wait.h"

#include <gtest/gtest.h>

namespace jointrig::gui {
namespace {

/// Two drives on one bus, a servo on another.
RobotConfig three_joints() {
  RobotConfig robot;
  robot.name = "arm";
  robot.buses.resize(2);
  robot.buses[0].name = "can";
  robot.buses[0].address = "socketcan:can0";
  robot.buses[1].name = "fd";
  robot.buses[1].protocol = BusProtocol::kMoteus;
  int node = 0;
  for (const auto& [name, bus] : {std::pair{"hip", "can"}, {"hip2", "can"}, {"knee", "fd"}}) {
    JointConfig& joint = robot.joints.emplace_back();
    joint.name = name;
    joint.drive.bus = bus;
    joint.drive.node = ++node;
  }
  return robot;
}

TEST(BoardWait, NamesEachBusAndBoardBeforeAnythingWasAsked) {
  const BoardWait wait(three_joints(), 5.0);
  ASSERT_EQ(wait.buses().size(), 2U);
  EXPECT_EQ(wait.buses()[0].boards[1].address, "node 2");
  EXPECT_EQ(wait.buses()[1].boards[0].address, "servo 3");
  EXPECT_EQ(heard_text(wait.buses()[1].boards[0]), "not asked yet");
  EXPECT_EQ(wait.boards(), 3U);
  EXPECT_EQ(wait.ready(), 0U);
  EXPECT_TRUE(wait.advice().empty()) << "nothing is known yet";
}

TEST(BoardWait, PutsTheDriversSentencesAtTheBoardThatTheyName) {
  BoardWait wait(three_joints(), 0.0);
  wait.failed(
      "bus can: hip2: node 2, 1018h:4, serial: expected 1h, found 2h\n"
      "bus fd: knee (servo 3) does not answer; look at its supply",
      true, 1.0);
  const std::vector<WaitedBoard>& can = wait.buses()[0].boards;
  EXPECT_EQ(can[0].heard, Heard::kReady) << "a name that begins another isn't that";
  EXPECT_EQ(can[1].heard, Heard::kProblem);
  EXPECT_EQ(can[1].text, "1018h:4, serial: expected 1h, found 2h");
  EXPECT_EQ(wait.buses()[1].boards[0].heard, Heard::kNothing);
  EXPECT_EQ(heard_text(wait.buses()[1].boards[0]), "does not answer; look at its supply");
  EXPECT_EQ(wait.ready(), 1U);
  EXPECT_EQ(wait.advice().size(), 3U);
}

TEST(BoardWait, TellsSinceWhenEachIsAsItIs) {
  BoardWait wait(three_joints(), 0.0);
  const std::string silent =
      "bus can: hip (node 1) does not answer\n"
      "the boards count as real ones: no program listens at 127.0.0.1:20010";
  wait.failed(silent, true, 1.0);
  wait.failed(silent, true, 9.0);
  EXPECT_EQ(wait.buses()[0].boards[0].since, 0.0) << "silent from the start on";
  wait.failed("bus can: hip2 (node 2) does not answer", true, 12.0);
  EXPECT_EQ(wait.buses()[0].boards[0].since, 12.0) << "it answers now";
  EXPECT_EQ(wait.buses()[1].boards[0].since, 1.0);
  EXPECT_EQ(wait.tries(), 3U);
  EXPECT_TRUE(wait.others().empty()) << "what is advised isn't told twice";
}

TEST(BoardWait, OfABusThatCannotBeOpenedNoBoardWasAsked) {
  BoardWait wait(three_joints(), 0.0);
  wait.failed("bus can: there is no network interface can0", false, 2.0);
  EXPECT_EQ(wait.buses()[0].problem, "there is no network interface can0");
  EXPECT_EQ(wait.buses()[0].boards[0].heard, Heard::kNotAsked);
  EXPECT_EQ(wait.buses()[1].boards[0].heard, Heard::kNotAsked) << "no try came so far";
  EXPECT_EQ(heard_text(wait.buses()[0].boards[0]), "its bus can't be used");
  EXPECT_EQ(heard_text(wait.buses()[1].boards[0]), "not asked, since bus can can't be used");
  wait.failed("the boards are in use by another run", false, 3.0);
  EXPECT_EQ(heard_text(wait.buses()[1].boards[0]), "not asked, for the reason below");
  EXPECT_EQ(wait.buses()[0].problem, "");
  EXPECT_EQ(wait.others(), std::vector<std::string>{"the boards are in use by another run"});
}

}  // namespace
}  // namespace jointrig::gui
