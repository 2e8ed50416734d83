#include "hw/driver/moteus_units.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace jointrig::hw {
namespace {

constexpr double kRadPerRev = 2.0 * std::numbers::pi;

/// The most that fits, in the servo's unit; a float has no end here.
double most(moteus::Quantity quantity, moteus::Resolution resolution) {
  if (resolution == moteus::Resolution::kFloat) return HUGE_VAL;
  const double end = std::ldexp(1.0, 8 * static_cast<int>(moteus::size_of(resolution)) - 1) - 1.0;
  return end * moteus::step_of(quantity, resolution);
}

void check_resolution(double needed, double end, const char* what, const char* unit,
                      std::vector<std::string>& misfits) {
  if (!(std::isfinite(needed) && needed > end)) return;
  misfits.push_back(
      fmt::format("{} needs {:.3f} {} at the servo, and the resolution on its bus ends at {:.3f}",
                  what, needed, unit, end));
}

}  // namespace

MoteusUnits::MoteusUnits(const MoteusFacts& facts, bool slide) {
  must_be_positive(facts.gear, "gear");
  if (slide) must_be_positive(facts.feed, "feed of a slide");
  must_be_positive(facts.efficiency, "efficiency");
  if (facts.efficiency > 1) throw std::invalid_argument("efficiency is above 1");
  if (!std::isfinite(facts.zero)) throw std::invalid_argument("zero is not a number");
  const double sign = facts.reversed ? -1.0 : 1.0;
  const double per_turn = slide ? facts.feed : kRadPerRev;  // rad or m of the joint
  zero_ = facts.zero;
  per_rev_ = sign * per_turn / facts.gear;
  // Power in equals power out, less the gear's: tau · v_joint = η torque · v_servo.
  per_torque_ = sign * facts.gear * facts.efficiency * kRadPerRev / per_turn;
}

std::vector<std::string> MoteusUnits::misfits(const DriveRange& range,
                                              moteus::Resolution resolution) const {
  using moteus::Quantity;
  std::vector<std::string> misfits;
  const double furthest = std::max(std::abs(rev(range.q_min)), std::abs(rev(range.q_max)));
  check_resolution(furthest, most(Quantity::kPosition, resolution), "the range of the joint", "rev",
                   misfits);
  check_resolution(std::abs(rev_per_s(range.v_max)), most(Quantity::kVelocity, resolution),
                   "the joint's velocity limit", "rev/s", misfits);
  check_resolution(std::abs(servo_torque(range.tau_max)), most(Quantity::kTorque, resolution),
                   "the joint's torque limit", "N·m", misfits);
  return misfits;
}

}  // namespace jointrig::hw
