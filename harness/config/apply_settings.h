#pragma once
/// Applies settings to joints, and checks the result. Used in harness/config alone.

#include <vector>

#include "control/core/robot_config.h"
#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// Applies one mapping of joint settings (valid by the schema) to joints. `is_group`: the joints
/// were not named one by one, so a joint ignores a value whose unit doesn't fit it.
void apply_joint_settings(const YamlNode& settings, const std::vector<JointConfig*>& joints,
                          bool is_group, Problems& problems);

/// Applies the keys of a joint's `drive` that are no quantities.
void apply_drive_words(const YamlNode& keys, DriveConfig& drive);

/// Applies `without` and `pdos` of a joint's `drive`.
void apply_drive_mapping(const YamlNode& keys, DriveConfig& drive, Problems& problems);

/// Returns the keys of the drive profile that a node names. Throws FileError: no such file, a file
/// that is none, keys that are a joint's own.
YamlNode load_drive_profile(const YamlNode& profile);

/// Applies `buses` to the robot: adds buses, or changes them by name.
void apply_buses(const YamlNode& buses, RobotConfig& config);

/// Checks drives and buses together: a drive without values for its units, two drives with one
/// number on a bus, an unknown bus.
void check_buses(const YamlNode& keys, const RobotConfig& config, Problems& problems);

/// Applies `arms` to the robot: adds arms, or changes them by name. Parts and joints must exist.
void apply_arms(const YamlNode& arms, RobotConfig& config, Problems& problems);

/// Checks that arms can be controlled: no board without torque, no joint in two arms.
void check_arms(const YamlNode& keys, const RobotConfig& config, Problems& problems);

/// Reads a force/torque sensor, of an arm or a foot.
void read_force_sensor(const YamlNode& keys, ForceSensorConfig& sensor);
/// Reads the `device` of a sensor.
void read_device(const YamlNode& keys, SensorNodeConfig& device);

/// Applies `grippers` to the robot: adds grippers, or changes them by name. Parts and joints must
/// exist.
void apply_grippers(const YamlNode& grippers, RobotConfig& config, Problems& problems);

/// Applies `laws` to the robot: adds laws of one's own, or changes them by name. Parts and joints
/// must exist; the libraries are not opened here.
void apply_laws(const YamlNode& laws, RobotConfig& config, Problems& problems);

/// Applies `whole_body` to the robot; adds it if the robot has none.
void apply_whole_body(const YamlNode& keys, RobotConfig& config);

/// Applies collision_avoidance and collision_detection to the robot; adds them if the robot has
/// none.
void apply_protection(const YamlNode& keys, RobotConfig& config);

/// Checks that need several values: limits that contradict each other, starts and poses outside
/// them. Each problem is reported at its setting in `keys`, else at the root.
void check_robot(const YamlNode& keys, const RobotConfig& config, Problems& problems);

/// Checks the joints' own backends: parts that give a joint two, cycles that are no whole number of
/// periods or belong to a bus, backends that don't go together in one run.
void check_backends(const YamlNode& keys, const RobotConfig& config, Problems& problems);

}  // namespace jointrig::harness
