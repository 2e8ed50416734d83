// Sensors of a robot that aren't its joints', and the filters of a program on them.

#include <algorithm>

#include "app/robot/robot.h"
#include "app/robot/robot_core.h"
#include "control/core/nearest_word.h"

namespace jointrig {
namespace {

Filter::Vector numbers_of(const SensorReading& reading) {
  Filter::Vector numbers(reading.linear.begin(), reading.linear.end());
  numbers.insert(numbers.end(), reading.angular.begin(), reading.angular.end());
  return numbers;
}

}  // namespace

std::vector<std::string> RobotCore::sensor_sites() const {
  const BackendDescription& backend = rig_->backend().description();
  std::vector<std::string> names = backend.force_torque_sites;
  names.insert(names.end(), backend.imu_sites.begin(), backend.imu_sites.end());
  return names;
}

SensorReading RobotCore::sensor(std::string_view site) const {
  const std::vector<std::string> names = sensor_sites();
  const auto found = std::find(names.begin(), names.end(), site);
  const RobotState& state = rig_->loop().state();
  const auto number = static_cast<std::size_t>(found - names.begin());
  const std::size_t forces = rig_->backend().description().force_torque_sites.size();
  if (number < forces && number < state.force_torque.size()) {
    const ForceTorqueState& its = state.force_torque[number];
    return {false, its.force, its.torque, its.missed * period()};
  }
  if (number >= forces && number - forces < state.imus.size()) {
    const ImuState& its = state.imus[number - forces];
    return {true, its.acceleration, its.angular_velocity, its.missed * period()};
  }
  const std::string word(site);
  throw UnknownName("there is no sensor \"" + word + "\"" + did_you_mean(word, names));
}

void RobotCore::sense_sites() {
  for (SensorFilters::Site& site : sensor_filters.sites()) {
    const std::string failure = SensorFilters::pass(site, numbers_of(sensor(site.name)), period());
    if (bad_sensor_.empty()) bad_sensor_ = failure;
  }
}

std::vector<std::string> Robot::sensor_names() const { return core_->sensor_sites(); }

SensorReading Robot::sensor(std::string_view site) const {
  SensorReading reading = core_->sensor(site);
  if (const Filter::Vector* filtered = core_->sensor_filters.filtered(site)) {
    std::copy_n(filtered->begin(), 3, reading.linear.begin());
    std::copy_n(filtered->begin() + 3, 3, reading.angular.begin());
  }
  return reading;
}

void Robot::set_sensor_filter(std::string_view site, const std::string& name, FilterPtr filter) {
  core_->sensor_filters.set(site, name, std::move(filter), numbers_of(core_->sensor(site)));
}

void Robot::remove_sensor_filter(std::string_view site, const std::string& name) {
  static_cast<void>(core_->sensor(site));  // its name, before the filter's
  core_->sensor_filters.remove(site, name);
}

std::vector<std::string> Robot::sensor_filter_names(std::string_view site) const {
  return core_->sensor_filters.names(site);
}

}  // namespace jointrig
