// A force/torque sensor from robot.yaml on the buses: wiring, virtual node, driver.

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "app/boards/local_boards.h"
#include "app/boards/seats.h"
#include "app/rig/robot_loading.h"
#include "app/rig/wiring.h"

namespace jointrig::app {
namespace {

RobotConfig franka_with_sensor(const std::string& bus = "wire7") {
  RobotConfig robot = load_robot(harness::find_robot("franka")).config;
  robot.arms[0].force_sensor.device.bus = bus;
  robot.arms[0].force_sensor.device.node = 9;
  return robot;
}

TEST(ForceSensorWiring, ItsFramesCountAsLoad) {
  RobotConfig robot = franka_with_sensor();
  ASSERT_EQ(sensors_on(robot, 6), std::vector<std::size_t>{0});
  EXPECT_TRUE(sensors_on(robot, 5).empty());
  // A drive has 460 of 1000 bits in a millisecond (cuff_wiring_test.cpp). Frames of 8 and of 7
  // bytes: 135 bits, and 34 + 56 + 13 + (34 + 56 - 1) / 4 = 125.
  robot.buses[6].budget = 0.721;
  EXPECT_TRUE(wiring_problems(robot).empty());
  robot.buses[6].budget = 0.719;
  ASSERT_EQ(wiring_problems(robot).size(), 1U);
  EXPECT_NE(wiring_problems(robot)[0].find("wire7"), std::string::npos);
}

TEST(ForceSensorWiring, ABusOfSensorsAloneIsOne) {
  RobotConfig robot = franka_with_sensor("wire9");
  robot.buses.push_back(robot.buses.back());
  robot.buses.back().name = "wire9";
  EXPECT_TRUE(wiring_problems(robot).empty());
  const auto bus = driver_bus(robot, 8, std::nullopt);
  EXPECT_TRUE(bus->description().joints.empty());
  EXPECT_EQ(bus->description().force_torque_sites, std::vector<std::string>{"wrist_sensor"});
}

/// Cycles of the driver on virtual boards and a modelled wire.
struct SensorOnBoards {
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) {
      backend->wait();
      backend->read(state);
      command.cycle = state.cycle;
      command.joints.resize(state.joints.size());
      backend->write(command);
    }
  }
  [[nodiscard]] const ForceTorqueState& read() const { return state.force_torque[0]; }
  [[nodiscard]] const ForceTorqueState& truth() { return boards.robot().sensors().readings()[0]; }
  void inject(sim::SimSensorFault fault, bool on) { boards.robot().sensors().inject(0, fault, on); }

  RobotConfig robot = load_robot(harness::find_robot("franka")).config;
  LocalBoards boards{robot};
  std::unique_ptr<hw::HwBackend> backend = boards.make_backend();
  RobotState state;
  RobotCommand command;
};

TEST(ForceSensorOnABus, TheDriverReadsWhatTheSensorSensesInTheSameCycle) {
  SensorOnBoards on;
  ASSERT_EQ(on.backend->description().force_torque_sites, std::vector<std::string>{"wrist_sensor"});
  on.backend->start();
  double moved = 0.0;
  ForceTorqueState before;
  for (int cycle = 0; cycle < 300; ++cycle) {  // the arm falls
    on.run(1);
    ASSERT_EQ(on.read().missed, 0U);
    for (std::size_t i = 0; i < 3; ++i) {
      // Half a digit of 300 N and of 15 N·m in 32767.
      EXPECT_NEAR(on.read().force[i], on.truth().force[i], 0.5 * 0.009156);
      EXPECT_NEAR(on.read().torque[i], on.truth().torque[i], 0.5 * 0.000458);
      moved += std::abs(on.read().force[i] - before.force[i]);
    }
    before = on.read();
  }
  EXPECT_GT(moved, 1.0) << "the samples are those of a motion";
}

TEST(ForceSensorOnABus, SilenceAndAFaultOfItAgeTheSampleAsInSimulation) {
  for (const sim::SimSensorFault fault :
       {sim::SimSensorFault::kStale, sim::SimSensorFault::kBroken}) {
    SCOPED_TRACE(to_string(fault));
    SensorOnBoards on;
    on.backend->start();
    on.run(5);
    const auto before = on.read().force;
    on.inject(fault, true);
    on.run(7);
    EXPECT_EQ(on.read().missed, 7U);
    EXPECT_EQ(on.read().force, before);
    on.inject(fault, false);
    on.run(30);  // an EMCY may be held back for 10 ms
    EXPECT_EQ(on.read().missed, 0U);
  }
}

TEST(ForceSensorOnABus, AnEndOfItsRangeArrivesAsNoLess) {
  SensorOnBoards on;
  on.robot.arms[0].force_sensor.force_max = 2.0;  // the hand weighs 7.5 N
  LocalBoards boards(on.robot);
  const auto backend = boards.make_backend();
  backend->start();
  backend->wait();
  RobotState state;
  backend->read(state);
  EXPECT_GE(std::abs(state.force_torque[0].force[2]), 2.0);
  EXPECT_LT(std::abs(state.force_torque[0].force[2]), 2.001);
}

}  // namespace
}  // namespace jointrig::app
