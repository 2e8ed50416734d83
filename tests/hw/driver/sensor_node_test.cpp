// A force/torque sensor with a node of its own, as the driver reads it: its samples, their age, and
// what is no sample.

#include "hw/driver/sensor_node.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "hw/driver/canopen_bus.h"
#include "tests/hw/canopen/ideal_drive.h"
#include "tests/hw/driver/sensor_board.h"

namespace jointrig::hw {
namespace {

constexpr std::int64_t kCycle = 1'000'000;  // [ns]
constexpr std::uint8_t kNumber = 9;
constexpr std::uint32_t kForceFrame = 0x180 + kNumber;
constexpr std::uint32_t kTorqueFrame = 0x280 + kNumber;

SensorSettings wrist() {
  SensorSettings settings;
  settings.name = "force/torque sensor of arm left";
  settings.site = "wrist";
  settings.node = kNumber;
  return settings;
}

/// A digit is 10 mN or 0.5 mN·m.
canopen::SensorOptions ten_millinewtons() {
  canopen::SensorOptions options;
  options.first_scale = 10'000;
  options.second_scale = 500;
  return options;
}

/// One sensor and its host on a wire that carries every frame within the cycle.
class ForceSensorNodeTest : public testing::Test {
 protected:
  explicit ForceSensorNodeTest(const SensorSettings& settings = wrist())
      : board(std::make_unique<SensorBoard>(kNumber, ten_millinewtons())), bus({}, {settings}) {
    power_on();
  }

  void power_on() {
    board->node().power_on(now);
    while (board->node().out().pop()) {
    }
  }

  void settle() {
    for (bool any = true; any;) {
      any = false;
      while (const auto frame = bus.out().pop()) {
        any = true;
        if (board != nullptr) board->node().receive(*frame, now);
      }
      if (board == nullptr) continue;
      board->node().poll(now);
      while (const auto frame = board->node().out().pop()) {
        any = true;
        if (!lost(*frame)) bus.receive(*frame, now);
      }
    }
  }

  void cycles(int count) {
    for (int i = 0; i < count; ++i) {
      now += kCycle;
      bus.open_cycle(now);
      settle();
      complete = bus.is_complete();
      bus.close_cycle();
      if (!bus.description().force_torque_sites.empty()) bus.read_force_sensor(0, state);
    }
  }

  void start() {
    bus.start(now);
    cycles(200);
    bus.begin();
  }

  std::string problem() {
    const auto problems = bus.problems(/*had_cycles=*/true);
    return problems.size() == 1 ? problems.front() : std::to_string(problems.size()) + " problems";
  }

  std::int64_t now = 0;
  std::unique_ptr<SensorBoard> board;
  std::function<bool(const can::Frame&)> lost = [](const can::Frame&) { return false; };
  bool complete = false;
  CanopenBus bus;
  ForceTorqueState state;
};

using Three = std::array<double, 3>;

TEST_F(ForceSensorNodeTest, ASampleIsItsDigitsTimesTheScaleThatTheNodeTells) {
  board->digits = {1234, -2000, 3, -32767, 32767, 20};
  start();
  EXPECT_EQ(bus.description().force_torque_sites, std::vector<std::string>{"wrist"});
  EXPECT_TRUE(bus.all_running()) << problem();
  EXPECT_TRUE(bus.is_settled());
  EXPECT_TRUE(complete);
  EXPECT_DOUBLE_EQ(state.force[0], 12.34);
  EXPECT_DOUBLE_EQ(state.force[1], -20.0);
  EXPECT_DOUBLE_EQ(state.force[2], 0.03);
  EXPECT_DOUBLE_EQ(state.torque[0], -16.3835);
  EXPECT_DOUBLE_EQ(state.torque[1], 16.3835);
  EXPECT_DOUBLE_EQ(state.torque[2], 0.01);
  EXPECT_EQ(state.missed, 0U);
  board->digits[0] = -1;
  cycles(1);
  EXPECT_DOUBLE_EQ(state.force[0], -0.01) << "of this very SYNC";
}

TEST_F(ForceSensorNodeTest, ASampleThatLacksAFrameIsMissedAndTheLastOneIsCarriedOn) {
  board->digits = {100, 0, 0, 200, 0, 0};
  start();
  for (const std::uint32_t id : {kForceFrame, kTorqueFrame}) {
    lost = [id](const can::Frame& frame) { return frame.id == id; };
    board->digits = {500, 0, 0, 600, 0, 0};
    cycles(7);
    EXPECT_FALSE(complete);
    EXPECT_EQ(state.missed, 7U);
    EXPECT_EQ(state.force, (Three{1.0, 0, 0}));
    EXPECT_EQ(state.torque, (Three{0.1, 0, 0}));
    lost = [](const can::Frame&) { return false; };
    board->digits = {100, 0, 0, 200, 0, 0};
    cycles(1);
    EXPECT_EQ(state.missed, 0U);
  }
}

TEST_F(ForceSensorNodeTest, HalvesOfTwoSamplesAreNeverOne) {
  start();
  can::Frame old;
  lost = [&](const can::Frame& frame) {
    if (frame.id == kForceFrame) old = frame;
    return false;
  };
  cycles(1);
  // The force of the cycle before comes again in place of this one's.
  lost = [&](const can::Frame& frame) {
    if (frame.id != kForceFrame) return false;
    bus.receive(old, now);
    return true;
  };
  board->digits[3] = 1000;
  cycles(1);
  EXPECT_EQ(state.missed, 1U);
  EXPECT_EQ(state.torque[0], 0.0);
}

TEST_F(ForceSensorNodeTest, ACounterThatStandsIsNoNewSample) {
  start();
  board->counts = false;
  cycles(1);  // it had counted on after the last SYNC
  EXPECT_EQ(state.missed, 0U);
  cycles(3);
  EXPECT_EQ(state.missed, 3U);
  board->counts = true;
  cycles(1);
  EXPECT_EQ(state.missed, 0U);
}

TEST_F(ForceSensorNodeTest, AFrameOfAnotherLengthIsDropped) {
  start();
  lost = [&](const can::Frame& frame) {
    if (frame.id != kForceFrame) return false;
    can::Frame shorter = frame;
    shorter.size = 7;
    bus.receive(shorter, now);
    return true;
  };
  cycles(2);
  EXPECT_EQ(state.missed, 2U);
}

TEST_F(ForceSensorNodeTest, NoSampleOfASensorInAFaultCounts) {
  board->digits[0] = 100;
  start();
  board->status = canopen::kSensorFault;
  board->digits[0] = 9999;
  cycles(6);
  EXPECT_EQ(state.missed, 6U);
  EXPECT_EQ(state.force[0], 1.0);
  EXPECT_TRUE(bus.is_settled()) << "a start doesn't wait for a fault to go";
  board->status = 0;
  cycles(1);
  EXPECT_EQ(state.missed, 0U);
}

TEST_F(ForceSensorNodeTest, NorOfOneWhoseEmergencyStands) {
  start();
  ASSERT_TRUE(board->node().emergencies().raise(0x5000));
  cycles(8);
  EXPECT_TRUE(bus.sensor(0).is_faulty());
  EXPECT_GE(state.missed, 7U);
  board->node().emergencies().clear(0x5000);
  cycles(20);  // 1015h keeps an EMCY back for 10 ms
  EXPECT_EQ(state.missed, 0U);
}

TEST_F(ForceSensorNodeTest, ASensorThatWasGoneIsSetUpAgainByItself) {
  start();
  auto gone = std::move(board);
  cycles(400);  // its heartbeat may be missing for 300 ms
  EXPECT_EQ(bus.sensor(0).phase(), NodePhase::kLost);
  EXPECT_EQ(state.missed, 400U);
  board = std::move(gone);
  board->node().restart(now);
  cycles(200);
  EXPECT_EQ(bus.sensor(0).phase(), NodePhase::kRunning);
  EXPECT_EQ(state.missed, 0U);
}

TEST_F(ForceSensorNodeTest, ASensorThatSomebodyElseStopsIsStartedAgain) {
  start();
  can::Frame stop;
  stop.size = 2;
  stop.data[0] = 0x80;  // enter pre-operational
  stop.data[1] = kNumber;
  board->node().receive(stop, now);
  cycles(100);
  EXPECT_EQ(bus.sensor(0).phase(), NodePhase::kTakenOut);
  EXPECT_GT(state.missed, 90U);
  cycles(800);
  EXPECT_EQ(bus.sensor(0).phase(), NodePhase::kRunning);
  EXPECT_EQ(state.missed, 0U);
}

TEST_F(ForceSensorNodeTest, AnotherSensorInItsPlaceIsRefused) {
  start();
  canopen::SensorOptions other = ten_millinewtons();
  other.serial = 0x2F;
  board = std::make_unique<SensorBoard>(kNumber, other);
  board->node().power_on(now);
  cycles(400);
  EXPECT_EQ(problem(),
            "force/torque sensor of arm left (node 9) came back with the serial number 2Fh, at the "
            "start it was 1h: put its own sensor back, or start again with this one");
  EXPECT_GE(state.missed, 399U);
}

TEST_F(ForceSensorNodeTest, OneThatIsNotThereIsNamed) {
  board.reset();
  start();
  EXPECT_FALSE(bus.all_running());
  EXPECT_EQ(problem(),
            "force/torque sensor of arm left (node 9) does not answer: no boot-up message came "
            "after a reset; look at its supply, its number and the bit rate");
}

TEST_F(ForceSensorNodeTest, OneThatSendsNoSampleIsNamed) {
  lost = [](const can::Frame& frame) { return frame.id == kTorqueFrame; };
  start();
  EXPECT_FALSE(bus.is_settled());
  EXPECT_EQ(problem(),
            "force/torque sensor of arm left (node 9) was started, but no sample comes with SYNC");
}

TEST_F(ForceSensorNodeTest, AScaleOfZeroIsRefused) {
  canopen::SensorOptions none = ten_millinewtons();
  none.second_scale = 0;
  board = std::make_unique<SensorBoard>(kNumber, none);
  power_on();
  start();
  EXPECT_EQ(problem(),
            "force/torque sensor of arm left (node 9) has a scale of 0 (2102h:1 or :2): no value "
            "comes of that; set it");
}

TEST_F(ForceSensorNodeTest, ANodeWithoutItsObjectsIsRefused) {
  canopen::DeviceDescription device = canopen::sensor_node(ten_millinewtons());
  std::erase_if(device.objects, [](const auto& object) { return object.index == 0x2102; });
  board = std::make_unique<SensorBoard>(kNumber, device);
  power_on();
  start();
  EXPECT_NE(problem().find("force/torque sensor of arm left: node 9, 2102h:1"), std::string::npos)
      << problem();
  EXPECT_NE(problem().find("is no such sensor with the objects of docs/boards.md"),
            std::string::npos)
      << problem();
}

TEST_F(ForceSensorNodeTest, WhatIsNoNumberArrivesAsNone) {
  board->digits = {100, canopen::kNoNumber, 0, 0, 0, 0};
  start();
  EXPECT_EQ(state.missed, 0U) << "it is fresh";
  EXPECT_EQ(state.force[0], 1.0);
  EXPECT_TRUE(std::isnan(state.force[1]));
  EXPECT_EQ(state.torque[0], 0.0);
}

/// A digit is 1.2 mm/s² or 0.3 mrad/s.
canopen::SensorOptions an_imu() {
  canopen::SensorOptions options;
  options.kind = canopen::SensorKind::kImu;
  options.first_scale = 1200;
  options.second_scale = 300;
  return options;
}

struct OfAnImu : ForceSensorNodeTest {
  static SensorSettings of_the_base() {
    SensorSettings settings = wrist();
    settings.kind = canopen::SensorKind::kImu;
    settings.name = "IMU of the base";
    settings.site = "root_imu";
    return settings;
  }
  OfAnImu() : ForceSensorNodeTest(of_the_base()) {
    board = std::make_unique<SensorBoard>(kNumber, an_imu());
    power_on();
  }
  [[nodiscard]] ImuState motion() const {
    ImuState read;
    bus.read_imu(0, read);
    return read;
  }
};

TEST_F(OfAnImu, ASampleIsItsDigitsTimesTheScaleThatTheNodeTells) {
  board->digits = {1000, -2000, 8175, 1, -10, 30'000};
  start();
  EXPECT_EQ(bus.description().imu_sites, std::vector<std::string>{"root_imu"});
  EXPECT_TRUE(bus.description().force_torque_sites.empty());
  ASSERT_TRUE(bus.is_settled()) << problem();
  EXPECT_DOUBLE_EQ(motion().acceleration[0], 1.2);
  EXPECT_DOUBLE_EQ(motion().acceleration[1], -2.4);
  EXPECT_DOUBLE_EQ(motion().acceleration[2], 9.81);
  EXPECT_DOUBLE_EQ(motion().angular_velocity[0], 3e-4);
  EXPECT_DOUBLE_EQ(motion().angular_velocity[1], -3e-3);
  EXPECT_DOUBLE_EQ(motion().angular_velocity[2], 9.0);
  EXPECT_EQ(motion().missed, 0U);
}

TEST_F(OfAnImu, AFaultAndSilenceAgeTheLastSample) {
  board->digits[0] = 1000;
  start();
  board->status = canopen::kSensorFault;
  board->digits[0] = 5000;
  cycles(6);
  EXPECT_EQ(motion().missed, 6U);
  EXPECT_DOUBLE_EQ(motion().acceleration[0], 1.2);
  board->status = 0;
  cycles(1);
  EXPECT_EQ(motion().missed, 0U);
  lost = [](const can::Frame& frame) { return frame.id == kTorqueFrame; };
  cycles(7);
  EXPECT_EQ(motion().missed, 7U);
}

TEST_F(OfAnImu, AForceSensorInItsPlaceIsRefused) {
  board = std::make_unique<SensorBoard>(kNumber, ten_millinewtons());
  power_on();
  start();
  EXPECT_NE(problem().find("IMU of the base: node 9, 2112h:1"), std::string::npos) << problem();
}

struct OfAnotherSerial : ForceSensorNodeTest {
  static SensorSettings expected() {
    SensorSettings settings = wrist();
    settings.identity.serial = 0x77;
    return settings;
  }
  OfAnotherSerial() : ForceSensorNodeTest(expected()) {}
};

TEST_F(OfAnotherSerial, IsRefusedWithBothNumbers) {
  start();
  EXPECT_EQ(bus.sensor(0).phase(), NodePhase::kFailed);
  EXPECT_NE(problem().find("force/torque sensor of arm left: node 9, 1018h:4, serial number: "
                           "expected 77h, found 1h"),
            std::string::npos)
      << problem();
}

TEST(ForceSensorAtADrivesNumber, IsRefusedAsADrive) {
  canopen::IdealDrive drive(kNumber);
  drive.node().power_on(0);
  while (drive.node().out().pop()) {
  }
  CanopenBus bus({}, {wrist()});
  std::int64_t now = 0;
  bus.start(now);
  for (int i = 0; i < 100; ++i) {
    now += kCycle;
    bus.poll(now);
    while (const auto frame = bus.out().pop()) drive.node().receive(*frame, now);
    drive.node().poll(now);
    while (const auto frame = drive.node().out().pop()) bus.receive(*frame, now);
  }
  ASSERT_EQ(bus.problems(false).size(), 1U);
  const std::string problem = bus.problems(false).front();
  EXPECT_NE(problem.find("force/torque sensor of arm left: node 9, 1000h:0, device type (0: no "
                         "drive): expected 0h, found 20192h"),
            std::string::npos)
      << problem;
}

}  // namespace
}  // namespace jointrig::hw
