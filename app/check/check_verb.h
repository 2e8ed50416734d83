#pragma once
/// `jointrig check MODEL`: does this robot hold, move and stop as it should?

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "remote/connection.h"

namespace jointrig::app {

struct CheckOptions {
  std::string model;                ///< name, robot.yaml, MJCF or URDF
  std::vector<std::string> kinds;   ///< words of CheckKind; empty: all
  std::vector<std::string> joints;  ///< joints or parts; empty: all
  bool motors = false;              ///< one for each joint that has none
  std::vector<std::string> package_path;
  int jobs = 0;               ///< kinds side by side; 0: one for each core. A served robot has one
  std::filesystem::path out;  ///< empty: runs/<date-time>-check; "-": nothing is written
  std::vector<std::string> settings;  ///< `path=value` for robot.yaml
  bool overwrite = false;             ///< also into a folder that has results
  bool verbose = false;               ///< every verdict
  /// Otherwise the log of a kind that passed is removed after its verdict: a second of an arm takes
  /// about 3 MB.
  bool keep_passed_logs = false;
  /// As of JobOptions: the robot that is served there is checked, and `model` is its description.
  std::function<std::unique_ptr<remote::Connection>(const std::string& name)> connect;
  std::string address;     ///< of it, for people
  bool take_over = false;  ///< the lease, also from its holder
};

/// Returns the exit code of run_verb(). Throws one sentence where nothing can be checked.
int check_verb(const CheckOptions& options);

}  // namespace jointrig::app
