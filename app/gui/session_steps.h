#pragma once
/// A command as the step of a scenario that posts it again, field by field.

#include <string>
#include <vector>

#include "control/core/command.h"
#include "control/core/robot_config.h"

namespace jointrig::app {

/// Steps that post a command, all in one cycle; more than one only where a step takes less than a
/// command, as that of an arm takes the posture of its own joints.
struct CommandSteps {
  std::vector<std::string> steps;  ///< "set_mode: {joints: all, ...}"
  std::string why_none;            ///< words for people where there are none
};

/// Samples of streams, suppressions and followed plans are no steps of their own:
/// app/gui/session_file.h.
CommandSteps steps_for(const Request& request, const RobotConfig& config);

/// `all`, `elbow` or `[elbow, wrist]`
std::string names_text(const JointSet& joints, const RobotConfig& config);

/// `{elbow: 0.5, wrist: 1}`: the numbers at one place of the joints' values.
std::string values_text(const JointSet& joints, const std::vector<double>& numbers,
                        const RobotConfig& config, std::size_t place = 0);

/// All numbers of a command, in their order.
std::vector<double> numbers_of(const Request& request);

}  // namespace jointrig::app
