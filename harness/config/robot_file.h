#pragma once
/// robot.yaml: settings of a robot in addition to its MJCF. robot.schema.json defines every key
/// with type, unit and default; the table in docs/robots.md is made from it.
///
/// Steps to a RobotConfig:
///
///     RobotSource robot = find_robot("franka", {folder_of_the_scenario});
///     robot.overrides.push_back(scenario_config);           // optional: same keys, later wins
///     RobotConfig basics = robot_basics(robot);             // settings needed before the model
///     Discovery found = discover(basics.model_path, {basics.keyframe, basics.pin_base, ...});
///     configure(robot, found.config);
///
/// Everything here is for start-up; errors are FileError.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_config.h"
#include "harness/config/schema.h"
#include "harness/config/yaml_document.h"

namespace jointrig::harness {

/// robot.schema.json, and the schema of a whole robot.yaml.
std::string_view robot_schema_text();
const Schema& robot_schema();
/// The same keys, none of them required: schema of a scenario's `config` and of `--set`.
const Schema& robot_override_schema();

/// Schema of a drive profile: a file with the keys of a joint's `drive` (docs/drives.md).
const Schema& drive_profile_schema();

/// Sources of a robot's settings.
struct RobotSource {
  std::string name;                 ///< the folder's name, or the MJCF's without extension
  std::string model_path;           ///< the MJCF
  YamlNode file;                    ///< robot.yaml; null if there is none
  std::vector<YamlNode> overrides;  ///< of a scenario and of the command line; later ones win
};

/// Finds a robot:
///
///     franka                 models/franka/robot.yaml
///     path/to/robot.yaml     that file; a folder with one in it does as well
///     path/to/arm.xml        a bare MJCF; a bare URDF (arm.urdf) does as well
///
/// Names are searched in the folders of JOINTRIG_MODELS (separated by `:`), then in a folder
/// `models` in each of `near` and the working directory, or above them, then in
/// share/jointrig/models of the installation prefix. Relative paths are tried from each of `near`,
/// then from the working directory.
RobotSource find_robot(const std::string& name_or_path,
                       const std::vector<std::filesystem::path>& near = {});
/// Finds a robot by a name in a file: near is the file's folder, errors are at the node.
RobotSource find_robot(const YamlNode& name_or_path);

/// Name, paths, keyframe, pin_base, period, delay and plant: all settings that don't need the
/// joints.
RobotConfig robot_basics(const RobotSource& robot);

/// Applies the file, then the overrides, to a discovered configuration.
void configure(const RobotSource& robot, RobotConfig& config);

/// Applies a robot.yaml to a discovered configuration. Parts or poses in the file replace the
/// discovered ones. Throws FileError with all problems: by the schema, unknown joints and parts,
/// limits that contradict each other, starts and poses outside of limits.
void apply_robot_file(const YamlNode& file, RobotConfig& config);

/// Applies overrides: parts and poses are added, or replaced by name.
void apply_robot_overrides(const YamlNode& keys, RobotConfig& config);

/// Writes a complete robot.yaml: applied to the discovery of the same model it gives the same
/// configuration, to the bit. Paths are written relative to `folder`, the folder of the new file.
std::string to_yaml(const RobotConfig& config, const std::filesystem::path& folder = {});

}  // namespace jointrig::harness
