#pragma once
/// All that a case's result depends on, and its hash.

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/run/scenario_job.h"
#include "app/sweep/sweep_plan.h"
#include "harness/runner/scenario.h"

namespace jointrig::app {

/// Inputs that a sweep's cases have in common beside the plan.
struct SweepRobot {
  std::optional<BackendKind> backend;  ///< none: the robot's
  std::string robot;                   ///< in place of the scenario's; empty: the scenario's
};

/// Where a case's robot lies.
struct CaseFiles {
  std::string robot_yaml;  ///< empty: none
  std::string model;
  std::string scene;  ///< empty: none
  std::vector<std::string> packages;
};

/// A case ready to run.
struct PreparedCase {
  harness::Scenario scenario;
  JobOptions options;  ///< without a folder
  CaseFiles files;
  std::string inputs;
  std::string hash;  ///< of the inputs: sixteen digits
};

/// Makes cases of one plan ready. Their inputs: this program (its own bytes) and MuJoCo; the
/// scenario with all defaults written out and its values in it; the robot's file and what was set
/// in it; its model and scene, with meshes, as they are compiled; backend and seed. Names of
/// folders are no inputs, so that another clone finds the same cases. Any thread, after the
/// constructor.
class CaseInputs {
 public:
  /// Finds the scenario and checks what varies. Throws FileError or std::invalid_argument.
  CaseInputs(const SweepPlan& plan, SweepRobot robot);

  /// Throws FileError, ModelError or std::invalid_argument.
  [[nodiscard]] PreparedCase prepare(const SweepCase& one) const;

  /// Hash of this program, and the version of MuJoCo.
  [[nodiscard]] const std::string& program() const noexcept { return program_; }
  [[nodiscard]] static std::string mujoco();
  [[nodiscard]] const SweepRobot& robot() const noexcept { return robot_; }

  /// The scenario's file.
  [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }
  /// `path=value` of a case, those of all cases first.
  [[nodiscard]] std::vector<std::string> settings_of(const SweepCase& one) const;
  /// The words behind one of commands() for a case.
  [[nodiscard]] std::string arguments_for(const SweepCase& one) const;
  /// `jointrig run`, which runs a case alone, and `jointrig gui`, which opens it in the panel,
  /// where the panel has the backend.
  [[nodiscard]] std::vector<std::string> commands() const;
  /// The command that runs a case alone.
  [[nodiscard]] std::string command_for(const SweepCase& one) const;

 private:
  void check_axis(const SweepAxis& axis) const;
  [[nodiscard]] PreparedCase prepared(const SweepCase& one) const;
  [[nodiscard]] harness::FileError at_its_axis(const harness::FileError& error) const;
  [[nodiscard]] std::string model_hash(const std::string& path,
                                       const std::vector<std::string>& packages) const;

  const SweepPlan* plan_;
  SweepRobot robot_;
  std::filesystem::path file_;
  harness::YamlNode document_;
  std::string program_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> models_;  ///< by path: a model is read once
};

}  // namespace jointrig::app
