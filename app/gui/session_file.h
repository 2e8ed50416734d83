#pragma once
/// What a person did in the panel as a scenario: each command that the loop took is a step, each
/// pause between two a wait of that length.

#include <string>

#include "control/core/robot_config.h"
#include "gui/panel/session_recorder.h"

namespace jointrig::app {

/// A step is over in the cycle after its own, so a wait is a cycle shorter than the pause it stands
/// for: commands come at the same distance to the cycle, but for those that came in one cycle,
/// which follow each other. A sample of a stream is a stream of one sample; messages that keep
/// something suppressed are one stream of as long. Joints whose motors
/// were on when recording began are brought there by the set-up, arms to the gains, terms and
/// payload that they had then.
/// @param robot  how the scenario names its robot
std::string to_scenario(const gui::SessionRecorder& session, const RobotConfig& config,
                        const std::string& name, const std::string& robot);

}  // namespace jointrig::app
