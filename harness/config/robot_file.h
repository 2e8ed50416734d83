#pragma once
/// robot.yaml: what a robot is beyond its MJCF. Every key with type, unit and default stands in
/// robot.schema.json, from which the table in docs/robots.md is made.
///
/// The way to a RobotConfig:
///
///     RobotSource robot = find_robot("franka", {folder_of_the_scenario});
///     robot.overrides.push_back(scenario_config);           // optional: same keys, later wins
///     RobotConfig basics = robot_basics(robot);             // what must be known before the model
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
/// The same keys, none of them required: what a scenario's `config` and `--set` may say.
const Schema& robot_override_schema();

/// Where a robot's settings come from.
struct RobotSource {
  std::string name;                 ///< the folder's name, or the MJCF's without extension
  std::string model_path;           ///< the MJCF
  YamlNode file;                    ///< robot.yaml; null where there is none
  std::vector<YamlNode> overrides;  ///< of a scenario and of the command line, later ones win
};

/// Finds a robot:
///
///     franka                 models/franka/robot.yaml
///     path/to/robot.yaml     that file; a folder with one in it does as well
///     path/to/arm.xml        a bare MJCF
///
/// Names are looked for in the folders that JOINTRIG_MODELS lists (with `:` between them), then in
/// a folder `models` in each of `near` and the working directory, or above them, then in
/// share/jointrig/models of the prefix that the program was installed in. Relative paths are tried
/// from each of `near`, then from the working directory.
RobotSource find_robot(const std::string& name_or_path,
                       const std::vector<std::filesystem::path>& near = {});
/// The same for a name in a file: near is the file's folder, errors are at the node.
RobotSource find_robot(const YamlNode& name_or_path);

/// Name, paths, keyframe, pin_base, period, delay and plant: all but what needs the joints.
RobotConfig robot_basics(const RobotSource& robot);

/// Lays the file, then the overrides, on what discovery found.
void configure(const RobotSource& robot, RobotConfig& config);

/// Lays a robot.yaml on what discovery found. Where it names parts, or poses, they stand in place
/// of those there were. Throws FileError with everything that is wrong: by the schema, joints and
/// parts that don't exist, limits that contradict each other, starts and poses outside of limits.
void apply_robot_file(const YamlNode& file, RobotConfig& config);

/// The same for overrides: parts and poses are added, or replaced by name.
void apply_robot_overrides(const YamlNode& keys, RobotConfig& config);

/// A robot.yaml that says everything: laid on what discovery finds in the same model it gives the
/// same configuration, to the bit. Paths are written relative to `folder`, where the file will be.
std::string to_yaml(const RobotConfig& config, const std::filesystem::path& folder = {});

}  // namespace jointrig::harness
