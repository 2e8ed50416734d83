#include "hw/moteus/words.h"

#include <array>

namespace jointrig::moteus {

std::string_view describe(Mode mode) noexcept {
  constexpr std::array<std::string_view, 16> kWords{
      "stopped",       "fault",       "enabling",           "calibrating", "calibrated", "pwm",
      "voltage",       "voltage foc", "voltage dq",         "current",     "position",   "timeout",
      "zero velocity", "stay within", "measure inductance", "brake"};
  const auto number = static_cast<int>(mode);
  if (number < 0 || number >= static_cast<int>(kWords.size())) return "unknown";
  return kWords[static_cast<std::size_t>(number)];
}

std::string_view describe_fault(int code) noexcept {
  switch (code) {
    case 0:
      return "no fault";
    case 32:
      return "the encoder saw no magnet during calibration";
    case 33:
      return "the motor driver reports an error, most often because the supply broke down";
    case 34:
      return "the supply voltage is too high";
    case 35:
      return "the encoder's readings make no sense";
    case 36:
      return "the motor was never calibrated";
    case 37:
      return "the servo's control loop took too long";
    case 38:
      return "too hot";
    case 39:
      return "position control was asked for outside the servo's position limits";
    case 40:
      return "the supply voltage is too low";
    case 41:
      return "a setting was changed in operation";
    case 42:
      return "no encoder for commutation";
    case 43:
      return "no valid position of the output";
    case 44:
      return "the motor driver did not enable";
    case 45:
      return "a stop position was given together with a velocity or acceleration limit";
    case 46:
      return "the servo's timing was violated";
    case 47:
      return "feed-forward of the back-EMF without an acceleration limit";
    case 48:
      return "the servo's position limits are outside its counting range";
    case 49:
      return "the position error is too large";
    case 50:
      return "the velocity error is too large";
    case 96:
      return "limited by the largest velocity";
    case 97:
      return "limited by the largest power";
    case 98:
      return "limited by the supply voltage";
    case 99:
      return "limited by the largest current";
    case 100:
      return "limited by the board's temperature";
    case 101:
      return "limited by the motor's temperature";
    case 102:
      return "limited by the commanded maximum torque";
    case 103:
      return "limited by the position limits";
    default:
      return "a code that its manual explains";
  }
}

}  // namespace jointrig::moteus
