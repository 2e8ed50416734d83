#include "app/run/run_verb.h"

#include <fmt/core.h>
#include <malloc.h>

#include <cstdio>
#include <set>

#include "app/file_signals.h"
#include "app/interrupt.h"
#include "app/local_time.h"
#include "app/run/family_errors.h"
#include "app/run/job_outputs.h"
#include "app/run/past_run.h"
#include "app/run/progress_line.h"
#include "app/run/result_files.h"
#include "app/run/robot_remarks.h"
#include "app/run/scenario_job.h"
#include "app/run/scenario_list.h"
#include "app/run/side_by_side.h"
#include "app/version.h"
#include "harness/config/file_error.h"
#include "harness/report/html_report.h"
#include "harness/runner/console_text.h"

namespace jointrig::app {
namespace {

/// All runs of one command: the scenarios, their threads, and the results.
class Campaign {
 public:
  Campaign(const RunOptions& options, std::vector<harness::Scenario> scenarios)
      : options_(&options),
        scenarios_(std::move(scenarios)),
        results_(scenarios_.size()),
        family_errors_(scenarios_),
        progress_(options.jobs, scenarios_.size()) {}

  /// Reads every scenario's robot. Throws FileError with all that is wrong in their files, or
  /// ModelError.
  void check_robots() const;
  void run_all();
  /// Binds every scenario to its robot and runs none.
  void check_all();
  /// Writes all outputs. Returns sentences on those that failed.
  [[nodiscard]] std::vector<std::string> write_outputs(const std::filesystem::path& folder) const;
  [[nodiscard]] std::vector<harness::Outcome> outcomes() const { return outcomes_of(results_); }
  [[nodiscard]] const std::vector<JobResult>& results() const { return results_; }
  /// True if a scenario could not begin.
  [[nodiscard]] bool some_could_not_begin() const { return family_errors_.any(); }

 private:
  void work(int job, std::size_t i);
  [[nodiscard]] JobOptions job_options(int job, const harness::Scenario& scenario) const;
  [[nodiscard]] JobResult run_one(int job, const harness::Scenario& scenario) const;

  const RunOptions* options_;
  std::vector<harness::Scenario> scenarios_;
  std::vector<JobResult> results_;
  FamilyErrors family_errors_;
  mutable ProgressLine progress_;
  RobotRemarks robot_remarks_;
};

JobOptions Campaign::job_options(int job, const harness::Scenario& scenario) const {
  JobOptions o;
  o.backend = options_->backend;
  o.robot = options_->robot;
  o.pin_base = options_->pin_base;
  o.motors = options_->motors;
  o.package_path = options_->package_path;
  o.seed = options_->seed;
  o.realtime = options_->realtime;
  o.real_time_factor = options_->real_time_factor;
  o.speed_override = options_->speed_override;
  o.wiggle_check = options_->wiggle_check;
  o.spin_us = options_->spin_us;
  o.core = options_->core;
  o.interrupted = &interrupted;
  o.connect = options_->connect;
  o.take_over = options_->take_over;
  o.robot_settings = split_settings(options_->settings).robot;
  if (!options_->out.empty()) o.folder = options_->out / folder_name(scenario.name);
  if (options_->onlooker) {
    o.onlooker = [this](Rig& rig, const std::string& name) {
      return options_->onlooker(rig, name, [this](const std::string& sentence) {
        progress_.print({"      " + sentence});
      });
    };
  }
  o.on_progress = [this, job, &scenario](const std::string& progress, double sim_time) {
    progress_.show(job, fmt::format("{} {:.1f} s  {}", scenario.name, sim_time, progress));
  };
  return o;
}

/// A robot that can't be read ends the run before it begins. With --robot the robot alone has to be
/// readable: settings that a scenario asks for may name joints of its own robot, and are its error.
void Campaign::check_robots() const {
  harness::Problems problems;
  std::set<std::string> checked;  // scenarios that change nothing in their robot share its check
  std::set<std::string> told;
  for (harness::Scenario scenario : scenarios_) {
    if (!options_->robot.empty()) scenario.config = {};
    if (scenario.config.is_null() &&
        !checked.insert(scenario.file.parent_path() / scenario.robot.text()).second) {
      continue;
    }
    harness::Problems found;
    found.collect([&] { static_cast<void>(robot_of(scenario, job_options(0, scenario))); });
    for (const harness::FileProblem& problem : found.list()) {
      if (told.insert(harness::to_string(problem)).second) {
        problems.add(problem.spot, problem.sentence);
      }
    }
  }
  problems.throw_if_any();
}

JobResult Campaign::run_one(int job, const harness::Scenario& scenario) const {
  JobOptions o = job_options(job, scenario);
  JobResult first = run_scenario(scenario, o);
  for (int i = 1; i < options_->repeat && !interrupted.load(); ++i) {
    o.folder.clear();  // the log of the first run is kept
    const JobResult again = run_scenario(scenario, o);
    const bool differs = options_->check_hash && again.hashes != first.hashes;
    const bool comparable = again.result.outcome != harness::Outcome::kCouldNotRun &&
                            first.result.outcome != harness::Outcome::kCouldNotRun;
    if (!comparable && again.result.outcome != first.result.outcome) {
      const bool second = again.result.outcome == harness::Outcome::kCouldNotRun;
      const std::string& why = second ? again.result.reason : first.result.reason;
      first.result.outcome = harness::Outcome::kNotDeterministic;
      first.result.reason = fmt::format("run {} could not run: {}", second ? i + 1 : 1, why);
      break;
    }
    if (again.result.outcome != first.result.outcome || (differs && comparable)) {
      std::size_t second = 0;
      while (second < again.hashes.size() && second < first.hashes.size() &&
             again.hashes[second] == first.hashes[second]) {
        ++second;
      }
      first.result.outcome = harness::Outcome::kNotDeterministic;
      first.result.reason =
          fmt::format("run {} differs from run 1 within second {} of robot time: {} against {}",
                      i + 1, second + 1, again.result.state_hash, first.result.state_hash);
      break;
    }
  }
  return first;
}

void Campaign::work(int job, std::size_t i) {
  results_[i] = run_one(job, scenarios_[i]);
  if (!options_->keep_passed_logs) drop_log_if_passed(results_[i]);
  progress_.done(job);
  std::vector<std::string> lines = harness::console_lines(results_[i].result, options_->verbose);
  lines = family_errors_.news(results_[i].result, std::move(lines));
  for (const std::string& remark : results_[i].remarks) lines.push_back("      " + remark);
  for (const std::string& remark : robot_remarks_.news(results_[i].robot_remarks)) {
    lines.push_back("      " + remark);
  }
  progress_.print(lines);
}

void Campaign::run_all() {
  run_side_by_side(options_->jobs, scenarios_.size(), interrupted,
                   [this](int job, std::size_t i) { work(job, i); });
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    if (!results_[i].result.scenario.empty()) continue;  // it was reached
    results_[i].result.scenario = scenarios_[i].name;
    results_[i].result.family = scenarios_[i].family;
    results_[i].result.outcome = harness::Outcome::kCouldNotRun;
    results_[i].result.reason = "interrupted before it began";
  }
}

void Campaign::check_all() {
  for (std::size_t i = 0; i < scenarios_.size(); ++i) {
    results_[i] = check_scenario(scenarios_[i], job_options(0, scenarios_[i]));
    const harness::Result& result = results_[i].result;
    for (const std::string& line : family_errors_.news(result, harness::lines_of_check(result))) {
      std::printf("%s\n", line.c_str());
    }
  }
}

std::vector<std::string> Campaign::write_outputs(const std::filesystem::path& folder) const {
  malloc_trim(0);  // memory freed by the runs, so that the report's memory doesn't add to it
  JobOutputs outputs(results_);
  if (!options_->junit.empty()) outputs.write_junit(options_->junit);
  if (folder.empty()) return outputs.failures();
  outputs.write_junit(folder / "junit.xml");
  outputs.write_json(folder / "result.json");
  if (!options_->report) return outputs.failures();
  harness::RunInfo info;
  info.date = local_time("%Y-%m-%d %H:%M");
  info.facts = {{"jointrig", std::string(kVersion)},
                {"backend", options_->backend ? std::string(to_string(*options_->backend))
                                              : std::string("each robot's own")}};
  outputs.write_report(folder / "report.html", info);
  return outputs.failures();
}

void print_list(const std::vector<harness::Scenario>& scenarios) {
  for (const harness::Scenario& scenario : scenarios) {
    std::string tags;
    for (const std::string& tag : scenario.tags) tags += " #" + tag;
    std::printf("%-44s %s%s\n", scenario.name.c_str(), scenario.about.c_str(), tags.c_str());
  }
  std::printf("%zu scenarios\n", scenarios.size());
}

int fail_to_start(const std::string& sentence) {
  std::fprintf(stderr, "jointrig run: %s\n", sentence.c_str());
  return harness::exit_code(harness::Outcome::kCouldNotRun);
}

/// Refuses options that contradict each other.
void check_options(const RunOptions& options) {
  const bool wants_pace = options.real_time_factor != 1.0 || options.spin_us > 0.0 || options.core;
  if (!options.realtime && wants_pace) {
    throw std::invalid_argument(
        "--rtf, --spin and --core are of a run in real time: add --realtime");
  }
  if (options.realtime && options.check_hash) {
    throw std::invalid_argument(
        "--check-hash compares runs to the bit, and no two runs in real time are equal to the bit: "
        "leave out --realtime or --check-hash");
  }
  if (options.realtime && options.backend && !type_of(*options.backend).keeps_a_clock) {
    throw std::invalid_argument(
        "--realtime needs boards that keep the clock's time, and those of --backend " +
        std::string(to_string(*options.backend)) +
        " have a time of their own: leave out --realtime, or use --backend sim, or hw");
  }
  if (options.backend && !type_of(*options.backend).side_by_side && options.jobs > 1) {
    throw std::invalid_argument(
        "--backend " + std::string(to_string(*options.backend)) +
        " has one robot, and that can't do two things at once: leave out --jobs");
  }
  if (options.connect && !split_settings(options.settings).robot.empty()) {
    throw std::invalid_argument(
        "--set robot.…: the robot of --connect runs already: set it where it is served");
  }
  if (options.realtime && options.jobs > 1) {
    throw std::invalid_argument(
        "--realtime runs one scenario at a time, because loops side by side make each other late: "
        "leave out --jobs");
  }
}

int run_checked(RunOptions options) {
  check_options(options);
  const std::vector<std::string> settings = split_settings(options.settings).scenario;
  std::vector<harness::Scenario> scenarios;
  if (options.last_failed || !options.failed_in.empty()) {
    const std::filesystem::path folder =
        options.failed_in.empty() ? newest_run() : options.failed_in;
    scenarios = failed_scenarios(folder, options.what, settings);
    if (scenarios.empty()) {
      std::printf("all that %s has of this has passed\n", folder.generic_string().c_str());
      return 0;
    }
  } else {
    if (options.what.empty()) {
      throw std::invalid_argument(
          "name scenario files, folders, names or tags; `jointrig list scenarios` names those "
          "here");
    }
    scenarios = find_scenarios(options.what, settings);
  }
  if (options.list) {
    print_list(scenarios);
    return 0;
  }
  if (options.dry_run) {
    options.out.clear();
    Campaign campaign(options, std::move(scenarios));
    campaign.check_robots();
    campaign.check_all();
    const std::vector<harness::Outcome> outcomes = campaign.outcomes();
    const bool wrong =
        harness::exit_code(outcomes) == harness::exit_code(harness::Outcome::kCouldNotRun);
    return wrong ? harness::exit_code(outcomes) : 0;
  }
  if (options.out.empty()) options.out = free_folder("runs/" + local_time("%Y%m%d-%H%M%S"));
  if (options.out == "-") options.out.clear();
  if (!options.out.empty() && !options.overwrite) refuse_used_folder(options.out);
  Campaign campaign(options, std::move(scenarios));
  campaign.check_robots();
  if (!options.out.empty()) make_folder(options.out);

  end_on_interrupt();
  campaign.run_all();
  const std::vector<std::string> failures = campaign.write_outputs(options.out);

  const std::vector<harness::Outcome> outcomes = campaign.outcomes();
  std::printf("%s\n", harness::summary_line(outcomes).c_str());
  if (!options.robot.empty() && campaign.some_could_not_begin()) {
    std::printf(
        "        a scenario names joints of its own robot; for any other robot: jointrig check "
        "%s\n",
        options.robot.c_str());
  }
  if (!options.out.empty()) {
    for (const JobResult& job : campaign.results()) {
      if (campaign.results().size() == 1 && !job.log_path.empty()) {
        std::printf("log     %s\n", job.log_path.c_str());
      }
    }
    if (options.report) {
      std::printf("report  %s\n", (options.out / "report.html").generic_string().c_str());
    }
  }
  for (const std::string& failure : failures) {
    std::fprintf(stderr, "jointrig run: %s\n", failure.c_str());
  }
  if (interrupted.load()) return kInterruptedCode;
  // Judged runs keep their verdicts; a passed run without written results counts as not run.
  const int code = harness::exit_code(outcomes);
  return code == 0 && !failures.empty() ? harness::exit_code(harness::Outcome::kCouldNotRun) : code;
}

}  // namespace

int run_verb(const RunOptions& options) {
  survive_file_signals();
  try {
    return run_checked(options);
  } catch (const std::exception& e) {
    return fail_to_start(e.what());
  }
}

}  // namespace jointrig::app
