#pragma once
/// A robot of two parts: an arm of four joints and a hand of two fingers beside it. In a horizontal
/// plane gravity does not pull it: a motor that goes off leaves its joint to its own friction, so
/// that the way of a stop is that of the ramp alone. With JOINTRIG_MATRIX=weight it hangs in a
/// vertical plane and has a brake at each joint, so that the same rows tell how an arm ends that
/// weighs something.

#include <cstdlib>
#include <string>
#include <string_view>

#include "control/core/robot_config.h"
#include "control/discovery/discovery.h"
#include "tests/support/temp_model.h"

namespace jointrig::matrix {

inline constexpr double kPeriod = 2e-3;  // [s]
inline constexpr std::int64_t kPeriodNs = 2'000'000;

inline constexpr const char* kTwoParts = R"(
<mujoco model="two parts">
  <compiler angle="radian"/>
  <option gravity="0 0 0"/>
  <default>
    <geom contype="0" conaffinity="0"/>
    <joint damping="1.0" armature="0.1" axis="0 0 1" range="-2.5 2.5"/>
  </default>
  <worldbody>
    <body name="base_link" pos="0 0 1">
      <joint name="yaw"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
      <body name="upper" pos="0.3 0 0">
        <joint name="shoulder"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
        <body name="lower" pos="0.3 0 0">
          <joint name="elbow"/>
          <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03" mass="0.5"/>
          <body name="tool" pos="0.2 0 0">
            <joint name="wrist"/>
            <geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.02" mass="0.3"/>
          </body>
        </body>
      </body>
    </body>
    <body name="palm" pos="0 1 1">
      <body name="finger_l"><joint name="left"/>
        <geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.02" mass="0.2"/></body>
      <body name="finger_r" pos="0 0.1 0"><joint name="right"/>
        <geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.02" mass="0.2"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="yaw" ctrlrange="-40 40"/>
    <motor joint="shoulder" ctrlrange="-40 40"/>
    <motor joint="elbow" ctrlrange="-30 30"/>
    <motor joint="wrist" ctrlrange="-20 20"/>
    <motor joint="left" ctrlrange="-10 10"/>
    <motor joint="right" ctrlrange="-10 10"/>
  </actuator>
</mujoco>)";

/// The rows run with gravity and brakes.
inline bool has_weight() {
  const char* const chosen = std::getenv("JOINTRIG_MATRIX");
  return chosen != nullptr && std::string_view(chosen) == "weight";
}

/// The text of the model, in its vertical plane: each joint turns its link up and down.
inline std::string upright(std::string model) {
  const auto put = [&model](std::string_view before, std::string_view now) {
    model.replace(model.find(before), before.size(), now);
  };
  put("gravity=\"0 0 0\"", "gravity=\"0 0 -9.81\"");
  put("axis=\"0 0 1\"", "axis=\"0 1 0\"");
  return model;
}

/// As strong as the motors; open in time for a row that waits for 60 ms.
inline void give_brakes(RobotConfig& robot) {
  for (JointConfig& joint : robot.joints) {
    joint.brake = {.holding_torque = joint.limits.tau_max, .engage_s = 0.03, .release_s = 0.03};
  }
}

struct TwoParts {
  bool weighs = has_weight();
  odd::TempModel file{weighs ? upright(kTwoParts) : std::string(kTwoParts)};

  [[nodiscard]] RobotConfig config() const {
    DiscoveryOptions options;
    options.period_ns = kPeriodNs;
    RobotConfig robot = discover(file.path(), options).config;
    if (weighs) give_brakes(robot);
    robot.parts = {{"arm", {0, 1, 2, 3}}, {"hand", {4, 5}}};
    return robot;
  }
};

}  // namespace jointrig::matrix
