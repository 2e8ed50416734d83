#pragma once
/// The drive's own status machine, as one table.

#include <array>

#include "control/core/enumeration.h"
#include "control/core/modes.h"

namespace jointrig::sim {

/// Events of a drive.
///
///     configured, _absolute  set up at power-on; the latter needs no calibration
///     calibrate              asked for
///     calibrated             calibration found its zero
///     aborted, _absolute     calibration was aborted; the latter had a zero before
///     drive, rest            a setpoint asks for the motor, or for none
///     fault                  something failed
///     cleared, _absolute     a fault reset, no cause remains; the latter has its zero
#define JOINTRIG_DRIVE_TRIGGERS(X)              \
  X(kConfigured, "configured")                  \
  X(kConfiguredAbsolute, "configured_absolute") \
  X(kCalibrate, "calibrate")                    \
  X(kCalibrated, "calibrated")                  \
  X(kAborted, "aborted")                        \
  X(kAbortedAbsolute, "aborted_absolute")       \
  X(kDrive, "drive")                            \
  X(kRest, "rest")                              \
  X(kFault, "fault")                            \
  X(kCleared, "cleared")                        \
  X(kClearedAbsolute, "cleared_absolute")
JOINTRIG_ENUM(DriveTrigger, JOINTRIG_DRIVE_TRIGGERS)

struct DriveTransition {
  BoardStatus from;
  DriveTrigger trigger;
  BoardStatus to;
};

/// All transitions; any other event changes nothing. calib_done lasts until the motor is first
/// driven, so that it can be read at any later time.
inline constexpr std::array kDriveTransitions{
    DriveTransition{BoardStatus::kNotConfigured, DriveTrigger::kConfigured,
                    BoardStatus::kConfigured},
    DriveTransition{BoardStatus::kNotConfigured, DriveTrigger::kConfiguredAbsolute,
                    BoardStatus::kReady},
    DriveTransition{BoardStatus::kConfigured, DriveTrigger::kCalibrate, BoardStatus::kCalibrating},
    DriveTransition{BoardStatus::kCalibDone, DriveTrigger::kCalibrate, BoardStatus::kCalibrating},
    DriveTransition{BoardStatus::kReady, DriveTrigger::kCalibrate, BoardStatus::kCalibrating},
    DriveTransition{BoardStatus::kCalibrating, DriveTrigger::kCalibrated, BoardStatus::kCalibDone},
    DriveTransition{BoardStatus::kCalibrating, DriveTrigger::kAborted, BoardStatus::kConfigured},
    DriveTransition{BoardStatus::kCalibrating, DriveTrigger::kAbortedAbsolute, BoardStatus::kReady},
    DriveTransition{BoardStatus::kCalibDone, DriveTrigger::kDrive, BoardStatus::kEnabled},
    DriveTransition{BoardStatus::kReady, DriveTrigger::kDrive, BoardStatus::kEnabled},
    DriveTransition{BoardStatus::kEnabled, DriveTrigger::kRest, BoardStatus::kReady},
    DriveTransition{BoardStatus::kConfigured, DriveTrigger::kFault, BoardStatus::kHwFault},
    DriveTransition{BoardStatus::kCalibrating, DriveTrigger::kFault, BoardStatus::kHwFault},
    DriveTransition{BoardStatus::kCalibDone, DriveTrigger::kFault, BoardStatus::kHwFault},
    DriveTransition{BoardStatus::kReady, DriveTrigger::kFault, BoardStatus::kHwFault},
    DriveTransition{BoardStatus::kEnabled, DriveTrigger::kFault, BoardStatus::kHwFault},
    DriveTransition{BoardStatus::kHwFault, DriveTrigger::kCleared, BoardStatus::kConfigured},
    DriveTransition{BoardStatus::kHwFault, DriveTrigger::kClearedAbsolute, BoardStatus::kReady},
};

constexpr BoardStatus next_status(BoardStatus from, DriveTrigger trigger) noexcept {
  for (const DriveTransition& transition : kDriveTransitions) {
    if (transition.from == from && transition.trigger == trigger) return transition.to;
  }
  return from;
}

}  // namespace jointrig::sim
