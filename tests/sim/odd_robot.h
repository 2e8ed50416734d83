#pragma once
/// Small worlds for tests, odd on purpose: joints and actuators in different orders, gears, limits
/// that are not symmetric, a nameless body.

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "control/core/robot_config.h"

namespace jointrig::sim {

/// A file that lives as long as this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text, const std::string& name = "model.xml") {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("jointrig_" + std::to_string(getpid()) + "_" + std::to_string(count++) + "_" + name);
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// Two kilograms on a vertical slide.
inline constexpr const char* kSlider = R"(<mujoco model="slider">
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="carriage" pos="0 0 1">
      <joint name="lift" type="slide" axis="0 0 1" range="-5 5"/>
      <geom type="box" size="0.1 0.1 0.1" mass="2" contype="0" conaffinity="0"/>
      <site name="top" pos="0 0 0.1"/>
    </body>
  </worldbody>
</mujoco>)";

/// Two links that swing in a plane; the actuators stand in the other order and have gears.
inline constexpr const char* kArm = R"(<mujoco model="arm">
  <compiler angle="radian"/>
  <option gravity="0 0 -9.81"/>
  <default>
    <geom margin="0.05" material="rusty" group="4"/>
    <general gear="75" forcelimited="true" forcerange="-0.1 0.1"
             armature="0.3" damping="2"/>
    <position gear="9"/>
  </default>
  <asset><material name="rusty"/></asset>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-3 2" armature="0.05" damping="0.4"
             actuatorfrcrange="-1 1"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="3"/>
      <body pos="0.4 0 0">
        <joint name="elbow" axis="0 1 0" range="-1 2.5" armature="0.02" frictionloss="0.1"/>
        <inertial pos="0.15 0 0" mass="1.5" diaginertia="0.002 0.012 0.012"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.025"/>
        <body name="tool" pos="0.3 0 0">
          <geom type="sphere" size="0.04" mass="0.5"/>
          <site name="tip"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="elbow_servo" joint="elbow" kp="300" gear="3" armature="0" damping="0" ctrlrange="-1 2.5"/>
    <general name="shoulder_motor" joint="shoulder" gear="-50" armature="0" damping="0"/>
  </actuator>
  <sensor>
    <force site="tip"/>
    <accelerometer site="tip"/>
    <gyro site="tip"/>
    <torque site="tip"/>
    <jointpos joint="elbow"/>
  </sensor>
  <keyframe>
    <key name="rest" qpos="0 0"/>
    <key name="home" qpos="0.3 -0.4"/>
  </keyframe>
</mujoco>)";

inline JointConfig joint_named(const std::string& name, double tau_max) {
  JointConfig joint;
  joint.name = name;
  joint.limits.q_min = -5;
  joint.limits.q_max = 5;
  joint.limits.v_max = 3;
  joint.limits.tau_max = tau_max;
  joint.gains.inertia = 1.0;
  joint.gains.kp = 400;
  joint.gains.kd = 40;
  return joint;
}

inline RobotConfig slider_robot(const TemporaryFile& file) {
  RobotConfig robot;
  robot.name = "slider";
  robot.model_path = file.path();
  robot.joints = {joint_named("lift", 100)};
  robot.joints[0].slide = true;
  return robot;
}

inline RobotConfig arm_robot(const TemporaryFile& file) {
  RobotConfig robot;
  robot.name = "arm";
  robot.model_path = file.path();
  robot.joints = {joint_named("elbow", 40), joint_named("shoulder", 90)};
  robot.joints[0].q_start = -0.4;
  robot.joints[1].q_start = 0.3;
  return robot;
}

}  // namespace jointrig::sim
