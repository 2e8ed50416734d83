// Twelve Dynamixel servos on a line of 4 Mbit/s: the cycle that the line allows is said beforehand,
// and a robot reaches it to within a tenth, on a line that takes the time of each byte.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "app/boards/boards_on_bus.h"
#include "app/boards/seats.h"
#include "app/rig/robot_loading.h"
#include "app/rig/wiring.h"
#include "control/exchange/robot_client.h"
#include "control/stack/loop.h"

namespace jointrig::app {
namespace {

constexpr std::size_t kServos = 12;
constexpr std::uint32_t kToken = 1;
constexpr std::int64_t kRate = 4'000'000;  // [bit/s]

// Protocol 2.0 by hand, a byte is ten bits. Header FF FF FD 00, id, length (2), instruction and CRC
// (2) are 10 bytes, and a status packet has an error byte besides.
//   goals      sync write: 10, address 2, size 2, and id + 4 bytes for each of ten servos in one
//              piece of 64 bytes: 14 + 10 · 5 = 64, 14 + 2 · 5 = 24
//   question   sync read: 10, address 2, size 2, twelve ids: 26
//   answers    one packet to a fast sync read: header to instruction 8; each servo's error, id, 18
//              bytes and CRC: 8 + 12 · 22 = 272. To a plain one, after a gap: 12 · (11 + 18) = 348
constexpr double kAtMost = (64 + 24 + 26 + 348) * 10.0 / kRate;  // [s]: 1155 µs
constexpr double kShortest = kAtMost / 0.7;                      // [s]: 1650 µs

/// Two stacks of six joints each, to and fro about their lower end.
std::string dozen() {
  std::string xml = "<mujoco model='dozen'><compiler angle='radian'/><worldbody>";
  for (int limb = 0; limb < 2; ++limb) {
    std::string close;
    for (int i = 0; i < 6; ++i) {
      xml += std::string("<body pos='0 ") + (limb == 0 ? "0" : "0.5") + (i == 0 ? " 1" : " 0.08") +
             "'><joint name='j" + std::to_string(6 * limb + i) + "' axis='" +
             (i % 2 == 0 ? "0 1 0" : "1 0 0") +
             "' range='-1.5 1.5' damping='0.1' armature='0.02'/>"
             "<geom type='capsule' fromto='0 0 0 0 0 0.08' size='0.02' mass='0.05'/>";
      close += "</body>";
    }
    xml += close;
  }
  xml += "</worldbody><actuator>";
  for (std::size_t i = 0; i < kServos; ++i) {
    xml += "<motor joint='j" + std::to_string(i) + "' ctrlrange='-8 8'/>";
  }
  return xml + "</actuator></mujoco>";
}

const std::string kWithTorque = "product: 1120, torque_constant: 2.41 Nm/A";
const std::string kWithoutTorque = "product: 1060";

RobotConfig robot_at(const std::string& period, const std::string& servo = kWithTorque) {
  const auto folder = std::filesystem::path(testing::TempDir());
  std::ofstream(folder / "dozen.xml") << dozen();
  std::ofstream file(folder / "dozen.yaml");
  file << "schema: 1\nname: dozen\nmodel: dozen.xml\nperiod: " << period
       << "\nbuses:\n  line: {address: \"serial:/dev/null@4000000\", protocol: "
          "dynamixel}\njoints:\n";
  for (std::size_t i = 0; i < kServos; ++i) {
    file << "  j" << i << ": {drive: {bus: line, node: " << i + 1 << ", " << servo
         << ", zero_counts: 2048}}\n";
  }
  file.close();
  return load_robot(harness::find_robot((folder / "dozen.yaml").string())).config;
}

TEST(DynamixelLine, TheShortestCycleIsTheBytesOverTheBudgetAndIsSaid) {
  EXPECT_EQ(BusConfig{}.budget, can::kCyclicBudget) << "what robot.yaml allows, the driver waits";
  EXPECT_NEAR(1e6 * kAtMost, 1155.0, 1e-9);
  EXPECT_NEAR(1e6 * kShortest, 1650.0, 1e-9);
  const auto loads = bus_loads(robot_at("1.7 ms"));
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads[0].substr(0, loads[0].find(';')),
            "bus line: 12 joints, 0 sensors, 1.7 ms: 67.9 % of the wire, 70 % is the limit, "
            "1.65 ms the shortest cycle");
  EXPECT_TRUE(wiring_problems(robot_at("1.7 ms")).empty());
  const auto problems = wiring_problems(robot_at("1.6 ms"));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("72.2 % of the wire"), std::string::npos) << problems[0];
}

/// The robot on its line, in position mode.
struct Dozen {
  explicit Dozen(const std::string& servo)
      : robot(robot_at("1.7 ms", servo)),
        boards(robot, seats_of(robot, kToken)),
        line({.rates = {.nominal = kRate}}),
        clock(line) {
    attach(boards, 0, line);
    std::vector<hw::HwBus> buses(1);
    buses[0].name = "line";
    buses[0].transport = std::make_unique<can::SteppedTransport>(line, "host");
    buses[0].clock = &clock;
    buses[0].bus = driver_bus(robot, 0, kToken);
    buses[0].robot_index = joints_by_bus(robot)[0];
    boards.power_on(0);
    backend = std::make_unique<hw::HwBackend>(robot.period_ns, std::move(buses));
    stack = std::make_unique<Stack>(robot, backend->description().joints,
                                    std::make_unique<RobotModel>(robot));
    loop = std::make_unique<Loop>(*backend, *stack);
    user = std::make_unique<RobotClient>(robot, stack->inbox(), "test");
    backend->start();
    user->set_mode(user->select("all"), ModeRequest::kPosition);
    step(300);
  }

  void step(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      ASSERT_TRUE(loop->step());
      for (const JointSnapshot& joint : stack->snapshot().joints) missed += joint.state.missed;
    }
  }

  void expect_all_at(double q) {
    for (std::size_t i = 0; i < kServos; ++i) {
      EXPECT_EQ(stack->snapshot().joints[i].mode, JointMode::kPosition);
      EXPECT_NEAR(boards.plant().joint(i).q, q, 0.02) << "j" << i;
    }
  }

  RobotConfig robot;
  VirtualRobot boards;
  can::SteppedBus line;
  SteppedClock clock;
  std::unique_ptr<hw::HwBackend> backend;
  std::unique_ptr<Stack> stack;
  std::unique_ptr<Loop> loop;
  std::unique_ptr<RobotClient> user;
  std::size_t missed = 0;
};

TEST(DynamixelLine, TwelveServosAnswerInEachCycleThatIsWithinATenthOfTheShortest) {
  Dozen dozen(kWithTorque);
  const double period = to_seconds(dozen.robot.period_ns);
  ASSERT_LT(period, 1.1 * kShortest);
  dozen.user->move(dozen.user->select("all"), 0.2, 0.3);
  constexpr int kCycles = 1500;
  const std::uint64_t incomplete = dozen.backend->incomplete_cycles();
  const can::TimeNs busy = dozen.line.bus().busy();
  const can::TimeNs begin = dozen.line.now();
  dozen.missed = 0;
  dozen.step(kCycles);
  EXPECT_EQ(dozen.backend->incomplete_cycles(), incomplete) << "all twelve have answered, in each";
  EXPECT_EQ(dozen.missed, 0U);
  EXPECT_NEAR(1e-9 * static_cast<double>(dozen.line.now() - begin) / kCycles, period,
              1e-3 * period);
  // In a mode of torque a goal has two bytes: 14 + 12 · 3 = 50 instead of 64 + 24.
  const double taken = 1e-9 * static_cast<double>(dozen.line.bus().busy() - busy) / kCycles;
  EXPECT_GE(taken, (50 + 26 + 272) * 10.0 / kRate) << "each has its goal, and answers";
  EXPECT_LE(taken, kAtMost);
  dozen.expect_all_at(0.2);
  // An answer that gets lost makes the next one plain, and the one after it fast again.
  dozen.boards.boards()[4].inject(sim::SimFault::kMissedCycles, 3.0);
  dozen.step(40);
  const std::uint64_t after = dozen.backend->incomplete_cycles();
  EXPECT_GT(after, incomplete);
  EXPECT_LE(after, incomplete + 6);
  dozen.step(200);
  EXPECT_EQ(dozen.backend->incomplete_cycles(), after);
  for (const JointSnapshot& joint : dozen.stack->snapshot().joints) {
    EXPECT_EQ(joint.mode, JointMode::kPosition);
  }
}

TEST(DynamixelLine, TwelveServosThatTakeNoTorqueGetGoalsThatFillAPieceToItsLastByte) {
  Dozen dozen(kWithoutTorque);
  const can::TimeNs busy = dozen.line.bus().busy();
  constexpr int kCycles = 1500;
  dozen.user->move(dozen.user->select("all"), 0.2, 0.3);
  dozen.step(kCycles);
  // Ten goals of four bytes take 64 bytes, which is all that a piece holds.
  const double taken = 1e-9 * static_cast<double>(dozen.line.bus().busy() - busy) / kCycles;
  EXPECT_GE(taken, (64 + 24 + 26 + 272) * 10.0 / kRate) << "each has its goal, and answers";
  EXPECT_LE(taken, kAtMost);
  dozen.expect_all_at(0.2);
}

}  // namespace
}  // namespace jointrig::app
