#include "sim/board/series_spring.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace jointrig::sim {
namespace {

constexpr double kPi = std::numbers::pi;

/// Two flywheels and the spring between them: the motor's, and a joint that takes the spring's
/// torque as the physics does.
struct TwoWheels {
  double motor_inertia = 0.1;
  double joint_inertia = 0.4;
  double stiffness = 500.0;
  double damping = 0.0;
  double h = 1e-4;
  bool blocked = false;
  double motor_torque = 0.0;
  SpringState motor{};
  double q = 0.0;
  double v = 0.0;

  void step() {
    const SeriesSpring spring(motor_inertia, stiffness, damping, h);
    const double pull = spring.pull(motor_torque, q, motor);
    const double drag = spring.damping_on_joint();
    v = blocked ? 0.0 : (joint_inertia * v + h * pull) / (joint_inertia + h * drag);
    q += h * v;
    spring.follow(motor_torque, q, v, motor);
  }
  void run(double seconds) {
    for (double t = 0; t < seconds - h / 2; t += h) step();
  }
  [[nodiscard]] double deflection() const { return motor.q - q; }
  [[nodiscard]] double energy() const {
    return (motor_inertia * motor.v * motor.v + joint_inertia * v * v +
            stiffness * deflection() * deflection()) /
           2;
  }
  [[nodiscard]] double momentum() const { return motor_inertia * motor.v + joint_inertia * v; }
  [[nodiscard]] double frequency() const {
    return std::sqrt(stiffness * (1 / motor_inertia + 1 / joint_inertia));
  }
};

TEST(SeriesSpring, GivesWayByTorqueOverStiffness) {
  TwoWheels wheels;
  wheels.blocked = true;
  wheels.damping = 4.0;
  wheels.motor_torque = 12.0;
  wheels.run(2.0);
  EXPECT_NEAR(wheels.deflection(), 12.0 / 500.0, 1e-9);
  EXPECT_NEAR(wheels.motor.torque, 12.0, 1e-6);
}

TEST(SeriesSpring, SwingsAtTheFrequencyOfTwoMassesOnASpring) {
  for (const double joint_inertia : {0.001, 0.02, 0.4, 30.0}) {
    TwoWheels wheels;
    wheels.joint_inertia = joint_inertia;
    wheels.h = 0.02 / wheels.frequency();
    wheels.motor.q = 0.01;
    // From one rise through zero to the fortieth after it; between two steps it is a straight line.
    double first = -1;
    double last = 0;
    double t = 0;
    for (int rises = 0; rises <= 40;) {
      const double before = wheels.deflection();
      wheels.step();
      t += wheels.h;
      if (before > 0 || wheels.deflection() <= 0) continue;
      last = t - wheels.h * wheels.deflection() / (wheels.deflection() - before);
      if (rises++ == 0) first = last;
    }
    EXPECT_NEAR(2 * kPi * 40 / (last - first), wheels.frequency(), 2e-4 * wheels.frequency())
        << joint_inertia;
  }
}

TEST(SeriesSpring, LosesToItsStepWhatItsHeaderSaysAndKeepsTheMomentum) {
  for (const double joint_inertia : {0.001, 0.02, 5.0}) {
    for (const double step : {0.01, 0.1, 1.0, 3.9}) {  // of 1/w
      TwoWheels wheels;
      wheels.joint_inertia = joint_inertia;
      wheels.h = step / wheels.frequency();
      wheels.motor.q = 0.02;
      wheels.v = 1.0;
      const double together =
          wheels.momentum() * wheels.momentum() / (wheels.motor_inertia + joint_inertia) / 2;
      const double momentum = wheels.momentum();
      // A 2x2 map M shrinks the form M21 x² + (M22 - M11) x y - M12 y² by its determinant |λ|²; for
      // the deflection δ and its speed that form is the energy of the swing less h k δ δ' / 4.
      const auto swing = [&] {
        return wheels.energy() - together -
               wheels.h * wheels.stiffness * wheels.deflection() * (wheels.motor.v - wheels.v) / 4;
      };
      const double before = swing();
      for (int i = 0; i < 20; ++i) wheels.step();
      const double shrunk = before * std::pow(1 + step * step / 2, -20);
      EXPECT_NEAR(swing(), shrunk, 1e-9 * before) << joint_inertia << " " << step;
      EXPECT_NEAR(wheels.momentum(), momentum, 1e-9 * std::abs(momentum));
    }
  }
}

TEST(SeriesSpring, ComesToRestUnderStepsFarLongerThanItsPeriod) {
  for (const double damping : {0.0, 0.5, 50.0}) {
    for (const double step : {4.1, 10.0, 30.0}) {
      TwoWheels wheels;
      wheels.joint_inertia = 0.0005;
      wheels.damping = damping;
      wheels.h = step / wheels.frequency();
      wheels.motor.q = 0.02;
      const double before = wheels.energy();
      for (int i = 0; i < 2000; ++i) {
        wheels.step();
        ASSERT_LE(wheels.energy(), before) << damping << " " << step;
      }
      EXPECT_LT(wheels.energy(), 0.05 * before) << damping << " " << step;
    }
  }
}

}  // namespace
}  // namespace jointrig::sim
