#include "app/boards/virtual_force_sensor.h"

#include <algorithm>
#include <cmath>

#include "hw/canopen/force_sensor_objects.h"
#include "hw/canopen/pdo_record.h"
#include "hw/canopen/sync.h"

namespace jointrig::app {
namespace {

/// The scale with which the digits just reach the range.
std::uint32_t scale_of(double range, std::uint32_t usual) noexcept {
  if (range <= 0.0) return usual;
  const double units = range / canopen::kForceScaleUnit / canopen::kMostForceDigits;
  return static_cast<std::uint32_t>(std::clamp(std::ceil(units), 1.0, 4e9));
}

canopen::DeviceDescription description(const VirtualForceSensorSpec& spec) {
  canopen::ForceSensorOptions options;
  options.vendor = spec.identity.vendor.value_or(options.vendor);
  options.product = spec.identity.product.value_or(options.product);
  options.revision = spec.identity.revision.value_or(options.revision);
  options.serial = spec.identity.serial.value_or(options.serial);
  options.boards_token = spec.boards_token;
  options.force_scale = scale_of(spec.force_max, canopen::kUsualForceScale);
  options.torque_scale = scale_of(spec.torque_max, canopen::kUsualTorqueScale);
  return canopen::force_sensor(options);
}

/// A reading at the end of the range is told as no less.
std::int16_t digits_of(double reading, double range, std::uint32_t scale) noexcept {
  const double digits = std::abs(reading) / (canopen::kForceScaleUnit * scale);
  const bool is_at_end = range > 0.0 && std::abs(reading) >= range;
  const double most = canopen::kMostForceDigits;
  const double rounded = std::min(is_at_end ? std::ceil(digits) : std::round(digits), most);
  return static_cast<std::int16_t>(std::copysign(rounded, reading));
}

}  // namespace

VirtualForceSensor::VirtualForceSensor(const VirtualForceSensorSpec& spec,
                                       const sim::SimForceSensors& sensors, std::size_t number)
    : spec_(spec),
      sensors_(&sensors),
      number_(number),
      node_(description(spec), spec.node, *this) {}

bool VirtualForceSensor::opens_cycle(const can::Frame& frame) const noexcept {
  return frame.id == canopen::kSyncId && !frame.extended;
}

bool VirtualForceSensor::is_cyclic(const can::Frame& frame) const noexcept {
  return frame.id == canopen::tpdo_base(0) + spec_.node ||
         frame.id == canopen::tpdo_base(1) + spec_.node;
}

bool VirtualForceSensor::is_mute() const noexcept {
  const auto& readings = sensors_->readings();
  return number_ < readings.size() && readings[number_].missed > 0 && !sensors_->is_broken(number_);
}

void VirtualForceSensor::sample(std::int64_t /*now*/) noexcept {
  tell_fault();
  const auto& readings = sensors_->readings();
  if (number_ >= readings.size()) return;
  if (is_new_ && readings[number_].missed == 0) object<std::uint8_t>(0x2101, 1).set(++counter_);
  is_new_ = false;
  show(readings[number_]);
}

void VirtualForceSensor::show(const ForceTorqueState& reading) noexcept {
  const auto force_scale = object<std::uint32_t>(0x2102, 1).get();
  const auto torque_scale = object<std::uint32_t>(0x2102, 2).get();
  for (std::uint8_t axis = 0; axis < 3; ++axis) {
    const auto sub = static_cast<std::uint8_t>(axis + 1);
    object<std::int16_t>(0x2100, sub)
        .set(digits_of(reading.force[axis], spec_.force_max, force_scale));
    object<std::int16_t>(0x2100, static_cast<std::uint8_t>(sub + 3))
        .set(digits_of(reading.torque[axis], spec_.torque_max, torque_scale));
  }
}

void VirtualForceSensor::tell_fault() noexcept {
  const bool is_broken = sensors_->is_broken(number_);
  object<std::uint8_t>(0x2101, 2).set(is_broken ? canopen::kForceSensorFault : std::uint8_t{0});
  if (is_broken) {
    static_cast<void>(node_.emergencies().raise(kBroken));
  } else {
    node_.emergencies().clear(kBroken);
  }
}

}  // namespace jointrig::app
