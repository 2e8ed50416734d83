// Obstacles that the Franka arm is told of while it runs, with the same ones in physics.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/model/obstacle_shape.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

constexpr double kRadius = 0.06;  // m

sim::PlantOptions with_ball() {
  sim::PlantOptions options;
  options.obstacles = {{"ball", sim::ObstacleShape::kSphere, {2.0 * kRadius, 0.0, 0.0}, 1.0}};
  return options;
}

/// The Franka arm holds its start pose; a ball of its world, which it knows by what it is told
/// alone.
struct ToldFranka {
  ToldFranka()
      : rig(app::load_robot(harness::find_robot("franka")).config, {.plant = with_ball()}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        events(rig.stack().events()) {
    rig.start();
    rig.loop().step();
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(500);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  [[nodiscard]] const Snapshot& now() { return rig.stack().snapshot(); }
  [[nodiscard]] double q(std::size_t joint) { return now().joints[joint].state.q; }
  [[nodiscard]] std::array<double, 3> hand() {
    return rig.plant()->body_pose(rig.plant()->body("panda_hand")).position;
  }
  /// Force of anything on the ball, by physics [N].
  [[nodiscard]] double touch() {
    const auto f = rig.plant()->contact_force(rig.plant()->body("ball"));
    return std::hypot(f[0], f[1], f[2]);
  }
  /// Puts the ball there in physics, and tells nobody.
  void place(const std::array<double, 3>& at) {
    rig.plant()->place(rig.plant()->obstacle("ball"), {at, {1.0, 0.0, 0.0, 0.0}});
  }
  static SetObstacle ball(const std::array<double, 3>& at, const std::array<double, 3>& velocity,
                          double moves_for) {
    return {.name = obstacle_name("ball"),
            .shape = KnownShape::kSphere,
            .size = {kRadius, 0.0, 0.0},
            .position = at,
            .velocity = velocity,
            .moves_for = moves_for};
  }
  RejectReason answer(const Request& request) {
    Event event;
    while (events.next(event)) continue;
    client.post(request);
    run(1);
    while (events.next(event)) {
      if (event.kind == EventKind::kRejected || event.kind == EventKind::kAccepted) {
        last = event;
        return event.reason;
      }
    }
    return RejectReason::kNone;
  }

  app::Rig rig;
  RobotClient client;
  EventRing::Reader events;
  Event last;
};

struct Passage {
  double touch = 0.0;    ///< largest force of a contact [N]
  double nearest = 1.0;  ///< least distance that avoidance saw [m]
  double yielded = 0.0;  ///< largest turn of joint 1 [rad]
};

/// The ball comes from the side by `way`, stands, and goes back; told once at each turn.
Passage pass(ToldFranka& robot, const std::array<double, 3>& from, double way) {
  constexpr double kSpeed = 0.1;  // m/s
  const double q0 = robot.q(0);
  Passage seen;
  std::array<double, 3> at = from;
  const auto go = [&](double speed, int cycles) {
    const double seconds = 1e-3 * cycles;
    robot.client.post(ToldFranka::ball(at, {0.0, speed, 0.0}, seconds));
    for (int i = 0; i < cycles; ++i) {
      at[1] += 1e-3 * speed;
      robot.place(at);
      robot.run(1);
      seen.touch = std::max(seen.touch, robot.touch());
      seen.nearest = std::min(seen.nearest, robot.now().protection.distance);
      seen.yielded = std::max(seen.yielded, std::abs(robot.q(0) - q0));
    }
    EXPECT_NEAR(robot.now().obstacles[0].position[1], at[1], 1e-9) << "it goes on as it was told";
  };
  const int cycles = static_cast<int>(std::lround(1e3 * way / kSpeed));
  go(-kSpeed, cycles);
  go(0.0, 500);
  go(kSpeed, cycles);
  return seen;
}

TEST(KnownObstacles, ACompliantArmGivesWayToABallAndComesBack) {
  ToldFranka robot;
  robot.client.post(SetInteraction{robot.client.select("arm"), InteractionMode::kCompliant});
  robot.run(200);
  const std::array<double, 3> hand = robot.hand();
  const double q0 = robot.q(0);
  // The hand is 0.1 m wide to each side: at the end the ball would be 4 cm inside it.
  const std::array<double, 3> from{hand[0], hand[1] + 0.32, hand[2] - 0.03};

  const Passage told = pass(robot, from, 0.2);
  robot.run(1500);

  EXPECT_EQ(told.touch, 0.0);
  EXPECT_GT(told.nearest, 0.005);
  EXPECT_GT(told.yielded, 0.05);
  EXPECT_NEAR(robot.q(0), q0, 0.01) << "it holds where it held";
}

TEST(KnownObstacles, WithoutBeingToldTheSameBallMeetsTheArm) {
  ToldFranka robot;
  robot.client.post(SetInteraction{robot.client.select("arm"), InteractionMode::kCompliant});
  robot.client.post(SetProtection{Protection::kCollisionAvoidance, false});
  robot.run(200);
  const std::array<double, 3> hand = robot.hand();
  EXPECT_GT(pass(robot, {hand[0], hand[1] + 0.32, hand[2] - 0.03}, 0.2).touch, 1.0);
}

TEST(KnownObstacles, AMoveStopsBeforeABallThatComesTowardsIt) {
  ToldFranka robot;
  const std::array<double, 3> hand = robot.hand();
  std::array<double, 3> at{hand[0], hand[1] + 0.48, hand[2] - 0.03};
  robot.client.post(ToldFranka::ball(at, {0.0, -0.15, 0.0}, 1.5));
  robot.client.move(robot.client.select("panda_joint1"), 1.2, 0.5);
  double touch = 0.0;
  double nearest = 1.0;
  for (int i = 0; i < 4000; ++i) {
    if (i < 1500) at[1] -= 0.15e-3;
    robot.place(at);
    robot.run(1);
    touch = std::max(touch, robot.touch());
    nearest = std::min(nearest, robot.now().protection.distance);
  }
  EXPECT_EQ(touch, 0.0);
  EXPECT_GT(nearest, 0.02);
  EXPECT_LT(robot.q(0), 0.8) << "it has given its goal up";
  EXPECT_EQ(robot.now().joints[0].reference.v, 0.0);

  // It has gone: the arm goes on when it is asked to.
  EXPECT_EQ(robot.answer(RemoveObstacle{obstacle_name("ball")}), RejectReason::kNone);
  robot.place({hand[0], hand[1], 3.0});
  robot.client.move(robot.client.select("panda_joint1"), 1.2, 0.5);
  robot.run(4000);
  EXPECT_NEAR(robot.q(0), 1.2, 0.005);
}

TEST(KnownObstacles, AreRefusedByNameNumberAndLimit) {
  ToldFranka robot;
  SetObstacle far = ToldFranka::ball({3.0, 0.0, 1.0}, {}, 0.0);
  for (std::size_t i = 0; i < kMaxObstacles; ++i) {
    far.name = obstacle_name("far" + std::to_string(i));
    EXPECT_EQ(robot.answer(far), RejectReason::kNone);
  }
  EXPECT_EQ(robot.answer(far), RejectReason::kNone) << "one that is known is moved";
  EXPECT_EQ(robot.now().obstacles.size(), kMaxObstacles);

  far.name = obstacle_name("one_more");
  EXPECT_EQ(robot.answer(far), RejectReason::kTooManyObstacles);
  EXPECT_EQ(text_of(robot.last.obstacle), "one_more");
  EXPECT_EQ(robot.last.value, 17.0);
  EXPECT_EQ(robot.last.limit, 16.0);
  EXPECT_EQ(robot.answer(RemoveObstacle{far.name}), RejectReason::kUnknownObstacle);
  EXPECT_EQ(robot.answer(RemoveObstacle{obstacle_name("far3")}), RejectReason::kNone);
  EXPECT_EQ(robot.now().obstacles.size(), kMaxObstacles - 1);
  EXPECT_EQ(text_of(robot.now().obstacles[3].name), "far4");
  EXPECT_EQ(robot.answer(far), RejectReason::kNone);
}

TEST(KnownObstacles, StayWhereTheToolWasWhenItsPoseWasGivenThere) {
  ToldFranka robot;
  SetObstacle told = ToldFranka::ball({0.0, 0.0, 0.4}, {0.0, 0.0, 0.1}, 0.0);
  told.frame = ToolFrame::kTool;
  const auto tool = robot.rig.plant()->site_pose(robot.rig.plant()->site("tool_centre_point"));
  ASSERT_EQ(robot.answer(told), RejectReason::kNone);
  // The tool looks down: 0.4 m along its z axis.
  const KnownObstacle& known = robot.now().obstacles[0];
  EXPECT_NEAR(known.position[0], tool.position[0], 0.01);
  EXPECT_NEAR(known.position[1], tool.position[1], 0.01);
  EXPECT_NEAR(known.position[2], tool.position[2] - 0.4, 0.01);
  robot.client.move(robot.client.select("panda_joint1"), 0.5, 0.5);
  const auto before = known.position;
  robot.run(1000);
  EXPECT_EQ(robot.now().obstacles[0].position, before);
}

TEST(KnownObstacles, AreRestoredToTheBit) {
  ToldFranka robot;
  const std::array<double, 3> hand = robot.hand();
  robot.client.post(ToldFranka::ball({hand[0], hand[1] + 0.3, hand[2]}, {0.0, -0.2, 0.0}, 1.0));
  robot.run(300);
  const Stack::State saved = robot.rig.stack().state();
  const KnownObstacle then = robot.now().obstacles[0];
  robot.run(200);
  robot.client.post(RemoveObstacle{obstacle_name("ball")});
  robot.run(1);
  EXPECT_TRUE(robot.now().obstacles.empty());
  robot.rig.stack().restore(saved);
  robot.run(1);
  ASSERT_EQ(robot.now().obstacles.size(), 1U);
  EXPECT_DOUBLE_EQ(robot.now().obstacles[0].position[1], then.position[1] - 0.2e-3);
  EXPECT_NEAR(robot.now().obstacles[0].moves_for, then.moves_for - 1e-3, 1e-12);
}

TEST(KnownObstacles, CostNoAllocationInTheCycle) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  ToldFranka robot;
  const std::array<double, 3> hand = robot.hand();
  for (std::size_t i = 0; i < kMaxObstacles; ++i) {
    SetObstacle one = ToldFranka::ball({hand[0], hand[1] + 0.16, hand[2]}, {0.0, -0.01, 0.0}, 1.0);
    one.name = obstacle_name("b" + std::to_string(i));
    one.shape = kAllKnownShape[i % kAllKnownShape.size()];
    for (std::size_t k = 0; k < size_count(one.shape); ++k) one.size[k] = 0.05;
    robot.client.post(one);
    RealtimeGuard guard;
    robot.run(10);
    EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  }
  EXPECT_GT(robot.now().protection.force, 0.0);
}

}  // namespace
}  // namespace jointrig
