#include "app/run/job_outputs.h"

#include "app/run/result_files.h"
#include "harness/runner/junit.h"
#include "harness/runner/result_json.h"

namespace jointrig::app {

std::vector<harness::Outcome> outcomes_of(std::span<const JobResult> jobs) {
  std::vector<harness::Outcome> all;
  for (const JobResult& job : jobs) all.push_back(job.result.outcome);
  return all;
}

JobOutputs::JobOutputs(std::span<const JobResult> jobs) : jobs_(jobs) {
  for (const JobResult& job : jobs) {
    results_.push_back(job.result);
    if (job.log_failed) failures_.push_back("the log of " + job.result.scenario + " is incomplete");
  }
}

template <typename Write>
void JobOutputs::attempt(Write write) {
  try {
    write();
  } catch (const std::exception& error) {
    failures_.emplace_back(error.what());
  }
}

void JobOutputs::write_json(const std::filesystem::path& path) {
  attempt([&] { write_text(path, harness::to_json(results_)); });
}

void JobOutputs::write_junit(const std::filesystem::path& path) {
  attempt([&] { write_text(path, harness::to_junit(results_)); });
}

void JobOutputs::write_report(const std::filesystem::path& path, const harness::RunInfo& info) {
  const std::filesystem::path folder = path.parent_path();
  std::vector<harness::ScenarioReport> reports;
  for (const JobResult& job : jobs_) {
    harness::ScenarioReport report;
    report.result = &job.result;
    report.effective_yaml = job.effective_yaml;
    if (!job.log_path.empty()) {
      report.files.emplace_back("log",
                                std::filesystem::relative(job.log_path, folder).generic_string());
    }
    reports.push_back(report);
  }
  attempt([&] { harness::write_html_report(path, info, reports); });
}

}  // namespace jointrig::app
