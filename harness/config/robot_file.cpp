#include "harness/config/robot_file.h"

#include <numeric>

#include "harness/config/apply_settings.h"
#include "harness/config/joint_names.h"
#include "harness/config/load_reader.h"
#include "harness/config/scene_path.h"
#include "harness/config/units.h"

namespace jointrig::harness {

extern const std::string_view
    kRobotSchemaText;  // robot.schema.json, embedded by cmake/JointrigEmbed.cmake

namespace {

void read_payloads(const YamlNode& list, PlantConfig& plant) {
  plant.payloads.clear();
  for (const YamlNode& item : list.items()) {
    PayloadConfig payload;
    payload.body = item.at("body").text();
    payload.mass = quantity(item.at("mass"), "kg");
    if (const YamlNode* centre = item.find("centre")) {
      payload.centre.clear();
      for (const YamlNode& x : centre->items()) payload.centre.push_back(quantity(x, "m"));
    }
    if (const YamlNode* inertia = item.find("inertia")) {
      payload.inertia = read_load_inertia(*inertia, payload.mass);
    }
    plant.payloads.push_back(payload);
  }
}

void read_plant(const YamlNode& node, PlantConfig& plant) {
  const auto number = [&node](const char* key, const char* units, double& field) {
    if (const YamlNode* value = node.find(key)) field = quantity(*value, units);
  };
  number("mass_scale", "1", plant.mass_scale);
  number("friction_scale", "1", plant.friction_scale);
  number("encoder_noise", "rad|m", plant.encoder_noise);
  number("torque_noise", "Nm|N", plant.torque_noise);
  if (const YamlNode* keep = node.find("keep_overlaps")) plant.keep_overlaps = keep->boolean();
  if (const YamlNode* seed = node.find("seed")) {
    plant.seed = static_cast<std::uint64_t>(seed->integer());
  }
  if (const YamlNode* payloads = node.find("payloads")) read_payloads(*payloads, plant);
}

// All settings that don't need the joints.
void read_basics(const YamlNode& keys, RobotConfig& config) {
  if (const YamlNode* name = keys.find("name")) config.name = name->text();
  if (const YamlNode* model = keys.find("model")) config.model_path = path_beside(*model).string();
  if (const YamlNode* packages = keys.find("package_path")) {
    config.package_path.clear();
    for (const YamlNode& folder : packages->items()) {
      config.package_path.push_back(path_beside(folder).string());
    }
  }
  if (const YamlNode* scene = keys.find("scene")) config.scene_path = scene_path(*scene);
  if (const YamlNode* keyframe = keys.find("keyframe")) config.keyframe = keyframe->text();
  if (const YamlNode* pin = keys.find("pin_base")) config.pin_base = pin->boolean();
  if (const YamlNode* gravity = keys.find("gravity")) {
    config.gravity.emplace();
    for (std::size_t i = 0; i < 3; ++i) {
      config.gravity->at(i) = quantity(gravity->items()[i], "m/s^2");
    }
  }
  if (const YamlNode* motors = keys.find("motors")) config.motors = motors->boolean();
  if (const YamlNode* factor = keys.find("speed_override"))
    config.speed_override = quantity(*factor, "1");
  if (const YamlNode* period = keys.find("period"))
    config.period_ns = to_ns(quantity(*period, "s"));
  if (const YamlNode* delay = keys.find("delay_cycles")) {
    config.delay_cycles = static_cast<int>(delay->integer());
  }
  if (const YamlNode* backend = keys.find("backend")) parse(backend->text(), config.backend);
  if (const YamlNode* boards = keys.find("virtual_boards")) {
    config.virtual_boards = boards->text();
  }
  if (const YamlNode* external = keys.find("external_torque")) {
    if (const YamlNode* gain = external->find("gain")) {
      config.external_torque.gain = quantity(*gain, "1/s");
    }
    if (const YamlNode* friction = external->find("friction")) {
      config.external_torque.friction = friction->boolean();
    }
  }
  if (const YamlNode* plant = keys.find("plant")) read_plant(*plant, config.plant);
}

// From general to particular: defaults, parts, joints.
void read_joints(const YamlNode& keys, RobotConfig& config, Problems& problems) {
  const auto apply = [&](const YamlNode& settings, const std::vector<JointIndex>& joints,
                         bool is_group) {
    std::vector<JointConfig*> chosen;
    for (const JointIndex joint : joints) chosen.push_back(&config.joints[joint]);
    apply_joint_settings(settings, chosen, is_group, problems);
  };
  if (const YamlNode* defaults = keys.find("defaults")) {
    std::vector<JointIndex> all(config.joints.size());
    std::iota(all.begin(), all.end(), JointIndex{0});
    apply(*defaults, all, true);
  }
  const YamlNode* joints = keys.find("joints");
  if (joints == nullptr) return;
  for (const bool is_group : {true, false}) {
    for (const YamlNode::Entry& entry : joints->entries()) {
      const bool is_joint = joint_index(config, entry.key) != kNoJoint;
      if (is_joint == is_group) continue;
      problems.collect(
          [&] { apply(entry.value, joints_called(config, entry.key, entry.spot), is_group); });
    }
  }
}

void apply_keys(const YamlNode& keys, RobotConfig& config) {
  Problems problems;
  read_basics(keys, config);
  if (const YamlNode* parts = keys.find("parts")) apply_parts(*parts, config, problems);
  if (const YamlNode* poses = keys.find("poses")) apply_poses(*poses, config, problems);
  if (const YamlNode* buses = keys.find("buses")) apply_buses(*buses, config);
  read_joints(keys, config, problems);
  if (const YamlNode* arms = keys.find("arms")) apply_arms(*arms, config, problems);
  if (const YamlNode* grippers = keys.find("grippers")) {
    apply_grippers(*grippers, config, problems);
  }
  if (const YamlNode* laws = keys.find("laws")) apply_laws(*laws, config, problems);
  if (const YamlNode* body = keys.find("whole_body")) apply_whole_body(*body, config);
  apply_protection(keys, config);
  if (problems.empty()) check_robot(keys, config, problems);
  if (problems.empty()) check_arms(keys, config, problems);
  if (problems.empty()) check_buses(keys, config, problems);
  if (problems.empty()) check_backends(keys, config, problems);
  problems.throw_if_any();
}

}  // namespace

std::string_view robot_schema_text() { return kRobotSchemaText; }

const Schema& robot_schema() {
  static const Schema kSchema(kRobotSchemaText);
  return kSchema;
}

const Schema& robot_override_schema() {
  static const Schema kSchema(R"({"$ref": "robot.schema.json#/definitions/robot"})",
                              {{"robot.schema.json", kRobotSchemaText}});
  return kSchema;
}

RobotConfig robot_basics(const RobotSource& robot) {
  RobotConfig config;
  config.name = robot.name;
  config.model_path = robot.model_path;
  if (!robot.file.is_null()) {
    robot_schema().check(robot.file);
    read_basics(robot.file, config);
  }
  for (const YamlNode& keys : robot.overrides) {
    if (keys.is_null()) continue;
    robot_override_schema().check(keys);
    read_basics(keys, config);
  }
  return config;
}

void configure(const RobotSource& robot, RobotConfig& config) {
  config.name = robot.name;
  config.model_path = robot.model_path;
  if (!robot.file.is_null()) apply_robot_file(robot.file, config);
  for (const YamlNode& keys : robot.overrides) {
    if (!keys.is_null()) apply_robot_overrides(keys, config);
  }
}

void apply_robot_file(const YamlNode& file, RobotConfig& config) {
  robot_schema().check(file);
  RobotConfig result = config;  // applied whole or not at all
  if (file.find("parts") != nullptr) result.parts.clear();
  if (file.find("poses") != nullptr) result.poses.clear();
  if (file.find("buses") != nullptr) result.buses.clear();
  if (file.find("arms") != nullptr) result.arms.clear();
  if (file.find("grippers") != nullptr) result.grippers.clear();
  if (file.find("laws") != nullptr) result.laws.clear();
  if (file.find("whole_body") != nullptr) result.whole_body.reset();
  apply_keys(file, result);
  config = std::move(result);
}

void apply_robot_overrides(const YamlNode& keys, RobotConfig& config) {
  robot_override_schema().check(keys);
  RobotConfig result = config;
  apply_keys(keys, result);
  config = std::move(result);
}

}  // namespace jointrig::harness
