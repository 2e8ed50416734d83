#include "hw/cia402/option_codes.h"

#include <gtest/gtest.h>

#include <array>

namespace jointrig::cia402 {
namespace {

TEST(OptionCodes, AQuickStopEndsOffOrStays) {
  const std::array<QuickStop, 9> expected{{{Stop::kPowerOff, false},
                                           {Stop::kRamp, false},
                                           {Stop::kQuickRamp, false},
                                           {Stop::kCurrentLimit, false},
                                           {Stop::kVoltageLimit, false},
                                           {Stop::kRamp, true},
                                           {Stop::kQuickRamp, true},
                                           {Stop::kCurrentLimit, true},
                                           {Stop::kVoltageLimit, true}}};
  for (std::int16_t code = 0; code <= 8; ++code) {
    EXPECT_EQ(quick_stop_of(code), expected[static_cast<std::size_t>(code)]) << code;
  }
  EXPECT_EQ(quick_stop_of(-1), std::nullopt);
  EXPECT_EQ(quick_stop_of(9), std::nullopt);
}

TEST(OptionCodes, TheOthersHaveTheirOwnRanges) {
  EXPECT_EQ(disable_stop_of(0), Stop::kPowerOff);
  EXPECT_EQ(disable_stop_of(1), Stop::kRamp);
  EXPECT_EQ(disable_stop_of(2), std::nullopt);
  EXPECT_EQ(halt_stop_of(0), std::nullopt);
  EXPECT_EQ(halt_stop_of(2), Stop::kQuickRamp);
  EXPECT_EQ(halt_stop_of(5), std::nullopt);
  EXPECT_EQ(fault_reaction_of(0), Stop::kPowerOff);
  EXPECT_EQ(fault_reaction_of(4), Stop::kVoltageLimit);
  EXPECT_EQ(fault_reaction_of(5), std::nullopt);
  EXPECT_EQ(connection_lost_of(1), ConnectionLost::kFault);
  EXPECT_EQ(connection_lost_of(3), ConnectionLost::kQuickStop);
  EXPECT_EQ(connection_lost_of(4), std::nullopt);
}

}  // namespace
}  // namespace jointrig::cia402
