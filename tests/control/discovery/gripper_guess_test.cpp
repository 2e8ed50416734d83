/// Grippers that discovery finds on published models.

#include "control/discovery/gripper_guess.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "control/discovery/discovery.h"
#include "control/discovery/inspection.h"
#include "tests/control/discovery/published_models.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

struct PublishedGripper {
  const char* file;
  std::size_t joints;
  double width;  ///< [m] when open, by hand from the file; 0: unknown
};

class GripperOfRobosuite : public ::testing::TestWithParam<PublishedGripper> {};

// Ways of the slides: panda 0..0.04 and −0.04..0; rethink −0.0115..0.020833, and the same with the
// other sign. The robotiq hand has links that nothing leads, so its joints don't tell.
INSTANTIATE_TEST_SUITE_P(Discovery, GripperOfRobosuite,
                         ::testing::Values(PublishedGripper{"panda_gripper", 2, 0.08},
                                           PublishedGripper{"rethink_gripper", 2,
                                                            2 * (0.0115 + 0.020833)},
                                           PublishedGripper{"robotiq_gripper_140", 2, 0.0}),
                         [](const auto& gripper) { return std::string(gripper.param.file); });

std::string path_of(const char* file) {
  const std::filesystem::path folder = testing::package_folder("robosuite");
  if (folder.empty()) return {};
  return (folder / "models/assets/grippers" / (std::string(file) + ".xml")).string();
}

TEST_P(GripperOfRobosuite, IsFoundWithItsJointsAndItsWidth) {
  const std::string path = path_of(GetParam().file);
  if (path.empty()) GTEST_SKIP() << "robosuite is not installed: scripts/test.sh does it";
  const Discovery found = discover(path);
  ASSERT_EQ(found.grippers.size(), 1U);
  const GripperConfig& gripper = found.grippers[0];
  EXPECT_EQ(gripper.name, "gripper");
  EXPECT_EQ(gripper.joints.size(), GetParam().joints);
  EXPECT_EQ(gripper.knows_width(), GetParam().width > 0.0);
  if (gripper.knows_width()) {
    ASSERT_EQ(gripper.widths.size(), 2U) << "slides open in a straight line";
    EXPECT_NEAR(gripper.widths.back(), GetParam().width, 1e-9);
  }
  EXPECT_NE(describe(found).find("No gripper is set up"), std::string::npos);
  const std::string yaml = starting_robot_yaml(found, ".");
  EXPECT_NE(yaml.find("\ngrippers:\n  gripper:\n    joints: ["), std::string::npos);
}

TEST(GripperGuess, ClosedIsWhereTheFingersMeetWhateverTheSignOfTheirJoints) {
  const std::string path = path_of("panda_gripper");
  if (path.empty()) GTEST_SKIP() << "robosuite is not installed: scripts/test.sh does it";
  const GripperConfig gripper = discover(path).grippers.at(0);
  EXPECT_DOUBLE_EQ(gripper.joints[0].closed, 0.0);
  EXPECT_DOUBLE_EQ(gripper.joints[0].open, 0.04);
  EXPECT_DOUBLE_EQ(gripper.joints[1].closed, 0.0);
  EXPECT_DOUBLE_EQ(gripper.joints[1].open, -0.04);
}

TEST(GripperGuess, OurOwnHandFollowsOneMotor) {
  const Discovery found = discover("models/franka/franka.xml");
  ASSERT_EQ(found.grippers.size(), 1U);
  const GripperConfig& gripper = found.grippers[0];
  ASSERT_EQ(gripper.joints.size(), 1U);
  EXPECT_EQ(found.config.joints[gripper.joints[0].joint].name, "panda_finger_joint1");
  ASSERT_TRUE(gripper.knows_width());
  EXPECT_NEAR(gripper.widths.back(), 0.08, 1e-9);
  EXPECT_NEAR(gripper.lever(0, 0.5), 2.0, 1e-9) << "both fingers go as far as the one joint";
}

TEST(GripperGuess, AHandWithManyJointsIsNone) {
  const std::string path = path_of("inspire_left_hand");
  if (path.empty()) GTEST_SKIP() << "robosuite is not installed: scripts/test.sh does it";
  EXPECT_TRUE(discover(path).grippers.empty());
}

/// A hand of three fingers with two hinges each; only the outermost bodies are called like a
/// finger's.
constexpr const char* kNumberedHand = R"(
  <mujoco><worldbody><body name="base">
    <body pos="0 0 0.05"><joint name="0" range="0 90"/><geom size="0.01"/>
      <body name="fingertip" pos="0 0 0.05"><joint name="1" range="0 90"/><geom size="0.01"/></body>
    </body>
    <body pos="0 0.03 0.05"><joint name="2" range="0 90"/><geom size="0.01"/>
      <body name="tip" pos="0 0 0.05"><joint name="3" range="0 90"/><geom size="0.01"/></body>
    </body>
    <body pos="0 -0.03 0.05"><joint name="4" range="0 90"/><geom size="0.01"/>
      <body name="tip_2" pos="0 0 0.05"><joint name="5" range="0 90"/><geom size="0.01"/></body>
    </body></body></worldbody></mujoco>)";

TEST(GripperGuess, OneFingerOfAHandWithManyJointsIsNone) {
  const odd::TempModel file(kNumberedHand);
  EXPECT_TRUE(discover(file.path(), {.motors = true}).grippers.empty());
}

TEST(GripperGuess, AHandOnAnArmThatBranchesFarAwayIsFound) {
  // The left one of two arms on a torso, 0.5 m from the hand, has a gripper.
  const odd::TempModel file(R"(
    <mujoco><worldbody><body name="torso">
      <body pos="0 0.2 0"><joint name="left_elbow" range="0 90"/><geom size="0.01" pos="0 0 0.3"/>
        <body pos="0 0 0.5"><joint name="left_turn" range="0 90"/><geom size="0.01"/>
          <body pos="0 0 0.05"><joint name="left_finger" type="slide" axis="1 0 0" range="0 0.05"/>
            <geom size="0.01"/></body></body></body>
      <body pos="0 -0.2 0"><joint name="right_elbow" range="0 90"/><geom size="0.01"/>
        <body pos="0 0 0.5"><joint name="right_turn" range="0 90"/><geom size="0.01"/></body>
      </body></body></worldbody></mujoco>)");
  const Discovery found = discover(file.path(), {.motors = true});
  ASSERT_EQ(found.grippers.size(), 1U);
  EXPECT_EQ(found.grippers[0].joints.size(), 1U);
}

TEST(GripperGuess, AnArmWithoutAHandHasNone) {
  EXPECT_TRUE(discover("models/sawyer/sawyer.xml").grippers.empty());
}

}  // namespace
}  // namespace jointrig
