#include "hw/dynamixel/servo_machine.h"

#include <gtest/gtest.h>

#include <vector>

namespace jointrig::dynamixel {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A host that speaks to a servo and reads its answer.
class Desk {
 public:
  explicit Desk(const ServoConfig& config = {}) : servo(config) {}

  Bytes tell(std::uint8_t id, Instruction instruction, const Bytes& parameters) {
    Bytes out(kMostPacket);
    out.resize(write_packet(id, instruction, parameters, out));
    servo.clear_answer();
    servo.hear_host(out);
    return {servo.answer().begin(), servo.answer().end()};
  }

  /// Error byte of the answer.
  std::optional<int> write(Item item, int value) {
    Bytes given{static_cast<std::uint8_t>(item.address),
                static_cast<std::uint8_t>(item.address >> 8U)};
    given.resize(2U + item.size);
    put(static_cast<std::uint32_t>(value), std::span(given).subspan(2));
    return error_of(tell(servo.id(), Instruction::kWrite, given));
  }

  static std::optional<int> error_of(const Bytes& answer) {
    PacketReader reader;
    reader.feed(answer);
    const auto packet = reader.next();
    if (!packet || packet->instruction != Instruction::kStatus) return std::nullopt;
    return packet->parameters[0];
  }

  ServoMachine servo;
};

constexpr int kDone = 0;
constexpr int kAccessError = 7;
constexpr int kLimitError = 6;
constexpr int kRangeError = 4;

TEST(DynamixelServo, IsItsModelAtAPing) {
  Desk desk({.id = 1, .model = 1030, .firmware = 38});
  // The e-manual's answer with the numbers of another model: 1030 is 0406h, 38 is 26h.
  const Bytes answer{0xFF, 0xFF, 0xFD, 0x00, 0x01, 0x07, 0x00,
                     0x55, 0x00, 0x06, 0x04, 0x26, 0x65, 0x5D};
  EXPECT_EQ(desk.tell(1, Instruction::kPing, {}), answer);
  EXPECT_EQ(desk.tell(2, Instruction::kPing, {}), Bytes{});
}

TEST(DynamixelServo, TakesItsModeOnlyWithoutTorque) {
  Desk desk;
  EXPECT_EQ(desk.write(item::kOperatingMode, 1), kDone);
  EXPECT_EQ(desk.write(item::kTorqueEnable, 1), kDone);
  EXPECT_EQ(desk.write(item::kOperatingMode, 4), kAccessError);
  EXPECT_EQ(desk.servo.value(item::kOperatingMode), 1U);
  EXPECT_EQ(desk.write(item::kOperatingMode, 2), kAccessError);
  EXPECT_EQ(desk.write(item::kTorqueEnable, 0), kDone);
  EXPECT_EQ(desk.write(item::kOperatingMode, 2), kRangeError);
}

TEST(DynamixelServo, RefusesGoalsAboveItsLimits) {
  Desk desk({.current_limit = 100, .velocity_limit = 50});
  EXPECT_EQ(desk.write(item::kGoalCurrent, -100), kDone);
  EXPECT_EQ(desk.write(item::kGoalCurrent, 101), kLimitError);
  EXPECT_EQ(desk.write(item::kGoalVelocity, -51), kLimitError);
  EXPECT_EQ(desk.write(item::kGoalPosition, 4096), kLimitError);  // mode 3: one turn
  EXPECT_EQ(desk.write(item::kPresentPosition, 0), kAccessError);
  desk.write(item::kOperatingMode, 4);
  EXPECT_EQ(desk.write(item::kGoalPosition, 4096), kDone);
}

TEST(DynamixelServo, DrivesWhatItsModeSays) {
  Desk desk;
  desk.servo.sense({.position = 700});
  EXPECT_EQ(desk.servo.update(1e-3).stage, ServoDrive::Stage::kOff);
  desk.write(item::kOperatingMode, 5);
  desk.write(item::kTorqueEnable, 1);
  // With the torque it holds where it stands.
  ServoDrive drive = desk.servo.update(1e-3);
  EXPECT_EQ(drive.stage, ServoDrive::Stage::kPosition);
  EXPECT_EQ(drive.position, 700);
  EXPECT_EQ(drive.current, 1193);
  desk.write(item::kGoalCurrent, 200);
  desk.write(item::kGoalPosition, -5000);
  drive = desk.servo.update(1e-3);
  EXPECT_EQ(drive.position, -5000);
  EXPECT_EQ(drive.current, 200);
}

TEST(DynamixelServo, IsStoppedByItsWatchdogAndTakesNoGoalUntilThatIsCleared) {
  Desk desk;
  desk.write(item::kOperatingMode, 1);
  desk.write(item::kBusWatchdog, 2);  // 40 ms
  desk.write(item::kTorqueEnable, 1);
  desk.write(item::kGoalVelocity, 30);
  for (int ms = 0; ms < 39; ++ms) EXPECT_EQ(desk.servo.update(1e-3).velocity, 30) << ms;
  for (int ms = 0; ms < 2; ++ms) desk.servo.update(1e-3);
  EXPECT_EQ(desk.servo.update(1e-3).velocity, 0);
  EXPECT_EQ(desk.servo.value(item::kBusWatchdog), kWatchdogBit);
  EXPECT_EQ(desk.write(item::kGoalVelocity, 30), kRangeError);
  EXPECT_EQ(desk.write(item::kBusWatchdog, 0), kDone);
  EXPECT_EQ(desk.write(item::kGoalVelocity, 30), kDone);
}

TEST(DynamixelServo, LosesItsTorqueByAHardwareErrorAndGetsItBackByAReboot) {
  Desk desk;
  desk.write(item::kTorqueEnable, 1);
  desk.servo.raise_errors(static_cast<std::uint8_t>(HardwareError::kOverload));
  EXPECT_FALSE(desk.servo.torque());
  EXPECT_EQ(desk.write(item::kTorqueEnable, 1), kAlert | 1);
  EXPECT_EQ(desk.write(item::kHardwareError, 0), kAlert | kAccessError);
  EXPECT_EQ(Desk::error_of(desk.tell(1, Instruction::kReboot, {})), kAlert);
  EXPECT_TRUE(desk.servo.take_reboot());
  EXPECT_EQ(desk.write(item::kTorqueEnable, 1), kDone);
}

TEST(DynamixelServo, ReportsByIndirectAddressesWhatTheirItemsHold) {
  Desk desk({.id = 9});
  desk.servo.sense({.position = -123456,
                    .velocity = -77,
                    .current = -300,
                    .voltage = 11.9,
                    .temperature_C = 41});
  const auto map = report_map();
  Bytes given{168, 0};
  given.insert(given.end(), map.begin(), map.end());
  EXPECT_EQ(Desk::error_of(desk.tell(9, Instruction::kWrite, given)), kDone);
  const Bytes answer = desk.tell(9, Instruction::kRead, {224, 0, kReportSize, 0});
  PacketReader reader;
  reader.feed(answer);
  const auto packet = reader.next();
  ASSERT_TRUE(packet && packet->parameters.size() == 1 + kReportSize);
  const Report report = report_of(packet->parameters.subspan(1).first<kReportSize>());
  EXPECT_EQ(report.position, -123456);
  EXPECT_EQ(report.velocity, -77);
  EXPECT_EQ(report.current, -300);
  EXPECT_EQ(report.voltage, 119);
  EXPECT_EQ(report.temperature_C, 41);
  EXPECT_EQ(report.mode, 3);
  EXPECT_EQ(report.id, 9);
  EXPECT_FALSE(report.torque);
}

TEST(DynamixelServo, SaysItsPartOfAFastSyncReadBehindThoseBefore) {
  Desk first({.id = 3});
  Desk second({.id = 7});
  const Bytes parameters{132, 0, 4, 0, 3, 7};
  const Bytes head = first.tell(kBroadcast, Instruction::kFastSyncRead, parameters);
  EXPECT_TRUE(second.tell(kBroadcast, Instruction::kFastSyncRead, parameters).empty());
  EXPECT_TRUE(second.servo.waits());
  second.servo.hear_servo(head);
  EXPECT_FALSE(second.servo.waits());
  Bytes whole = head;
  whole.insert(whole.end(), second.servo.answer().begin(), second.servo.answer().end());
  EXPECT_EQ(whole.size(), 8U + 2 * 8);
  PacketReader reader;
  reader.feed(whole);
  const auto packet = reader.next();
  ASSERT_TRUE(packet);  // its CRC is that of all parts
  EXPECT_EQ(packet->id, kBroadcast);
  EXPECT_EQ(packet->parameters[1], 3);
  EXPECT_EQ(packet->parameters[9], 7);
}

TEST(DynamixelServo, CarriesOutARegisteredWriteAtTheAction) {
  Desk desk;
  EXPECT_EQ(Desk::error_of(desk.tell(1, Instruction::kRegWrite, {116, 0, 100, 0, 0, 0})), kDone);
  EXPECT_EQ(desk.servo.value(item::kGoalPosition), 0U);
  EXPECT_EQ(desk.servo.value(item::kRegistered), 1U);
  desk.tell(kBroadcast, Instruction::kAction, {});
  EXPECT_EQ(desk.servo.value(item::kGoalPosition), 100U);
  EXPECT_EQ(Desk::error_of(desk.tell(1, Instruction::kAction, {})), 1);
}

TEST(DynamixelServo, AnswersAsItsStatusReturnLevelSays) {
  Desk desk;
  EXPECT_EQ(desk.write(item::kStatusReturnLevel, 1), std::nullopt);
  EXPECT_EQ(desk.write(item::kGoalPosition, 5), std::nullopt);
  EXPECT_FALSE(desk.tell(1, Instruction::kRead, {116, 0, 4, 0}).empty());
  desk.write(item::kStatusReturnLevel, 0);
  EXPECT_TRUE(desk.tell(1, Instruction::kRead, {116, 0, 4, 0}).empty());
  EXPECT_FALSE(desk.tell(1, Instruction::kPing, {}).empty());
}

}  // namespace
}  // namespace jointrig::dynamixel
