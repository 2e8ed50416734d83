#include "app/sweep/sweep_command.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "app/interrupt.h"
#include "app/run/result_files.h"
#include "app/sweep/case_worker.h"
#include "app/sweep/optimiser.h"
#include "app/sweep/slurm_engine.h"
#include "app/sweep/sweep_report.h"
#include "app/sweep/sweep_run.h"
#include "harness/runner/console_text.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMostThreads = 64;          // a choice
constexpr std::size_t kCasesOfTask = 20;  // of Slurm's array: a choice

SweepPlan plan_of(const SweepOptions& options) {
  SweepPlan plan;
  if (fs::is_regular_file(options.what) && is_sweep_file(options.what)) {
    plan = read_sweep(options.what);
    if (!options.vary.empty()) {
      throw std::invalid_argument("--vary goes with a scenario; " + options.what +
                                  " is a sweep, and says itself what varies");
    }
  } else {
    plan.scenario = options.what;
    plan.name = fs::path(options.what).stem().string();
    for (const std::string& axis : options.vary) plan.axes.push_back(parse_axis(axis));
    if (plan.axes.empty()) {
      throw std::invalid_argument(
          "nothing varies: give --vary path=values, or the file of a sweep");
    }
  }
  plan.settings.insert(plan.settings.end(), options.settings.begin(), options.settings.end());
  if (!options.method.empty()) parse(options.method, plan.method);
  if (options.samples > 0) plan.samples = options.samples;
  if (!options.objective.empty()) plan.objective = options.objective;
  if (!options.direction.empty()) parse(options.direction, plan.direction);
  if (options.batch > 0) plan.batch = options.batch;
  if (options.seed) plan.seed = *options.seed;
  if (options.seeds) plan.seeds = options.seeds;
  if (!options.measures.empty()) plan.measures = options.measures;
  check_plan(plan);
  return plan;
}

/// `2/5`.
Shard shard_of(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const char* end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  const bool has_slash = number.ec == std::errc{} && number.ptr != end && *number.ptr == '/';
  const auto of = has_slash ? std::from_chars(number.ptr + 1, end, shard.of) : number;
  if (!has_slash || of.ec != std::errc{} || of.ptr != end || shard.number < 1 ||
      shard.number > shard.of) {
    throw std::invalid_argument("--shard is a share such as 2/5, from 1/5 to 5/5; got \"" + text +
                                "\"");
  }
  return shard;
}

SweepRunOptions run_options(const SweepOptions& options) {
  SweepRunOptions run;
  BackendKind backend{};
  if (parse(options.backend, backend)) run.robot.backend = backend;
  run.robot.robot = options.robot;
  run.jobs = options.jobs.value_or(1);
  run.shard = shard_of(options.shard);
  run.logs = options.logs == "all"    ? KeptLogs::kAll
             : options.logs == "none" ? KeptLogs::kNone
                                      : KeptLogs::kFailed;
  run.store = options.cases;
  run.verbose = options.verbose;
  if (options.engine == "ray") {
    run.ray = RayOptions{options.address, options.jobs.value_or(0), options.out / "ray.log"};
  }
  return run;
}

std::vector<harness::Outcome> outcomes_of_rows(const std::vector<SweepRow>& rows) {
  std::vector<harness::Outcome> outcomes;
  for (const SweepRow& row : rows) {
    harness::Outcome outcome{};
    if (parse(row.outcome, outcome)) outcomes.push_back(outcome);
  }
  return outcomes;
}

void print_list(const SweepRun& run, const std::vector<SweepRow>& rows) {
  for (const SweepRow& row : rows) {
    std::printf("%s  %-9s %s\n", row.hash.c_str(), row.outcome.c_str(),
                run.inputs().command_for(row.what).c_str());
  }
}

void print_summary(const SweepRun& run, const std::vector<SweepRow>& rows, double seconds) {
  const std::vector<harness::Outcome> outcomes = outcomes_of_rows(rows);
  std::string line = harness::summary_line(outcomes);
  if (outcomes.size() < rows.size()) {
    line += fmt::format(", {} not run", rows.size() - outcomes.size());
  }
  std::printf("%s\n", line.c_str());
  if (run.seconds_in_cases() == 0.0) return;
  std::printf("        %.2f s, of which scenarios took %.2f s\n", seconds, run.seconds_in_cases());
}

void print_best(const SweepPlan& plan, const SweepRun& run, const std::vector<SweepRow>& rows) {
  if (plan.method != SweepMethod::kOptimise) return;
  const std::vector<Trial> trials = trials_of(plan, rows);
  const std::optional<std::size_t> best = best_of(plan, trials);
  if (!best) {
    std::printf("no sample passed\n");
    return;
  }
  const SweepRow& row = rows[*best * plan.seeds.value_or(1)];
  std::printf("best    %s = %.6g, sample %zu of %zu\n        %s\n", plan.objective.c_str(),
              *trials[*best].value, *best + 1, trials.size(),
              run.inputs().command_for(row.what).c_str());
}

int work(const SweepOptions& options) {
  SweepPlan plan;
  plan.scenario = options.what;
  const SweepRunOptions run = run_options(options);
  return work_on_cases(plan, run.robot, {run.logs, run.verbose});
}

void check_engine(const SweepOptions& options) {
  const bool is_ray = options.engine == "ray";
  const bool is_slurm = options.engine == "slurm";
  if (!is_slurm && (options.tasks > 0 || !options.slurm_options.empty() || options.dry_run)) {
    throw std::invalid_argument("--tasks, --slurm and --dry-run are of --engine slurm");
  }
  if (options.engine != "local" && !options.shard.empty()) {
    throw std::invalid_argument("--shard is a share for one process: it goes with --engine local");
  }
  if (!is_ray && !options.address.empty()) {
    throw std::invalid_argument("--address is of --engine ray");
  }
  if (!is_ray && options.jobs.value_or(1) > kMostThreads) {
    throw std::invalid_argument(
        fmt::format("one process runs up to {} cases side by side", kMostThreads));
  }
}

void check_search(const SweepOptions& options, const SweepPlan& plan) {
  if (plan.method != SweepMethod::kOptimise) return;
  if (options.list || !options.shard.empty() || options.engine == "slurm") {
    throw std::invalid_argument(
        "an optimiser's samples depend on each other's results: they have no list beforehand and "
        "no shards; engines local and ray run them");
  }
}

/// Command of a task of Slurm's array: this sweep, by its shard.
std::vector<std::string> shard_command(const SweepOptions& options) {
  std::vector<std::string> words{fs::canonical("/proc/self/exe").string(), "sweep", options.what};
  const auto add = [&words](const char* name, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(name);
    words.push_back(value);
  };
  for (const std::string& axis : options.vary) add("--vary", axis);
  for (const std::string& setting : options.settings) add("--set", setting);
  add("--method", options.method);
  if (options.samples > 0) add("--samples", fmt::format("{}", options.samples));
  if (options.seed) add("--seed", fmt::format("{}", *options.seed));
  if (options.seeds) add("--seeds", fmt::format("{}", *options.seeds));
  add("--robot", options.robot);
  add("--backend", options.backend);
  add("--logs", options.logs);
  add("--out", options.out.string());
  add("--cases", options.cases.string());
  return words;
}

SlurmOptions slurm_options(const SweepOptions& options, const SweepPlan& plan, std::size_t cases) {
  const auto usual = static_cast<int>((cases + kCasesOfTask - 1) / kCasesOfTask);
  SlurmOptions slurm;
  slurm.tasks = options.tasks > 0 ? options.tasks : std::max(1, usual);
  slurm.jobs = options.jobs.value_or(1);
  slurm.options = options.slurm_options;
  slurm.name = "jointrig-" + plan.name;
  slurm.command = shard_command(options);
  slurm.folder = options.out;
  return slurm;
}

/// Batch by batch; what is in the store already is read, and not run again.
void search(const SweepPlan& plan, SweepRun& run, const fs::path& words) {
  Optimiser optimiser(plan, words);
  for (std::size_t done = 0; done < plan.samples && !interrupted.load();) {
    const std::size_t samples = std::min(plan.batch, plan.samples - done);
    const std::size_t from = run.cases();
    run.add(optimiser.ask(samples));
    run.run_missing();
    const std::vector<SweepRow> rows = run.rows(from);
    if (done == 0) check_measures(plan, rows);
    optimiser.tell(trials_of(plan, rows));
    done += samples;
  }
}

void run_all(const SweepOptions& options, const SweepPlan& plan, SweepRun& run) {
  if (plan.method == SweepMethod::kOptimise) {
    search(plan, run, options.out / "optimiser.log");
  } else if (options.engine == "slurm" && run.missing() > 0) {
    run.wait_for_slurm(slurm_options(options, plan, run.cases()));
  } else {
    run.run_missing();
  }
}

}  // namespace

int sweep(SweepOptions options) {
  if (options.worker) return work(options);
  check_engine(options);
  const SweepPlan plan = plan_of(options);
  if (options.out.empty()) options.out = fs::path("runs") / ("sweep-" + folder_name(plan.name));
  if (options.cases.empty()) options.cases = options.out.lexically_normal().parent_path() / "cases";
  const auto began = std::chrono::steady_clock::now();
  check_search(options, plan);
  SweepRun run(plan, run_options(options));
  if (options.dry_run) {
    std::printf("%s", slurm_script(slurm_options(options, plan, run.cases())).c_str());
    return 0;
  }
  if (options.list) {
    print_list(run, run.rows());
    return 0;
  }
  const std::size_t to_run = run.missing();
  if (plan.method == SweepMethod::kOptimise) {
    std::printf("%s: %zu samples by an optimiser\n", plan.name.c_str(), plan.samples);
  } else {
    std::printf("%s: %zu cases, %zu to run\n", plan.name.c_str(), run.cases(), to_run);
  }
  std::fflush(stdout);

  end_on_interrupt();
  run_all(options, plan, run);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  const std::vector<SweepRow> rows = run.rows();
  print_summary(run, rows, seconds.count());
  print_best(plan, run, rows);
  if (options.shard.empty()) {
    write_text(options.out / "table.csv", csv_of(plan, rows));
    write_sweep_report(options.out / "report.html", plan, run.inputs(), rows);
    std::printf("table   %s\n", (options.out / "table.csv").generic_string().c_str());
    std::printf("report  %s\n", (options.out / "report.html").generic_string().c_str());
  } else {
    std::printf("shard %s; the same without --shard makes table and report of all\n",
                options.shard.c_str());
  }
  if (interrupted.load()) return kInterruptedCode;
  check_measures(plan, rows);  // after the table: what has run counts
  return harness::exit_code(outcomes_of_rows(rows));
}

}  // namespace jointrig::app
