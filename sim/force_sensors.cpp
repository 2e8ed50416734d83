#include "sim/force_sensors.h"

#include <algorithm>

namespace jointrig {

SimForceSensors::SimForceSensors(const RobotConfig& robot, const std::vector<std::string>& sites)
    : settings_(sites.size()) {
  for (const ArmConfig& arm : robot.arms) {
    const auto site = std::find(sites.begin(), sites.end(), arm.force_sensor.site);
    if (site == sites.end()) continue;
    settings_[static_cast<std::size_t>(site - sites.begin())] = arm.force_sensor;
  }
  // Another stream than any board's.
  state_.random = Random(seed_of(robot.plant.seed, robot.joints.size()));
}

double SimForceSensors::read(double truth, double bias, double noise, double range) noexcept {
  double reading = truth + bias;
  if (noise > 0.0) reading += noise * state_.random.normal();
  return range > 0.0 ? std::clamp(reading, -range, range) : reading;
}

void SimForceSensors::sample(const Readings& truth) noexcept {
  state_.readings = truth;
  for (std::size_t n = 0; n < std::min(settings_.size(), truth.size()); ++n) {
    const ForceSensorConfig& its = settings_[n];
    ForceTorqueState& reading = state_.readings[n];
    for (std::size_t i = 0; i < 3; ++i) {
      reading.force[i] = read(truth[n].force[i], its.force_bias[i], its.force_noise, its.force_max);
      reading.torque[i] =
          read(truth[n].torque[i], its.torque_bias[i], its.torque_noise, its.torque_max);
    }
  }
}

}  // namespace jointrig
