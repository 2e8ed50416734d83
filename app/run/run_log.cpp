#include "app/run/run_log.h"

#include <fmt/core.h>

#include <filesystem>
#include <string>

#include "app/version.h"
#include "control/core/backend_parts.h"
#include "control/model/mjcf.h"
#include "harness/config/robot_file.h"
#include "harness/config/whole_file.h"

namespace jointrig::app {
namespace {

/// "hw: shoulder elbow; kinematic: grip"
std::string backends_of(const RobotConfig& robot) {
  std::string text;
  for (const BackendPart& part : backend_parts(robot)) {
    text += (text.empty() ? "" : "; ") + std::string(to_string(part.kind)) + ":";
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      if (part.joints.test(i)) text += " " + robot.joints[i].name;
    }
  }
  return text;
}

}  // namespace

harness::RobotLogOptions run_log_options(const RobotConfig& config, const std::string& backend) {
  harness::RobotLogOptions log;
  log.run = {{"robot", config.name},
             {"backend", backend},
             {"backend_of_joints", backends_of(config)},
             {"seed", fmt::format("{}", config.plant.seed)},
             {"jointrig", std::string(kVersion)},
             {"mujoco", mujoco_version()}};
  const std::filesystem::path model = config.model_path;
  log.attachments = {
      {"robot.yaml", "application/yaml", harness::to_yaml(config, model.parent_path())},
      {model.filename().string(), "application/xml", harness::bytes_of_file(model)}};
  return log;
}

}  // namespace jointrig::app
