#include "hw/driver/joint_pdos.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace jointrig::hw {
namespace {

using Verdict = JointPdos::Verdict;
constexpr std::uint8_t kNode = 5;

can::Frame frame(std::uint32_t id, std::initializer_list<std::uint8_t> bytes) {
  const std::vector<std::uint8_t> copy(bytes);
  return can::data_frame(id, copy);
}

/// Statusword 0637h (enabled), mode 8, position -2.
can::Frame state_of_cycle(std::uint8_t echo) {
  return frame(0x185, {0x37, 0x06, 0x08, echo, 0xFE, 0xFF, 0xFF, 0xFF});
}
/// Velocity 65536, torque -250, no error.
can::Frame motion_of_cycle() { return frame(0x285, {0, 0, 1, 0, 0x06, 0xFF, 0, 0}); }

TEST(JointPdos, BytesAreReadAsTheBoardMappedThem) {
  JointPdos pdos({.node = kNode});
  pdos.open_cycle();
  EXPECT_EQ(pdos.take(state_of_cycle(1)), Verdict::kTaken);
  EXPECT_FALSE(pdos.is_complete());
  EXPECT_EQ(pdos.take(motion_of_cycle()), Verdict::kTaken);
  EXPECT_TRUE(pdos.is_complete());
  const auto report = pdos.close_cycle();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->statusword, 0x0637);
  EXPECT_EQ(report->mode, 8);
  EXPECT_EQ(report->position, -2);
  EXPECT_EQ(report->velocity, 65'536);
  EXPECT_EQ(report->torque, -250);
  EXPECT_EQ(report->error_code, 0);
  EXPECT_FALSE(pdos.take_slow());
  pdos.take(frame(0x385, {0xF5, 0x0C, 0xFA, 0x00, 0x80, 0xBB, 0, 0}));
  const auto slow = pdos.take_slow();
  ASSERT_TRUE(slow);
  EXPECT_DOUBLE_EQ(slow->temperature_C, 33.17) << "of the motor";
  EXPECT_DOUBLE_EQ(slow->progress, 0.25);
  EXPECT_DOUBLE_EQ(slow->supply_V, 48.0);
  EXPECT_FALSE(pdos.take_slow()) << "once";
}

/// 90.5 over 90, as two REAL32.
can::Frame finding() { return frame(0x485, {0, 0, 0xB5, 0x42, 0, 0, 0xB4, 0x42}); }
/// Error 4310h.
can::Frame motion_of_a_fault() { return frame(0x285, {0, 0, 0, 0, 0, 0, 0x10, 0x43}); }

TEST(JointPdos, ACycleWithANewFaultIsCompleteOnceTheDriveHasSaidWhatItFound) {
  JointPdos pdos({.node = kNode});
  pdos.open_cycle();
  pdos.take(state_of_cycle(1));
  pdos.take(motion_of_cycle());
  pdos.close_cycle();
  pdos.open_cycle();
  pdos.take(state_of_cycle(2));
  pdos.take(motion_of_a_fault());
  EXPECT_FALSE(pdos.is_complete());
  EXPECT_FALSE(pdos.take_finding());
  pdos.take(finding());
  EXPECT_TRUE(pdos.is_complete());
  const auto told = pdos.take_finding();
  ASSERT_TRUE(told);
  EXPECT_DOUBLE_EQ(told->value, 90.5);
  EXPECT_DOUBLE_EQ(told->limit, 90.0);
  EXPECT_FALSE(pdos.take_finding()) << "once";
  pdos.close_cycle();
  pdos.open_cycle();
  pdos.take(state_of_cycle(3));
  pdos.take(motion_of_a_fault());
  EXPECT_TRUE(pdos.is_complete()) << "the fault is not new any more";
}

TEST(JointPdos, AFindingThatCameBeforeTheFaultIsNotWaitedFor) {
  JointPdos pdos({.node = kNode});
  pdos.open_cycle();
  pdos.take(state_of_cycle(1));
  pdos.take(motion_of_cycle());
  pdos.close_cycle();
  pdos.take(finding());
  pdos.open_cycle();
  pdos.take(state_of_cycle(2));
  pdos.take(motion_of_a_fault());
  EXPECT_TRUE(pdos.is_complete());
}

TEST(JointPdos, ADriveThatHasNoFindingsIsNotWaitedFor) {
  JointPdos pdos({.node = kNode, .has_life_counter = false});
  pdos.open_cycle();
  pdos.take(state_of_cycle(1));
  pdos.take(motion_of_a_fault());
  EXPECT_TRUE(pdos.is_complete());
}

TEST(JointPdos, EachUseHasAFrameOfItsOwnWithOneHeader) {
  JointPdos pdos({.node = kNode});
  DriveOrder order;
  order.controlword = 0x001F;
  order.position = 0x01020304;
  order.velocity = -3;
  order.torque = -250;
  order.duty = 100;
  std::array<can::Frame, JointPdos::kMostOut> out;

  order.use = cia402::DriveUse::kHoming;
  order.mode = 6;
  ASSERT_EQ(pdos.put(order, out), 1U);
  EXPECT_EQ(out[0], frame(0x205, {0x1F, 0, 6, 1, 4, 3, 2, 1}));
  order.use = cia402::DriveUse::kTorque;
  order.mode = 10;
  pdos.put(order, out);
  EXPECT_EQ(out[0], frame(0x305, {0x1F, 0, 10, 2, 0x06, 0xFF, 100, 0}));
  order.use = cia402::DriveUse::kPwm;
  order.mode = -1;
  pdos.put(order, out);
  EXPECT_EQ(out[0], frame(0x305, {0x1F, 0, 0xFF, 3, 0x06, 0xFF, 100, 0}));
  order.use = cia402::DriveUse::kVelocity;
  order.mode = 9;
  pdos.put(order, out);
  EXPECT_EQ(out[0], frame(0x405, {0x1F, 0, 9, 4, 0xFD, 0xFF, 0xFF, 0xFF}));
}

TEST(JointPdos, FeedForwardTravelsInASecondFrame) {
  JointPdos pdos({.node = kNode, .feed_forward = true});
  DriveOrder order;
  order.use = cia402::DriveUse::kPosition;
  order.velocity_offset = 258;
  order.torque_offset = -1;
  std::array<can::Frame, JointPdos::kMostOut> out;
  ASSERT_EQ(pdos.put(order, out), 2U);
  EXPECT_EQ(out[1], frame(0x505, {2, 1, 0, 0, 0xFF, 0xFF}));
}

TEST(JointPdos, WhatComesTwiceOrFromAnEarlierCycleIsLeftOutAndCounted) {
  JointPdos pdos({.node = kNode});
  pdos.open_cycle();
  EXPECT_EQ(pdos.take(state_of_cycle(250)), Verdict::kTaken);
  EXPECT_EQ(pdos.take(state_of_cycle(250)), Verdict::kDoubled);
  pdos.close_cycle();
  EXPECT_EQ(pdos.take(motion_of_cycle()), Verdict::kLate);
  pdos.open_cycle();
  EXPECT_EQ(pdos.take(state_of_cycle(249)), Verdict::kReplayed);
  EXPECT_FALSE(pdos.close_cycle()) << "nothing of this cycle has come";
  pdos.open_cycle();
  EXPECT_EQ(pdos.take(state_of_cycle(3)), Verdict::kTaken) << "the counter has wrapped around";
  EXPECT_EQ(pdos.counters()[static_cast<std::size_t>(Verdict::kReplayed)], 1U);
  EXPECT_EQ(pdos.counters()[static_cast<std::size_t>(Verdict::kDoubled)], 1U);
  EXPECT_EQ(pdos.counters()[static_cast<std::size_t>(Verdict::kLate)], 1U);
}

TEST(JointPdos, AfterASilenceOfAnyLengthTheBoardIsHeardAtOnce) {
  for (const int silence : {5, 20, 33, 100, 127, 128, 150, 230, 255, 256, 300}) {
    SCOPED_TRACE(silence);
    JointPdos pdos({.node = kNode});
    pdos.open_cycle();
    pdos.take(state_of_cycle(50));
    for (int i = 0; i < silence; ++i) pdos.open_cycle();
    pdos.open_cycle();
    EXPECT_EQ(pdos.take(state_of_cycle(50)), Verdict::kTaken) << "what it heard before";
    for (int i = 1; i <= 3; ++i) {
      pdos.open_cycle();
      const auto now = static_cast<std::uint8_t>(50 + silence + i);
      EXPECT_EQ(pdos.take(state_of_cycle(now)), Verdict::kTaken) << "what it hears now";
    }
  }
}

/// A board on the bus: in each cycle it echoes the newest order that it has heard.
struct EchoingBoard {
  JointPdos& pdos;
  std::uint8_t heard = 0;
  int missed = 0;  ///< cycles in a row
  int most_missed = 0;

  void cycle(bool hears, bool is_heard = true) {
    pdos.open_cycle();
    if (is_heard) pdos.take(state_of_cycle(heard));
    missed = pdos.close_cycle() ? 0 : missed + 1;
    if (is_heard) most_missed = std::max(most_missed, missed);
    std::array<can::Frame, JointPdos::kMostOut> out;
    pdos.put({}, out);
    if (hears) heard = out[0].data[3];
  }
};

TEST(JointPdos, AHostThatBeginsAnewHearsItsBoardAtOnceWhateverItsCounterIsAt) {
  for (int phase = 0; phase < 256; ++phase) {
    JointPdos pdos({.node = kNode});
    EchoingBoard board{pdos, static_cast<std::uint8_t>(phase)};
    for (int i = 0; i < 600; ++i) board.cycle(true);
    EXPECT_LE(board.most_missed, 2) << "the board's counter was at " << phase;
  }
}

TEST(JointPdos, ABoardThatHeardNothingForAnyTimeIsHeardAtOnceInEveryPhase) {
  int worst = 0;
  for (int phase = 0; phase < 256; ++phase) {
    for (int silence = 1; silence <= 300; ++silence) {
      JointPdos pdos({.node = kNode});
      EchoingBoard board{pdos};
      for (int i = 0; i < phase; ++i) board.cycle(true);
      for (int i = 0; i < silence; ++i) board.cycle(false, silence % 2 == 0);
      for (int i = 0; i < 60; ++i) board.cycle(true);
      worst = std::max(worst, board.most_missed);
      ASSERT_LE(board.most_missed, 20) << "lost, at phase " << phase << " after " << silence;
    }
  }
  EXPECT_LE(worst, 2);
}

TEST(JointPdos, AFrameOfAnEarlierCycleIsLeftOutInEveryPhase) {
  for (int phase = 40; phase < 300; ++phase) {
    JointPdos pdos({.node = kNode});
    EchoingBoard board{pdos};
    for (int i = 0; i < phase; ++i) board.cycle(true);
    for (int age = 2; age <= JointPdos::kReplayWindow; ++age) {
      pdos.open_cycle();
      const auto old = static_cast<std::uint8_t>(board.heard - age);
      ASSERT_EQ(pdos.take(state_of_cycle(old)), Verdict::kReplayed) << phase << ", " << age;
      pdos.close_cycle();
    }
  }
}

/// A moving board whose frames get lost, come late, or twice, either way.
struct RoughLine {
  JointPdos pdos{{.node = kNode}};
  std::mt19937 random;
  double lost, late, repeated;
  int cycle = 0;
  std::uint8_t heard = 0;
  std::array<std::vector<can::Frame>, 16> under_way{};

  [[nodiscard]] bool happens(double part) {
    return std::uniform_real_distribution<double>(0.0, 1.0)(random) < part;
  }
  void send(int when, const can::Frame& frame) {
    under_way[static_cast<std::size_t>(when) % under_way.size()].push_back(frame);
  }
  [[nodiscard]] int some_cycles() { return std::uniform_int_distribution<int>(1, 7)(random); }
  /// @returns the frames contradict each other
  bool step() {
    ++cycle;
    pdos.open_cycle();
    can::Frame state = state_of_cycle(heard);
    state.data[4] = static_cast<std::uint8_t>(cycle);
    state.data[5] = static_cast<std::uint8_t>(cycle / 256);
    const int when = cycle + (happens(late) ? some_cycles() : 0);
    if (!happens(lost)) send(when, state);
    if (happens(repeated)) send(when + some_cycles(), state);
    auto& now = under_way[static_cast<std::size_t>(cycle) % under_way.size()];
    for (const can::Frame& frame : now) pdos.take(frame);
    now.clear();
    pdos.close_cycle();
    std::array<can::Frame, JointPdos::kMostOut> out;
    pdos.put({}, out);
    if (!happens(lost)) heard = out[0].data[3];
    return pdos.take_contradiction();
  }
};

TEST(JointPdos, FramesOfOneBoardThatAreLostLateOrDoubledAreNeverThoseOfTwo) {
  constexpr int kInARow = 3;  // CanopenBus::kContradictions
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    for (const double part : {0.0, 0.03, 0.2}) {
      RoughLine line{.random = std::mt19937(seed), .lost = 0.03, .late = part, .repeated = part};
      int contradictions = 0;
      for (int i = 0; i < 20'000; ++i) {
        contradictions = line.step() ? contradictions + 1 : 0;
        ASSERT_LT(contradictions, kInARow) << "seed " << seed << ", cycle " << i;
        ASSERT_FALSE(line.pdos.finds_two()) << "seed " << seed << ", cycle " << i;
      }
    }
  }
}

TEST(JointPdos, ABoardWithoutALifeCounterIsJudgedByArrival) {
  JointPdos pdos({.node = kNode, .has_life_counter = false});
  for (const std::uint8_t anything : {9, 3, 200, 0}) {
    pdos.open_cycle();
    EXPECT_EQ(pdos.take(state_of_cycle(anything)), Verdict::kTaken);
    EXPECT_TRUE(pdos.close_cycle());
  }
}

TEST(JointPdos, DigitalInputsComeInAFrameOfTheirOwn) {
  // TPDO5 of a board of the project, whose first four are taken; TPDO3 of another.
  for (const bool is_ours : {true, false}) {
    SCOPED_TRACE(is_ours);
    const std::uint32_t id = is_ours ? 0x685 : 0x385;
    JointPdos pdos({.node = kNode, .has_life_counter = is_ours, .inputs = true});
    pdos.open_cycle();
    pdos.take(state_of_cycle(1));
    pdos.take(motion_of_cycle());
    EXPECT_FALSE(pdos.is_complete()) << "they are waited for";
    // 60FDh = 0005 0002h: inputs 0 and 2, and the positive limit switch.
    EXPECT_EQ(pdos.take(frame(id, {0x02, 0x00, 0x05, 0x00})), Verdict::kTaken);
    EXPECT_TRUE(pdos.is_complete());
    EXPECT_TRUE(pdos.close_cycle());
    EXPECT_EQ(pdos.take_inputs(), 0x0005'0002U);
    EXPECT_FALSE(pdos.take_inputs()) << "once";
    pdos.open_cycle();
    pdos.take(state_of_cycle(2));
    EXPECT_EQ(pdos.take(frame(id, {0x02, 0x00, 0x05})), Verdict::kLength);
    EXPECT_TRUE(pdos.close_cycle()) << "the state is there without them";
    EXPECT_FALSE(pdos.take_inputs());
    EXPECT_EQ(pdos.take(frame(id, {0x00, 0x00, 0x01, 0x00})), Verdict::kLate);
    EXPECT_EQ(pdos.take_inputs(), 0x0001'0000U) << "late is better than never";
  }
}

TEST(JointPdos, AMappingWithoutTheInputsThatAreWantedIsRefused) {
  const PdoLayouts bare = board_layouts(false, false);
  EXPECT_TRUE(gaps_of(bare).empty());
  EXPECT_EQ(
      gaps_of(bare, true),
      std::vector<std::string>{"no PDO that goes with SYNC tells the digital inputs (60FDh)"});
  PdoLayouts by_event = bare;
  by_event.push_back({true, 2, 0, 255, {mapped::kInputs}});
  EXPECT_EQ(gaps_of(by_event, true).size(), 1U) << "of an event nobody knows that it stayed away";
}

TEST(JointPdos, WhatIsNoPdoOfThisNodeIsLeftAlone) {
  JointPdos pdos({.node = kNode});
  pdos.open_cycle();
  EXPECT_EQ(pdos.take(frame(0x186, {0, 0, 0, 0, 0, 0, 0, 0})), Verdict::kNotMine);
  EXPECT_EQ(pdos.take(frame(0x705, {5})), Verdict::kNotMine);
  EXPECT_EQ(pdos.take(frame(0x085, {0, 0, 0, 0, 0, 0, 0, 0})), Verdict::kNotMine);
  can::Frame other = state_of_cycle(1);
  other.extended = true;
  EXPECT_EQ(pdos.take(other), Verdict::kNotMine);
  EXPECT_EQ(pdos.take(frame(0x185, {0x37, 6, 8, 1, 0, 0, 0})), Verdict::kLength);
  EXPECT_EQ(pdos.take(frame(0x185, {})), Verdict::kLength);
  can::Frame fd = state_of_cycle(1);
  fd.fd = true;
  EXPECT_EQ(pdos.take(fd), Verdict::kLength);
  EXPECT_FALSE(pdos.close_cycle());
}

TEST(JointPdos, MissingMotionLeavesThatOfTheCycleBefore) {
  JointPdos pdos({.node = kNode});
  pdos.open_cycle();
  pdos.take(state_of_cycle(1));
  pdos.take(motion_of_cycle());
  pdos.close_cycle();
  pdos.open_cycle();
  pdos.take(state_of_cycle(2));
  EXPECT_FALSE(pdos.is_complete());
  const auto report = pdos.close_cycle();
  ASSERT_TRUE(report);
  EXPECT_EQ(report->velocity, 65'536);
}

}  // namespace
}  // namespace jointrig::hw
