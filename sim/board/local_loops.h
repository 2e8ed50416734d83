#pragma once
/// The local loops of a drive's firmware, on its own estimates. The firmware knows neither gravity
/// nor neighbouring joints: its integrator compensates what the feed-forward lacks.

#include "control/core/robot_io.h"
#include "sim/board/board_spec.h"

namespace jointrig::sim {

struct LoopState {
  double integral = 0.0;  ///< [N·m or N]
  DriveMode drive = DriveMode::kOff;

  template <typename Hash>
  void add_to(Hash& hash) const noexcept {
    const auto& [integral_, drive_] = *this;
    hash.add(integral_, drive_);
  }
};

/// Torque per drive mode, e = q_ref - q, w = v_ref - v:
///
///     torque     ff
///     velocity   kd w + ∫ kp w dt + ff
///     position   kp e + ∫ ki e dt + kd w + ff
///     impedance  stiffness e + damping w + ff
///
/// An integrator stands still while the sum is beyond ±tau_max and would go further. On entry to a
/// mode it starts from the motor's torque minus the feed-forward: bumpless. Where the motor was off
/// it starts from 0: the feed-forward carries what waits for it, such as a weight on no brake.
class LocalLoops {
 public:
  explicit LocalLoops(const BoardSpec& spec) noexcept
      : gains_(spec.gains), tau_max_(spec.limits.tau_max), period_(spec.period) {}

  /// @param torque_now  torque of the motor in the last interval
  double torque(const JointSetpoint& setpoint, double q, double v, double torque_now,
                LoopState& state) const noexcept;

 private:
  double integrate(double rate, double others, LoopState& state) const noexcept;

  JointGains gains_;
  double tau_max_;
  double period_;
};

}  // namespace jointrig::sim
