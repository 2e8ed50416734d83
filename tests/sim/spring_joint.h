#pragma once
/// A joint whose motor turns behind a spring, and the board that drives it. The
/// flywheel is integrated here, as the physics does it.

#include <cmath>
#include <cstdint>

#include "sim/board/board.h"
#include "sim/board/series_spring.h"
#include "tests/sim/flywheel_joint.h"

namespace jointrig::sim {

inline JointConfig spring_config() {
  JointConfig joint = flywheel_config();
  joint.board.spring_stiffness = 600.0;
  joint.board.armature = 0.08;
  joint.board.encoder_step = 0.0;
  joint.board.deflection_step = 0.0;
  return joint;
}

class SpringJoint {
 public:
  static constexpr int kSubsteps = 4;

  explicit SpringJoint(const JointConfig& config = spring_config(), double period = 0.001)
      : period_(period),
        inertia_(config.gains.inertia),
        spring_(config.board.armature.value(), config.board.spring_stiffness,
                config.board.spring_damping, period / kSubsteps),
        board_(make_board_spec(config, {}, period)) {
    board_.power_on(truth());
  }

  void step(const JointSetpoint* setpoint) {
    motor_torque = board_.act(setpoint);
    for (int i = 0; i < kSubsteps; ++i) turn(period_ / kSubsteps);
    board_.sense(truth());
  }
  void step(const JointSetpoint& setpoint) { step(&setpoint); }
  void run(const JointSetpoint& setpoint, double seconds) {
    const long count = std::lround(seconds / period_);
    for (long i = 0; i < count; ++i) step(setpoint);
  }

  [[nodiscard]] JointTruth truth() const { return {q, v, motor.q - q, motor.v - v}; }
  [[nodiscard]] const JointState& state() const { return board_.report(); }
  SimBoard& board() { return board_; }

  double q = 0.0;
  double v = 0.0;
  SpringState motor;
  double motor_torque = 0.0;  ///< in the last period
  double load = 0.0;          ///< torque from outside
  bool blocked = false;       ///< held fast

 private:
  void turn(double h) {
    const double share = board_.spring_share();
    const double pull = share * spring_.pull(motor_torque, q, motor) + load;
    const double drag = share * spring_.damping_on_joint();
    v = blocked ? 0.0 : (inertia_ * v + h * pull) / (inertia_ + h * drag);
    q += h * v;
    spring_.follow(motor_torque, q, v, motor);
  }

  double period_;
  double inertia_;
  SeriesSpring spring_;
  SimBoard board_;
};

}  // namespace jointrig::sim
