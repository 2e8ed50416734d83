#pragma once
/// An arm whose picture can be worked out by hand: two links of 1 m along x, turning about y, the
/// second carrying a tool bolted to it; a finger that follows the second joint at half the angle;
/// a table in the world.

#include "gui/scene3d/scene3d.h"

namespace jointrig::testing {

inline constexpr const char* kTwoLinks = R"(
<mujoco model="two links">
  <compiler angle="radian"/>
  <worldbody>
    <body name="table" pos="0 3 0"><geom name="table" type="box" size="0.5 0.5 0.02"/></body>
    <body name="upper">
      <joint name="joint1" axis="0 -1 0"/>
      <geom name="upper" type="capsule" fromto="0 0 0 1 0 0" size="0.05"/>
      <body name="lower" pos="1 0 0">
        <joint name="joint2" axis="0 -1 0"/>
        <geom name="lower" type="capsule" fromto="0 0 0 0.9 0 0" size="0.05"/>
        <body name="tool" pos="1 0 0">
          <geom name="tool" type="sphere" size="0.1"/>
          <site name="tip" pos="0.1 0 0"/>
        </body>
        <body name="finger" pos="0.5 0 0.2">
          <joint name="finger" axis="0 -1 0"/>
          <geom name="finger" type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/>
        </body>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="finger" joint2="joint2" polycoef="0 0.5 0 0 0"/></equality>
</mujoco>)";

/// Links one upon the other, each turning about y: as many joints as one likes, named as those of
/// ideal_config().
inline gui::DrawnModel tower(std::size_t joints) {
  std::string open = "<mujoco model='tower'><compiler angle='radian'/><worldbody>";
  std::string close;
  for (std::size_t i = 1; i <= joints; ++i) {
    open += "<body pos='0 0 " + std::string(i == 1 ? "0" : "0.2") + "'><joint name='joint" +
            std::to_string(i) + "' axis='0 1 0'/><geom type='box' size='0.08 0.08 0.09' " +
            "pos='0 0 0.1'/>";
    close += "</body>";
  }
  Mjcf mjcf = parse_mjcf(open + close + "</worldbody></mujoco>", "tower.xml");
  return {compile(mjcf), {}};
}

inline RobotConfig two_links_config() {
  RobotConfig config;
  config.name = "two links";
  config.model_path = "two_links.xml";
  for (const char* name : {"joint1", "joint2"}) {
    JointConfig joint;
    joint.name = name;
    config.joints.push_back(joint);
  }
  return config;
}

inline gui::DrawnModel two_links() {
  Mjcf mjcf = parse_mjcf(kTwoLinks, "two_links.xml");
  return {compile(mjcf), {}};
}

inline Snapshot measured(double q1, double q2) {
  Snapshot snapshot;
  snapshot.joints.resize(2);
  snapshot.joints[0].state.q = q1;
  snapshot.joints[1].state.q = q2;
  return snapshot;
}

inline int body_named(const gui::DrawnRobot& robot, const char* name) {
  return mj_name2id(&robot.model(), mjOBJ_BODY, name);
}

/// Requests to a simulation.
class ToldPushes final : public gui::PushPort {
 public:
  void push(const gui::Push& push) override { pushes.push_back(push); }
  void let_go() override { ++let_gos; }
  std::vector<gui::Push> pushes;
  int let_gos = 0;
};

}  // namespace jointrig::testing
