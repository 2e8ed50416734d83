#pragma once
/// Folders with the results of earlier runs.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/runner/scenario.h"

namespace jointrig::app {

/// One scenario of a run, as result.json has it.
struct PastScenario {
  std::string name;
  std::filesystem::path file;
  std::string outcome;  ///< a word of harness::Outcome
  std::string reason;
  std::string state_hash;
  double sim_time = 0.0;  ///< [s]
  /// Metrics, and margins of other conditions: name to value, with the unit.
  struct Figure {
    double value = 0.0;
    std::string unit;
    bool operator==(const Figure&) const = default;
  };
  std::map<std::string, Figure> figures;
  /// Distances to the bounds of conditions and metrics; negative: it did not hold.
  std::map<std::string, Figure> margins;
  std::filesystem::path log;  ///< empty: none was written
};

/// Reads the result.json of a run's folder. Throws std::runtime_error with what is wrong.
std::vector<PastScenario> read_run(const std::filesystem::path& folder);

/// The newest run below runs/ here. Throws std::runtime_error where there is none.
std::filesystem::path newest_run();

/// Scenarios of a run that neither passed nor were skipped; of these only what `what` names, if it
/// names any. Throws as find_scenarios and read_run.
std::vector<harness::Scenario> failed_scenarios(const std::filesystem::path& run,
                                                const std::vector<std::string>& what,
                                                const std::vector<std::string>& settings);

/// The folder, or with -2, -3... behind its name the first that doesn't exist.
std::filesystem::path free_folder(const std::filesystem::path& wish);

/// Throws std::runtime_error where the folder has the results of a run.
void refuse_used_folder(const std::filesystem::path& folder);

}  // namespace jointrig::app
