#include "app/run/run_log.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "app/version.h"
#include "control/model/mjcf.h"
#include "harness/config/robot_file.h"

namespace jointrig::app {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

harness::RobotLogOptions run_log_options(const RobotConfig& config, const std::string& backend) {
  harness::RobotLogOptions log;
  log.run = {{"robot", config.name},
             {"backend", backend},
             {"seed", std::to_string(config.plant.seed)},
             {"jointrig", std::string(kVersion)},
             {"mujoco", mujoco_version()}};
  const std::filesystem::path model = config.model_path;
  log.attachments = {
      {"robot.yaml", "application/yaml", harness::to_yaml(config, model.parent_path())},
      {model.filename().string(), "application/xml", text_of(model)}};
  return log;
}

}  // namespace jointrig::app
