#include "control/core/gripper.h"
#include "tests/harness/config/support.h"

namespace jointrig::harness {
namespace {

TEST(GripperSettings, OpenAndClosedAreTheLimitsUntilTheFileSaysOtherwise) {
  const RobotConfig robot = a_robot_with("grippers: {jaw: {joints: [l_elbow]}}\n");
  ASSERT_EQ(robot.grippers.size(), 1U);
  const GripperConfig& jaw = robot.grippers[0];
  EXPECT_EQ(jaw.name, "jaw");
  EXPECT_DOUBLE_EQ(jaw.joints.at(0).closed, robot.joints[jaw.joints[0].joint].limits.q_min)
      << "-2 is nearer to 0 than 2.5";
  EXPECT_DOUBLE_EQ(jaw.joints.at(0).open, 2.5);
  EXPECT_FALSE(jaw.knows_width());
}

TEST(GripperSettings, NumbersHaveUnitsAndOneForEachJoint) {
  const RobotConfig robot = a_robot_with(
      "grippers:\n"
      "  hand: {joints: [l_elbow, r_elbow], open: [60 deg, -60 deg], closed: 0 deg,\n"
      "         width: [0, 3 cm, 8 cm], force: 20 N, force_max: 70 N, slip: 0.1}\n");
  const GripperConfig& hand = robot.grippers.at(0);
  EXPECT_NEAR(hand.joints.at(0).open, 1.0471975512, 1e-9);
  EXPECT_NEAR(hand.joints.at(1).open, -1.0471975512, 1e-9);
  EXPECT_EQ(hand.widths, (std::vector<double>{0.0, 0.03, 0.08}));
  EXPECT_DOUBLE_EQ(hand.force, 20.0);
  EXPECT_DOUBLE_EQ(hand.force_max, 70.0);
  EXPECT_DOUBLE_EQ(hand.slip, 0.1);
}

TEST(GripperSettings, WhatIsWrittenReadsBackTheSame) {
  const RobotConfig robot = a_robot_with(
      "grippers: {hand: {joints: [l_elbow, r_elbow], open: 1, width: 8 cm, force: 20 N}}\n");
  RobotConfig back = robot;
  back.grippers.clear();
  apply_robot_overrides(parse_yaml(to_yaml(robot, "."), "written"), back);
  EXPECT_EQ(back.grippers, robot.grippers);
}

TEST(GripperSettings, EachMistakeHasItsSentence) {
  const auto sentence = [](const char* text) {
    return sentence_of([&] { static_cast<void>(a_robot_with(text)); });
  };
  EXPECT_NE(sentence("grippers: {jaw: {joints: [l_elbov]}}\n").find("did you mean \"l_elbow\"?"),
            std::string::npos);
  EXPECT_NE(sentence("grippers: {jaw: {joint: [l_elbow]}}\n").find("joints"), std::string::npos);
  EXPECT_NE(sentence("grippers: {jaw: {width: 1 cm}}\n").find("has no joint"), std::string::npos);
  EXPECT_NE(sentence("grippers: {jaw: {joints: [l_elbow], open: 3}}\n").find("outside the range"),
            std::string::npos);
  EXPECT_EQ(sentence("grippers: {jaw: {joints: [l_elbow], open: 2.5000001}}\n"), "") << "rounded";
  EXPECT_NE(sentence("grippers: {jaw: {joints: [l_elbow], open: [1, 2]}}\n").find("give one each"),
            std::string::npos);
  EXPECT_NE(sentence("grippers: {jaw: {joints: [l_elbow], open: 1, closed: 1}}\n").find("no way"),
            std::string::npos);
  EXPECT_NE(sentence("grippers: {jaw: {joints: [l_elbow], width: [0, 2, 1]}}\n").find("above"),
            std::string::npos);
  EXPECT_NE(sentence("grippers: {a: {joints: [l_elbow]}, b: {joints: [l_elbow]}}\n")
                .find("in two grippers"),
            std::string::npos);
  EXPECT_NE(sentence("grippers: {a: {joints: [l_elbow], force: 9 N, force_max: 8 N}}\n")
                .find("above force_max"),
            std::string::npos);
}

}  // namespace
}  // namespace jointrig::harness
