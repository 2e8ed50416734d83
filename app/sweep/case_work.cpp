#include "app/sweep/case_work.h"

#include <stdexcept>
#include <string_view>

#include "app/interrupt.h"
#include "app/run/result_files.h"
#include "app/sweep/case_store.h"
#include "control/core/text.h"
#include "harness/runner/console_text.h"
#include "harness/runner/result_json.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWallClock = "the wall clock";  // in the reason of a time-out of it

/// A result that depends on more than the inputs is not stored.
bool depends_on_the_inputs_alone(const harness::Result& result) {
  const bool is_late = result.outcome == harness::Outcome::kTimeout &&
                       result.reason.find(kWallClock) != std::string::npos;
  return !is_late && result.outcome != harness::Outcome::kCouldNotRun;
}

void write_result(JobResult& job, KeptLogs logs, const fs::path& folder, const fs::path& home) {
  const bool passed = job.result.outcome == harness::Outcome::kPassed;
  const bool keeps_log = logs == KeptLogs::kAll || !passed;
  if (job.log_failed && keeps_log) throw std::runtime_error(joined(job.remarks, "; "));
  if (!keeps_log) {
    job.log_failed = false;
    drop_log_if_passed(job);
  }
  if (!job.log_path.empty()) {
    job.result.properties["log"] = (home / fs::relative(job.log_path, folder)).generic_string();
  }
  write_text(folder / kResultFile, harness::to_json({&job.result, 1}));
}

}  // namespace

CaseEnd CaseWork::run(PreparedCase ready, const fs::path& folder, const fs::path& home,
                      const OnProgress& on_progress) const {
  write_text(folder / kInputsFile, ready.inputs);  // on a full disk this throws before the run
  if (logs != KeptLogs::kNone) ready.options.folder = folder / folder_name(ready.scenario.name);
  ready.options.interrupted = &interrupted;
  ready.options.on_progress = on_progress;
  JobResult job = run_scenario(ready.scenario, ready.options);
  CaseEnd end;
  end.hash = ready.hash;
  end.outcome = to_string(job.result.outcome);
  end.reason = job.result.reason;
  end.wall_time = job.result.wall_time;
  end.lines = harness::console_lines(job.result, verbose);
  end.is_whole = !interrupted.load() && depends_on_the_inputs_alone(job.result);
  if (end.is_whole) write_result(job, logs, folder, home);
  return end;
}

}  // namespace jointrig::app
