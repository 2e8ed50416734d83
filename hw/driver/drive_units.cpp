#include "hw/driver/drive_units.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace jointrig::hw {
namespace {

constexpr double kRadPerTurn = 2.0 * std::numbers::pi;
/// Room left between a joint's limit and the end of the drive's integer: a joint that is pushed
/// past its limit must not wrap around. A choice.
constexpr double kMargin = 1.1;

/// Torque of the motor at a thousandth on the wire [N·m].
double motor_torque_step(const DriveFacts& facts) {
  if (facts.torque_base == TorqueBase::kRatedTorque) {
    must_be_positive(facts.rated_torque, "rated_torque (6076h)");
    return facts.rated_torque / 1000.0;
  }
  must_be_positive(facts.rated_current, "rated_current (6075h)");
  must_be_positive(facts.torque_constant, "torque_constant");
  return facts.rated_current * facts.torque_constant / 1000.0;
}

template <typename Integer>
Integer nearest(double value, double low, double high, bool& saturated) noexcept {
  if (std::isnan(value)) {
    saturated = true;
    return 0;
  }
  const double rounded = std::nearbyint(value);
  if (rounded < low || rounded > high) saturated = true;
  return static_cast<Integer>(std::clamp(rounded, low, high));
}

template <typename Integer>
Integer nearest(double value, bool& saturated) noexcept {
  using Limits = std::numeric_limits<Integer>;
  return nearest<Integer>(value, Limits::min(), Limits::max(), saturated);
}

void check_fit(double needed, double most, const char* what, const char* object,
               std::vector<std::string>& misfits) {
  if (!(needed * kMargin > most)) return;
  misfits.push_back(
      fmt::format("{} needs {:.0f} in {}, which with a margin of a tenth is more than its {:.0f}",
                  what, needed, object, most));
}

}  // namespace

void must_be_positive(double value, const char* what) {
  if (std::isfinite(value) && value > 0) return;
  throw std::invalid_argument(fmt::format("{} is {:g}, must be above 0", what, value));
}

DriveUnits::DriveUnits(const DriveFacts& facts, bool slide) {
  must_be_positive(facts.encoder_increments, "encoder_increments (608Fh:1)");
  must_be_positive(facts.encoder_revolutions, "encoder_revolutions (608Fh:2)");
  must_be_positive(facts.gear, "gear (6091h)");
  if (slide) must_be_positive(facts.feed, "feed (6092h) of a slide");
  must_be_positive(facts.efficiency, "efficiency");
  if (facts.efficiency > 1) throw std::invalid_argument("efficiency is above 1");
  if (!std::isfinite(facts.zero_counts)) throw std::invalid_argument("zero_counts is not a number");

  const double sign = facts.reversed ? -1.0 : 1.0;
  const double per_shaft_turn = slide ? facts.feed : kRadPerTurn;  // rad or m of the joint
  const double per_motor_turn = per_shaft_turn / facts.gear;
  zero_ = facts.zero_counts;
  per_count_ = sign * per_motor_turn * facts.encoder_revolutions / facts.encoder_increments;
  per_velocity_ = facts.velocity_unit == VelocityUnit::kCountsPerSecond
                      ? per_count_
                      : sign * per_motor_turn / 60.0;
  // Power in equals power out, less the gear's: tau · v_joint = η tau_motor · v_motor.
  per_mille_ = sign * motor_torque_step(facts) * facts.efficiency * kRadPerTurn / per_motor_turn;
}

std::int64_t DriveUnits::counts(double q, bool& saturated) const noexcept {
  constexpr double kFurthest = 4503599627370496.0;  // 2⁵²: up to there a double counts by ones
  return nearest<std::int64_t>(q / per_count_ + zero_, -kFurthest, kFurthest, saturated);
}

std::int64_t DriveUnits::with_turns(std::int32_t position, std::int64_t there) noexcept {
  const auto away = static_cast<std::uint32_t>(position) - static_cast<std::uint32_t>(there);
  return there + static_cast<std::int32_t>(away);
}

std::int64_t DriveUnits::nearest_to_zero(std::int32_t position) const noexcept {
  return with_turns(position, std::llround(zero_));
}

std::int32_t DriveUnits::velocity_units(double v, bool& saturated) const noexcept {
  return nearest<std::int32_t>(v / per_velocity_, saturated);
}

std::int16_t DriveUnits::per_mille(double tau, bool& saturated) const noexcept {
  return nearest<std::int16_t>(tau / per_mille_, saturated);
}

std::vector<std::string> DriveUnits::misfits(const DriveRange& range) const {
  constexpr double kInt32 = std::numeric_limits<std::int32_t>::max();
  constexpr double kInt16 = std::numeric_limits<std::int16_t>::max();
  std::vector<std::string> misfits;
  // Around its zero: the counter may wrap on the way.
  const double furthest = std::max(std::abs(range.q_min), std::abs(range.q_max)) / position_step();
  if (std::isfinite(furthest)) {  // a joint without end turns as far as its counter lets it
    check_fit(furthest, kInt32, "the range of the joint", "6064h", misfits);
  }
  check_fit(range.v_max / velocity_step(), kInt32, "the joint's velocity limit", "606Ch", misfits);
  check_fit(range.tau_max / torque_step(), kInt16, "the joint's torque limit", "6071h", misfits);
  return misfits;
}

}  // namespace jointrig::hw
