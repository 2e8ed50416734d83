#pragma once
/// Joints and parts by the names that files call them. Of harness/config alone.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// kNoJoint where there is none of that name.
JointIndex joint_index(const RobotConfig& config, const std::string& name) noexcept;
const PartConfig* find_part(const RobotConfig& config, const std::string& name) noexcept;

/// The joints of a part, or the joint of that name. FileError at the spot where there is neither,
/// with the nearest name.
std::vector<JointIndex> joints_called(const RobotConfig& config, const std::string& name,
                                      const SourceSpot& spot);

/// Reads `parts`: a list of joints and of parts that stand above.
void apply_parts(const YamlNode& parts, RobotConfig& config, Problems& problems);

/// Reads `poses`: a number for a joint or a part, a list for a part.
void apply_poses(const YamlNode& poses, RobotConfig& config, Problems& problems);

}  // namespace jointrig::harness
