#pragma once
/// Scenarios run from Python: found, run and written out as `jointrig run` does, without its
/// console. Nothing here knows Python.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/scenario_job.h"

namespace jointrig::python {

struct RunRequest {
  std::vector<std::string> what;       ///< files, folders, names, tags, patterns
  std::vector<std::string> settings;   ///< `path=value`; `robot.…` goes to the robot's
  std::optional<BackendKind> backend;  ///< none: each robot's own
  std::string robot;                   ///< replaces the scenarios'; empty: theirs
  std::optional<std::uint64_t> seed;
  std::string only;           ///< of `what` the scenario or variation of this name; empty: all
  std::filesystem::path out;  ///< folder of logs, report, junit.xml, result.json; empty: none
  int jobs = 1;
  /// As of app::JobOptions: the scenarios run on the robot that is served there.
  std::function<std::unique_ptr<remote::Connection>(const std::string& name)> connect = {};
};

/// Throws FileError, or std::invalid_argument if there is none.
[[nodiscard]] std::vector<harness::Scenario> scenarios_of(const RunRequest& request);

/// Runs scenarios, `jobs` side by side. The runs' own errors are results. Calls `look` in this
/// thread, some times a second; where it returns true, the runs are broken off.
[[nodiscard]] std::vector<app::JobResult> run_all(const std::vector<harness::Scenario>& scenarios,
                                                  const RunRequest& request,
                                                  const std::function<bool()>& look);

/// Writes results and report. Throws std::runtime_error with all that could not be written.
void write_out(const std::vector<app::JobResult>& results, const std::filesystem::path& folder);

}  // namespace jointrig::python
