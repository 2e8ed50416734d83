#include "hw/driver/drive_setup.h"

#include <gtest/gtest.h>

#include <functional>

#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/slave_node.h"

namespace jointrig::hw {
namespace {

constexpr std::uint8_t kNode = 5;
constexpr std::int64_t kStep = 1'000'000;  // [ns] between two looks at the queues

/// A board, and the host's set-up of it, on a wire that may lose frames.
class Wire {
 public:
  explicit Wire(const DriveSettings& settings, const canopen::JointBoardOptions& options = {})
      : board(canopen::joint_board(options), kNode, application),
        run(kNode, setup_steps(settings)) {
    board.power_on(0);
    while (board.out().pop()) {
    }
    run.start(0, to_board);
  }

  void work(int most_steps = 20'000) {
    for (int i = 0; i < most_steps && run.state() == SetupRun::State::kRunning; ++i) {
      now += kStep;
      while (const auto frame = to_board.pop()) {
        if (!lost(*frame)) board.receive(*frame, now);
      }
      board.poll(now);
      while (const auto frame = board.out().pop()) {
        if (!lost(*frame)) run.receive(*frame, now, to_board);
      }
      run.poll(now, to_board);
    }
  }

  std::uint64_t value(std::uint16_t index, std::uint8_t sub) const {
    return board.objects().find(index, sub)->bits();
  }

  canopen::SlaveApplication application;
  mutable canopen::SlaveNode board;
  canopen::FrameQueue to_board;
  SetupRun run;
  std::int64_t now = 0;
  std::function<bool(const can::Frame&)> lost = [](const can::Frame&) { return false; };
};

DriveSettings settings() {
  DriveSettings s;
  s.node = kNode;
  s.identity.vendor = 0x0FFF;
  s.identity.product = 0x402;
  s.modes_needed = 1U << 7 | 1U << 8 | 1U << 9;
  s.period_us = 4000;
  return s;
}

TEST(DriveSetup, AfterwardsTheBoardHoldsWhatWasAskedFor) {
  Wire wire(settings());
  wire.work();
  ASSERT_EQ(wire.run.state(), SetupRun::State::kDone) << wire.run.failure_text();
  EXPECT_EQ(wire.value(0x1016, 1), 127U << 16 | 150U);
  EXPECT_EQ(wire.value(0x1017, 0), 50U);
  EXPECT_EQ(wire.value(0x1006, 0), 4000U);
  EXPECT_EQ(wire.value(0x605A, 0), 6U);
  EXPECT_EQ(wire.value(0x60C2, 1), 4U) << "4 · 10^-3 s";
  EXPECT_EQ(static_cast<std::int8_t>(wire.value(0x60C2, 2)), -3);
  EXPECT_EQ(wire.value(0x1600, 0), 4U);
  EXPECT_EQ(wire.value(0x1600, 4), 0x607A'0020U);
  EXPECT_EQ(wire.value(0x1800, 1) & 0x8000'07FFU, 0x185U);
  EXPECT_EQ(wire.value(0x1400, 2), 1U);
  EXPECT_EQ(wire.run.noted().at(0), 1U) << "its serial number";
  EXPECT_EQ(wire.run.noted().at(1), 0x3ADU) << "its modes";
}

TEST(DriveSetup, TheDigitalInputsAreMappedWhereTheyAreWanted) {
  DriveSettings with = settings();
  with.tells_inputs = true;
  Wire ours(with);
  ours.work();
  ASSERT_EQ(ours.run.state(), SetupRun::State::kDone) << ours.run.failure_text();
  EXPECT_EQ(ours.value(0x1804, 1) & 0x8000'07FFU, 0x685U);
  EXPECT_EQ(ours.value(0x1804, 2), 1U) << "at every SYNC";
  EXPECT_EQ(ours.value(0x1A04, 0), 1U);
  EXPECT_EQ(ours.value(0x1A04, 1), 0x60FD'0020U);
  EXPECT_EQ(ours.value(0x1A02, 1), 0x2030'0210U) << "the others stay as they are";

  with.has_life_counter = false;
  Wire other(with);
  other.work();
  ASSERT_EQ(other.run.state(), SetupRun::State::kDone) << other.run.failure_text();
  EXPECT_EQ(other.value(0x1802, 1) & 0x8000'07FFU, 0x385U);
  EXPECT_EQ(other.value(0x1802, 2), 1U);
  EXPECT_EQ(other.value(0x1A02, 0), 1U);
  EXPECT_EQ(other.value(0x1A02, 1), 0x60FD'0020U);

  Wire without(settings());
  without.work();
  EXPECT_NE(without.value(0x1804, 1) & 0x8000'0000U, 0U) << "off where nobody asks";
}

TEST(DriveSetup, ANodeThatIsNotTheOneExpectedIsNamedWithBothNumbers) {
  DriveSettings other = settings();
  other.identity.product = 0x1234;
  Wire wire(other);
  wire.work();
  ASSERT_EQ(wire.run.state(), SetupRun::State::kFailed);
  EXPECT_EQ(wire.run.failure_text(), "node 5, 1018h:2, product: expected 1234h, found 402h");
  EXPECT_EQ(wire.value(0x1017, 0), 0U) << "nothing was written to it";
}

TEST(DriveSetup, AModeThatTheDriveLacksIsToldBeforeAnythingMoves) {
  canopen::JointBoardOptions options;
  options.supported_modes = 0xA0;  // homing and cyclic position
  Wire wire(settings(), options);
  wire.work();
  ASSERT_EQ(wire.run.state(), SetupRun::State::kFailed);
  EXPECT_EQ(
      wire.run.failure_text(),
      "node 5, 6502h:0, supported modes that the joint needs: expected 380h, found 80h; "
      "leave out of `board.drive_modes` what it hasn't, or if the drive lacks it, list 0x6502 "
      "in `without` of its profile or `drive` (docs/drives.md)");
}

TEST(DriveSetup, AValueThatTheDriveRefusesIsToldInItsOwnWords) {
  DriveSettings bad = settings();
  bad.quick_stop = 77;
  Wire wire(bad);
  wire.work();
  ASSERT_EQ(wire.run.state(), SetupRun::State::kFailed);
  const std::string text = wire.run.failure_text();
  EXPECT_NE(text.find("node 5, 605Ah:0"), std::string::npos) << text;
  EXPECT_NE(text.find("0609 003"), std::string::npos) << text;
  EXPECT_NE(text.find("while setting up its quick stop option code"), std::string::npos) << text;
}

TEST(DriveSetup, FramesThatGetLostAreSentAgain) {
  Wire wire(settings());
  int frames = 0;
  wire.lost = [&frames](const can::Frame&) { return ++frames % 17 == 0; };
  wire.work(200'000);
  EXPECT_EQ(wire.run.state(), SetupRun::State::kDone) << wire.run.failure_text();
  EXPECT_EQ(wire.value(0x1A01, 0), 3U);
}

TEST(DriveSetup, ANodeThatDoesNotAnswerIsGivenUpAfterThreeTries) {
  Wire wire(settings());
  wire.lost = [](const can::Frame& frame) { return frame.id == 0x585; };
  wire.work();
  ASSERT_EQ(wire.run.state(), SetupRun::State::kFailed);
  EXPECT_NE(wire.run.failure_text().find("node 5, 1000h:0"), std::string::npos)
      << wire.run.failure_text();
  EXPECT_GE(wire.now, 300'000'000) << "three times a tenth of a second";
}

TEST(DriveSetup, AFixedMappingIsOnlyLookedAt) {
  DriveSettings fixed = settings();
  fixed.remaps_pdos = false;
  Wire wire(fixed);
  const auto version_before = wire.value(0x1600, 1);
  wire.work();
  EXPECT_EQ(wire.run.state(), SetupRun::State::kDone) << wire.run.failure_text();
  EXPECT_EQ(wire.value(0x1600, 1), version_before);

  Wire another(fixed);
  canopen::Object<std::uint32_t>(*another.board.objects().find(0x1A00, 3)).set(0x6061'0008);
  another.work();
  ASSERT_EQ(another.run.state(), SetupRun::State::kFailed);
  EXPECT_EQ(another.run.failure_text(),
            "node 5, 1A00h:3, TPDO1, object 3: expected 20100208h, found 60610008h; `pdos` in its "
            "profile or `drive` has to be the mapping that the drive has; `jointrig bus profile` "
            "writes it");
}

TEST(DriveSetup, TheInterpolationTimeIsTheOneOfTheBus) {
  for (const auto& [period_us, value, exponent] :
       {std::tuple{1000U, 1U, -3}, std::tuple{250U, 25U, -5}, std::tuple{2500U, 25U, -4},
        std::tuple{10'000U, 1U, -2}, std::tuple{125U, 125U, -6}}) {
    SCOPED_TRACE(period_us);
    DriveSettings s = settings();
    s.period_us = period_us;
    Wire wire(s);
    wire.work();
    ASSERT_EQ(wire.run.state(), SetupRun::State::kDone) << wire.run.failure_text();
    EXPECT_EQ(wire.value(0x60C2, 1), value);
    EXPECT_EQ(static_cast<std::int8_t>(wire.value(0x60C2, 2)), exponent);
  }
}

}  // namespace
}  // namespace jointrig::hw
