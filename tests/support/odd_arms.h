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

/// One of everything that isn't simply driven: a tendon over two joints, a mimic pair, a chain of
/// mimics, a ball joint, a passive joint, a free base, a joint with two servos, a damper alone.
inline constexpr const char* kMenagerie = R"(
<mujoco model="one of each">
  <compiler angle="radian"/>
  <option timestep="0.004"/>
  <default><geom type="capsule" size="0.02" fromto="0 0 0 0.2 0 0" mass="0.5" contype="0"
                 conaffinity="0"/></default>
  <worldbody>
    <body name="trunk" pos="0 0 1">
      <freejoint name="floating"/>
      <geom type="box" size="0.1 0.1 0.1" fromto="0 0 0 0 0 0.3" mass="5"/>
      <body pos="0.1 0 0"><joint name="passive" axis="0 1 0"/><geom/></body>
      <body pos="-0.1 0 0"><joint name="damped" axis="0 1 0"/><geom/></body>
      <body pos="0 0.1 0"><joint name="ball" type="ball"/><geom/></body>
      <body pos="0 -0.1 0">
        <joint name="tendon_a" axis="0 0 1"/><geom/>
        <body pos="0.2 0 0"><joint name="tendon_b" axis="0 0 1"/><geom/></body>
      </body>
      <body pos="0 0 0.1"><joint name="follower" axis="0 1 0"/><geom/></body>
      <body pos="0 0 0.2"><joint name="leader" axis="0 1 0" range="-1 1"/><geom/></body>
      <body pos="0 0 0.3"><joint name="follower_of_follower" type="slide" axis="0 0 1"/><geom/></body>
      <body pos="0 0 0.3"><joint name="twice" axis="0 0 1" range="0.2 0.9"/><geom/></body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="string"><joint joint="tendon_a" coef="1"/><joint joint="tendon_b" coef="-1"/></fixed>
  </tendon>
  <equality>
    <joint joint1="follower_of_follower" joint2="follower" polycoef="0.01 0.1 0 0 0"/>
    <joint joint1="follower" joint2="leader" polycoef="0.2 -2 0.5 0 0"/>
  </equality>
  <actuator>
    <position name="twice_kp" joint="twice" kp="10" forcerange="-4 4"/>
    <velocity name="twice_kv" joint="twice" kv="1" forcerange="-6 6"/>
    <damper name="brake" joint="damped" kv="1" ctrlrange="0 1"/>
    <position name="pull" tendon="string" kp="5"/>
    <motor name="lead" joint="leader" gear="-3" ctrlrange="-2 1"/>
  </actuator>
</mujoco>)";

/// Two points on massless rods, both axes horizontal and parallel: M in closed form.
inline constexpr const char* kTwoPoints = R"(
<mujoco model="two points">
  <worldbody>
    <body name="first">
      <joint name="a" axis="0 1 0"/>
      <inertial pos="0.5 0 0" mass="2" diaginertia="1e-9 1e-9 1e-9"/>
      <body name="second" pos="0.5 0 0">
        <joint name="b" axis="0 1 0"/>
        <inertial pos="0.4 0 0" mass="1" diaginertia="1e-9 1e-9 1e-9"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="b" ctrlrange="-50 50"/>
    <motor joint="a" ctrlrange="-50 50"/>
  </actuator>
</mujoco>)";

/// A chain in space with springs, a slide, gravity compensation on one link, and meshless geoms
/// that give the masses.
inline constexpr const char* kSpringyChain = R"(
<mujoco model="springy chain">
  <compiler angle="radian"/>
  <option gravity="1 -2 -9"/>
  <worldbody>
    <body pos="0.1 0.2 0.3" euler="0.3 0.2 0.1">
      <joint name="j0" axis="0.3 1 0.2" stiffness="7" springref="0.4"/>
      <geom type="box" size="0.1 0.05 0.2" pos="0.05 0 0.2" mass="3"/>
      <body pos="0 0 0.4" euler="0.1 0 0.7">
        <joint name="j1" type="slide" axis="1 0.2 0" stiffness="90"/>
        <geom type="sphere" size="0.1" pos="0.1 0.1 0" mass="1.5"/>
        <body name="compensated" pos="0.2 0 0.1" gravcomp="0.6">
          <joint name="j2" axis="0 1 1" ref="0.2"/>
          <geom type="capsule" size="0.05" fromto="0 0 0 0.3 0.1 0" mass="2"/>
          <site name="tool" pos="0.3 0.1 0" euler="0.2 0.4 0.6"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="j2" ctrlrange="-50 50"/>
    <motor joint="j0" ctrlrange="-50 50"/>
    <motor joint="j1" ctrlrange="-50 50"/>
  </actuator>
</mujoco>)";

}  // namespace jointrig::odd
