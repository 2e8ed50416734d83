#pragma once
/// Cases on the nodes of a Ray cluster, by ray_engine.py. No folder needs to be shared with them.

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "app/sweep/case_message.h"
#include "app/sweep/helper_process.h"

namespace jointrig::app {

struct RayOptions {
  std::string address;          ///< of the cluster; empty: Ray's choice
  int jobs = 0;                 ///< workers at most; 0: one for each processor
  std::filesystem::path words;  ///< file for what Ray prints
};

/// Inputs that all cases have in common.
struct RayHeader {
  RayOptions options;
  std::filesystem::path scenario;
  SweepRobot robot;
  std::string version;  ///< of this program; that of a node has to be equal
  std::string mujoco;
  KeptLogs logs = KeptLogs::kFailed;
  bool verbose = false;
  std::set<std::filesystem::path> files;          ///< to be sent
  std::set<std::filesystem::path> model_folders;  ///< of robots by name
};

class RayEngine {
 public:
  /// Throws std::runtime_error where Python can't be started.
  explicit RayEngine(const RayHeader& header);

  void order(const CaseOrder& order);
  /// Its next message; none within a fifth of a second. Throws std::runtime_error once it has
  /// ended.
  std::optional<EngineWord> next();

 private:
  HelperProcess process_;
};

}  // namespace jointrig::app
