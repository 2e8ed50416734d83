#pragma once
/// Choices and words of all scenarios that the panel writes: recorded sessions, sequences, motions.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig::app {

inline constexpr double kLeastTimeout = 60.0;  ///< [s], the default timeout of a scenario
/// Share of v_max for the move to the first recorded pose.
inline constexpr double kApproach = 0.3;

/// `{panda_joint4: -110.25 deg, panda_finger_joint1: 20.00 mm}`: joints with a value. Recorded
/// values are hundredths; finer typed ones keep all bits.
std::string joints_text(const std::vector<std::optional<double>>& q, const RobotConfig& config);

/// A file that the panel may write: its name ends in .yaml, and what is there already is its own.
/// Throws std::runtime_error.
/// @param own  file that was opened, or saved to before
void check_may_write(const std::string& file, const std::string& own);

}  // namespace jointrig::app
