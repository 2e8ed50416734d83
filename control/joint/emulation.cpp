#include "control/joint/emulation.h"

namespace jointrig {
namespace {

std::optional<DriveMode> first_of(const DriveModes& has, std::initializer_list<DriveMode> wanted) {
  for (const DriveMode mode : wanted) {
    if (has.has(mode)) return mode;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DriveMode> drive_for(const DriveModes& has, const JointConfig& joint,
                                   ControlMode mode, InteractionMode interaction) noexcept {
  switch (mode) {
    case ControlMode::kIdle:
      return first_of(has, {DriveMode::kOff, DriveMode::kPosition});
    case ControlMode::kTorque:
    case ControlMode::kCartesian:
      return first_of(has, {DriveMode::kTorque});
    case ControlMode::kOpenloop:
      return first_of(has, {DriveMode::kDuty});
    default:
      break;
  }
  if (interaction == InteractionMode::kCompliant) {
    return first_of(has, {DriveMode::kTorque, DriveMode::kImpedance});
  }
  if (joint.board_closes_position) {
    return first_of(has, {DriveMode::kPosition, DriveMode::kVelocity, DriveMode::kTorque});
  }
  return first_of(has, {DriveMode::kTorque, DriveMode::kPosition, DriveMode::kVelocity});
}

}  // namespace jointrig
