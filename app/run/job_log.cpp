#include "app/run/job_log.h"

#include <fmt/core.h>

#include "app/run/result_files.h"
#include "app/run/run_log.h"
#include "harness/runner/effective_yaml.h"

namespace jointrig::app {

std::optional<harness::RobotLogOptions> begin_log(const harness::Scenario& scenario,
                                                  const JobOptions& options,
                                                  const RobotConfig& config,
                                                  const std::string& backend, JobResult& job) {
  job.effective_yaml = harness::to_yaml(scenario);
  if (options.folder.empty()) return std::nullopt;
  write_text(options.folder / "effective.yaml", job.effective_yaml);
  job.log_path = (options.folder / "log.mcap").generic_string();
  harness::RobotLogOptions log = run_log_options(config, backend);
  log.run["scenario"] = scenario.name;
  log.attachments.insert(log.attachments.begin(),
                         {"scenario.yaml", "application/yaml", job.effective_yaml});
  return log;
}

void end_log(const harness::RobotLogStatus& status, JobResult& job) {
  job.result.properties["log"] = job.log_path;
  job.log_failed = !status.ok;
  if (!status.ok) job.remarks.push_back(status.message);
  if (status.dropped_cycles > 0) {
    job.remarks.push_back(
        fmt::format("the log lacks {} cycles: the disk could not keep up", status.dropped_cycles));
  }
}

void JobProgress::tell(const harness::Runner& runner, const JobOptions& options, TimeNs period_ns) {
  constexpr auto kEach = std::chrono::milliseconds(100);
  const auto now = std::chrono::steady_clock::now();
  if (!options.on_progress || now - last_ < kEach) return;
  last_ = now;
  const auto cycles = static_cast<double>(runner.result().cycles);
  options.on_progress(runner.progress(), cycles * to_seconds(period_ns));
}

}  // namespace jointrig::app
