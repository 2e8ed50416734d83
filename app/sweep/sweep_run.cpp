#include "app/sweep/sweep_run.h"

#include <fmt/core.h>

#include <chrono>
#include <set>
#include <stdexcept>
#include <utility>

#include "app/interrupt.h"
#include "app/run/result_files.h"
#include "control/core/text.h"
#include "harness/runner/console_text.h"
#include "harness/runner/result_json.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTold = 20;                      // failed cases by a line each: a choice
constexpr auto kCountEvery = std::chrono::seconds(10);     // where no terminal shows it: a choice
constexpr std::string_view kWallClock = "the wall clock";  // in the reason of a time-out of it

std::string values_text(const SweepPlan& plan, const SweepCase& one) {
  std::string text;
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    text += (i == 0 ? "" : "  ") + plan.axes[i].path + "=" + one.values[i];
  }
  if (one.seed) text += fmt::format("  seed {}", *one.seed);
  return text;
}

}  // namespace

SweepRun::SweepRun(const SweepPlan& plan, SweepRunOptions options)
    : plan_(&plan),
      options_(std::move(options)),
      inputs_(plan, options_.robot),
      store_(options_.store),
      cases_(cases_of(plan)),
      hashes_(cases_.size()) {
  const PreparedCase first = inputs_.prepare(cases_.front());
  static_cast<void>(robot_of(first.scenario, first.options));  // throws what is wrong with it
  find_missing();
}

/// Each hash counts once: two values may be the same case.
void SweepRun::find_missing() {
  std::vector<char> is_there(cases_.size());
  std::atomic<bool> never{false};
  run_locally(options_.jobs, cases_.size(), never, [&](int /*job*/, std::size_t i) {
    const PreparedCase ready = inputs_.prepare(cases_[i]);
    hashes_[i] = ready.hash;
    is_there[i] = store_.has(ready.hash, ready.inputs) ? 1 : 0;
  });
  std::map<std::string, std::size_t> numbers;  // of hashes
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const auto [number, is_new] = numbers.emplace(hashes_[i], numbers.size());
    mine_.push_back(options_.shard.has(number->second));
    if (is_new && mine_.back() && is_there[i] == 0) missing_.push_back(i);
  }
}

void SweepRun::run_missing() {
  if (missing_.empty()) return;
  progress_ = std::make_unique<ProgressLine>(options_.jobs, missing_.size());
  last_count_ = std::chrono::steady_clock::now();
  run_locally(options_.jobs, missing_.size(), interrupted,
              [this](int job, std::size_t i) { run_case(job, missing_[i]); });
}

void SweepRun::run_case(int job, std::size_t i) {
  PreparedCase ready = inputs_.prepare(cases_[i]);
  const fs::path part = store_.begin(ready.hash);
  write_text(part / kInputsFile, ready.inputs);  // on a full disk this throws before the run
  if (options_.logs != KeptLogs::kNone) {
    ready.options.folder = part / folder_name(ready.scenario.name);
  }
  ready.options.interrupted = &interrupted;
  ready.options.on_progress = [&](const std::string& progress, double sim_time) {
    progress_->show(job, fmt::format("case {} {:.1f} s  {}", i + 1, sim_time, progress));
  };
  JobResult result = run_scenario(ready.scenario, ready.options);
  if (interrupted.load()) {  // it may have been broken off
    store_.drop(ready.hash);
    return;
  }
  store_result(ready, part, result);
  tell(job, ready, cases_[i], result);
}

/// What depends on more than the inputs is not stored, and is tried again next time.
void SweepRun::store_result(const PreparedCase& ready, const fs::path& part, JobResult& job) {
  harness::Result& result = job.result;
  const bool is_late = result.outcome == harness::Outcome::kTimeout &&
                       result.reason.find(kWallClock) != std::string::npos;
  {
    const std::lock_guard lock(mutex_);
    seconds_in_cases_ += result.wall_time;
    if (is_late || result.outcome == harness::Outcome::kCouldNotRun) {
      unstored_[ready.hash] = result;
      store_.drop(ready.hash);
      return;
    }
  }
  const bool passed = result.outcome == harness::Outcome::kPassed;
  const bool keeps_log = options_.logs == KeptLogs::kAll || !passed;
  if (job.log_failed && keeps_log) {
    store_.drop(ready.hash);
    throw std::runtime_error(joined(job.remarks, "; "));
  }
  if (!keeps_log) {
    job.log_failed = false;
    drop_log_if_passed(job);
  }
  if (!job.log_path.empty()) {
    result.properties["log"] =
        (store_.folder_of(ready.hash) / fs::relative(job.log_path, part)).generic_string();
  }
  try {
    write_text(part / kResultFile, harness::to_json({&result, 1}));
    store_.keep(ready.hash);
  } catch (const std::exception&) {
    store_.drop(ready.hash);
    throw;
  }
}

/// A line for a case that did not pass, as long as there are few; now and then how far all is.
void SweepRun::tell(int job, const PreparedCase& ready, const SweepCase& what,
                    const JobResult& result) {
  progress_->done(job);
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  const bool passed = result.result.outcome == harness::Outcome::kPassed;
  if (options_.verbose || (!passed && told_ < kMostTold)) {
    lines = harness::console_lines(result.result, options_.verbose);
    lines.insert(lines.begin() + 1,
                 "      " + values_text(*plan_, what) + "  (" + ready.hash + ")");
    if (!passed) ++told_;
    if (told_ == kMostTold && !passed && !options_.verbose) {
      lines.emplace_back("      the table names all others that did not pass");
    }
  }
  const auto now = std::chrono::steady_clock::now();
  if (!progress_->is_on_terminal() && now - last_count_ > kCountEvery) {
    last_count_ = now;
    lines.push_back(progress_->count());
  }
  progress_->print(lines);
}

std::vector<SweepRow> SweepRun::rows() const {
  std::vector<SweepRow> rows;
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (!mine_[i]) continue;
    SweepRow& row = rows.emplace_back();
    row.what = cases_[i];
    row.hash = hashes_[i];
  }
  std::atomic<bool> never{false};
  run_locally(options_.jobs, rows.size(), never, [&](int /*job*/, std::size_t i) {
    SweepRow& row = rows[i];
    const fs::path folder = store_.folder_of(row.hash);
    if (fs::exists(folder / kResultFile)) {
      row.result = read_run(folder).front();
      row.outcome = row.result->outcome;
      row.reason = row.result->reason;
      row.folder = folder.generic_string();
    } else if (const auto found = unstored_.find(row.hash); found != unstored_.end()) {
      row.outcome = to_string(found->second.outcome);
      row.reason = found->second.reason;
    }
  });
  return rows;
}

}  // namespace jointrig::app
