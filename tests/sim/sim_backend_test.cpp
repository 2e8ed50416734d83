#include "sim/sim_backend.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/odd_robot.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::sim {
namespace {

constexpr double kG = 9.81;
constexpr TimeNs kMs = 1'000'000;

/// Drives a backend as the loop does; `decide` fills in the command of a cycle.
template <typename Decide>
void run(SimBackend& sim, int cycles, Decide&& decide) {
  RobotState state;
  RobotCommand command;
  command.joints.resize(sim.description().joints.size());
  for (int i = 0; i < cycles && sim.wait().is_due; ++i) {
    sim.read(state);
    command.cycle = state.cycle;
    decide(state, command);
    sim.write(command);
  }
}

void push(RobotCommand& command, std::size_t joint, double tau) {
  command.joints[joint].drive = DriveMode::kTorque;
  command.joints[joint].tau = tau;
}

/// Two joints that swing as a made-up controller pleases, each cycle another torque.
void swing(const RobotState& state, RobotCommand& command) {
  const double t = to_seconds(state.time_ns);
  push(command, 0, -5 + 4 * std::sin(7 * t) - state.joints[0].v);
  push(command, 1, -15 + 9 * std::cos(5 * t) - 2 * state.joints[1].v);
}

TEST(SimBackend, TellsWhatItsBoardsCanDo) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.joints[1].board.needs_calibration = true;
  const SimBackend sim(robot);
  EXPECT_EQ(sim.description().name, "sim");
  EXPECT_EQ(sim.description().period_ns, kMs);
  ASSERT_EQ(sim.description().joints.size(), 2U);
  EXPECT_EQ(sim.description().joints[0].joint, "elbow");
  EXPECT_TRUE(sim.description().joints[0].drive_modes.has(DriveMode::kTorque));
  EXPECT_FALSE(sim.description().joints[0].drive_modes.has(DriveMode::kImpedance));
  EXPECT_FALSE(sim.description().joints[0].needs_calibration);
  EXPECT_TRUE(sim.description().joints[1].needs_calibration);
}

TEST(SimBackend, TheFirstCycleIsTheStartAndTheMotorsAreOff) {
  const TemporaryFile file(kArm);
  SimBackend sim(arm_robot(file));
  sim.start();
  ASSERT_TRUE(sim.wait().is_due);
  RobotState state;
  sim.read(state);
  EXPECT_EQ(state.cycle, 0U);
  EXPECT_EQ(state.time_ns, 0);
  ASSERT_EQ(state.joints.size(), 2U);
  EXPECT_NEAR(state.joints[0].q, -0.4, 1e-6);
  EXPECT_EQ(state.joints[1].status, BoardStatus::kReady);
  ASSERT_TRUE(sim.wait().is_due);
  sim.read(state);
  EXPECT_EQ(state.cycle, 1U);
  EXPECT_EQ(state.time_ns, kMs);
}

struct Delay : testing::TestWithParam<int> {};

TEST_P(Delay, ACommandMovesTheRobotAfterExactlyItsDelay) {
  const TemporaryFile file(kSlider);
  RobotConfig robot = slider_robot(file);
  robot.delay_cycles = GetParam();
  SimBackend sim(robot);
  sim.start();
  constexpr std::uint64_t kStep = 20;
  run(sim, 60, [&](const RobotState& state, RobotCommand& command) {
    const double tau = state.cycle >= kStep ? 2 * kG + 6.0 : 2 * kG;
    push(command, 0, tau);
    // Up to its first command's arrival it is held; then it is balanced, then pushed.
    const auto d = static_cast<std::uint64_t>(GetParam());
    const double pushed =
        state.cycle > kStep + d ? static_cast<double>(state.cycle - kStep - d) * 0.001 * 3.0 : 0;
    ASSERT_NEAR(sim.truth(0).v, pushed, 1e-12) << "cycle " << state.cycle;
  });
}
INSTANTIATE_TEST_SUITE_P(SimBackend, Delay, testing::Values(0, 1, 2, 7));

TEST(SimBackend, IsHeldUntilTheFirstCommandComesAndThenFallsUnlessItDrives) {
  const TemporaryFile file(kSlider);
  SimBackend sim(slider_robot(file));
  sim.start();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(sim.wait().is_due);  // nobody speaks
  EXPECT_EQ(sim.truth(0).v, 0.0);
  EXPECT_EQ(sim.plant().time_ns(), 99 * kMs) << "time goes on";

  constexpr int kCycles = 11;
  run(sim, kCycles, [](const RobotState&, RobotCommand& command) { command.joints[0] = {}; });
  // The first command arrives a cycle later; the periods from then to the last cycle are falls.
  EXPECT_NEAR(sim.truth(0).v, -kG * 0.001 * (kCycles - 2), 1e-12);
}

TEST(SimBackend, MayBeHeldUntilACommandSwitchesAMotorOn) {
  const TemporaryFile file(kSlider);
  SimOptions options;
  options.held_until_driven = true;
  SimBackend sim(slider_robot(file), options);
  sim.start();
  run(sim, 50, [](const RobotState&, RobotCommand& command) { command.joints[0] = {}; });
  EXPECT_EQ(sim.truth(0).v, 0.0);
  run(sim, 1, [](const RobotState&, RobotCommand& command) {
    command.joints[0].drive = DriveMode::kTorque;
  });
  constexpr int kCycles = 11;
  run(sim, kCycles, [](const RobotState&, RobotCommand& command) { command.joints[0] = {}; });
  EXPECT_NEAR(sim.truth(0).v, -kG * 0.001 * (kCycles - 1), 1e-12) << "and then never again";
}

TEST(SimBackend, WithoutCommandsTheWatchdogStopsTheMotors) {
  const TemporaryFile file(kSlider);
  RobotConfig robot = slider_robot(file);  // watchdog 0.1 s
  SimBackend sim(robot);
  sim.start();
  RobotState state;
  std::uint64_t faulted = 0;
  for (std::uint64_t k = 0; k < 300 && faulted == 0; ++k) {
    ASSERT_TRUE(sim.wait().is_due);
    sim.read(state);
    if (state.joints[0].status == BoardStatus::kHwFault) faulted = state.cycle;
    RobotCommand command;
    command.joints.resize(1);
    push(command, 0, 2 * kG);
    if (k < 50) sim.write(command);
  }
  // The last command, of cycle 49, acts at 50; cycles 51 to 150 are silent; 151 shows it.
  EXPECT_EQ(faulted, 151U);
  EXPECT_EQ(state.joints[0].fault, FaultCode::kCommandLost);
}

TEST(SimBackend, EndsWhenItsTimeIsOver) {
  const TemporaryFile file(kSlider);
  SimOptions options;
  options.end_ns = 25 * kMs;
  SimBackend sim(slider_robot(file), options);
  sim.start();
  int cycles = 0;
  while (sim.wait().is_due) ++cycles;
  EXPECT_EQ(cycles, 25);
  EXPECT_EQ(sim.end(), SimEnd::kTimeOver);
  EXPECT_FALSE(sim.wait().is_due);
}

TEST(SimBackend, EndsWhenItIsClosed) {
  const TemporaryFile file(kSlider);
  SimBackend sim(slider_robot(file));
  sim.start();
  EXPECT_TRUE(sim.wait().is_due);
  sim.close();
  EXPECT_FALSE(sim.wait().is_due);
  EXPECT_EQ(sim.end(), SimEnd::kClosed);
}

TEST(SimBackend, EndsWithAReasonWhenThePhysicsBreaksDown) {
  const TemporaryFile file(R"(<mujoco><worldbody><body><joint name="lift" type="slide"/>
      <geom size="0.1"/></body></worldbody></mujoco>)");
  SimBackend sim(slider_robot(file));
  sim.start();
  Wrench blow;
  blow.body = BodyId{1};
  blow.force = {0, 0, 1e11};
  sim.plant().apply(blow);
  run(sim, 1000, [](const RobotState&, RobotCommand&) {});
  EXPECT_EQ(sim.end(), SimEnd::kBreakdown);
  EXPECT_FALSE(sim.plant().breakdown().empty());
}

TEST(SimBackend, StopTurnsTheMotorsOffWhateverWasWritten) {
  const TemporaryFile file(kSlider);
  SimBackend sim(slider_robot(file));
  sim.start();
  const auto hold = [](const RobotState&, RobotCommand& command) { push(command, 0, 2 * kG); };
  run(sim, 50, hold);
  const double v = sim.truth(0).v;
  sim.stop();
  sim.stop();
  run(sim, 100, hold);
  EXPECT_NEAR(sim.truth(0).v, v - kG * 0.1, 1e-9);
}

TEST(SimBackend, InjectedStictionHoldsTheJoint) {
  const TemporaryFile file(kSlider);
  SimBackend sim(slider_robot(file));
  sim.start();
  sim.inject(0, SimFault::kStictionStep, 40.0, 200 * kMs);
  run(sim, 200, [](const RobotState&, RobotCommand&) {});
  EXPECT_NEAR(sim.truth(0).q, 0.0, 0.01);
  const double v = sim.truth(0).v;
  run(sim, 100, [](const RobotState&, RobotCommand&) {});
  EXPECT_NEAR(sim.truth(0).v, v - kG * 0.1, 0.1);
}

TEST(SimBackend, AnInjectedFaultStopsTheMotorOfItsJointAlone) {
  const TemporaryFile file(kArm);
  SimBackend sim(arm_robot(file));
  sim.start();
  run(sim, 100, swing);
  sim.inject(1, SimFault::kOverCurrent);
  run(sim, 3, swing);
  EXPECT_EQ(sim.board(1).report().fault, FaultCode::kOverCurrent);
  EXPECT_EQ(sim.board(1).report().tau, 0.0);
  EXPECT_EQ(sim.board(0).status(), BoardStatus::kEnabled);
}

TEST(SimBackend, TwoRunsGiveTheSameBitsAndAnotherSeedOthers) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.plant.encoder_noise = 1e-5;
  robot.plant.torque_noise = 0.1;
  const auto hash_of_run = [&](std::uint64_t seed) {
    robot.plant.seed = seed;
    SimBackend sim(robot);
    sim.start();
    run(sim, 2000, swing);
    return sim.hash();
  };
  const std::uint64_t first = hash_of_run(1);
  EXPECT_EQ(hash_of_run(1), first);
  EXPECT_NE(hash_of_run(2), first);
}

TEST(SimBackend, ASavedRunGoesOnToTheSameBits) {
  const TemporaryFile file(kArm);
  RobotConfig robot = arm_robot(file);
  robot.plant.encoder_noise = 1e-5;
  robot.joints[0].board.torque_bandwidth_hz = 200;
  robot.delay_cycles = 3;
  SimBackend sim(robot);
  sim.start();
  run(sim, 500, swing);
  sim.inject(0, SimFault::kGainLoss, 0.8, 900 * kMs);
  sim.inject(1, SimFault::kStictionStep, 0.5, 700 * kMs);
  const SimBackend::State saved = sim.save();
  run(sim, 1000, swing);

  SimBackend other(robot);
  other.start();
  run(other, 10, swing);
  other.restore(saved);
  EXPECT_NE(other.hash(), sim.hash());
  run(other, 1000, swing);
  EXPECT_EQ(other.hash(), sim.hash());
}

TEST(SimBackend, ACycleAllocatesNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  const TemporaryFile file(kArm);
  const TemporaryFile scene(R"(<mujoco><worldbody><geom type="plane" size="3 3 0.1" pos="0 0 0.6"/>
      <body pos="0.6 0 0.75"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="1"/></body>
      </worldbody></mujoco>)");
  RobotConfig robot = arm_robot(file);
  robot.scene_path = scene.path();
  robot.plant.encoder_noise = 1e-5;
  SimOptions options;
  options.plant.obstacles = {{"block", ObstacleShape::kBox, {0.1, 0.1, 0.1}, 1.0}};
  SimBackend sim(robot, options);
  sim.start();
  run(sim, 10, swing);
  RealtimeGuard guard;
  run(sim, 1000, swing);
  sim.inject(0, SimFault::kEncoderNoise, 1e-3, 50 * kMs);
  sim.plant().place(0, {{0.5, 0, 0.7}, {1, 0, 0, 0}});
  Wrench pull;
  pull.body = BodyId{1};
  pull.force = {0, 0, -50};
  sim.plant().apply(pull);
  run(sim, 1000, [](const RobotState&, RobotCommand&) {});  // falls onto box and block
  const std::uint64_t hash = sim.hash();
  const ViolationCounts seen = guard.violations();
  EXPECT_EQ(seen, kNoViolations) << guard.report();
  EXPECT_NE(hash, 0U);
  EXPECT_GT(sim.plant().contacts().size(), 0U);
}

struct SlowPacer final : Pacer {
  void start() noexcept override { started = true; }
  std::int64_t wait_until(TimeNs robot_time) noexcept override {
    last = robot_time;
    return 17;
  }
  bool started = false;
  TimeNs last = -1;
};

TEST(SimBackend, IsPacedByWhoeverOwnsAClock) {
  const TemporaryFile file(kSlider);
  SlowPacer pacer;
  SimOptions options;
  options.pacer = &pacer;
  SimBackend sim(slider_robot(file), options);
  sim.start();
  EXPECT_TRUE(pacer.started);
  for (int k = 0; k < 5; ++k) {
    const Tick tick = sim.wait();
    ASSERT_TRUE(tick.is_due);
    EXPECT_EQ(pacer.last, k * kMs);
    EXPECT_EQ(tick.late_ns, 17);
  }
}

TEST(SimBackend, RefusesADelayThatMakesNoSense) {
  const TemporaryFile file(kSlider);
  RobotConfig robot = slider_robot(file);
  robot.delay_cycles = -1;
  EXPECT_THROW(SimBackend{robot}, std::invalid_argument);
}

}  // namespace
}  // namespace jointrig::sim
