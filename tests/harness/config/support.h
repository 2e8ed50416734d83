#pragma once
/// Common helpers of the tests of files.

#include <gtest/gtest.h>

#include <string>

#include "control/core/robot_config.h"
#include "harness/config/robot_file.h"

namespace jointrig::harness {

/// The text of the FileError that `act` throws; "" where it throws none.
template <typename Act>
std::string error_of(Act&& act) {
  try {
    act();
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

/// The first sentence alone, without place and caret.
template <typename Act>
std::string sentence_of(Act&& act) {
  try {
    act();
  } catch (const FileError& error) {
    return error.sentence();
  }
  return "";
}

inline JointConfig a_joint(const std::string& name, bool slide) {
  JointConfig joint;
  joint.name = name;
  joint.slide = slide;
  joint.limits = {.q_min = -2.0,
                  .q_max = 2.5,
                  .soft_margin = 0.02,
                  .v_max = 2.0,
                  .a_max = 10.0,
                  .tau_max = 30.0,
                  .tau_rate_max = 1500.0,
                  .step_max = 0.02};
  joint.gains.inertia = 0.25;
  joint.gains.kp = 100.0;  // sqrt(100 / 0.25) = 20 rad/s
  joint.gains.kd = 10.0;   // 2 * 1 * 0.25 * 20
  joint.gains.ki = 200.0;  // a tenth of 100 * 20
  joint.gains.stiffness = 16.0;
  joint.gains.damping = 4.0;
  return joint;
}

/// Two arms of a hinge each, and a lift that slides, as discovery would give them.
inline RobotConfig a_robot() {
  RobotConfig robot;
  robot.name = "odd";
  robot.model_path = "odd.xml";
  robot.joints = {a_joint("l_elbow", false), a_joint("lift", true), a_joint("r_elbow", false)};
  robot.parts = {{"guessed", {0, 2}}};
  return robot;
}

/// a_robot() with a robot.yaml laid on it; `keys` come after schema and model.
inline RobotConfig a_robot_with(const std::string& keys) {
  RobotConfig robot = a_robot();
  apply_robot_file(parse_yaml("schema: 1\nmodel: odd.xml\n" + keys, "robot.yaml"), robot);
  return robot;
}

/// The first sentence of the error of such a robot.
inline std::string sentence_in(const std::string& keys) {
  return sentence_of([&] { return a_robot_with(keys); });
}

}  // namespace jointrig::harness
