#pragma once
/// A robot of two parts that gravity does not pull: an arm of four joints in a horizontal plane and
/// a hand of two fingers beside it. Without weight a motor that goes off leaves its joint to its
/// own friction, so that the way of a stop is that of the ramp alone.

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

struct TwoParts {
  odd::TempModel file{kTwoParts};

  [[nodiscard]] RobotConfig config() const {
    DiscoveryOptions options;
    options.period_ns = kPeriodNs;
    RobotConfig robot = discover(file.path(), options).config;
    robot.parts = {{"arm", {0, 1, 2, 3}}, {"hand", {4, 5}}};
    return robot;
  }
};

}  // namespace jointrig::matrix
