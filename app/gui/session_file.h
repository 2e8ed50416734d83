#pragma once
/// Converts a session of the panel, or of a Sim in Python, to a scenario: each accepted command
/// becomes a step, each pause between two a wait of that length.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "gui/panel/motion_list.h"
#include "gui/panel/session_recorder.h"

namespace jointrig::app {

/// A step ends in the cycle after its own, so a wait is a cycle shorter than its pause: commands
/// keep their cycles, except that those of one cycle follow each other, a cycle apart. Faults,
/// pushes and payloads stand between them. A command without a step is told in a comment at its
/// place. A sample of a stream becomes a stream of one sample; messages of a suppression become one
/// stream of the same length. The set-up moves joints with motors on to their positions at the
/// start of the recording, and gives arms their gains, terms and payload of that time.
/// @param robot  text for the robot
/// @param motions  lists of the plans among the commands: a plan is longer than its command
/// @param left_out  gets a sentence for all that has no step
std::string to_scenario(const gui::SessionRecorder& session, const RobotConfig& config,
                        const std::string& name, const std::string& robot,
                        const std::vector<gui::SentMotion>& motions = {},
                        std::vector<std::string>* left_out = nullptr);

/// Content of such a file beside the commands.
struct ScenarioWords {
  std::string name;
  std::string about;
  std::string robot;    ///< text for the robot
  std::string further;  ///< whole lines with other keys, before `setup`
};

/// Likewise. The steps last until `until_ns`, robot time, where that is later than the last
/// command.
/// @param plan_steps  "trajectory: {...}" by the number of the command that follows the plan
std::string to_scenario(const gui::SessionRecorder& session, const RobotConfig& config,
                        const ScenarioWords& words,
                        const std::map<std::uint64_t, std::string>& plan_steps, TimeNs until_ns = 0,
                        std::vector<std::string>* left_out = nullptr);

}  // namespace jointrig::app
