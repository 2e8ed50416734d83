#include "app/sweep/sweep_verb.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/file_signals.h"
#include "app/guarded.h"
#include "app/sweep/sweep_command.h"

namespace jointrig::app {
namespace {

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
      ->check(CLI::IsMember({"grid", "random", "latin_hypercube", "optimise"}));
  verb.add_option("--objective", options.objective,
                  "For method optimise: a metric, or a condition for its margin")
      ->option_text("NAME");
  verb.add_option("--direction", options.direction,
                  "Better way of the objective (default: minimise)")
      ->check(CLI::IsMember({"minimise", "maximise"}));
  verb.add_option("--batch", options.batch, "Samples that an optimiser chooses at once")
      ->check(CLI::Range(1, 10000));
  verb.add_option("--samples", options.samples, "Number of samples")->check(CLI::Range(1, 1000000));
  verb.add_option("--seed", options.seed, "Seed of the samples, and the first of --seeds")
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
  verb->add_option("--backend", options->backend, "Backend of the robot (default: as in run)")
      ->check(CLI::IsMember({"sim", "kinematic", "boards"}));
  verb->add_option("-j,--jobs", options->jobs,
                   "Cases side by side (default: 1; with --engine ray every processor)")
      ->check(CLI::Range(1, 100000));
  verb->add_option("--engine", options->engine,
                   "Where cases run: local, in this process; ray, on the nodes of a Ray cluster; "
                   "slurm, as an array of shards")
      ->check(CLI::IsMember({"local", "ray", "slurm"}))
      ->capture_default_str();
  verb->add_option("--address", options->address,
                   "Address of the Ray cluster, such as 10.0.0.5:6379 (default: the one that runs "
                   "here, or one of this machine alone)");
  verb->add_option("--tasks", options->tasks,
                   "Number of tasks in Slurm's array (default: one for 20 cases)")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--slurm", options->slurm_options,
                   "An option of sbatch, such as --slurm=--partition=long")
      ->option_text("OPTION")
      ->allow_extra_args(false);
  verb->add_flag("--dry-run", options->dry_run, "Print the script for Slurm, run nothing");
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
