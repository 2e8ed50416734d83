#include "hw/driver/fault_codes.h"

#include <array>

namespace jointrig::hw {
namespace {

struct Pair {
  std::uint16_t error;
  FaultCode fault;
};

/// Where several lines have one fault, the project's boards send the first.
constexpr std::array kCodes{
    Pair{0x2310, FaultCode::kOverCurrent},        // output, continuous
    Pair{0x2320, FaultCode::kOverCurrent},        // short circuit
    Pair{0x3210, FaultCode::kSupplyVoltage},      // DC link over-voltage
    Pair{0x3220, FaultCode::kSupplyVoltage},      // DC link under-voltage
    Pair{0x4310, FaultCode::kOverTemperature},    // of the drive
    Pair{0x4210, FaultCode::kOverTemperature},    // of the device
    Pair{0x7121, FaultCode::kMotorBlocked},       //
    Pair{0x7305, FaultCode::kEncoderLost},        // incremental sensor 1
    Pair{0x7320, FaultCode::kEncoderJump},        // position
    Pair{0x8130, FaultCode::kCommandLost},        // heartbeat of the host
    Pair{0x8250, FaultCode::kCommandLost},        // RPDO time-out
    Pair{0x8611, FaultCode::kFollowingError},     //
    Pair{0x8612, FaultCode::kLimitSwitch},        // reference limit
    Pair{0xFF01, FaultCode::kEncoderFrozen},      // the project's own from here on
    Pair{0xFF02, FaultCode::kEncoderNoise},       //
    Pair{0xFF03, FaultCode::kTorqueSensorLost},   //
    Pair{0xFF04, FaultCode::kTorqueSensorRange},  //
    Pair{0xFF05, FaultCode::kMotorPowerLost},     //
    Pair{0xFF06, FaultCode::kCalibrationFailed},  //
    Pair{0xFF07, FaultCode::kNotFinite},          //
    Pair{0xFF08, FaultCode::kOverSpeed},          //
    Pair{0xFF09, FaultCode::kPositionRange},      //
    Pair{0xFF0A, FaultCode::kSetpointNotFinite},  //
    Pair{0xFF0B, FaultCode::kBoardLost},          //
    Pair{0xFF0C, FaultCode::kEnableTimeout},      //
    Pair{0xFF0D, FaultCode::kBusLost},            //
    Pair{0xFF0E, FaultCode::kDuplicateNode},      //
};

/// By the upper byte; CiA 301, table of error code classes.
FaultCode fault_of_class(std::uint8_t upper) noexcept {
  switch (upper) {
    case 0x20:
    case 0x21:
    case 0x22:
    case 0x23:
      return FaultCode::kOverCurrent;
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
      return FaultCode::kSupplyVoltage;
    case 0x40:
    case 0x41:
    case 0x42:
    case 0x43:
      return FaultCode::kOverTemperature;
    case 0x73:
      return FaultCode::kEncoderLost;
    case 0x81:
    case 0x82:
      return FaultCode::kCommandLost;
    default:
      return FaultCode::kDriveFault;
  }
}

}  // namespace

FaultCode fault_of(std::uint16_t error_code) noexcept {
  if (error_code == 0) return FaultCode::kNone;
  for (const Pair& pair : kCodes) {
    if (pair.error == error_code) return pair.fault;
  }
  return fault_of_class(static_cast<std::uint8_t>(error_code >> 8));
}

std::uint16_t error_code_of(FaultCode fault) noexcept {
  if (fault == FaultCode::kNone) return 0;
  for (const Pair& pair : kCodes) {
    if (pair.fault == fault) return pair.error;
  }
  return 0x1000;  // generic
}

}  // namespace jointrig::hw
