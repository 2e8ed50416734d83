#include "app/sweep/sweep_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <utility>

#include "app/interrupt.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostTold = 20;                   // failed cases by a line each: a choice
constexpr auto kCountEvery = std::chrono::seconds(10);  // where no terminal shows it: a choice

std::string values_text(const SweepPlan& plan, const SweepCase& one) {
  std::string text;
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    text += (i == 0 ? "" : "  ") + plan.axes[i].path + "=" + one.values[i];
  }
  if (one.seed) text += fmt::format("  seed {}", *one.seed);
  return text;
}

/// One that a range or list has, where no case is known yet.
SweepCase some_case(const SweepPlan& plan) {
  SweepCase one;
  for (const SweepAxis& axis : plan.axes) one.values.push_back(axis.at(0.0));
  return one;
}

/// Cases in which every value of a list is met: a value may name a file.
std::vector<SweepCase> cases_by_word(const SweepPlan& plan) {
  std::vector<SweepCase> cases{some_case(plan)};
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    for (const std::string& value : plan.axes[i].values) {
      cases.push_back(cases.front());
      cases.back().values[i] = value;
    }
  }
  return cases;
}

}  // namespace

SweepRun::SweepRun(const SweepPlan& plan, SweepRunOptions options)
    : plan_(&plan),
      options_(std::move(options)),
      inputs_(plan, options_.robot),
      store_(options_.store),
      cases_(cases_of(plan)) {
  const SweepCase first_case = cases_.empty() ? some_case(plan) : cases_.front();
  const PreparedCase first = inputs_.prepare(first_case);
  static_cast<void>(robot_of(first.scenario, first.options));  // throws what is wrong with it
  if (options_.ray && plan.method == SweepMethod::kOptimise) {
    for (const SweepCase& one : cases_by_word(plan)) note_files(one);
  }
  find_missing(0);
}

void SweepRun::add(std::vector<SweepCase> cases) {
  const std::size_t from = cases_.size();
  cases_.insert(cases_.end(), cases.begin(), cases.end());
  find_missing(from);
}

/// Files that a node will need, before it is known which values will be chosen.
void SweepRun::note_files(const SweepCase& one) {
  sent_.add(inputs_.prepare(one), inputs_.settings_of(one));
}

/// A shard looks at its own cases alone: ten thousand take seconds to be read. In it each hash
/// counts once, since two values may be the same case.
void SweepRun::find_missing(std::size_t from) {
  hashes_.resize(cases_.size());
  std::vector<char> is_there(cases_.size());
  std::atomic<bool> never{false};
  run_locally(options_.jobs, cases_.size() - from, never, [&](int /*job*/, std::size_t number) {
    const std::size_t i = from + number;
    if (!options_.shard.has(i)) return;
    const PreparedCase ready = inputs_.prepare(cases_[i]);
    hashes_[i] = ready.hash;
    is_there[i] = store_.has(ready.hash, ready.inputs) ? 1 : 0;
    if (options_.ray && is_there[i] == 0) sent_.add(ready, inputs_.settings_of(cases_[i]));
  });
  for (std::size_t i = from; i < cases_.size(); ++i) {
    mine_.push_back(options_.shard.has(i));
    if (mine_[i] && known_.insert(hashes_[i]).second && is_there[i] == 0) missing_.push_back(i);
  }
}

void SweepRun::run_missing() {
  if (missing_.empty()) return;
  progress_ = std::make_unique<ProgressLine>(options_.jobs, missing_.size());
  last_count_ = std::chrono::steady_clock::now();
  if (options_.ray) {
    run_by_ray();
  } else {
    run_locally(options_.jobs, missing_.size(), interrupted,
                [this](int job, std::size_t i) { run_case(job, missing_[i]); });
  }
  missing_.clear();
}

void SweepRun::run_case(int job, std::size_t i) {
  const PreparedCase ready = inputs_.prepare(cases_[i]);
  const auto on_progress = [&](const std::string& progress, double sim_time) {
    progress_->show(job, fmt::format("case {} {:.1f} s  {}", i + 1, sim_time, progress));
  };
  const CaseWork work{options_.logs, options_.verbose};
  const fs::path part = store_.begin(ready.hash);
  try {
    const CaseEnd end = work.run(ready, part, store_.folder_of(ready.hash), on_progress);
    if (interrupted.load()) {  // it may have been broken off
      store_.drop(ready.hash);
    } else {
      take(job, i, end);
    }
  } catch (const std::exception&) {
    store_.drop(ready.hash);
    throw;
  }
}

/// A result that depends on more than the inputs is not stored, and is tried again next time.
void SweepRun::take(int job, std::size_t i, const CaseEnd& end) {
  if (end.is_whole) {
    store_.keep(end.hash);
  } else {
    store_.drop(end.hash);
  }
  {
    const std::lock_guard lock(mutex_);
    seconds_in_cases_ += end.wall_time;
    if (!end.is_whole) unstored_[end.hash] = end;
  }
  tell(job, cases_[i], end);
}

/// The nodes get all orders at once; what was asked for and not heard of is run by the next sweep.
void SweepRun::run_by_ray() {
  if (!ray_) start_ray();
  std::map<std::string, std::size_t> asked;  // by hash
  const auto drop_halves = [&] {
    for (const auto& [hash, i] : asked) store_.drop(hash);
  };
  try {
    for (const std::size_t i : missing_) {
      asked[hashes_[i]] = i;
      order(i);
    }
    while (!asked.empty() && !interrupted.load()) {
      if (const std::optional<EngineWord> word = ray_->next()) hear(*word, asked);
    }
  } catch (const std::exception&) {
    ray_.reset();
    drop_halves();
    throw;
  }
  if (!interrupted.load()) return;
  ray_.reset();
  drop_halves();
}

void SweepRun::wait_for_slurm(const SlurmOptions& options) {
  progress_ = std::make_unique<ProgressLine>(1, missing_.size());
  last_count_ = std::chrono::steady_clock::now();
  std::vector<std::size_t> waited = missing_;
  const auto is_done = [&] {
    const auto left = std::remove_if(waited.begin(), waited.end(), [&](std::size_t i) {
      return fs::exists(store_.folder_of(hashes_[i]) / kResultFile);
    });
    for (auto found = left; found != waited.end(); ++found) progress_->done(0);
    waited.erase(left, waited.end());
    tell_count_now_and_then();
    return waited.empty();
  };
  run_by_slurm(
      options, [&](const std::string& line) { progress_->print({line}); }, is_done);
  static_cast<void>(is_done());  // of what came between the last look and the array's end
  if (waited.empty() || interrupted.load()) return;
  progress_->print({fmt::format(
      "the array has ended, and {} cases have no result: {} tells why; the same command again runs "
      "them",
      waited.size(), (options.folder / "slurm-*.log").generic_string())});
}

void SweepRun::tell_count_now_and_then() {
  const auto now = std::chrono::steady_clock::now();
  if (progress_->is_on_terminal() || now - last_count_ < kCountEvery) return;
  last_count_ = now;
  progress_->print({progress_->count()});
}

void SweepRun::start_ray() {
  RayHeader header;
  header.options = *options_.ray;
  header.scenario = inputs_.file();
  header.robot = inputs_.robot();
  header.version = inputs_.program();
  header.mujoco = CaseInputs::mujoco();
  header.logs = options_.logs;
  header.verbose = options_.verbose;
  header.files = sent_.files();
  header.model_folders = sent_.model_folders();
  ray_ = std::make_unique<RayEngine>(header);
}

void SweepRun::order(std::size_t i) {
  const std::string& hash = hashes_[i];
  ray_->order({hash, inputs_.settings_of(cases_[i]), cases_[i].seed, store_.part_of(hash),
               store_.folder_of(hash)});
}

void SweepRun::hear(const EngineWord& word, std::map<std::string, std::size_t>& asked) {
  switch (word.kind) {
    case EngineWord::Kind::kNote:
      progress_->print({word.text});
      break;
    case EngineWord::Kind::kStatus:
      progress_->show(0, word.text);
      break;
    case EngineWord::Kind::kBroken:
      throw std::runtime_error(word.text);
    case EngineWord::Kind::kEnd:
      if (const auto found = asked.find(word.end.hash); found != asked.end()) {
        take(0, found->second, word.end);
        asked.erase(found);
      }
  }
}

/// A line for a case that did not pass, as long as there are few; now and then how far all is.
void SweepRun::tell(int job, const SweepCase& what, const CaseEnd& end) {
  progress_->done(job);
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  if (options_.verbose || (!end.passed() && told_ < kMostTold)) {
    lines = end.lines;
    lines.insert(lines.begin() + (lines.empty() ? 0 : 1),
                 "      " + values_text(*plan_, what) + "  (" + end.hash + ")");
    if (!end.passed()) ++told_;
    if (told_ == kMostTold && !end.passed() && !options_.verbose) {
      lines.emplace_back("      the table names all others that did not pass");
    }
  }
  progress_->print(lines);
  tell_count_now_and_then();
}

std::vector<SweepRow> SweepRun::rows(std::size_t from) const {
  std::vector<SweepRow> rows;
  for (std::size_t i = from; i < cases_.size(); ++i) {
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
      row.outcome = found->second.outcome;
      row.reason = found->second.reason;
    }
  });
  return rows;
}

}  // namespace jointrig::app
