#pragma once
/// Settings laid on joints, and what is checked once all are. Of harness/config alone.

#include <vector>

#include "control/core/robot_config.h"
#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Lays one mapping of joint settings (valid by the schema) on joints. `is_group`: they were not
/// named one by one, so a value whose unit doesn't fit a joint passes it by.
void apply_joint_settings(const YamlNode& settings, const std::vector<JointConfig*>& joints,
                          bool is_group, Problems& problems);

/// Those keys of a joint's `drive` that are no quantities.
void apply_drive_words(const YamlNode& keys, DriveConfig& drive);

/// Lays `buses` on the robot's: added, or changed by name.
void apply_buses(const YamlNode& buses, RobotConfig& config);

/// Drives and buses that don't go together: a drive without what its units need, two of one number
/// on a bus, a bus that isn't there.
void check_buses(const YamlNode& keys, const RobotConfig& config, Problems& problems);

/// Lays `arms` on the robot's: added, or changed by name. Parts and joints must be there.
void apply_arms(const YamlNode& arms, RobotConfig& config, Problems& problems);

/// Arms that can't be controlled: a board without torque, two arms with one joint.
void check_arms(const YamlNode& keys, const RobotConfig& config, Problems& problems);

/// Lays collision_avoidance and collision_detection on the robot's, which they bring along where it
/// has none.
void apply_protection(const YamlNode& keys, RobotConfig& config);

/// What no single value tells: limits that contradict each other, starts and poses outside them.
/// Each problem stands where the setting to blame was written in `keys`, else at its root.
void check_robot(const YamlNode& keys, const RobotConfig& config, Problems& problems);

}  // namespace jointrig::harness
