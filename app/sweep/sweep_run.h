#pragma once
/// The cases of one sweep: which are there, running the others, results of all.

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "app/run/progress_line.h"
#include "app/sweep/case_message.h"
#include "app/sweep/case_store.h"
#include "app/sweep/case_work.h"
#include "app/sweep/ray_engine.h"
#include "app/sweep/sent_files.h"
#include "app/sweep/slurm_engine.h"
#include "app/sweep/sweep_engine.h"
#include "app/sweep/sweep_plan.h"
#include "app/sweep/sweep_table.h"

namespace jointrig::app {

struct SweepRunOptions {
  SweepRobot robot;
  int jobs = 1;
  Shard shard;
  KeptLogs logs = KeptLogs::kFailed;
  std::filesystem::path store;
  bool verbose = false;           ///< a line for each case, not for the first ones that fail
  std::optional<RayOptions> ray;  ///< none: the cases run in this process
};

class SweepRun {
 public:
  /// Makes every case ready and looks which are there. Throws FileError, ModelError,
  /// std::invalid_argument or std::runtime_error.
  SweepRun(const SweepPlan& plan, SweepRunOptions options);

  /// More cases, of an optimiser; looks which are there. Throws as the constructor.
  void add(std::vector<SweepCase> cases);

  /// Runs what is missing of the shard. Throws what ends all, such as a full disk.
  void run_missing();

  /// Waits for an array of Slurm that runs what is missing. Throws std::runtime_error.
  void wait_for_slurm(const SlurmOptions& options);

  /// All cases of the shard, from one on, with what is known of them.
  [[nodiscard]] std::vector<SweepRow> rows(std::size_t from = 0) const;

  [[nodiscard]] std::size_t cases() const noexcept { return cases_.size(); }
  [[nodiscard]] std::size_t missing() const noexcept { return missing_.size(); }
  /// Seconds that the scenarios themselves took, of all jobs together.
  [[nodiscard]] double seconds_in_cases() const noexcept { return seconds_in_cases_; }
  [[nodiscard]] const CaseInputs& inputs() const noexcept { return inputs_; }

 private:
  void tell_count_now_and_then();
  void find_missing(std::size_t from);
  void note_files(const SweepCase& one);
  void run_case(int job, std::size_t i);
  void run_by_ray();
  void start_ray();
  void order(std::size_t i);
  void hear(const EngineWord& word, std::map<std::string, std::size_t>& asked);
  void take(int job, std::size_t i, const CaseEnd& end);
  void tell(int job, const SweepCase& what, const CaseEnd& end);

  const SweepPlan* plan_;
  SweepRunOptions options_;
  CaseInputs inputs_;
  CaseStore store_;
  std::vector<SweepCase> cases_;
  std::vector<std::string> hashes_;
  std::vector<bool> mine_;
  std::vector<std::size_t> missing_;  ///< cases, each hash once
  std::set<std::string> known_;       ///< hashes of the cases so far
  std::unique_ptr<ProgressLine> progress_;
  std::mutex mutex_;
  std::map<std::string, CaseEnd> unstored_;  ///< could not run: by hash
  SentFiles sent_;                           ///< to nodes of Ray
  std::unique_ptr<RayEngine> ray_;
  std::size_t told_ = 0;
  double seconds_in_cases_ = 0.0;
  std::chrono::steady_clock::time_point last_count_;  ///< when the count was printed
};

}  // namespace jointrig::app
