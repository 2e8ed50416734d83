#include "gui/panel/sequence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

// Joints of ideal_config: -2..2.5 rad with 0.02 of soft margin, 2 rad/s, 10 rad/s².
Sequence one_pose(std::vector<std::optional<double>> q, double speed) {
  Sequence sequence;
  sequence.poses.push_back({.name = "there", .q = std::move(q), .speed = speed});
  return sequence;
}

TEST(Sequence, AWayTakesAsLongAsItsPeakSpeedSays) {
  // Half of 2 rad/s over 2 rad: T = 15/8 · 2 / 1. The acceleration, 10/√3 · 2 / T² = 0.82, is free.
  const auto checks = check_sequence(one_pose({2.0}, 0.5), testing::ideal_config(1), {0.0}, 1.0);
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_EQ(checks[0].problem, "");
  EXPECT_NEAR(checks[0].seconds, 3.75, 1e-3);
  EXPECT_NEAR(checks[0].share, 0.5, 1e-3);
}

TEST(Sequence, TheSlowestJointDecidesHowLongAPoseTakes) {
  const auto checks =
      check_sequence(one_pose({1.0, -1.9}, 0.5), testing::ideal_config(2), {0.0, 0.0}, 1.0);
  EXPECT_NEAR(checks[0].seconds, 15.0 / 8.0 * 1.9, 1e-3);
}

TEST(Sequence, APoseBeyondASoftLimitIsNamedWithTheLimit) {
  const auto checks = check_sequence(one_pose({2.49}, 0.5), testing::ideal_config(1), {0.0}, 1.0);
  EXPECT_EQ(checks[0].problem, "joint1 at 142.7 ° is beyond its limit, 142.1 °");
}

TEST(Sequence, ATimeThatIsTooShortIsRefusedWithTheOneThatWouldDo) {
  Sequence sequence = one_pose({2.0}, 0.5);
  sequence.poses[0].timed = true;
  sequence.poses[0].time = 1.0;  // 15/8 · 2 / 2 rad/s = 1.875 s is the least
  const auto checks = check_sequence(sequence, testing::ideal_config(1), {0.0}, 1.0);
  EXPECT_EQ(checks[0].problem, "joint1 can't get there in 1.00 s: it takes 1.88 s");
  sequence.poses[0].time = 3.75;
  EXPECT_EQ(check_sequence(sequence, testing::ideal_config(1), {0.0}, 1.0)[0].problem, "");
}

TEST(Sequence, NoPoseIsReachedFasterThanTheSpeedOverrideAllows) {
  Sequence sequence = one_pose({2.0}, 0.5);
  EXPECT_NEAR(check_sequence(sequence, testing::ideal_config(1), {0.0}, 0.1)[0].seconds, 18.75,
              0.01);
  sequence.poses[0].timed = true;
  sequence.poses[0].time = 3.75;
  EXPECT_NEAR(check_sequence(sequence, testing::ideal_config(1), {0.0}, 0.1)[0].seconds, 18.75,
              0.01);
}

TEST(Sequence, EachPoseIsCheckedFromWhereTheOnesBeforeItLead) {
  Sequence sequence = one_pose({2.0, std::nullopt}, 0.5);
  sequence.poses.push_back({.name = "other joint", .q = {std::nullopt, 1.0}, .speed = 0.5});
  sequence.poses.push_back({.name = "stay", .q = {2.0, 1.0}, .speed = 0.5});
  const auto checks = check_sequence(sequence, testing::ideal_config(2), {0.0, 0.0}, 1.0);
  EXPECT_NEAR(checks[1].seconds, 1.875, 1e-3);
  EXPECT_EQ(checks[2].seconds, 0.0);
}

TEST(Sequence, APoseWithoutAJointIsNone) {
  EXPECT_EQ(check_sequence(one_pose({std::nullopt}, 0.5), testing::ideal_config(1), {0.0}, 1.0)[0]
                .problem,
            "it names no joint");
}

TEST(Sequence, RecordedAnglesAreHundredthsOfADegreeInsideTheSoftLimits) {
  const JointConfig joint = testing::ideal_config(1).joints[0];
  const double degree = std::numbers::pi / 180.0;
  EXPECT_DOUBLE_EQ(tidy(12.3449 * degree, joint), 12.34 * degree);
  // 2.48 rad is 142.0935...°: the nearest hundredth inside is 142.09°.
  EXPECT_DOUBLE_EQ(tidy(2.5, joint), 142.09 * degree);
  EXPECT_DOUBLE_EQ(tidy(-3.0, joint), -113.44 * degree);  // -1.98 rad is -113.446...°
  JointConfig slide = joint;
  slide.slide = true;
  EXPECT_DOUBLE_EQ(tidy(0.0123456, slide), 0.01235);
}

}  // namespace
}  // namespace jointrig::gui
