#include "sim/push_spring.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/odd_robot.h"

namespace jointrig::sim {
namespace {

constexpr double kG = 9.81;
constexpr TimeNs kPeriod = 1'000'000;

struct PushSpringTest : ::testing::Test {
  PushSpringTest() { pull_.body = plant.body("carriage"); }
  void pull_for(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      spring.pull(pull_);
      ASSERT_TRUE(plant.step()) << plant.breakdown();
    }
  }
  [[nodiscard]] double height() const { return plant.body_pose(pull_.body).position[2]; }

  TemporaryFile file{kSlider};
  Plant plant{slider_robot(file)};
  PushSpring spring{plant, kPeriod};
  SpringPull pull_;
};

TEST_F(PushSpringTest, AHangingCarriageStretchesItByMgOverK) {
  pull_.stiffness = 400.0;
  pull_.target = plant.body_pose(pull_.body).position;
  pull_.target[2] += 0.3;
  pull_for(4000);
  const double stretch = 2.0 * kG / 400.0;  // carriage of 2 kg
  EXPECT_NEAR(height(), pull_.target[2] - stretch, 1e-6);
  EXPECT_NEAR(spring.force()[2], 2.0 * kG, 1e-4);
}

TEST_F(PushSpringTest, ComesToRestLittleBeyondItsTarget) {
  pull_.stiffness = 400.0;
  pull_.target = plant.body_pose(pull_.body).position;
  plant.set_torque(0, 2.0 * kG);  // weightless
  pull_.target[2] += 0.1;
  const double start = height();
  double highest = start;
  for (int i = 0; i < 2000; ++i) {
    pull_for(1);
    highest = std::max(highest, height());
  }
  // A step answered with damping ratio 0.7 overshoots by exp(-pi z / sqrt(1 - z^2)) = 4.6 %.
  EXPECT_NEAR((highest - start) / 0.1 - 1.0, 0.046, 0.006);
}

TEST_F(PushSpringTest, NeverPullsHarderThanAHand) {
  pull_.stiffness = 2000.0;
  pull_.target = {0.0, 0.0, 50.0};
  pull_for(1);
  EXPECT_NEAR(spring.force()[2], PushSpring::kMostForce, 1e-9);
}

TEST_F(PushSpringTest, OnceLetGoItPullsNoMore) {
  pull_.stiffness = 400.0;
  pull_.target = {0.0, 0.0, 5.0};
  pull_for(50);
  const double v = plant.joint(0).v;
  spring.let_go();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(plant.step());
  EXPECT_NEAR(plant.joint(0).v, v - kG * 0.1, 1e-9) << "it falls freely";
}

TEST_F(PushSpringTest, ForgottenItPullsForOnePeriodAlone) {
  plant.set_torque(0, 2.0 * kG);
  pull_.stiffness = 400.0;
  pull_.target = {0.0, 0.0, 5.0};
  pull_for(1);
  const double v = plant.joint(0).v;
  EXPECT_GT(v, 0.0);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(plant.step());
  EXPECT_NEAR(plant.joint(0).v, v, 1e-9);
}

}  // namespace
}  // namespace jointrig::sim
