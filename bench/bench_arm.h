#pragma once
/// Arms that a measurement is asked for as NAME=ROBOT:ARM, and the median of its times.

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig::bench {

struct NamedArm {
  std::string name;  ///< in the table
  std::string file;  ///< a robot's name, its robot.yaml, or an MJCF
  std::string arm;   ///< of the robot's file; or a site or body
};

/// Nothing where the text is no NAME=ROBOT:ARM.
inline std::optional<NamedArm> named_arm(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t colon = text.rfind(':');
  if (equals == std::string::npos || colon == std::string::npos || colon < equals) return {};
  return NamedArm{text.substr(0, equals), text.substr(equals + 1, colon - equals - 1),
                  text.substr(colon + 1)};
}

/// robosuite's UR5e, from the test set of Python packages; nothing where it isn't installed.
inline std::optional<NamedArm> published_ur5e() {
  const std::string file =
      ".deps/venv/lib/python3.11/site-packages/robosuite/models/assets/robots/ur5e/robot.xml";
  if (!std::filesystem::exists(file)) return {};
  return NamedArm{"ur5e", file, "right_hand"};
}

/// The arm of this name; or all joints of the robot, which move the site or body of this name.
inline ArmConfig arm_of(const RobotConfig& robot, const std::string& name) {
  for (const ArmConfig& arm : robot.arms) {
    if (arm.name == name) return arm;
  }
  ArmConfig whole;
  whole.tool = name;
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    whole.joints.push_back(static_cast<JointIndex>(i));
  }
  return whole;
}

/// The upper one of two in the middle. Wants one at least.
inline double median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace jointrig::bench
