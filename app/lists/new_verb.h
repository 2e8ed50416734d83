#pragma once
/// `jointrig new`: files to start from.

#include <filesystem>
#include <string>

namespace jointrig::app {

struct NewScenarioOptions {
  std::string name;              ///< of the scenario; NAME.yaml is written
  std::string robot = "franka";  ///< as in find_robot()
  std::filesystem::path folder = ".";
  bool motors = false;
};

/// Writes a scenario that passes on that robot as it is: its first joint with room moves and comes
/// back. Returns 0. Throws FileError, ModelError, WriteError or std::runtime_error.
int new_scenario_verb(const NewScenarioOptions& options);

}  // namespace jointrig::app
