#pragma once
/// Two links of 0.4 m and 0.3 m that turn about z, above each other: the elbow goes either way.

#include <array>
#include <cmath>

namespace jointrig::testing {

inline constexpr const char* kTwoLinks = R"(
<mujoco>
  <compiler angle="radian"/>
  <default><geom type="sphere" size="0.02" mass="0.1"/></default>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 0 1" range="-3 3"/><geom/>
      <body name="lower" pos="0.4 0 0">
        <joint name="elbow" axis="0 0 1" range="-2.5 2.5"/><geom/>
        <site name="tip" pos="0.3 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" ctrlrange="-9 9"/><motor joint="elbow" ctrlrange="-9 9"/></actuator>
</mujoco>)";

/// x and y count.
inline constexpr std::array<double, 6> kInThePlane{1.0, 1.0, 0.0, 0.0, 0.0, 0.0};

/// Shoulder and elbow by the law of cosines (Siciliano et al. 2009, 2.12.1). @param side  1 or -1
inline std::array<double, 2> by_hand(double x, double y, double side) {
  const double cosine = (x * x + y * y - 0.4 * 0.4 - 0.3 * 0.3) / (2.0 * 0.4 * 0.3);
  const double elbow = side * std::acos(cosine);
  const double shoulder =
      std::atan2(y, x) - std::atan2(0.3 * std::sin(elbow), 0.4 + 0.3 * std::cos(elbow));
  return {shoulder, elbow};
}

}  // namespace jointrig::testing
