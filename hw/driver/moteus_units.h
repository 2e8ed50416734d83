#pragma once
/// Between a joint's SI units and those of a moteus servo, which counts revolutions, revolutions a
/// second and N·m at its output: what its own reduction does is the servo's setting
/// (motor_position.rotor_to_output_ratio).
///
///     q    = s 2π (position − zero) / gear     [rad]
///          = s feed (position − zero) / gear   [m], of a slide
///     tau  = s torque gear η                   [N·m]
///          = s torque gear η 2π / feed         [N]
///
/// s = ±1 is the polarity, gear = revolutions of the servo's output in one of the joint (> 0).

#include <string>
#include <vector>

#include "hw/driver/drive_units.h"
#include "hw/moteus/registers.h"

namespace jointrig::hw {

struct MoteusFacts {
  double gear = 1;        ///< between the servo's output and the joint
  double feed = 0;        ///< of a slide [m per revolution of the joint's shaft]
  bool reversed = false;  ///< the servo's positive direction is the joint's negative
  double zero = 0;        ///< position of the servo where q = 0 [rev]
  double efficiency = 1;  ///< η of that gear, in (0, 1]
};

class MoteusUnits {
 public:
  MoteusUnits() = default;
  /// Throws std::invalid_argument with a sentence for facts that make no units.
  MoteusUnits(const MoteusFacts& facts, bool slide);

  // From the servo to the joint.
  [[nodiscard]] double position(double rev) const noexcept { return (rev - zero_) * per_rev_; }
  [[nodiscard]] double velocity(double rev_per_s) const noexcept { return rev_per_s * per_rev_; }
  [[nodiscard]] double torque(double servo) const noexcept { return servo * per_torque_; }
  // From the joint to the servo.
  [[nodiscard]] double rev(double q) const noexcept { return q / per_rev_ + zero_; }
  [[nodiscard]] double rev_per_s(double v) const noexcept { return v / per_rev_; }
  [[nodiscard]] double servo_torque(double tau) const noexcept { return tau / per_torque_; }
  [[nodiscard]] bool reversed() const noexcept { return per_rev_ < 0; }

  /// A gain of the joint [N·m/rad or N/m] in the servo's [N·m/rev]; the same for damping.
  [[nodiscard]] double servo_gain(double gain) const noexcept {
    return gain * per_rev_ / per_torque_;
  }

  /// Limits of a joint that don't fit the integers of a resolution, a sentence each.
  [[nodiscard]] std::vector<std::string> misfits(const DriveRange& range,
                                                 moteus::Resolution resolution) const;

 private:
  double zero_ = 0;        // [rev]
  double per_rev_ = 1;     // signed [rad or m]
  double per_torque_ = 1;  // signed [1 or 1/m]
};

}  // namespace jointrig::hw
