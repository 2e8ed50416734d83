#pragma once
/// A joint of a flywheel with a load, integrated here and not by the product, and a
/// board that drives it.

#include "sim/board/board.h"

namespace jointrig::sim {

inline std::uint64_t hash_of(const SimBoard& board) {
  StateHash hash;
  board.add_to(hash);
  return hash.value();
}

inline JointConfig flywheel_config() {
  JointConfig joint;
  joint.name = "flywheel";
  joint.limits.q_min = -2.5;
  joint.limits.q_max = 1.5;  // lopsided on purpose
  joint.limits.v_max = 3.0;
  joint.limits.tau_max = 20.0;
  joint.gains.inertia = 0.5;
  joint.gains.kp = 500.0;
  joint.gains.ki = 2000.0;
  joint.gains.kd = 31.6;
  joint.board.watchdog_s = 0.05;
  return joint;
}

class FlywheelJoint {
 public:
  explicit FlywheelJoint(const JointConfig& config = flywheel_config(),
                         const PlantConfig& plant = {}, double period = 0.001)
      : period_(period),
        inertia_(config.gains.inertia),
        board_(make_board_spec(config, plant, period), plant.seed) {
    board_.power_on({q, v});
  }

  /// One period: the board acts, the flywheel turns, the board senses.
  void step(const JointSetpoint* setpoint) {
    torque = board_.act(setpoint);
    const double v_before = v;
    v = blocked ? 0.0 : v + (torque + load) / inertia_ * period_;
    q += (midpoint ? 0.5 * (v_before + v) : v) * period_;
    board_.sense({q, v});
    ++cycles;
  }
  void step(const JointSetpoint& setpoint) { step(&setpoint); }
  void run(const JointSetpoint& setpoint, double seconds) {
    const int count = static_cast<int>(seconds / period_ + 0.5);
    for (int i = 0; i < count; ++i) step(setpoint);
  }

  /// Steps until the board reports a fault, at most `seconds`; returns the time it took [s].
  double run_to_fault(const JointSetpoint& setpoint, double seconds) {
    double t = 0;
    while (t < seconds && state().status != BoardStatus::kHwFault) {
      step(setpoint);
      t += period_;
    }
    return t;
  }

  [[nodiscard]] const JointState& state() const { return board_.report(); }
  SimBoard& board() { return board_; }

  double q = 0.0;
  double v = 0.0;
  double torque = 0.0;    ///< of the motor, in the last period
  double load = 0.0;      ///< torque from outside
  bool blocked = false;   ///< held fast
  bool midpoint = false;  ///< integrate exactly under constant torque; else semi-implicitly
  int cycles = 0;

 private:
  double period_;
  double inertia_;
  SimBoard board_;
};

inline JointSetpoint off() { return {}; }
inline JointSetpoint torque_of(double tau) {
  JointSetpoint s;
  s.drive = DriveMode::kTorque;
  s.tau = tau;
  return s;
}
inline JointSetpoint duty_of(double duty) {
  JointSetpoint s;
  s.drive = DriveMode::kDuty;
  s.duty = duty;
  return s;
}
inline JointSetpoint position_of(double q, double v = 0.0) {
  JointSetpoint s;
  s.drive = DriveMode::kPosition;
  s.q = q;
  s.v = v;
  return s;
}
inline JointSetpoint velocity_of(double v) {
  JointSetpoint s;
  s.drive = DriveMode::kVelocity;
  s.v = v;
  return s;
}
inline JointSetpoint request_of(BoardRequest request) {
  JointSetpoint s;
  s.request = request;
  return s;
}

}  // namespace jointrig::sim
