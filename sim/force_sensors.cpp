#include "sim/force_sensors.h"

#include <algorithm>

namespace jointrig::sim {

SimForceSensors::SimForceSensors(const RobotConfig& robot, const std::vector<std::string>& sites)
    : sites_(sites), settings_(sites.size()) {
  for (const ArmConfig& arm : robot.arms) {
    const auto site = std::find(sites.begin(), sites.end(), arm.force_sensor.site);
    if (site == sites.end()) continue;
    settings_[static_cast<std::size_t>(site - sites.begin())] = arm.force_sensor;
  }
  // Another random stream than any board's.
  state_.random = Random(seed_of(robot.plant.seed, robot.joints.size()));
}

double SimForceSensors::read(double truth, double bias, double noise, double range) noexcept {
  double reading = truth + bias;
  if (noise > 0.0) reading += noise * state_.random.normal();
  return range > 0.0 ? std::clamp(reading, -range, range) : reading;
}

std::optional<std::size_t> SimForceSensors::find(std::string_view site) const noexcept {
  for (std::size_t n = 0; n < sites_.size(); ++n) {
    if (sites_[n] == site) return n;
  }
  return std::nullopt;
}

/// A faulty sensor keeps its previous reading.
void SimForceSensors::hold(std::size_t n, const Readings& before) noexcept {
  const FewBits<SimSensorFault> faults = state_.faults[n];
  if (faults.bits() == 0 || n >= before.size()) return;
  const std::uint32_t missed = before[n].missed;
  state_.readings[n] = before[n];
  const bool is_fresh = !faults.has(SimSensorFault::kStale) && !faults.has(SimSensorFault::kBroken);
  state_.readings[n].missed = is_fresh ? 0 : missed + 1;
}

void SimForceSensors::sample(const Readings& truth) noexcept {
  const Readings before = state_.readings;
  state_.readings = truth;
  for (std::size_t n = 0; n < std::min(settings_.size(), truth.size()); ++n) {
    const ForceSensorConfig& its = settings_[n];
    ForceTorqueState& reading = state_.readings[n];
    for (std::size_t i = 0; i < 3; ++i) {
      reading.force[i] = read(truth[n].force[i], its.force_bias[i], its.force_noise, its.force_max);
      reading.torque[i] =
          read(truth[n].torque[i], its.torque_bias[i], its.torque_noise, its.torque_max);
    }
    hold(n, before);
  }
}

}  // namespace jointrig::sim
