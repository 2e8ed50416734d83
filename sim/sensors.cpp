#include "sim/sensors.h"

#include <algorithm>
#include <limits>

namespace jointrig::sim {
namespace {

/// Where nothing else is known, as virtual sensors of a bus have it.
constexpr double kUsualForce = 1000.0;  // [N]

}  // namespace

SimSensors::SimSensors(const RobotConfig& robot, const std::vector<std::string>& force_sites,
                       const std::vector<std::string>& imu_sites)
    : sites_(force_sites),
      first_imu_(force_sites.size()),
      settings_(force_sites.size() + imu_sites.size()) {
  sites_.insert(sites_.end(), imu_sites.begin(), imu_sites.end());
  const auto set_force = [&](const ForceSensorConfig& its) {
    if (const auto sensor = find(its.site)) {
      settings_[*sensor] = {{its.force_bias, its.force_noise, its.force_max},
                            {its.torque_bias, its.torque_noise, its.torque_max}};
    }
  };
  for (const ArmConfig& arm : robot.arms) set_force(arm.force_sensor);
  if (robot.whole_body) {
    for (const FootConfig& foot : robot.whole_body->feet) set_force(foot.force_sensor);
    const ImuConfig& its = robot.whole_body->imu;
    if (const auto sensor = find_imu(its.site)) {
      settings_[*sensor] = {
          {its.acceleration_bias, its.acceleration_noise, its.acceleration_max},
          {its.angular_velocity_bias, its.angular_velocity_noise, its.angular_velocity_max}};
    }
  }
  // Another random stream than any board's.
  state_.random = Random(seed_of(robot.plant.seed, robot.joints.size()));
}

std::array<double, 3> SimSensors::read(const std::array<double, 3>& truth,
                                       const Errors& errors) noexcept {
  std::array<double, 3> reading{};
  for (std::size_t i = 0; i < 3; ++i) {
    reading[i] = truth[i] + errors.bias[i];
    if (errors.noise > 0.0) reading[i] += errors.noise * state_.random.normal();
    if (errors.range > 0.0) reading[i] = std::clamp(reading[i], -errors.range, errors.range);
  }
  return reading;
}

std::optional<std::size_t> SimSensors::find(std::string_view site) const noexcept {
  for (std::size_t n = 0; n < first_imu_; ++n) {
    if (sites_[n] == site) return n;
  }
  return std::nullopt;
}

std::optional<std::size_t> SimSensors::find_imu(std::string_view site) const noexcept {
  for (std::size_t n = first_imu_; n < sites_.size(); ++n) {
    if (sites_[n] == site) return n;
  }
  return std::nullopt;
}

SixAxes SimSensors::reading(std::size_t sensor) const noexcept {
  if (sensor < first_imu_) {
    if (sensor >= state_.forces.size()) return {};
    const ForceTorqueState& its = state_.forces[sensor];
    return {its.force, its.torque, its.missed};
  }
  if (sensor - first_imu_ >= state_.imus.size()) return {};
  const ImuState& its = state_.imus[sensor - first_imu_];
  return {its.acceleration, its.angular_velocity, its.missed};
}

/// A faulty sensor keeps its previous reading, or gives what is none.
SixAxes SimSensors::sample(std::size_t sensor, const SixAxes& truth) noexcept {
  const Settings& its = settings_[sensor];
  SixAxes now{read(truth.first, its.first), read(truth.second, its.second), 0};
  const FewBits<SimSensorFault> faults = state_.faults[sensor];
  if (faults.bits() == 0) return now;
  if (faults.has(SimSensorFault::kSaturated)) {
    now.first[0] = its.first.range > 0.0 ? its.first.range : kUsualForce;
  }
  if (faults.has(SimSensorFault::kNoNumber)) {
    now.first.fill(std::numeric_limits<double>::quiet_NaN());
    now.second = now.first;
  }
  const bool is_silent = faults.has(SimSensorFault::kStale) || faults.has(SimSensorFault::kBroken);
  if (!is_silent && !faults.has(SimSensorFault::kFrozen)) return now;
  SixAxes held = reading(sensor);
  held.missed = is_silent ? held.missed + 1 : 0;
  return held;
}

void SimSensors::sample(const Forces& forces, const Imus& imus) noexcept {
  Forces next = forces;
  for (std::size_t n = 0; n < std::min(first_imu_, forces.size()); ++n) {
    const SixAxes now = sample(n, {forces[n].force, forces[n].torque});
    next[n] = {now.first, now.second, now.missed};
  }
  state_.forces = next;
  Imus next_imus = imus;
  for (std::size_t n = 0; n < imus.size(); ++n) {
    const SixAxes now = sample(first_imu_ + n, {imus[n].acceleration, imus[n].angular_velocity});
    next_imus[n] = {now.first, now.second, now.missed};
  }
  state_.imus = next_imus;
}

}  // namespace jointrig::sim
