#include "hw/cia402/modes.h"

#include "hw/cia402/power_machine.h"

namespace jointrig::cia402 {

namespace {

constexpr std::uint16_t kHomingBits =
    status::kModeSpecific13 | status::kModeSpecific12 | status::kTargetReached;

struct HomingRow {
  Homing homing;
  std::uint16_t bits;
  std::string_view name;
};

constexpr HomingRow kHomingRows[] = {
    {Homing::kRunning, 0, "running"},
    {Homing::kNotStarted, status::kTargetReached, "not started or interrupted"},
    {Homing::kAttainedMoving, status::kModeSpecific12, "attained, still moving"},
    {Homing::kDone, status::kModeSpecific12 | status::kTargetReached, "done"},
    {Homing::kErrorMoving, status::kModeSpecific13, "error, still moving"},
    {Homing::kErrorStanding, status::kModeSpecific13 | status::kTargetReached, "error, at rest"},
};

}  // namespace

std::string_view mode_in_words(std::int8_t code) noexcept {
  switch (code) {
    case mode::kNone:
      return "no mode";
    case mode::kProfilePosition:
      return "profile position";
    case mode::kVelocity:
      return "velocity";
    case mode::kProfileVelocity:
      return "profile velocity";
    case mode::kProfileTorque:
      return "profile torque";
    case mode::kHoming:
      return "homing";
    case mode::kInterpolatedPosition:
      return "interpolated position";
    case mode::kCyclicPosition:
      return "cyclic synchronous position";
    case mode::kCyclicVelocity:
      return "cyclic synchronous velocity";
    case mode::kCyclicTorque:
      return "cyclic synchronous torque";
    default:
      return code < 0 ? "a maker's mode" : "an unknown mode";
  }
}

std::string_view to_string(Homing homing) noexcept {
  for (const HomingRow& row : kHomingRows) {
    if (row.homing == homing) return row.name;
  }
  return "?";
}

std::optional<Homing> homing_of(std::uint16_t statusword) noexcept {
  for (const HomingRow& row : kHomingRows) {
    if ((statusword & kHomingBits) == row.bits) return row.homing;
  }
  return std::nullopt;
}

std::uint16_t status_bits(Homing homing) noexcept {
  for (const HomingRow& row : kHomingRows) {
    if (row.homing == homing) return row.bits;
  }
  return 0;
}

}  // namespace jointrig::cia402
