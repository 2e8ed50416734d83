/// STOP where a motor can't brake what its limits ask for: no joint is driven on by the others. The
/// judge is the physics, by its true speeds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "sim/sim_backend.h"
#include "tests/control/discovery/published_models.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

/// Two links of 1 kg at the ends of 1 m, stretched out and level: M = [[5, 2], [2, 1]] kg·m². To
/// brake both joints at a takes 7 a from the shoulder, and 3 a from the elbow.
constexpr const char* kTwoLinks = R"(
<mujoco model="two links">
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 0 1"/>
      <inertial pos="1 0 0" mass="1" diaginertia="1e-6 1e-6 1e-6"/>
      <body name="lower" pos="1 0 0">
        <joint name="elbow" axis="0 0 1"/>
        <inertial pos="1 0 0" mass="1" diaginertia="1e-6 1e-6 1e-6"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" ctrlrange="-20 20"/>
    <motor joint="elbow" ctrlrange="-40 40"/>
  </actuator>
</mujoco>)";

/// A robot that moves all its joints at once, and is stopped half-way.
struct Stopped {
  explicit Stopped(const RobotConfig& config)
      : rig(config, {}),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        count(config.joints.size()),
        before(count),
        from(count),
        fastest(count) {
    rig.start();
    run(1);
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(500);
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      rig.loop().step();
      for (std::size_t k = 0; k < count; ++k) {
        fastest[k] = std::max(fastest[k], std::abs(truth(k).v));
      }
    }
  }
  [[nodiscard]] sim::JointTruth truth(std::size_t joint) { return rig.sim()->truth(joint); }
  [[nodiscard]] const JointSnapshot& joint(std::size_t k) {
    return rig.stack().snapshot().joints[k];
  }

  /// Each joint by `way`, or by what its range leaves; STOP when half of the time is over.
  void move_and_stop(double way, double slower = 1.2) {
    RobotClient::Each<TimedMove::Value> goals;
    double longest = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      const JointLimits& l = rig.stack().config().joints[k].limits;
      const double q = joint(k).reference.q;
      const double goal =
          std::clamp(q + way, l.q_min + 2.0 * l.soft_margin, l.q_max - 2.0 * l.soft_margin);
      const double d = std::abs(goal - q);
      longest = std::max({longest, 15.0 / 8.0 * d / (0.5 * l.v_max),
                          std::sqrt(10.0 / std::numbers::sqrt3 * d / l.a_max)});
      goals.push_back({static_cast<JointIndex>(k), {goal, 0.0}});
    }
    for (auto& [index, value] : goals) value.duration = slower * longest;
    client.send<TimedMove>(goals);
    run(static_cast<int>(500.0 * slower * longest));
    client.stop(client.select("all"));
    run(1);
    for (std::size_t k = 0; k < count; ++k) {
      before[k] = std::abs(truth(k).v);
      from[k] = truth(k).q;
    }
    std::fill(fastest.begin(), fastest.end(), 0.0);
    run(1500);
  }

  app::Rig rig;
  RobotClient client;
  std::size_t count;
  std::vector<double> before;   // speeds at STOP
  std::vector<double> from;     // positions at STOP
  std::vector<double> fastest;  // speeds after it
};

/// Until the torque is there, up to 20 ms at its rate, the others move a joint by this much
/// of its limit. It was 0.6 rad/s on Spot's arm.
constexpr double kUntilTheTorqueIsThere = 0.04;

void expect_no_speed_grows(Stopped& robot) {
  const RobotConfig& config = robot.rig.stack().config();
  for (std::size_t k = 0; k < robot.count; ++k) {
    EXPECT_LE(robot.fastest[k],
              robot.before[k] + kUntilTheTorqueIsThere * config.joints[k].limits.v_max)
        << config.joints[k].name;
    EXPECT_LT(std::abs(robot.truth(k).v), 0.01);
  }
}

RobotConfig two_links() {
  static const odd::TempModel model(kTwoLinks);
  RobotConfig config = app::load_robot(harness::find_robot(model.path())).config;
  for (JointConfig& joint : config.joints) joint.limits.a_max = 10.0;
  return config;
}

// The shoulder brakes both at 20 / 7 = 2.86 rad/s², not at 10.
TEST(StopTogether, TwoLinksBrakeAsTheWeakShoulderCan) {
  Stopped robot(two_links());
  robot.move_and_stop(1.0, 2.5);  // itself within the torques
  expect_no_speed_grows(robot);
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_GT(robot.before[k], 0.35);
    const double needed = robot.before[k] * robot.before[k] / (2.0 * 20.0 / 7.0);
    EXPECT_NEAR(robot.truth(k).q - robot.from[k], needed, 0.15 * needed) << k;
  }
}

void stop_published(const std::string& arm) {
  const std::string folder = testing::package_folder("robosuite");
  if (folder.empty()) GTEST_SKIP() << "not installed: scripts/test.sh does it";
  const std::string path = folder + "/models/assets/robots/" + arm + "/robot.xml";
  for (const double way : {0.175, -0.175, 0.5}) {
    SCOPED_TRACE(way);
    Stopped robot(app::load_robot(harness::find_robot(path)).config);
    robot.move_and_stop(way);
    expect_no_speed_grows(robot);
  }
}

// Its shoulder carries 21 of its 33.5 N·m, and would need 26 more to brake them all as fast as
// asked.
TEST(StopTogether, NoJointOfSpotsArmIsDrivenOnByTheOthers) { stop_published("spot_arm"); }
TEST(StopTogether, NoJointOfAPublishedSawyerIsDrivenOnByTheOthers) { stop_published("sawyer"); }
TEST(StopTogether, NoJointOfBaxterIsDrivenOnByTheOthers) { stop_published("baxter"); }

}  // namespace
}  // namespace jointrig
