#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/run/scenario_job.h"
#include "harness/report/html_report.h"

namespace jointrig::app {

std::vector<harness::Outcome> outcomes_of(std::span<const JobResult> jobs);

/// Writes what the jobs of a verb have left. A file that can't be written, and a log that is not
/// whole, is told in a sentence; the others are written all the same.
///
/// One thread; the jobs outlive it.
class JobOutputs {
 public:
  explicit JobOutputs(std::span<const JobResult> jobs);

  void write_json(const std::filesystem::path& path);
  void write_junit(const std::filesystem::path& path);
  /// The page, with the logs beside it.
  void write_report(const std::filesystem::path& path, const harness::RunInfo& info);

  [[nodiscard]] const std::vector<std::string>& failures() const noexcept { return failures_; }

 private:
  template <typename Write>
  void attempt(Write write);

  std::span<const JobResult> jobs_;
  std::vector<harness::Result> results_;
  std::vector<std::string> failures_;
};

}  // namespace jointrig::app
