// The same stack over a bus and in simulation: the boards and the physics are the same, so all that
// may differ is what the wire rounds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/boards/local_boards.h"
#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "tests/app/boards/wire_resolution.h"

namespace jointrig::app {
namespace {

using testing::kStepsOfTheEncoder;
using testing::resolution_of_the_wire;

RobotConfig robot_named(const std::string& path) {
  return load_robot(harness::find_robot(path)).config;
}

using Script =
    std::function<void(std::uint64_t cycle, RobotClient& user, const RobotConfig& robot)>;

/// Joint positions of every cycle.
std::vector<std::vector<double>> trajectory(Backend& backend, const RobotConfig& robot,
                                            std::uint64_t cycles, const Script& script) {
  Stack stack(robot, backend.description().joints, std::make_unique<RobotModel>(robot));
  Loop loop(backend, stack);
  RobotClient user(robot, stack.inbox(), "test");
  backend.start();
  std::vector<std::vector<double>> q;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    script(cycle, user, robot);
    if (!loop.step()) break;
    q.emplace_back();
    for (const JointSnapshot& joint : stack.snapshot().joints) q.back().push_back(joint.state.q);
  }
  backend.stop();
  return q;
}

/// The same with the floats of a moteus servo, whose last bit is worth 2^-23 of the value: torque
/// and velocity act as w, the position is rounded once more than by its encoder.
double resolution_of_the_servos_wire(const JointConfig& joint) {
  constexpr double kLastBit = 0x1p-23;
  const JointLimits& limits = joint.limits;
  const double torque_step = kLastBit * (limits.tau_max + joint.gains.kd * limits.v_max);
  const double furthest = std::max(std::abs(limits.q_min), std::abs(limits.q_max));
  const double position_step = joint.board.encoder_step + kLastBit * furthest;
  return 0.5 * torque_step / joint.gains.kp + kStepsOfTheEncoder * position_step;
}

/// A change to the compliant law starts from the torque of the last cycles. There a step Δ of the
/// encoder is a torque of (2ζω + ω_o) I Δ/T, a fifth of it after the filter, and the spring gives
/// way by it: at the default ω of 50/s.
double resolution_of_a_change_of_law(const JointConfig& joint) {
  constexpr double kGain = 2.5 * 50.0;  // [1/s]
  const double torque = 0.2 * kGain * joint.gains.inertia * joint.board.encoder_step / 1e-3;
  return torque / joint.gains.stiffness;
}

/// An arm, and the pose that it goes to and comes back from.
struct Tour {
  const char* robot = "models/franka/robot.yaml";
  const char* pose = "above_table";
  bool is_compliant_on_its_way_back = true;
};

/// A motion of the arm in simulation and over a modelled bus, compared joint by joint.
void expect_equal_motion(const BusPlan& plan,
                         const std::function<double(std::size_t, const JointConfig&)>& resolution,
                         const Tour& tour = {}) {
  constexpr std::uint64_t kChange = 1800;
  const RobotConfig robot = robot_named(tour.robot);
  const Script script = [&](std::uint64_t cycle, RobotClient& user, const RobotConfig& config) {
    const JointSet all = user.select("all");
    if (cycle == 100) user.set_mode(all, ModeRequest::kPosition);
    if (cycle == 200) user.move_to(pose_named(config, tour.pose));
    if (cycle == kChange && tour.is_compliant_on_its_way_back) {
      user.set_interaction(all, InteractionMode::kCompliant);
    }
    if (cycle == 2000) user.move_to(pose_named(config, "home"));
  };
  constexpr std::uint64_t kCycles = 3500;
  sim::SimBackend sim(robot);
  const auto in_sim = trajectory(sim, robot, kCycles, script);
  LocalBoards boards(robot, {}, plan);
  const auto bus = boards.make_backend();
  const auto over_bus = trajectory(*bus, robot, kCycles, script);
  ASSERT_EQ(in_sim.size(), kCycles);
  ASSERT_EQ(over_bus.size(), kCycles);
  EXPECT_EQ(bus->incomplete_cycles(), 0U);
  double way = 0.0;
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    double worst = 0.0;
    double worst_after_change = 0.0;
    double moved = 0.0;
    for (std::size_t i = 0; i < kCycles; ++i) {
      double& worst_then = i < kChange ? worst : worst_after_change;
      worst_then = std::max(worst_then, std::abs(in_sim[i][j] - over_bus[i][j]));
      moved = std::max(moved, std::abs(in_sim[i][j] - in_sim[0][j]));
    }
    const double resolved = resolution(j, robot.joints[j]);
    EXPECT_LE(worst, resolved) << robot.joints[j].name;
    EXPECT_LE(worst_after_change, resolved + resolution_of_a_change_of_law(robot.joints[j]))
        << robot.joints[j].name;
    way += moved;
  }
  EXPECT_GT(way, 0.5) << "it was a motion";
}

TEST(HwEqualsSim, AnArmThatMovesBetweenPosesDoesTheSameOverTheBus) {
  expect_equal_motion(
      {}, [](std::size_t, const JointConfig& joint) { return resolution_of_the_wire(joint); });
}

TEST(HwEqualsSim, AnArmOfMoteusServosDoesTheSame) {
  BusPlan plan;
  plan.buses = {BusProtocol::kMoteus};
  plan.servo.gear = 1.5;
  plan.servo.reversed = true;
  plan.servo.zero_counts = 0.25;
  expect_equal_motion(plan, [](std::size_t, const JointConfig& joint) {
    // The finger lies on its stop, where a step of the encoder decides whether the stop pushes: it
    // may come to rest some steps away.
    constexpr double kStopsPlay = 10.0;
    const bool on_its_stop = joint.q_start >= joint.limits.q_max;
    return on_its_stop ? kStopsPlay * joint.board.encoder_step
                       : resolution_of_the_servos_wire(joint);
  });
}

TEST(HwEqualsSim, AnArmWithDrivesAndServosDoesTheSame) {
  BusPlan plan;
  plan.joints_per_bus = 3;
  plan.buses = {BusProtocol::kMoteus, BusProtocol::kCanopen, BusProtocol::kMoteus};
  // The drives' coarser torques shake the arm, and so the servos' joints.
  expect_equal_motion(
      plan, [](std::size_t, const JointConfig& joint) { return resolution_of_the_wire(joint); });
}

TEST(HwEqualsSim, AnArmOnSpringsDoesTheSame) {
  // Its torque loops, which the rounding goes through, overshoot by a quarter. Without friction, as
  // its joints are, a compliant one shows what a step of torque does to its soft spring instead.
  expect_equal_motion(
      {},
      [](std::size_t, const JointConfig& joint) { return 1.25 * resolution_of_the_wire(joint); },
      {.robot = "models/sawyer/robot.yaml",
       .pose = "reach",
       .is_compliant_on_its_way_back = false});
}

TEST(HwEqualsSim, TwoRunsOverTheBusAreEqualToTheBit) {
  const RobotConfig robot = robot_named("models/franka/robot.yaml");
  const Script script = [](std::uint64_t cycle, RobotClient& user, const RobotConfig& config) {
    if (cycle == 10) user.set_mode(user.select("all"), ModeRequest::kPosition);
    if (cycle == 100) user.move_to(pose_named(config, "above_table"));
  };
  LocalBoards one(robot);
  LocalBoards other(robot);
  EXPECT_EQ(trajectory(*one.make_backend(), robot, 800, script),
            trajectory(*other.make_backend(), robot, 800, script));
  EXPECT_EQ(one.robot().hash(), other.robot().hash());
}

/// The event of the fault that the elbow finds while the arm moves.
std::optional<Event> fault_event(Backend& backend, const RobotConfig& robot,
                                 const std::function<void()>& inject) {
  Stack stack(robot, backend.description().joints, std::make_unique<RobotModel>(robot));
  Loop loop(backend, stack);
  RobotClient user(robot, stack.inbox(), "test");
  EventRing::Reader reader(stack.events());
  backend.start();
  std::optional<Event> fault;
  for (int cycle = 0; cycle < 800 && !fault; ++cycle) {
    if (cycle == 10) user.set_mode(user.select("all"), ModeRequest::kPosition);
    if (cycle == 100) user.move_to(pose_named(robot, "above_table"));
    if (cycle == 500) inject();
    if (!loop.step()) break;
    for (Event event; reader.next(event);) {
      if (event.kind == EventKind::kFault && event.joint == 3) fault = event;
    }
  }
  backend.stop();
  return fault;
}

struct Injected {
  sim::SimFault fault;
  double value;
};
class EachFault : public ::testing::TestWithParam<Injected> {};
INSTANTIATE_TEST_SUITE_P(OfABoard, EachFault,
                         ::testing::Values(Injected{sim::SimFault::kEncoderFreeze, 0.0},
                                           Injected{sim::SimFault::kEncoderJump, 0.4},
                                           Injected{sim::SimFault::kEncoderDropout, 0.0},
                                           Injected{sim::SimFault::kTorqueSensorOffset, 40.0},
                                           Injected{sim::SimFault::kTorqueSensorTimeout, 0.0},
                                           Injected{sim::SimFault::kMotorOff, 0.0},
                                           Injected{sim::SimFault::kOverTemperature, 150.0},
                                           Injected{sim::SimFault::kOverCurrent, 0.0},
                                           Injected{sim::SimFault::kSupplyVoltage, 20.0},
                                           Injected{sim::SimFault::kSupplyVoltage, 90.0},
                                           Injected{sim::SimFault::kLimitSwitch, 0.0}),
                         [](const auto& each) {
                           return std::string(to_string(each.param.fault)) + "_" +
                                  std::to_string(each.index);
                         });

TEST_P(EachFault, SaysInTheSameCycleTheSameNameValueAndLimitOverTheBus) {
  const RobotConfig robot = robot_named("models/franka/robot.yaml");
  const auto [injected, value] = GetParam();
  sim::SimBackend sim(robot);
  const auto in_sim = fault_event(sim, robot, [&] { sim.boards()[3].inject(injected, value); });
  LocalBoards boards(robot);
  const auto over_bus = fault_event(*boards.make_backend(), robot,
                                    [&] { boards.robot().boards()[3].inject(injected, value); });
  ASSERT_TRUE(in_sim && over_bus);
  EXPECT_EQ(over_bus->fault, in_sim->fault);
  EXPECT_EQ(over_bus->cycle, in_sim->cycle);
  // A REAL32 has 24 bits; what is measured (of a dead stage the limit, too) differs by what the
  // wire rounded before.
  const auto slack = [](double said) { return 1e-3 * std::abs(said) + 1e-6; };
  EXPECT_NEAR(over_bus->value, in_sim->value, slack(in_sim->value));
  EXPECT_NEAR(over_bus->limit, in_sim->limit, slack(in_sim->limit));
}

class OnBoards : public ::testing::TestWithParam<BusProtocol> {};
INSTANTIATE_TEST_SUITE_P(EachKind, OnBoards,
                         ::testing::Values(BusProtocol::kCanopen, BusProtocol::kMoteus));

TEST_P(OnBoards, AFaultIsLeftByForceIdleAloneAsInSimulation) {
  const RobotConfig robot = robot_named("models/franka/robot.yaml");
  BusPlan plan;
  plan.buses = {GetParam()};
  LocalBoards boards(robot, {}, plan);
  const auto bus = boards.make_backend();
  Stack stack(robot, bus->description().joints, std::make_unique<RobotModel>(robot));
  Loop loop(*bus, stack);
  RobotClient user(robot, stack.inbox(), "test");
  const auto run = [&](int cycles) {
    for (int i = 0; i < cycles; ++i) loop.step();
  };
  const auto elbow = [&]() -> const JointSnapshot& { return stack.snapshot().joints[3]; };
  bus->start();
  user.set_mode(user.select("all"), ModeRequest::kPosition);
  run(50);
  ASSERT_EQ(elbow().mode, JointMode::kPosition);
  boards.robot().boards()[3].inject(sim::SimFault::kOverTemperature, 150.0, 200);
  run(10);
  EXPECT_EQ(elbow().mode, JointMode::kHwFault);
  EXPECT_EQ(elbow().fault.code, FaultCode::kOverTemperature);
  EXPECT_EQ(stack.snapshot().joints[0].mode, JointMode::kPosition);
  user.set_mode(user.select("panda_joint4"), ModeRequest::kPosition);
  run(300);
  EXPECT_EQ(elbow().mode, JointMode::kHwFault) << "the cause is gone, the fault stays";
  user.set_mode(user.select("panda_joint4"), ModeRequest::kForceIdle);
  run(30);
  EXPECT_EQ(elbow().mode, JointMode::kIdle);
  user.set_mode(user.select("panda_joint4"), ModeRequest::kPosition);
  run(30);
  EXPECT_EQ(elbow().mode, JointMode::kPosition);
}

}  // namespace
}  // namespace jointrig::app
