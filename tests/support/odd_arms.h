#pragma once
/// Small models that are odd on purpose, as text.

namespace jointrig::odd {

/// Joints and actuators in different orders, a gear that isn't 1 and one that is negative, lopsided
/// limits, a nameless joint, two keyframes. Swings in the vertical plane.
inline constexpr const char* kThreeLinks = R"(
<mujoco model="three links">
  <compiler angle="radian"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-0.5 2.9"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="2"/>
      <body name="lower" pos="0.4 0 0">
        <joint name="elbow" axis="0 -1 0" range="-2.5 0.1"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="1"/>
        <body name="hand" pos="0.3 0 0">
          <joint axis="1 0 0"/>
          <geom type="box" size="0.04 0.03 0.02" mass="0.3"/>
          <site name="tip" pos="0.05 0 0.02"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="elbow_motor" joint="elbow" gear="-5" ctrlrange="-4 4" armature="0.02"
           damping="0.3 0.05"/>
    <position name="wrist_servo" joint="joint_2" kp="20" forcerange="-3 3"/>
    <general name="shoulder_drive" joint="shoulder" gear="50" gainprm="1" forcerange="-2 1.6"/>
  </actuator>
  <sensor>
    <actuatorfrc actuator="elbow_motor"/>
    <jointpos joint="elbow"/>
  </sensor>
  <keyframe>
    <key name="bent" qpos="0.3 -1.2 0.4" ctrl="0.1 0.2 0.3"/>
    <key name="home" qpos="0.1 -0.2 0.5" ctrl="1 2 3"/>
  </keyframe>
</mujoco>)";

/// An arm on a floating base whose body is written turned, inside a frame; a cup floats beside it.
inline constexpr const char* kFloatingArm = R"(
<mujoco model="floating arm">
  <worldbody>
    <frame pos="1 0 0" euler="0 0 90">
      <body name="base" pos="0 0 1" euler="90 0 0">
        <freejoint name="root"/>
        <geom type="box" size="0.1 0.1 0.1" pos="0.05 0 0"/>
        <body name="arm" pos="0.1 0 0">
          <joint name="arm" axis="0 0 1"/>
          <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.03"/>
          <site name="tip" pos="0.3 0.1 0"/>
        </body>
      </body>
    </frame>
    <body name="cup" pos="2 0 0">
      <freejoint name="cup"/>
      <geom size="0.05"/>
    </body>
  </worldbody>
  <actuator><motor joint="arm" ctrlrange="-20 20"/></actuator>
  <keyframe>
    <key name="home" qpos="0.5 -0.25 1.5 0.70710678118654757 0 0 0.70710678118654757
                           0.3  2 0 0 1 0 0 0"/>
  </keyframe>
</mujoco>)";

/// The same idea with the free joint's frame moved to the centre of mass by the compiler.
inline constexpr const char* kFloatingArmAligned = R"(
<mujoco model="floating arm, aligned">
  <worldbody>
    <body name="base" pos="0 0 1" euler="30 20 10">
      <freejoint name="root" align="true"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0.05 0.1 0.2"/>
      <body name="arm" pos="0.1 0 0">
        <joint name="arm" axis="0 0 1"/>
        <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.03"/>
        <site name="tip" pos="0.3 0.1 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="arm" ctrlrange="-20 20"/></actuator>
  <keyframe><key name="home" qpos="1 2 3 0.6 0 0.8 0  0.3"/></keyframe>
</mujoco>)";

}  // namespace jointrig::odd
