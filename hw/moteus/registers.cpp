#include "hw/moteus/registers.h"

#include <algorithm>
#include <array>

namespace jointrig::moteus {
namespace {

using Q = Quantity;
using R = Register;
constexpr Access kRead = Access::kRead;
constexpr Access kBoth = Access::kBoth;

/// In the order of their numbers.
constexpr std::array kRegisters{
    RegisterInfo{R::kMode, Q::kInteger, kBoth, "mode"},
    RegisterInfo{R::kPosition, Q::kPosition, kRead, "position"},
    RegisterInfo{R::kVelocity, Q::kVelocity, kRead, "velocity"},
    RegisterInfo{R::kTorque, Q::kTorque, kRead, "torque"},
    RegisterInfo{R::kQCurrent, Q::kCurrent, kRead, "q current"},
    RegisterInfo{R::kDCurrent, Q::kCurrent, kRead, "d current"},
    RegisterInfo{R::kAbsPosition, Q::kPosition, kRead, "abs position"},
    RegisterInfo{R::kPower, Q::kPower, kRead, "power"},
    RegisterInfo{R::kMotorTemperature, Q::kTemperature, kRead, "motor temperature"},
    RegisterInfo{R::kTrajectoryComplete, Q::kInteger, kRead, "trajectory complete"},
    RegisterInfo{R::kHomeState, Q::kInteger, kRead, "home state"},
    RegisterInfo{R::kVoltage, Q::kVoltage, kRead, "voltage"},
    RegisterInfo{R::kTemperature, Q::kTemperature, kRead, "temperature"},
    RegisterInfo{R::kFault, Q::kInteger, kRead, "fault"},
    RegisterInfo{R::kPwmA, Q::kRatio, kBoth, "pwm phase a"},
    RegisterInfo{R::kPwmB, Q::kRatio, kBoth, "pwm phase b"},
    RegisterInfo{R::kPwmC, Q::kRatio, kBoth, "pwm phase c"},
    RegisterInfo{R::kVoltageD, Q::kVoltage, kBoth, "d voltage"},
    RegisterInfo{R::kVoltageQ, Q::kVoltage, kBoth, "q voltage"},
    RegisterInfo{R::kCommandQCurrent, Q::kCurrent, kBoth, "commanded q current"},
    RegisterInfo{R::kCommandDCurrent, Q::kCurrent, kBoth, "commanded d current"},
    RegisterInfo{R::kCommandPosition, Q::kPosition, kBoth, "commanded position"},
    RegisterInfo{R::kCommandVelocity, Q::kVelocity, kBoth, "commanded velocity"},
    RegisterInfo{R::kCommandFeedforward, Q::kTorque, kBoth, "feedforward torque"},
    RegisterInfo{R::kCommandKpScale, Q::kRatio, kBoth, "kp scale"},
    RegisterInfo{R::kCommandKdScale, Q::kRatio, kBoth, "kd scale"},
    RegisterInfo{R::kCommandMaxTorque, Q::kTorque, kBoth, "maximum torque"},
    RegisterInfo{R::kCommandStopPosition, Q::kPosition, kBoth, "stop position"},
    RegisterInfo{R::kCommandTimeout, Q::kTime, kBoth, "watchdog timeout"},
    RegisterInfo{R::kCommandVelocityLimit, Q::kVelocity, kBoth, "velocity limit"},
    RegisterInfo{R::kCommandAccelLimit, Q::kAcceleration, kBoth, "acceleration limit"},
    RegisterInfo{R::kCommandIlimitScale, Q::kRatio, kBoth, "ki ilimit scale"},
    RegisterInfo{R::kAux1Inputs, Q::kInteger, kRead, "aux1 gpio status"},
    RegisterInfo{R::kAux2Inputs, Q::kInteger, kRead, "aux2 gpio status"},
    RegisterInfo{R::kModelNumber, Q::kInteger, kRead, "model number"},
    RegisterInfo{R::kFirmwareVersion, Q::kInteger, kRead, "firmware version"},
    RegisterInfo{R::kRegisterMapVersion, Q::kInteger, kRead, "register map version"},
    RegisterInfo{R::kMultiplexId, Q::kInteger, kRead, "multiplex id"},
    RegisterInfo{R::kSerial1, Q::kInteger, kRead, "serial number"},
    RegisterInfo{R::kSerial2, Q::kInteger, kRead, "serial number 2"},
    RegisterInfo{R::kSerial3, Q::kInteger, kRead, "serial number 3"},
    RegisterInfo{R::kSetOutputNearest, Q::kPosition, Access::kWrite, "set output nearest"},
    RegisterInfo{R::kSetOutputExact, Q::kPosition, Access::kWrite, "set output exact"},
};

constexpr bool by_number(const RegisterInfo& a, const RegisterInfo& b) {
  return a.number < b.number;
}
static_assert(std::is_sorted(kRegisters.begin(), kRegisters.end(), by_number));

struct Steps {
  double int8, int16, int32;
};

/// By quantity: the maker's register reference, "Mappings".
constexpr std::array kSteps{
    Steps{1.0, 1.0, 1.0},                                   // integer
    Steps{0.01, 0.0001, 0.00001},                           // position
    Steps{0.1, 0.00025, 0.00001},                           // velocity
    Steps{0.05, 0.001, 0.00001},                            // acceleration
    Steps{0.5, 0.01, 0.001},                                // torque
    Steps{1.0, 0.1, 0.001},                                 // current
    Steps{0.5, 0.1, 0.001},                                 // voltage
    Steps{1.0, 0.1, 0.001},                                 // temperature
    Steps{0.01, 0.001, 0.000001},                           // time
    Steps{1.0 / 127.0, 1.0 / 32767.0, 1.0 / 2147483647.0},  // ratio
    Steps{10.0, 0.05, 0.0001},                              // power
};

}  // namespace

double step_of(Quantity quantity, Resolution resolution) noexcept {
  const Steps& steps = kSteps[static_cast<std::size_t>(quantity)];
  switch (resolution) {
    case Resolution::kInt8:
      return steps.int8;
    case Resolution::kInt16:
      return steps.int16;
    case Resolution::kInt32:
      return steps.int32;
    case Resolution::kFloat:
      break;
  }
  return 1.0;
}

const RegisterInfo* find_register(std::uint32_t number) noexcept {
  const auto* found = std::find_if(
      kRegisters.begin(), kRegisters.end(),
      [number](const RegisterInfo& r) { return static_cast<std::uint32_t>(r.number) == number; });
  return found != kRegisters.end() ? found : nullptr;
}

Quantity quantity_of(std::uint32_t number) noexcept {
  const RegisterInfo* info = find_register(number);
  return info != nullptr ? info->quantity : Quantity::kInteger;
}

}  // namespace jointrig::moteus
