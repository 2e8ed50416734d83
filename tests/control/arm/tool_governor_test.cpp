#include "control/arm/tool_governor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "control/arm/arm_motion.h"
#include "control/laws/tool_error.h"

namespace jointrig {
namespace {

constexpr double kDt = 0.001;
constexpr ToolSpeeds kSpeeds{0.25, 1.0, 1.0, 4.0};

Placement at(double x, double y, double z, const Eigen::Vector3d& turn = Eigen::Vector3d::Zero()) {
  return {{x, y, z}, rotation_of(turn)};
}

struct Trip {
  double seconds = 0.0;
  double fastest = 0.0;
  double hardest = 0.0;
  double fastest_turn = 0.0;
};

Trip to_the_goal(ToolGovernor& governor) {
  Trip run;
  Eigen::Vector3d v_was = Eigen::Vector3d::Zero();
  for (int i = 0; i < 20000 && governor.moving(); ++i) {
    const Placement before = governor.target();
    governor.advance(kSpeeds, kDt);
    const Eigen::Vector3d v = (governor.target().position - before.position) / kDt;
    const Eigen::Vector3d w =
        rotation_vector(governor.target().rotation * before.rotation.transpose()) / kDt;
    run.seconds += kDt;
    run.fastest = std::max(run.fastest, v.norm());
    run.fastest_turn = std::max(run.fastest_turn, w.norm());
    run.hardest = std::max(run.hardest, (v - v_was).norm() / kDt);
    v_was = v;
  }
  return run;
}

TEST(ToolGovernor, TakesTheTimeOfATrapezoid) {
  ToolGovernor governor;
  governor.start(at(0, 0, 0));
  governor.go_to(at(0.3, 0.4, 0));  // 0.5 m
  const Trip run = to_the_goal(governor);
  // 0.25 s up, 0.25 s down, the rest at 0.25 m/s: 0.5 / 0.25 + 0.25 / 1
  EXPECT_NEAR(run.seconds, 2.25, 0.01);
  EXPECT_NEAR(run.fastest, 0.25, 1e-6);
  EXPECT_LE(run.hardest, 1.0 + 1e-6);
  EXPECT_EQ(governor.target().position, Eigen::Vector3d(0.3, 0.4, 0.0));
}

TEST(ToolGovernor, InAFrameThatMovesTheTargetKeepsItsPlaceOutsideOfIt) {
  ToolGovernor governor;
  const Placement world = at(0.4, -0.2, 0.3, {0.1, 0.2, 0.3});
  Placement frame = at(0, 0, 0);
  governor.start(world);
  for (int i = 0; i < 3000; ++i) {
    const Placement next = at(1e-4 * i, 0.0, 0.0, {0.0, 0.0, 2e-4 * i});
    EXPECT_FALSE(governor.carry(between(next, frame), between(next, world), kSpeeds, kDt));
    governor.advance(kSpeeds, kDt);
    frame = next;
    const Placement there = product(frame, governor.target());
    ASSERT_LT((there.position - world.position).norm(), 1e-9) << i;
    ASSERT_LT((there.rotation - world.rotation).norm(), 1e-9) << i;
    ASSERT_FALSE(governor.moving()) << i;
  }
}

TEST(ToolGovernor, BehindAFrameThatJumpsTheTargetFollowsWithinItsLimits) {
  ToolGovernor governor;
  const Placement world = at(0.1, 0, 0);
  governor.start(world);
  const Placement next = at(0.5, 0, 0);
  EXPECT_TRUE(governor.carry(between(next, at(0, 0, 0)), between(next, world), kSpeeds, kDt));
  EXPECT_NEAR(governor.target().position.x(), 0.1 - 0.25 * kDt, 1e-12) << "one cycle at the limit";
  const Trip run = to_the_goal(governor);
  EXPECT_LE(run.fastest, 0.25 + 1e-9);
  EXPECT_LE(run.hardest, 1.0 + 1e-6);
  EXPECT_NEAR(governor.target().position.x(), -0.4, 1e-9);
}

TEST(ToolGovernor, TurnsTheShortWayAtItsSpeed) {
  ToolGovernor governor;
  governor.start(at(0, 0, 0));
  governor.go_to(at(0, 0, 0, {0.0, 1.5 * std::numbers::pi, 0.0}));
  const Trip run = to_the_goal(governor);
  // A quarter turn the other way: π/2 / 1 + 1 / 4
  EXPECT_NEAR(run.seconds, std::numbers::pi / 2 + 0.25, 0.01);
  EXPECT_NEAR(run.fastest_turn, 1.0, 1e-6);
}

TEST(ToolGovernor, BendsToANewGoalWithoutAJump) {
  ToolGovernor governor;
  governor.start(at(0, 0, 0));
  governor.go_to(at(1, 0, 0));
  for (int i = 0; i < 700; ++i) governor.advance(kSpeeds, kDt);
  governor.go_to(at(0, 0.2, 0));
  const Placement before = governor.target();
  governor.advance(kSpeeds, kDt);
  const Eigen::Vector3d v = (governor.target().position - before.position) / kDt;
  EXPECT_NEAR(v.x(), 0.25, 0.002) << "goes on for a moment";
  to_the_goal(governor);
  EXPECT_EQ(governor.target().position, Eigen::Vector3d(0.0, 0.2, 0.0));
}

TEST(ToolGovernor, BrakesOnStopWithinItsAcceleration) {
  ToolGovernor governor;
  governor.start(at(0, 0, 0));
  governor.go_to(at(1, 0, 0));
  for (int i = 0; i < 700; ++i) governor.advance(kSpeeds, kDt);
  const double from = governor.target().position.x();
  governor.stop();
  const Trip run = to_the_goal(governor);
  EXPECT_NEAR(governor.target().position.x() - from, 0.25 * 0.25 / 2.0, 0.001);  // v² / 2a
  EXPECT_NEAR(run.seconds, 0.25, 0.005);
  EXPECT_EQ(governor.goal().position, governor.target().position);
}

TEST(ToolGovernor, FollowsAStreamAtOnceUpToItsSpeed) {
  ToolGovernor governor;
  governor.start(at(0, 0, 0));
  governor.follow(at(0.0001, 0, 0));
  EXPECT_FALSE(governor.advance(kSpeeds, kDt));
  EXPECT_EQ(governor.target().position.x(), 0.0001);
  governor.follow(at(1, 0, 0));
  EXPECT_TRUE(governor.advance(kSpeeds, kDt));
  EXPECT_NEAR(governor.target().position.x(), 0.0001 + 0.25 * kDt, 1e-12);
}

}  // namespace
}  // namespace jointrig
