#pragma once
/// Between a joint's SI units and the counts of a Dynamixel servo (hw/dynamixel/control_table.h),
/// at its output:
///
///     q    = s 2π (counts − zero) / (4096 gear)            [rad]
///     v    = s 2π · 0.229 steps / (60 gear)                [rad/s]
///     tau  = s torque_constant · 2.69 mA · steps · gear η  [N·m]
///
/// s = ±1 is the polarity, gear = revolutions of the servo's output in one of the joint (> 0). For
/// a slide 2π stands for its feed [m], and tau [N] is that by feed / 2π.

#include "hw/dynamixel/control_table.h"

namespace jointrig::hw {

struct DynamixelFacts {
  double gear = 1;             ///< between the servo's output and the joint
  double feed = 0;             ///< of a slide [m per revolution of the joint's shaft]
  bool reversed = false;       ///< the servo's positive direction is the joint's negative
  double zero_counts = 0;      ///< position of the servo where q = 0
  double torque_constant = 0;  ///< at the servo's output [N·m/A]; 0: its current tells no torque
  double efficiency = 1;       ///< η of that gear, in (0, 1]
};

class DynamixelUnits {
 public:
  DynamixelUnits() = default;
  /// Throws std::invalid_argument with a sentence for facts that make no units.
  DynamixelUnits(const DynamixelFacts& facts, bool slide);

  [[nodiscard]] bool has_torque() const noexcept { return per_current_ != 0; }
  [[nodiscard]] bool reversed() const noexcept { return per_count_ < 0; }

  // From the servo to the joint.
  [[nodiscard]] double position(double counts) const noexcept {
    return (counts - zero_) * per_count_;
  }
  [[nodiscard]] double velocity(double steps) const noexcept { return steps * per_velocity_; }
  [[nodiscard]] double torque(double steps) const noexcept { return steps * per_current_; }
  // From the joint to the servo, not rounded.
  [[nodiscard]] double counts(double q) const noexcept { return q / per_count_ + zero_; }
  [[nodiscard]] double velocity_steps(double v) const noexcept { return v / per_velocity_; }
  /// 0 without a torque constant.
  [[nodiscard]] double current_steps(double tau) const noexcept {
    return has_torque() ? tau / per_current_ : 0.0;
  }

 private:
  double zero_ = 0;
  // Signed: of the joint in one step of the servo.
  double per_count_ = 1;
  double per_velocity_ = 1;
  double per_current_ = 0;
};

}  // namespace jointrig::hw
