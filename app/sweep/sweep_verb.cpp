#include "app/sweep/sweep_verb.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>

#include "app/file_signals.h"
#include "app/guarded.h"
#include "app/interrupt.h"
#include "app/run/result_files.h"
#include "app/sweep/case_worker.h"
#include "app/sweep/sweep_report.h"
#include "app/sweep/sweep_run.h"
#include "harness/runner/console_text.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMostThreads = 64;  // a choice

struct SweepOptions {
  std::string what;  ///< a sweep's file, or a scenario
  std::vector<std::string> vary;
  std::vector<std::string> settings;
  std::string method;
  std::size_t samples = 0;
  std::optional<std::uint64_t> seed;
  std::optional<std::size_t> seeds;
  std::vector<std::string> measures;
  std::string backend;
  std::string robot;
  std::optional<int> jobs;
  std::string shard;
  std::string logs = "failed";
  fs::path out;    ///< empty: runs/sweep-<name>
  fs::path cases;  ///< empty: cases beside it
  std::string engine = "local";
  std::string address;  ///< of a Ray cluster
  bool list = false;
  bool worker = false;  ///< for an engine's process
  bool verbose = false;
};

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

void print_summary(const SweepRun& run, const std::vector<SweepRow>& rows, double seconds,
                   std::size_t to_run) {
  const std::vector<harness::Outcome> outcomes = outcomes_of_rows(rows);
  std::string line = harness::summary_line(outcomes);
  if (outcomes.size() < rows.size()) {
    line += fmt::format(", {} not run", rows.size() - outcomes.size());
  }
  std::printf("%s\n", line.c_str());
  if (to_run == 0) return;
  std::printf("        %.2f s, of which scenarios took %.2f s\n", seconds, run.seconds_in_cases());
}

int work(const SweepOptions& options) {
  SweepPlan plan;
  plan.scenario = options.what;
  const SweepRunOptions run = run_options(options);
  return work_on_cases(plan, run.robot, {run.logs, run.verbose});
}

void check_engine(const SweepOptions& options) {
  const bool is_ray = options.engine == "ray";
  if (!is_ray && !options.address.empty()) {
    throw std::invalid_argument("--address is of --engine ray");
  }
  if (!is_ray && options.jobs.value_or(1) > kMostThreads) {
    throw std::invalid_argument(
        fmt::format("one process runs up to {} cases side by side", kMostThreads));
  }
}

int sweep(SweepOptions options) {
  if (options.worker) return work(options);
  check_engine(options);
  const SweepPlan plan = plan_of(options);
  if (options.out.empty()) options.out = fs::path("runs") / ("sweep-" + folder_name(plan.name));
  if (options.cases.empty()) options.cases = options.out.lexically_normal().parent_path() / "cases";
  const auto began = std::chrono::steady_clock::now();
  SweepRun run(plan, run_options(options));
  if (options.list) {
    print_list(run, run.rows());
    return 0;
  }
  const std::size_t to_run = run.missing();
  std::printf("%s: %zu cases, %zu to run\n", plan.name.c_str(), run.cases(), to_run);
  std::fflush(stdout);

  end_on_interrupt();
  run.run_missing();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  const std::vector<SweepRow> rows = run.rows();
  print_summary(run, rows, seconds.count(), to_run);
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

void add_what_varies(CLI::App& verb, SweepOptions& options) {
  verb.add_option("file", options.what, "The file of a sweep, or a scenario for --vary")
      ->required();
  verb.add_option("--vary", options.vary,
                  "path=value,value,... or path=from..to:count; without the count it is sampled")
      ->option_text("PATH=VALUES")
      ->allow_extra_args(false);
  verb.add_option("--set", options.settings, "The same in every case: path=value, as in run")
      ->option_text("PATH=VALUE")
      ->allow_extra_args(false);
  verb.add_option("--method", options.method, "How values are combined (default: grid)")
      ->check(CLI::IsMember({"grid", "random", "latin_hypercube"}));
  verb.add_option("--samples", options.samples, "Number of samples")->check(CLI::Range(1, 1000000));
  verb.add_option("--seed", options.seed, "Of the samples, and the first of --seeds")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{4294967295U}));
  verb.add_option("--seeds", options.seeds, "Runs of each case, with noise of other seeds")
      ->check(CLI::Range(1, 100000));
  verb.add_option("--measure", options.measures,
                  "Column of the table: a metric, or a condition's margin (default: all metrics)")
      ->option_text("NAME")
      ->allow_extra_args(false);
}

}  // namespace

void add_sweep(CLI::App& program, int& code) {
  auto options = std::make_shared<SweepOptions>();
  CLI::App* verb = program.add_subcommand(
      "sweep", "Run one scenario with many values: what passes, what fails, and the boundary");
  add_what_varies(*verb, *options);
  verb->add_option("--robot", options->robot,
                   "Robot in place of the scenario's: name, yaml, MJCF or URDF");
  verb->add_option("--backend", options->backend, "What drives the robot (default: as in run)")
      ->check(CLI::IsMember({"sim", "kinematic", "boards"}));
  verb->add_option("-j,--jobs", options->jobs,
                   "Cases side by side (default: 1; with --engine ray every processor)")
      ->check(CLI::Range(1, 100000));
  verb->add_option("--engine", options->engine,
                   "Where cases run: local, in this process; ray, on the nodes of a Ray cluster")
      ->check(CLI::IsMember({"local", "ray"}))
      ->capture_default_str();
  verb->add_option("--address", options->address,
                   "Of the Ray cluster, such as 10.0.0.5:6379 (default: the one that runs here, or "
                   "one of this machine alone)");
  verb->add_option("--shard", options->shard,
                   "Run a share of the cases, such as 2/5; shards may share their folders");
  verb->add_option("--logs", options->logs, "Keep the logs of these cases")
      ->check(CLI::IsMember({"all", "failed", "none"}))
      ->capture_default_str();
  verb->add_option("--out", options->out,
                   "Folder for table and report (default runs/sweep-<name>)");
  verb->add_option("--cases", options->cases,
                   "Folder with the results of cases, which sweeps may share (default: cases, "
                   "beside --out)");
  verb->add_flag("--list", options->list, "Name the cases with their commands, run nothing");
  verb->add_flag("-v,--verbose", options->verbose, "Show every case and verdict");
  verb->add_flag("--worker", options->worker, "")->group("");  // for an engine alone
  verb->footer(
      "A case that has run with the same inputs is not run again: a sweep that was ended goes on\n"
      "where it was.\n"
      "Exit code: as of run, over all cases.\n\n"
      "  jointrig sweep examples/sweeps/delay_and_weight.yaml -j 2\n"
      "  jointrig sweep lift.yaml --vary parameters.load='1 kg,2 kg,3 kg' \\\n"
      "      --vary robot.plant.mass_scale=0.8..1.2:5 --seeds 3\n"
      "  jointrig sweep lift.yaml --vary parameters.load='1 kg..3 kg' --method latin_hypercube "
      "--samples 100");
  verb->callback([=, &code] {
    survive_file_signals();
    code = guarded("sweep", [&] { return sweep(*options); });
  });
}

}  // namespace jointrig::app
