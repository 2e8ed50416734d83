#include "hw/driver/fault_codes.h"

#include <gtest/gtest.h>

namespace jointrig::hw {
namespace {

TEST(FaultCodes, EveryFaultOfAJointComesBackFromItsErrorCode) {
  for (const FaultCode fault : kAllFaultCode) {
    SCOPED_TRACE(to_string(fault));
    EXPECT_EQ(fault_of(error_code_of(fault)), fault);
  }
}

TEST(FaultCodes, ACodeThatIsNotListedCountsByItsClass) {
  EXPECT_EQ(fault_of(0x2311), FaultCode::kOverCurrent);
  EXPECT_EQ(fault_of(0x3130), FaultCode::kSupplyVoltage) << "mains, phase failure";
  EXPECT_EQ(fault_of(0x4280), FaultCode::kOverTemperature);
  EXPECT_EQ(fault_of(0x7380), FaultCode::kEncoderLost);
  EXPECT_EQ(fault_of(0x8140), FaultCode::kCommandLost);
  EXPECT_EQ(fault_of(0x5430), FaultCode::kDriveFault) << "hardware: for its manual";
  EXPECT_EQ(fault_of(0xFFFF), FaultCode::kDriveFault);
}

TEST(FaultCodes, OnlyZeroIsNoFault) {
  for (unsigned code = 1; code <= 0xFFFF; ++code) {
    ASSERT_NE(fault_of(static_cast<std::uint16_t>(code)), FaultCode::kNone) << code;
  }
  EXPECT_EQ(fault_of(0), FaultCode::kNone);
}

}  // namespace
}  // namespace jointrig::hw
