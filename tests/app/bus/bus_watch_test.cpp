#include "app/bus/bus_watch.h"

#include <gtest/gtest.h>

#include "tests/hw/canopen/frame_text.h"

namespace jointrig::app {
namespace {

using canopen::from_text;
constexpr can::TimeNs kSecond = can::kSecond;

ChosenBus a_bus() {
  ChosenBus bus;
  bus.name = "arm";
  bus.rates.nominal = 1'000'000;
  hw::DriveFacts facts;
  facts.encoder_increments = 1000;
  facts.gear = 1;
  facts.rated_torque = 1;
  bus.drives.push_back({.node = 5, .joint = "elbow", .identity = {}, .units = {facts, false}});
  return bus;
}

// An empty SYNC, bit by bit: 0 00010000000 0 0 0 0000 and its CRC; with stuff bits it is longer
// than the 47 bits of the bare frame and no longer than 55.
TEST(BusWatch, LoadIsTheTimeThatItsFramesTake) {
  BusWatch watch(a_bus(), 0);
  for (int i = 0; i < 1000; ++i) watch.take(from_text("080#"));
  EXPECT_GT(watch.load(kSecond), 0.047);
  EXPECT_LE(watch.load(kSecond), 0.055);
  EXPECT_DOUBLE_EQ(watch.load(2 * kSecond), watch.load(kSecond) / 2);
}

TEST(BusWatch, RemembersTheFullestSecond) {
  BusWatch watch(a_bus(), 0);
  for (int i = 0; i < 1000; ++i) watch.take(from_text("080#"));
  watch.advance(kSecond);
  const double full = watch.load_of_last_second();
  EXPECT_DOUBLE_EQ(full, watch.load(kSecond));
  watch.advance(2 * kSecond);
  EXPECT_EQ(watch.load_of_last_second(), 0.0);
  EXPECT_DOUBLE_EQ(watch.peak_load(), full);
}

TEST(BusWatch, CountsByNodeAndKind) {
  BusWatch watch(a_bus(), 0);
  for (const char* frame : {"080#", "000#0100", "185#3706080040E20100", "285#18FCFFFFECFF0000",
                            "205#0F0008009CFFFFFF", "605#4041600000000000", "585#4B41600037060000",
                            "085#1186210000000000", "705#00", "705#05", "7E5#04"}) {
    watch.take(from_text(frame));
  }
  const NodeWatch& node = watch.node(5);
  EXPECT_EQ(node.of(FrameKind::kTpdo), 2U);
  EXPECT_EQ(node.of(FrameKind::kRpdo), 1U);
  EXPECT_EQ(node.of(FrameKind::kSdoRequest), 1U);
  EXPECT_EQ(node.of(FrameKind::kSdoAnswer), 1U);
  EXPECT_EQ(node.of(FrameKind::kEmergency), 1U);
  EXPECT_EQ(node.of(FrameKind::kHeartbeat), 2U);
  EXPECT_EQ(node.boot_ups, 1U);
  EXPECT_EQ(node.nmt, canopen::NmtState::kOperational);
  EXPECT_EQ(node.motion->velocity, -1000);
  EXPECT_EQ(watch.node(0).of(FrameKind::kSync), 1U);
  EXPECT_EQ(watch.node(0).of(FrameKind::kNmt), 1U);
  EXPECT_EQ(watch.node(0).of(FrameKind::kOther), 1U);
  EXPECT_EQ(watch.frames(), 11U);
}

// 250 of 1000 counts a turn are a quarter turn: 1.57080 rad.
TEST(BusWatch, TellsPositionsInTheUnitsOfTheJoint) {
  EXPECT_EQ(position_in_words(a_bus(), 5, 250), "1.57080 rad");
  EXPECT_EQ(position_in_words(a_bus(), 6, 250), "250 counts");
}

TEST(BusWatch, ItsTableHasALineForEachNodeThatWasHeard) {
  BusWatch watch(a_bus(), 0);
  watch.take(from_text("185#37060800FA000000"));
  watch.take(from_text("085#1186210000000000"));
  watch.take(from_text("709#7F"));
  watch.take(from_text("60A#4000100000000000"));  // a question to a number where nobody is
  const std::string table = watch.table(kSecond);
  EXPECT_NE(table.find("bus arm: 4 frames in 1.000 s"), std::string::npos) << table;
  EXPECT_NE(table.find("elbow"), std::string::npos);
  EXPECT_NE(table.find("1.57080 rad"), std::string::npos);
  EXPECT_NE(table.find("8611h following error"), std::string::npos);
  EXPECT_NE(table.find("pre-operational"), std::string::npos);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4) << "bus, heading, two nodes";
}

}  // namespace
}  // namespace jointrig::app
