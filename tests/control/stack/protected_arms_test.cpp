/// An arm that nobody configured keeps off itself and off its scene, and stops at a blow.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "sim/plant.h"
#include "tests/support/temp_model.h"

namespace jointrig {
namespace {

/// Five hinges; stretched upwards at the start. Its gripper closes by a slide.
constexpr const char* kArm = R"(
<mujoco>
  <worldbody>
    <body name="base">
      <geom type="capsule" size="0.06" fromto="0 0 0 0 0 0.15"/>
      <body name="shoulder" pos="0 0 0.3">
        <joint name="turn" axis="0 0 1" range="-170 170" armature="0.1"/>
        <geom type="sphere" size="0.05"/>
        <body name="upper">
          <joint name="lift" axis="0 1 0" range="-120 120" armature="0.1"/>
          <geom type="capsule" size="0.04" fromto="0 0 0.1 0 0 0.45"/>
          <body name="fore" pos="0 0 0.5">
            <joint name="elbow" axis="0 1 0" range="-179 179" armature="0.1"/>
            <geom type="capsule" size="0.04" fromto="0 0 0.05 0 0 0.25"/>
            <body name="wrist" pos="0 0 0.3">
              <joint name="bend" axis="0 1 0" range="-100 100" armature="0.05"/>
              <geom type="capsule" size="0.03" fromto="0 0 0.05 0 0 0.12"/>
              <body name="flange" pos="0 0 0.16">
                <joint name="roll" axis="0 0 1" range="-170 170" armature="0.05"/>
                <geom type="sphere" size="0.03"/>
                <site name="tool" pos="0 0 0.05"/>
                <body name="jaw" pos="0.1 0 0.05">
                  <joint name="grip" type="slide" axis="1 0 0" range="-0.03 0.03" armature="1"/>
                  <geom type="box" size="0.01 0.01 0.02"/>
                </body>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="turn" ctrlrange="-80 80"/>
    <motor joint="lift" ctrlrange="-80 80"/>
    <motor joint="elbow" ctrlrange="-60 60"/>
    <motor joint="bend" ctrlrange="-20 20"/>
    <motor joint="roll" ctrlrange="-10 10"/>
    <motor joint="grip" ctrlrange="-50 50"/>
  </actuator>
</mujoco>)";

/// A shelf that the arm would meet when it bends forward.
constexpr const char* kShelf = R"(
<mujoco>
  <worldbody>
    <body name="shelf" pos="0.7 0 0.45"><geom type="box" size="0.4 0.4 0.05"/></body>
  </worldbody>
</mujoco>)";

/// A block that can be pushed, which the controller therefore doesn't know: 1 m over the ground,
/// beside the arm bent to the front.
constexpr const char* kBlock = R"(
<mujoco>
  <worldbody>
    <body name="block" pos="0.75 0.4 0.5">
      <joint type="slide" axis="0 1 0" damping="2000"/>
      <geom type="box" size="0.1 0.1 0.4" mass="50"/>
    </body>
  </worldbody>
</mujoco>)";

struct Arm {
  explicit Arm(const std::string& scene = {}) {
    if (scene.empty()) return;
    model.add("scene.xml", scene);
    config.scene_path = model.path().substr(0, model.path().rfind('/')) + "/scene.xml";
  }
  void start() {
    rig.emplace(config, app::RigOptions{});
    client.emplace(rig->stack().config(), rig->stack().inbox(), "test");
    rig->start();
    rig->loop().step();
    client->set_mode(client->select("all"), ModeRequest::kPosition);
    run(500);
  }
  void move(std::string_view joint, double q) { client->move(client->select(joint), q, 1.0); }
  void run(int cycles) {
    EventRing::Reader events(rig->stack().events());
    for (int i = 0; i < cycles; ++i) {
      rig->loop().step();
      if (rig->plant()->contacts().size() > 0) ++touching;
      Event event;
      while (events.next(event)) {
        if (event.kind == EventKind::kAvoidance) ++avoided;
        if (event.kind != EventKind::kContact) continue;
        ++met;
        met_at = event.cycle;
      }
    }
  }
  [[nodiscard]] double q(std::size_t joint) {
    return rig->stack().snapshot().joints[joint].state.q;
  }

  odd::TempModel model{kArm, "arm.xml"};
  RobotConfig config = app::load_robot(harness::find_robot(model.path())).config;
  std::optional<app::Rig> rig;
  std::optional<RobotClient> client;
  int touching = 0;  ///< cycles in which anything touches
  int avoided = 0;   ///< events of collision avoidance
  int met = 0;       ///< contacts that detection found
  std::uint64_t met_at = 0;
};

TEST(ProtectedArms, FoldedOntoItselfItStopsShort) {
  for (const bool is_on : {true, false}) {
    SCOPED_TRACE(is_on);
    Arm arm;
    ASSERT_TRUE(arm.config.avoidance && arm.config.avoidance->on);
    arm.config.avoidance->on = is_on;
    arm.start();
    arm.move("elbow", 3.1);
    arm.run(8000);
    EXPECT_EQ(arm.touching == 0, is_on) << arm.q(2);
    EXPECT_EQ(arm.avoided > 0, is_on);
    if (is_on) {
      EXPECT_GT(arm.q(2), 2.0);
      EXPECT_LT(arm.q(2), 3.0);
    }
    EXPECT_EQ(arm.met > 0, !is_on);  // the other protection finds it
  }
}

TEST(ProtectedArms, BentOntoItsSceneItStopsShort) {
  for (const bool is_on : {true, false}) {
    SCOPED_TRACE(is_on);
    Arm arm(kShelf);
    arm.config.avoidance->on = is_on;
    arm.start();
    arm.move("lift", 1.4);
    arm.run(4000);
    EXPECT_EQ(arm.touching == 0, is_on);
    EXPECT_EQ(arm.avoided > 0, is_on);
  }
}

TEST(ProtectedArms, ABlowStopsItAndFreeMotionDoesNot) {
  Arm arm(kBlock);
  ASSERT_TRUE(arm.config.detection && arm.config.detection->on);
  arm.start();
  arm.move("lift", 1.0);
  arm.run(2000);
  arm.move("turn", -0.8);
  arm.run(2000);
  ASSERT_EQ(arm.touching, 0);
  EXPECT_EQ(arm.met, 0);
  arm.move("turn", 0.8);
  for (int n = 0; n < 4000 && arm.touching == 0; ++n) arm.run(1);
  ASSERT_GT(arm.touching, 0) << "it missed the block";
  arm.run(50);
  EXPECT_GT(arm.met, 0);
}

TEST(ProtectedArms, AJawMayPressOnWhatItHolds) {
  Arm arm;
  const std::size_t jaw = 5;
  ASSERT_EQ(arm.config.joints[jaw].name, "grip");
  EXPECT_TRUE(arm.config.joints[jaw].is_of_hand);
  for (std::size_t i = 0; i < jaw; ++i) EXPECT_FALSE(arm.config.joints[i].is_of_hand);
}

}  // namespace
}  // namespace jointrig
