#include "app/boards/virtual_sensor.h"

#include <algorithm>
#include <cmath>

#include "hw/canopen/pdo_record.h"
#include "hw/canopen/sync.h"

namespace jointrig::app {
namespace {

/// The scale with which the digits just reach the range.
std::uint32_t scale_of(double range, std::uint32_t usual) noexcept {
  if (range <= 0.0) return usual;
  const double units = range / canopen::kSensorScaleUnit / canopen::kMostSensorDigits;
  return static_cast<std::uint32_t>(std::clamp(std::ceil(units), 1.0, 4e9));
}

canopen::DeviceDescription description(const VirtualSensorSpec& spec) {
  const canopen::SensorFacts& facts = canopen::facts_of(spec.kind);
  canopen::SensorOptions options;
  options.kind = spec.kind;
  options.vendor = spec.identity.vendor.value_or(options.vendor);
  options.product = spec.identity.product.value_or(facts.product);
  options.revision = spec.identity.revision.value_or(options.revision);
  options.serial = spec.identity.serial.value_or(options.serial);
  options.boards_token = spec.boards_token;
  options.first_scale = scale_of(spec.first_range, facts.usual_first);
  options.second_scale = scale_of(spec.second_range, facts.usual_second);
  return canopen::sensor_node(options);
}

/// A reading at the end of the range is told as no less.
std::int16_t digits_of(double reading, double range, std::uint32_t scale) noexcept {
  if (!std::isfinite(reading)) return canopen::kNoNumber;
  const double digits = std::abs(reading) / (canopen::kSensorScaleUnit * scale);
  const bool is_at_end = range > 0.0 && std::abs(reading) >= range;
  const double most = canopen::kMostSensorDigits;
  const double rounded = std::min(is_at_end ? std::ceil(digits) : std::round(digits), most);
  return static_cast<std::int16_t>(std::copysign(rounded, reading));
}

}  // namespace

VirtualSensor::VirtualSensor(const VirtualSensorSpec& spec, const sim::SimSensors& sensors,
                             std::size_t number)
    : spec_(spec),
      sensors_(&sensors),
      number_(number),
      node_(description(spec), spec.node, *this) {}

bool VirtualSensor::opens_cycle(const can::Frame& frame) const noexcept {
  return frame.id == canopen::kSyncId && !frame.extended;
}

bool VirtualSensor::is_cyclic(const can::Frame& frame) const noexcept {
  return frame.id == canopen::tpdo_base(0) + spec_.node ||
         frame.id == canopen::tpdo_base(1) + spec_.node;
}

bool VirtualSensor::is_mute() const noexcept {
  return sensors_->reading(number_).missed > 0 && !sensors_->is_broken(number_);
}

void VirtualSensor::sample(std::int64_t /*now*/) noexcept {
  tell_fault();
  const sim::SixAxes reading = sensors_->reading(number_);
  if (is_new_ && reading.missed == 0) {
    object<std::uint8_t>(canopen::facts_of(spec_.kind).sample, 1).set(++counter_);
  }
  is_new_ = false;
  show(reading);
}

void VirtualSensor::show(const sim::SixAxes& reading) noexcept {
  const canopen::SensorFacts& facts = canopen::facts_of(spec_.kind);
  const auto first_scale = object<std::uint32_t>(facts.scale, 1).get();
  const auto second_scale = object<std::uint32_t>(facts.scale, 2).get();
  for (std::uint8_t axis = 0; axis < 3; ++axis) {
    const auto sub = static_cast<std::uint8_t>(axis + 1);
    object<std::int16_t>(facts.values, sub)
        .set(digits_of(reading.first[axis], spec_.first_range, first_scale));
    object<std::int16_t>(facts.values, static_cast<std::uint8_t>(sub + 3))
        .set(digits_of(reading.second[axis], spec_.second_range, second_scale));
  }
}

void VirtualSensor::tell_fault() noexcept {
  const bool is_broken = sensors_->is_broken(number_);
  object<std::uint8_t>(canopen::facts_of(spec_.kind).sample, 2)
      .set(is_broken ? canopen::kSensorFault : std::uint8_t{0});
  if (is_broken) {
    static_cast<void>(node_.emergencies().raise(kBroken));
  } else {
    node_.emergencies().clear(kBroken);
  }
}

}  // namespace jointrig::app
