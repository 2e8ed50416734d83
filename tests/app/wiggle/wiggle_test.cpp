// The wiggle test on virtual boards with a driver that has a wrong configuration.

#include "app/wiggle/wiggle_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <numbers>

#include "app/boards/local_boards.h"
#include "app/boards/seats.h"
#include "app/rig/wiring.h"
#include "tests/hw/matrix/two_parts.h"

namespace jointrig::app {
namespace {

constexpr std::uint32_t kToken = 1;
constexpr double kDegree = std::numbers::pi / 180.0;

/// Two links that gravity pulls, and one that it doesn't.
constexpr const char* kArm = R"(
<mujoco model="arm">
  <compiler angle="radian"/>
  <default><geom contype="0" conaffinity="0"/><joint damping="0.5" armature="0.1"/></default>
  <worldbody>
    <body pos="0 0 1">
      <joint name="yaw" axis="0 0 1" range="-2 2"/>
      <geom type="capsule" fromto="0 0 0 0.1 0 0" size="0.03" mass="1"/>
      <body pos="0.1 0 0">
        <joint name="shoulder" axis="0 1 0" range="-2 2"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" mass="2"/>
        <body pos="0.3 0 0">
          <joint name="elbow" axis="0 1 0" range="-2 2"/>
          <geom type="capsule" fromto="0 0 0 0.25 0 0" size="0.03" mass="1"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="yaw" ctrlrange="-40 40"/>
    <motor joint="shoulder" ctrlrange="-40 40"/>
    <motor joint="elbow" ctrlrange="-15 15"/>
  </actuator>
</mujoco>)";

using Mistake = std::function<void(RobotConfig&)>;

/// Boards and physics of one robot behind modelled buses, and a stack whose driver has another
/// robot's configuration: LocalBoards with a mistake in it.
struct Mistaken {
  Mistaken(const RobotConfig& right, const Mistake& mistake)
      : real(LocalBoards::wired(right)),
        told(real),
        boards(std::make_unique<VirtualRobot>(real, seats_of(real, kToken), sim::PlantOptions{},
                                              VirtualRobotOptions{},
                                              sensor_seats_of(real, kToken))) {
    mistake(told);
    const auto by_bus = joints_by_bus(told);
    std::vector<hw::HwBus> buses(told.buses.size());
    for (std::size_t bus = 0; bus < buses.size(); ++bus) {
      can::SteppedBus& line = lines.emplace_back(can::VirtualBusConfig{});
      clocks.emplace_back(line);
      attach(*boards, bus, line);
      buses[bus].name = told.buses[bus].name;
      buses[bus].transport = std::make_unique<can::SteppedTransport>(line, "host");
      buses[bus].clock = &clocks[bus];
      buses[bus].bus = driver_bus(told, bus, kToken);
      buses[bus].robot_index = by_bus[bus];
    }
    boards->power_on(0);
    backend = std::make_unique<hw::HwBackend>(
        told.period_ns, std::move(buses),
        hw::HwOptions{.timing = hw::Timing::kLockstep, .answer_within_ns = 20'000'000});
    stack = std::make_unique<Stack>(told, backend->description().joints,
                                    std::make_unique<RobotModel>(told));
    loop = std::make_unique<Loop>(*backend, *stack);
    backend->start();
    for (std::size_t i = 0; i < real.joints.size(); ++i) before.push_back(where(i));
  }
  [[nodiscard]] double where(std::size_t joint) const { return boards->plant().joint(joint).q; }

  std::vector<WiggleVerdict> wiggle(const std::vector<JointIndex>& joints) {
    LoopedRobot robot(*loop, *stack);
    WiggleTest test(robot, {}, [this](JointIndex i) {
      if (i == 0 && in_cycle) in_cycle();
      return where(i);
    });
    return test.run(joints);
  }
  /// With any wrong configuration.
  void expect_nothing_went_far() const {
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_LT(std::abs(where(i) - before[i]), 10 * kDegree) << real.joints[i].name;
    }
  }

  RobotConfig real, told;
  std::unique_ptr<VirtualRobot> boards;
  std::deque<can::SteppedBus> lines;
  std::deque<SteppedClock> clocks;
  std::unique_ptr<hw::HwBackend> backend;
  std::unique_ptr<Stack> stack;
  std::unique_ptr<Loop> loop;
  std::vector<double> before;
  std::function<void()> in_cycle;
};

const matrix::TwoParts kFlat;  // in a plane that gravity doesn't pull

std::vector<JointIndex> all_of(const Mistaken& rig) {
  std::vector<JointIndex> all(rig.real.joints.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<JointIndex>(i);
  return all;
}

RobotConfig arm() {
  static const odd::TempModel file{kArm};
  return discover(file.path()).config;
}

TEST(Wiggle, ARobotThatIsToldRightPassesJointByJoint) {
  for (const RobotConfig& robot : {kFlat.config(), arm()}) {
    Mistaken rig(robot, [](RobotConfig&) {});
    const auto verdicts = rig.wiggle(all_of(rig));
    ASSERT_EQ(verdicts.size(), robot.joints.size()) << verdicts.back().sentence;
    for (const WiggleVerdict& verdict : verdicts) {
      SCOPED_TRACE(robot.joints[verdict.joint].name);
      EXPECT_EQ(verdict.finding, WiggleFinding::kPassed) << verdict.sentence;
      EXPECT_NEAR(verdict.asked, 1.0 * kDegree, 1e-9) << "half a degree each way";
      EXPECT_NEAR(verdict.reported, verdict.asked, 0.05 * verdict.asked);
      EXPECT_NEAR(verdict.truth.value_or(0.0), verdict.asked, 0.05 * verdict.asked);
    }
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      EXPECT_EQ(rig.stack->snapshot().joints[i].mode, JointMode::kPosition)
          << "holds until it is stopped";
    }
  }
}

TEST(Wiggle, AFlippedPolarityIsTheWrongWay) {
  Mistaken rig(kFlat.config(), [](RobotConfig& robot) { robot.joints[1].drive.reversed = true; });
  const auto verdicts = rig.wiggle(all_of(rig));
  ASSERT_EQ(verdicts.size(), 2U) << "nothing is tried after it";
  EXPECT_EQ(verdicts[0].finding, WiggleFinding::kPassed);
  EXPECT_EQ(verdicts[1].finding, WiggleFinding::kSign);
  EXPECT_NE(verdicts[1].sentence.find("shoulder moves the wrong way: polarity"), std::string::npos)
      << verdicts[1].sentence;
  EXPECT_NEAR(verdicts[1].reported, verdicts[1].asked, 1e-3) << "the drive alone can't tell";
  rig.expect_nothing_went_far();
}

TEST(Wiggle, AGearThatIsTwiceWhatItIsGoesTwiceAsFar) {
  Mistaken rig(kFlat.config(), [](RobotConfig& robot) { robot.joints[2].drive.gear *= 2.0; });
  const auto verdicts = rig.wiggle({2});
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].finding, WiggleFinding::kScale);
  EXPECT_NE(verdicts[0].sentence.find("elbow goes 2.0 times as far: gear"), std::string::npos)
      << verdicts[0].sentence;
  rig.expect_nothing_went_far();
}

TEST(Wiggle, ExchangedNodesAreToldByTheJointThatMovedAndStopAtOnce) {
  Mistaken rig(kFlat.config(), [](RobotConfig& robot) {
    std::swap(robot.joints[0].drive.node, robot.joints[3].drive.node);
  });
  const auto verdicts = rig.wiggle(all_of(rig));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].finding, WiggleFinding::kOrder);
  EXPECT_NE(verdicts[0].sentence.find("joint wrist moved"), std::string::npos)
      << verdicts[0].sentence;
  EXPECT_NE(verdicts[0].sentence.find("when yaw was told: nodes exchanged"), std::string::npos);
  // It may move 0.3 of half a degree, plus the braking distance, before it is stopped.
  EXPECT_LT(std::abs(rig.where(3) - rig.before[3]), 0.3 * 0.5 * kDegree + 0.2 * kDegree);
}

TEST(Wiggle, ATorqueThatIsNotTheModelsIsToldWithBoth) {
  // The drive's torque counts for less than it is: it holds, and tells too little.
  Mistaken rig(arm(), [](RobotConfig& robot) { robot.joints[1].drive.rated_torque *= 0.7; });
  const auto verdicts = rig.wiggle({1});
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].joint, 1U);
  EXPECT_EQ(verdicts[0].finding, WiggleFinding::kTorque) << verdicts[0].sentence;
  EXPECT_NE(verdicts[0].sentence.find("shoulder"), std::string::npos);
  rig.expect_nothing_went_far();
}

TEST(Wiggle, AFlippedPolarityIsToldUnderGravityToo) {
  Mistaken rig(arm(), [](RobotConfig& robot) { robot.joints[1].drive.reversed = true; });
  const auto verdicts = rig.wiggle(all_of(rig));
  ASSERT_EQ(verdicts.back().joint, 1U);
  EXPECT_EQ(verdicts.back().finding, WiggleFinding::kSign) << verdicts.back().sentence;
  rig.expect_nothing_went_far();
}

TEST(Wiggle, AJointThatGravityTakesWhenItsMotorComesOnEndsItBeforeAnythingIsMoved) {
  Mistaken rig(arm(), [](RobotConfig& robot) { robot.joints[1].drive.rated_torque *= 50.0; });
  const auto verdicts = rig.wiggle(all_of(rig));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].joint, 1U);
  EXPECT_EQ(verdicts[0].finding, WiggleFinding::kTorque) << verdicts[0].sentence;
  EXPECT_NE(verdicts[0].sentence.find("when the motors came on"), std::string::npos)
      << verdicts[0].sentence;
}

/// Stops the first motions of yaw, so many; as the stack does while a link of its part is silent.
struct Spoiler {
  Spoiler(Mistaken& rig, int stops) : client(rig.stack->config(), rig.stack->inbox(), "spoiler") {
    rig.in_cycle = [this, &rig, stops] {
      const bool moves = rig.stack->snapshot().joints[0].moving;
      if (moves && !moved && stopped < stops) {
        client.stop(client.select("yaw"));
        ++stopped;
      }
      moved = moves;
    };
  }
  RobotClient client;
  int stopped = 0;
  bool moved = false;
};

TEST(Wiggle, AMotionThatWasCutShortIsTriedAgain) {
  Mistaken rig(kFlat.config(), [](RobotConfig&) {});
  Spoiler spoiler(rig, 1);
  const auto verdicts = rig.wiggle({0});
  EXPECT_EQ(spoiler.stopped, 1);
  EXPECT_EQ(verdicts.at(0).finding, WiggleFinding::kPassed) << verdicts[0].sentence;
  EXPECT_NEAR(verdicts[0].reported, 1.0 * kDegree, 0.05 * kDegree);
}

TEST(Wiggle, OneThatIsCutShortAgainAndAgainIsToldAsWhatItIs) {
  Mistaken rig(kFlat.config(), [](RobotConfig&) {});
  Spoiler spoiler(rig, 100);
  const auto verdicts = rig.wiggle({0});
  EXPECT_EQ(spoiler.stopped, 3) << "it is tried three times";
  EXPECT_EQ(verdicts.at(0).finding, WiggleFinding::kBroken);
  EXPECT_EQ(verdicts[0].sentence,
            "yaw: its motion was refused or cut short 3 times: somebody else stops it, or its part "
            "holds, since the link to its drive or to another of the part loses samples");
  rig.expect_nothing_went_far();
}

TEST(Wiggle, AJointAtItsLimitIsMovedToTheOtherSide) {
  RobotConfig robot = kFlat.config();
  robot.joints[0].limits.q_max = robot.joints[0].limits.soft_margin + 0.1 * kDegree;
  Mistaken rig(robot, [](RobotConfig&) {});
  const auto verdicts = rig.wiggle({0});
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].finding, WiggleFinding::kPassed) << verdicts[0].sentence;
  EXPECT_NEAR(verdicts[0].asked, 0.6 * kDegree, 1e-3 * kDegree);
}

}  // namespace
}  // namespace jointrig::app
