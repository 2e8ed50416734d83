#pragma once
/// Arms that can't hold every orientation of their tool, small enough to be followed by hand.
///
/// Desk arm: a waist about z, then shoulder, elbow and wrist about the same horizontal axis, and a
/// roll along the tool. With waist w and pitch p = shoulder + elbow + wrist
///
///     R = Rz(w) Ry(p) Rx(roll)
///     p = Rz(w) (r, 0, z)      r = 0.3 cos(shoulder) + 0.25 cos(shoulder + elbow) + 0.1 cos p
///                              z = 0.2 - 0.3 sin(shoulder) - 0.25 sin(shoulder + elbow) - 0.1 sin
///                              p
///
/// SCARA: links of 0.4 m and 0.3 m about z, a slide along z and a turn about z.

#include <array>
#include <cmath>

namespace jointrig::testing {

inline constexpr const char* kDeskArm = R"(
<mujoco model="desk arm">
  <compiler angle="radian"/>
  <default><geom type="sphere" size="0.01" mass="0.1" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="waist" pos="0 0 0.2">
      <joint name="waist" axis="0 0 1" range="-2.5 2.5"/><geom/>
      <body name="upper">
        <joint name="shoulder" axis="0 1 0" range="-2.5 2.5"/><geom/>
        <body name="fore" pos="0.3 0 0">
          <joint name="elbow" axis="0 1 0" range="-2.5 2.5"/><geom/>
          <body name="hand" pos="0.25 0 0">
            <joint name="wrist" axis="0 1 0" range="-2.5 2.5"/><geom/>
            <body name="roll">
              <joint name="roll" axis="1 0 0" range="-3 3"/><geom/>
              <site name="tip" pos="0.1 0 0"/>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="waist" ctrlrange="-9 9"/><motor joint="shoulder" ctrlrange="-9 9"/>
    <motor joint="elbow" ctrlrange="-9 9"/><motor joint="wrist" ctrlrange="-9 9"/>
    <motor joint="roll" ctrlrange="-9 9"/>
  </actuator>
</mujoco>)";

inline constexpr const char* kScara = R"(
<mujoco model="scara">
  <compiler angle="radian"/>
  <default><geom type="sphere" size="0.01" mass="0.1" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="upper" pos="0 0 0.4">
      <joint name="shoulder" axis="0 0 1" range="-2.5 2.5"/><geom/>
      <body name="fore" pos="0.4 0 0">
        <joint name="elbow" axis="0 0 1" range="-2.5 2.5"/><geom/>
        <body name="quill" pos="0.3 0 0">
          <joint name="lift" type="slide" axis="0 0 1" range="-0.2 0.2"/><geom/>
          <body name="chuck">
            <joint name="turn" axis="0 0 1" range="-3 3"/><geom/>
            <site name="tip" pos="0 0 -0.1"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" ctrlrange="-9 9"/><motor joint="elbow" ctrlrange="-9 9"/>
    <motor joint="lift" ctrlrange="-9 9"/><motor joint="turn" ctrlrange="-9 9"/>
  </actuator>
</mujoco>)";

/// Tip of the desk arm from waist, shoulder, elbow, wrist.
inline std::array<double, 3> desk_arm_tip(double waist, double shoulder, double elbow,
                                          double wrist) {
  const double fore = shoulder + elbow;
  const double pitch = fore + wrist;
  const double r = 0.3 * std::cos(shoulder) + 0.25 * std::cos(fore) + 0.1 * std::cos(pitch);
  const double z = 0.2 - 0.3 * std::sin(shoulder) - 0.25 * std::sin(fore) - 0.1 * std::sin(pitch);
  return {r * std::cos(waist), r * std::sin(waist), z};
}

}  // namespace jointrig::testing
