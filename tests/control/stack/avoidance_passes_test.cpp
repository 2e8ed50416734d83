// Collision avoidance of a tip on a circle that comes to, passes or would hit a post beside the
// circle: the nearest distance is a formula, and a straight line from further away overestimates
// the approach.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "tests/support/alloc_guard.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

constexpr double kBall = 0.05;    // m, radius of tip and post
constexpr double kBeside = 0.8;   // rad, where the post stands
constexpr double kMargin = 0.05;  // m

/// A hinge about the vertical carries a ball at 1 m. Another ball stands at `far` from the axis.
std::string tip_beside_post(double far) {
  return fmt::format(R"(
    <mujoco><compiler angle='radian'/><worldbody>
    <geom name='post' type='sphere' size='{0}' pos='{1} {2} 0'/>
    <body><joint name='turn' axis='0 0 1' range='-2 2'/>
    <inertial pos='1 0 0' mass='1' diaginertia='.001 .001 .001'/>
    <geom name='tip' type='sphere' size='{0}' pos='1 0 0'/></body></worldbody>
    <actuator><motor joint='turn' ctrlrange='-50 50'/></actuator></mujoco>)",
                     kBall, far * std::cos(kBeside), far * std::sin(kBeside));
}

struct Tip {
  explicit Tip(double far)
      : file(tip_beside_post(far)),
        rig(config(), {}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        from_axis(far) {
    rig.start();
    rig.loop().step();
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(100);
  }
  RobotConfig config() const {
    RobotConfig robot = app::load_robot(harness::find_robot(file.path())).config;
    robot.avoidance.emplace();
    robot.avoidance->on = true;
    robot.avoidance->margin = kMargin;
    return robot;
  }
  /// Runs until its goal is reached or given up; the smallest distance of the surfaces on the way.
  double least_distance_to(double goal, double speed) {
    client.move(client.select("all"), goal, speed);
    double least = 1.0;
    for (int i = 0; i < 4000; ++i) {
      run(1);
      const double q = rig.stack().snapshot().joints[0].state.q;
      least = std::min(least, distance(q));
    }
    return least;
  }
  [[nodiscard]] double distance(double q) const {
    const double apart = q - kBeside;
    return std::sqrt(1.0 + from_axis * from_axis - 2.0 * from_axis * std::cos(apart)) - 2.0 * kBall;
  }
  [[nodiscard]] double reference() { return rig.stack().snapshot().joints[0].reference.q; }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }

  odd::TempModel file;
  app::Rig rig;
  RobotClient client;
  double from_axis;
};

TEST(CollisionAvoidance, AGoalThatIsFurtherThanTheMarginIsReachedThoughTheWayToItApproachesFast) {
  Tip tip(1.0 + 2.0 * kBall + 0.055);
  EXPECT_GT(tip.least_distance_to(kBeside, 2.0), 0.0545);
  EXPECT_NEAR(tip.reference(), kBeside, 1e-9);
}

TEST(CollisionAvoidance, APostThatIsPassedOutsideOfTheMarginStopsNothing) {
  Tip tip(1.0 + 2.0 * kBall + 0.055);
  EXPECT_NEAR(tip.least_distance_to(1.6, 2.0), 0.055, 1e-4) << "it went by at the nearest place";
  EXPECT_NEAR(tip.reference(), 1.6, 1e-9);
}

TEST(CollisionAvoidance, APostThatWouldBePassedWithinTheMarginStopsTheReferenceBeforeIt) {
  for (const double speed : {0.2, 1.0, 2.0}) {
    for (const double least : {0.049, 0.04, 0.0, -0.05}) {
      Tip tip(1.0 + 2.0 * kBall + least);
      // A ball in a rigid law gives way by less than this to its own braking.
      EXPECT_GT(tip.least_distance_to(1.6, speed), kMargin - 0.001) << speed << " " << least;
      EXPECT_LT(tip.reference(), kBeside);
    }
  }
}

TEST(CollisionAvoidance, LooksAheadWithoutAllocation) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Tip tip(1.0 + 2.0 * kBall + 0.055);
  tip.client.move(tip.client.select("all"), 1.6, 2.0);
  RealtimeGuard guard;
  tip.run(2000);
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
}

}  // namespace
}  // namespace jointrig
