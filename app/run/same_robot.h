#pragma once

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "remote/state_message.h"

namespace jointrig::app {

/// Compares a robot by its files here with one that is served. Returns a sentence with what keeps a
/// scenario of the one from the other: its name, cycle, joints, arms or grippers; empty if nothing
/// does.
[[nodiscard]] std::string why_another_robot(const RobotConfig& here,
                                            const remote::RobotFacts& there);

/// A sentence for each joint whose limits or gains differ; those of the served robot count.
[[nodiscard]] std::vector<std::string> other_settings(const RobotConfig& here,
                                                      const remote::RobotFacts& there);

}  // namespace jointrig::app
