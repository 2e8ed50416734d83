#pragma once

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "harness/runner/scenario.h"
#include "remote/state_message.h"

namespace jointrig::app {

/// Sentence with what keeps a scenario from any robot that is served, whose settings are in force
/// already: its own `config`; empty if nothing does.
[[nodiscard]] std::string why_not_served(const harness::Scenario& scenario);

/// Compares a robot by its files here with one that is served. Returns a sentence with what keeps a
/// scenario of the one from the other: its name, cycle, joints, arms or grippers; empty if nothing
/// does.
[[nodiscard]] std::string why_another_robot(const RobotConfig& here,
                                            const remote::RobotFacts& there);

/// A sentence for each joint whose limits or gains differ; those of the served robot count.
[[nodiscard]] std::vector<std::string> other_settings(const RobotConfig& here,
                                                      const remote::RobotFacts& there);

/// Throws std::invalid_argument where why_another_robot() or other_settings() has anything: of what
/// is worked out here for the robot by its files.
void refuse_another(const RobotConfig& here, const remote::RobotFacts& there);

/// Throws std::runtime_error where a robot is served by another version of this program: who judges
/// it has the cycles as they are in its memory.
void refuse_other_version(const remote::RobotFacts& there, const std::string& address);

}  // namespace jointrig::app
