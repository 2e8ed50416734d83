#pragma once
/// Files that a job leaves while it runs and as it ends, whoever drives its robot: effective.yaml,
/// the log's options and last words, its progress.

#include <chrono>
#include <optional>
#include <string>

#include "app/run/scenario_job.h"
#include "control/core/robot_config.h"
#include "harness/log/robot_log.h"
#include "harness/runner/runner.h"

namespace jointrig::app {

/// Writes effective.yaml into the job's folder, and says there where its log is. Throws as
/// write_text().
/// @returns none: the job has no folder, and no log
[[nodiscard]] std::optional<harness::RobotLogOptions> begin_log(const harness::Scenario& scenario,
                                                                const JobOptions& options,
                                                                const RobotConfig& config,
                                                                const std::string& backend,
                                                                JobResult& job);

/// Tells what a closed log lacks.
void end_log(const harness::RobotLogStatus& status, JobResult& job);

/// Tells the progress of a job about ten times a second of the wall clock.
class JobProgress {
 public:
  /// The runner's own time counts: in real time the loop's belongs to another thread.
  void tell(const harness::Runner& runner, const JobOptions& options, TimeNs period_ns);

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace jointrig::app
