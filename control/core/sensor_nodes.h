#pragma once
/// The sensors that a robot's file names, whoever has them: those of its arms, of its feet, and the
/// IMU of its base, in this order.

#include <cstddef>
#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig {

struct NamedSensor {
  bool is_imu = false;
  std::string name{};               ///< for messages: "force/torque sensor of arm left"
  std::vector<std::string> path{};  ///< its keys in the file
  std::string site{};               ///< of the MJCF
  double first_range = 0.0;         ///< of force or acceleration; 0: none
  double second_range = 0.0;        ///< of torque or angular velocity
  SensorNodeConfig device{};
  std::size_t arm = kNoArm;  ///< that has it; kNoArm: none
};

/// Calls `visit(const NamedSensor&, SensorNodeConfig&)` for each.
template <typename Robot, typename Visit>
void for_each_sensor(Robot& robot, Visit visit) {
  const auto visit_force = [&](auto& sensor, NamedSensor its) {
    if (sensor.site.empty()) return;
    its.name = "force/torque sensor of " + its.name;
    its.path.emplace_back("force_sensor");
    its.site = sensor.site;
    its.first_range = sensor.force_max;
    its.second_range = sensor.torque_max;
    its.device = sensor.device;
    visit(its, sensor.device);
  };
  for (std::size_t i = 0; i < robot.arms.size(); ++i) {
    auto& arm = robot.arms[i];
    visit_force(arm.force_sensor,
                {.name = "arm " + arm.name, .path = {"arms", arm.name}, .arm = i});
  }
  if (!robot.whole_body || robot.pin_base) return;
  for (auto& foot : robot.whole_body->feet) {
    visit_force(foot.force_sensor,
                {.name = "foot " + foot.name, .path = {"whole_body", "feet", foot.name}});
  }
  auto& imu = robot.whole_body->imu;
  if (imu.site.empty()) return;
  visit(NamedSensor{.is_imu = true,
                    .name = "IMU of the base",
                    .path = {"whole_body", "imu"},
                    .site = imu.site,
                    .first_range = imu.acceleration_max,
                    .second_range = imu.angular_velocity_max,
                    .device = imu.device},
        imu.device);
}

[[nodiscard]] inline std::vector<NamedSensor> sensors_of(const RobotConfig& robot) {
  std::vector<NamedSensor> sensors;
  for_each_sensor(robot, [&](const NamedSensor& sensor, const SensorNodeConfig& /*device*/) {
    sensors.push_back(sensor);
  });
  return sensors;
}

}  // namespace jointrig
