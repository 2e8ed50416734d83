#include "control/stack/driven_rotations.h"

#include "control/core/command.h"

namespace jointrig {

Refusal why_not_held(const CartesianDrive& drive, const DriveTool& command) noexcept {
  constexpr std::size_t kAngular = 3;  // place of the first number about an axis
  const FreeRotation led = drive.led(command.free_rotation);
  const Six& v = command.velocity;
  const bool turns = v[3] != 0.0 || v[4] != 0.0 || v[5] != 0.0;
  const bool is_held = drive.can_hold(led, command.frame);
  if (is_held && !(turns && led == FreeRotation::kAll)) return {};
  std::uint32_t words = 0;
  for (const FreeRotation free : kAllFreeRotation) {
    if (free == FreeRotation::kAll || !drive.can_hold(free, command.frame)) continue;
    words |= 1U << static_cast<unsigned>(free);
  }
  const std::size_t place = is_held ? kAngular : place_of<DriveTool>("free_rotation");
  return {RejectReason::kUnsupported, kNoJoint, as_number(command.free_rotation),
          static_cast<double>(words), static_cast<std::uint8_t>(place + 1)};
}

}  // namespace jointrig
