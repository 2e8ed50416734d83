#pragma once

#include <vector>

#include "control/joint/joint_control.h"
#include "gui/panel/parameter_desk.h"
#include "remote/state_message.h"

namespace jointrig::app {

/// Margins of the gains of a robot whose loop has these setups (control/stack/gain_margin.h).
/// @param delay_cycles  from a sample to its torque [cycles of the bus]
[[nodiscard]] gui::ParameterDesk::MarginOf margins_of(std::vector<JointSetup> setups,
                                                      int delay_cycles);

/// Those of a robot elsewhere: the setups that its loop has made, made again from its description.
/// A joint that can't be set up has none.
[[nodiscard]] gui::ParameterDesk::MarginOf margins_of(const remote::RobotFacts& robot);

}  // namespace jointrig::app
