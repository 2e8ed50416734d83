#pragma once
/// Finds joints and parts by their names in files. Used in harness/config alone.

#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// kNoJoint if there is no joint of that name.
JointIndex joint_index(const RobotConfig& config, const std::string& name) noexcept;
const PartConfig* find_part(const RobotConfig& config, const std::string& name) noexcept;

/// Returns the joints of a part, or the joint of that name. Throws FileError at the spot if there
/// is neither, with the nearest name.
std::vector<JointIndex> joints_called(const RobotConfig& config, const std::string& name,
                                      const SourceSpot& spot);

/// Reads `parts`: a list of joints and of parts defined above.
void apply_parts(const YamlNode& parts, RobotConfig& config, Problems& problems);

/// Reads `poses`: a number for a joint or a part, a list for a part.
void apply_poses(const YamlNode& poses, RobotConfig& config, Problems& problems);

}  // namespace jointrig::harness
