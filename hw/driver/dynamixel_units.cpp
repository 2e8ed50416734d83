#include "hw/driver/dynamixel_units.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "hw/driver/drive_units.h"

namespace jointrig::hw {

DynamixelUnits::DynamixelUnits(const DynamixelFacts& facts, bool slide) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  constexpr double kMinute = 60.0;
  must_be_positive(facts.gear, "gear");
  if (slide) must_be_positive(facts.feed, "feed of a slide");
  must_be_positive(facts.efficiency, "efficiency");
  if (facts.efficiency > 1) throw std::invalid_argument("efficiency is above 1");
  if (!std::isfinite(facts.zero_counts)) throw std::invalid_argument("zero_counts is not a number");
  if (!std::isfinite(facts.torque_constant) || facts.torque_constant < 0) {
    throw std::invalid_argument("torque_constant is below 0");
  }
  const double sign = facts.reversed ? -1.0 : 1.0;
  const double per_turn = slide ? facts.feed : kTurn;  // of the joint's shaft
  zero_ = facts.zero_counts;
  per_count_ = sign * per_turn / (dynamixel::kCountsPerTurn * facts.gear);
  per_velocity_ = sign * per_turn * dynamixel::kVelocityStepRpm / (kMinute * facts.gear);
  per_current_ = sign * facts.torque_constant * dynamixel::kCurrentStepAmpere * facts.gear *
                 facts.efficiency * kTurn / per_turn;
}

}  // namespace jointrig::hw
