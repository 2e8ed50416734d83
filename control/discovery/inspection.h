#pragma once
/// A discovery as text: prints and files of `jointrig inspect MODEL`.

#include <filesystem>
#include <string>

#include "control/discovery/discovery.h"

namespace jointrig {

/// Name of the first part that a joint is in; "-": of none.
std::string part_name(const RobotConfig& robot, JointIndex joint);

/// Tables of the joints and a list of findings, errors first, at most 100 columns wide unless names
/// are longer. Angles are in degrees and marked so; all else is SI.
/// @param more  a further table, shown before the findings
std::string describe(const Discovery& discovery, const std::string& more = {});

/// A commented robot.yaml to start from: parts and poses, estimates to check, and the discovered
/// numbers in comments. `folder` is that of the new file: paths are relative to it.
std::string starting_robot_yaml(const Discovery& discovery, const std::filesystem::path& folder);

}  // namespace jointrig
