#pragma once

#include <string>

#include "control/core/robot_config.h"
#include "gui/panel/session_recorder.h"
#include "gui/plot/history.h"

namespace jointrig::app {

/// Result of a recorded session, as the end of its scenario: a wait until the end of the record,
/// and for each joint that moved and has its motor on
///
///     at_end    its final position, to 1 deg or 2 mm
///     metrics   its peak torque and the time after which it stays there, with a fifth more as the
///               largest allowed value; left out where the record doesn't reach back to the start
///
/// They are proposals: a person reads them, and strikes out what doesn't matter.
/// @param ended  robot time at which the recording ended
/// @returns lines to follow those of to_scenario(); empty where no joint moved
std::string proposed_expectations(const gui::SessionRecorder& session, const RobotConfig& config,
                                  const gui::History& history, TimeNs ended);

}  // namespace jointrig::app
