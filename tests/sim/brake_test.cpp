// A weight on a vertical slide, with a holding brake and without: gravity judges.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sim/sim_backend.h"
#include "tests/sim/odd_robot.h"

namespace jointrig::sim {
namespace {

constexpr double kG = 9.81;
constexpr double kWeight = 2.0 * kG;  // of the carriage [N]
constexpr double kPeriod = 1e-3;

/// A row of cycles as a loop runs them, under one setpoint.
class Bench {
 public:
  explicit Bench(const BrakeConfig& brake) : sim_(robot(brake)) { sim_.start(); }

  void run(double seconds, const JointSetpoint& setpoint) {
    RobotCommand command;
    command.joints.resize(1);
    for (int i = 0; i < std::lround(seconds / kPeriod) && sim_.wait().is_due; ++i) {
      sim_.read(state_);
      command.cycle = state_.cycle;
      command.joints[0] = setpoint;
      sim_.write(command);
    }
  }
  /// The motor carries the weight, and its brake, if any, is open.
  void carry() { run(0.3, weight()); }
  static JointSetpoint weight() {
    JointSetpoint setpoint;
    setpoint.drive = DriveMode::kTorque;
    setpoint.tau = kWeight;
    return setpoint;
  }
  void cut_power() { sim_.inject(0, SimFault::kPowerOff, 0.0, std::nullopt); }

  [[nodiscard]] double height() const { return sim_.plant().joint(0).q; }
  [[nodiscard]] double speed() const { return sim_.plant().joint(0).v; }
  [[nodiscard]] const JointState& report() const { return state_.joints[0]; }

 private:
  static RobotConfig robot(const BrakeConfig& brake) {
    static const TemporaryFile file(kSlider);
    RobotConfig robot = slider_robot(file);
    robot.delay_cycles = 1;
    robot.joints[0].brake = brake;
    return robot;
  }

  SimBackend sim_;
  RobotState state_;
};

constexpr BrakeConfig kBrake{.holding_torque = 40.0, .engage_s = 0.03, .release_s = 0.05};
constexpr BrakeConfig kNone{};
const JointSetpoint kOff{};

/// The way of a fall that a brake ends after its delay: ½ g t² while it falls, then v²/2a, a by
/// what the brake has left over the weight. To two steps: the one in which the power goes, and the
/// one in which the friction takes hold.
double fall_into(const BrakeConfig& brake) {
  const double t = brake.engage_s + 2.0 * kPeriod;
  const double v = kG * t;
  return 0.5 * kG * t * t + 0.5 * v * v / (brake.holding_torque / 2.0 - kG);
}

TEST(Brake, HoldsAJointThatWasNeverOn) {
  Bench bench(kBrake);
  bench.run(5.0, kOff);
  EXPECT_NEAR(bench.height(), 0.0, 1e-4);
}

TEST(Brake, WithoutOneAJointThatIsOffFalls) {
  Bench bench(kNone);
  bench.run(0.5, kOff);
  EXPECT_NEAR(bench.height(), -0.5 * kG * 0.5 * 0.5, 0.02);
}

TEST(Brake, ALossOfPowerDropsTheJointByTheDelayOfItsBrakeAndNoFurther) {
  Bench bench(kBrake);
  bench.carry();
  const double before = bench.height();
  bench.cut_power();
  bench.run(0.2, kOff);
  const double drop = before - bench.height();
  EXPECT_GT(drop, 0.5 * kG * 0.03 * 0.03);
  EXPECT_LT(drop, fall_into(kBrake));
  const double caught = bench.height();
  bench.run(10.0, kOff);
  EXPECT_NEAR(bench.height(), caught, 1e-4) << "a brake does not creep";
}

TEST(Brake, ALossOfPowerDropsAJointWithoutBrakeForAsLongAsItLasts) {
  Bench bench(kNone);
  bench.carry();
  const double before = bench.height();
  bench.cut_power();
  bench.run(0.4, kOff);
  EXPECT_NEAR(before - bench.height(), 0.5 * kG * 0.4 * 0.4, 0.02);
}

TEST(Brake, OpensOnlyOnceTheMotorHasItsTorqueAndTheBoardIsEnabledOnlyOnceItIsOpen) {
  Bench bench(kBrake);
  bench.run(0.01, kOff);
  bench.run(0.045, Bench::weight());
  EXPECT_EQ(bench.report().status, BoardStatus::kReady);
  EXPECT_NEAR(bench.report().tau, kWeight, 0.1) << "torque first";
  bench.run(0.02, Bench::weight());
  EXPECT_EQ(bench.report().status, BoardStatus::kEnabled);
  bench.run(0.3, Bench::weight());
  EXPECT_NEAR(bench.height(), 0.0, 2e-4) << "and nothing moves";
}

TEST(Brake, ClosesBeforeTheTorqueGoesWhenTheMotorIsSwitchedOff) {
  Bench bench(kBrake);
  bench.carry();
  const double before = bench.height();
  bench.run(0.02, kOff);
  EXPECT_EQ(bench.report().status, BoardStatus::kReady);
  EXPECT_NEAR(bench.report().tau, kWeight, 1.0) << "it is closing";
  bench.run(0.05, kOff);
  EXPECT_NEAR(bench.report().tau, 0.0, 1e-9);
  bench.run(1.0, kOff);
  // Less than a hundredth of the fall of an emergency.
  EXPECT_NEAR(bench.height(), before, 0.01 * fall_into(kBrake));
}

TEST(Brake, ASwitchOnWhileItClosesKeepsTheJointInTheMotorsHand) {
  Bench bench(kBrake);
  bench.carry();
  const double before = bench.height();
  bench.run(0.02, kOff);
  bench.run(0.5, Bench::weight());
  EXPECT_EQ(bench.report().status, BoardStatus::kEnabled);
  EXPECT_NEAR(bench.height(), before, 1e-3);
}

TEST(Brake, AWeakOneSlipsByWhatTheWeightHasOverIt) {
  const BrakeConfig weak{.holding_torque = 0.5 * kWeight, .engage_s = 0.0, .release_s = 0.05};
  Bench bench(weak);
  bench.run(0.5, kOff);
  EXPECT_NEAR(bench.height(), -0.5 * (0.5 * kG) * 0.5 * 0.5, 0.01);
}

}  // namespace
}  // namespace jointrig::sim
