#include "app/check/check_verb.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "app/check/check_advice.h"
#include "app/check/check_lines.h"
#include "app/check/check_plan.h"
#include "app/check/joint_groups.h"
#include "app/file_signals.h"
#include "app/interrupt.h"
#include "app/local_time.h"
#include "app/run/job_outputs.h"
#include "app/run/past_run.h"
#include "app/run/progress_line.h"
#include "app/run/result_files.h"
#include "app/run/same_robot.h"
#include "app/run/scenario_job.h"
#include "app/run/side_by_side.h"
#include "app/version.h"
#include "control/core/nearest_word.h"
#include "control/core/text.h"
#include "control/exchange/robot_client.h"
#include "harness/config/yaml_document.h"
#include "harness/runner/console_text.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::app {
namespace {

/// A robot that another program serves, as it is before it is checked.
struct ServedRobot {
  remote::RobotFacts facts;
  double speed_override = 1.0;
  JointSet to_calibrate;
};

/// The printed part of a kind: its verdict, and what is said once of all kinds.
struct KindLines {
  std::vector<std::string> verdict;
  std::vector<std::string> notes;
  std::vector<std::string> advice;
  std::vector<std::string> remarks;        // of this run: printed always
  std::vector<std::string> robot_remarks;  // of each run of the robot
};

/// The kinds of one check, their threads and results.
class Check {
 public:
  explicit Check(const CheckOptions& options);

  void run_all();
  /// Returns sentences on what could not be written.
  [[nodiscard]] std::vector<std::string> write_outputs() const;
  [[nodiscard]] std::vector<harness::Outcome> outcomes() const { return outcomes_of(results_); }
  void print_head() const;

 private:
  void end_if_stopped(const CheckPlan& plan, const harness::Result& result);
  void work(int job, std::size_t i);
  [[nodiscard]] CheckPlan plan_for(CheckKind kind, const Discovery& found,
                                   const JointSet& joints) const;
  [[nodiscard]] JobOptions job_options(int job, CheckKind kind) const;
  [[nodiscard]] JobResult run_one(int job, const CheckPlan& plan) const;
  [[nodiscard]] bool passes(int job, CheckKind kind, JointIndex joint,
                            const std::string& lines) const;
  [[nodiscard]] KindLines lines_of(int job, const CheckPlan& plan, JobResult& result) const;
  void tell(std::size_t i, KindLines lines);
  [[nodiscard]] std::vector<std::string> once(const KindLines& lines);
  [[nodiscard]] harness::RunInfo info() const;
  void check_served() const;

  const CheckOptions* options_;
  std::optional<ServedRobot> served_;      // none: it is simulated here
  std::vector<std::string> guessed_arms_;  // settings, of a robot without arms in its file
  bool has_begun_ = false;                 // on a served robot, a kind
  CheckPlace place_;
  Discovery found_;
  std::vector<CheckedJoint> numbers_;  // of all its joints
  JointSet joints_;
  std::vector<CheckPlan> plans_;
  std::vector<CheckPlan> plans_one_by_one_;  // of kinds that ask groups of joints; else empty ones
  std::vector<JobResult> results_;
  mutable ProgressLine progress_;
  std::mutex told_mutex_;
  std::vector<std::optional<KindLines>> lines_;  // of kinds that are over
  std::size_t told_kinds_ = 0;                   // in their order
  std::set<std::string> told_;
  std::string served_ended_;  // why nothing more is done on a served robot; empty: nothing
};

std::vector<CheckKind> kinds_of(const std::vector<std::string>& words) {
  if (words.empty()) return {kAllCheckKind.begin(), kAllCheckKind.end()};
  std::vector<CheckKind> kinds;
  for (const std::string& word : words) {
    CheckKind kind{};
    if (!parse(word, kind)) {
      throw std::invalid_argument("there is no kind \"" + word + "\"" +
                                  did_you_mean(word, kCheckKindWords) + "; there are " +
                                  joined(kCheckKindWords));
    }
    kinds.push_back(kind);
  }
  return kinds;
}

bool has_failed(harness::Outcome outcome) {
  return outcome == harness::Outcome::kFailed || outcome == harness::Outcome::kSafetyStop ||
         outcome == harness::Outcome::kTimeout;
}

bool needs_arms(CheckKind kind) {
  return kind == CheckKind::kGuide || kind == CheckKind::kCartesian;
}

/// The arms that `jointrig inspect` proposes, as settings, if the robot's file has none.
std::vector<std::string> settings_of(const Discovery& found) {
  std::vector<std::string> settings;
  if (!found.config.arms.empty()) return settings;
  for (const GuessedArm& arm : found.arms) {
    const std::string name = harness::yaml_string(arm.name);
    const auto called = [&](const PartConfig& part) { return part.name == arm.name; };
    const std::vector<PartConfig>& parts = found.config.parts;
    if (std::none_of(parts.begin(), parts.end(), called)) {
      const auto of_joint = [&](JointIndex joint) {
        return harness::yaml_string(found.config.joints[joint].name);
      };
      settings.push_back("parts={" + name + ": [" + joined(arm.joints, ", ", of_joint) + "]}");
    }
    settings.push_back("arms={" + name + ": {part: " + name +
                       ", tool: " + harness::yaml_string(arm.tool) + "}}");
  }
  return settings;
}

std::optional<ServedRobot> served_robot(const CheckOptions& options) {
  if (!options.connect) return std::nullopt;
  constexpr std::chrono::milliseconds kLongest(5000);
  const std::unique_ptr<remote::Connection> robot = options.connect("check");
  const auto snapshot = std::make_unique<Snapshot>();
  if (!robot->next(0, kLongest, *snapshot)) {
    const std::string lost = robot->lost();
    throw std::runtime_error("the served robot tells no state" + (lost.empty() ? "" : ": " + lost));
  }
  ServedRobot served{robot->facts(), snapshot->speed_override, {}};
  for (std::size_t i = 0; i < snapshot->joints.size(); ++i) {
    served.to_calibrate.set(i, snapshot->joints[i].mode == JointMode::kConfigured);
  }
  return served;
}

/// Refuses a served robot that isn't the one that the checks are written for.
void Check::check_served() const {
  refuse_another(found_.config, served_->facts);
  if (served_->speed_override < 1.0) {
    throw std::invalid_argument(fmt::format(
        "{} is served with a speed override of {:g}, and a check judges motions at full speed: set "
        "the override to 1 first, in the panel or with set_speed_override(1) in Python",
        found_.config.name, served_->speed_override));
  }
  const std::vector<JointOrigin>& origins = found_.origins;
  if (std::any_of(origins.begin(), origins.end(), [](const auto& one) { return one.floats; })) {
    throw std::invalid_argument("the base of " + found_.config.name +
                                " floats, and a check needs it bolted down: serve it with "
                                "--pin-base");
  }
  if (served_->facts.is_real && options_->kinds.empty()) {
    throw std::invalid_argument(
        "the drives of " + found_.config.name +
        " are real, and some kinds let its motors go: name those that it may do, such as --only "
        "hold,move,stop");
  }
}

Check::Check(const CheckOptions& options)
    : options_(&options),
      served_(served_robot(options)),
      found_(robot_of({}, job_options(0, {}))),
      progress_(options.jobs, options.kinds.empty() ? kAllCheckKind.size() : options.kinds.size()) {
  if (found_.config.joints.empty()) {
    throw std::invalid_argument(options.model +
                                " has no joint that can be controlled: `jointrig inspect " +
                                options.model + "` says why");
  }
  if (served_) {
    check_served();
    place_ = {CheckWitness::kReports, served_->to_calibrate};
  }
  PathCollision collision(found_.config);
  numbers_ = checked_joints(found_, collision);
  // A served robot moves one joint after the other, as a person watches it.
  place_.one_by_one = served_.has_value();
  const std::vector<CheckKind> kinds = kinds_of(options.kinds);
  if (!served_ && std::any_of(kinds.begin(), kinds.end(), asks_groups)) {
    form_groups(found_, collision, numbers_);
  }
  for (const std::string& name : options.joints) joints_ |= joints_named(found_.config, name);
  if (options.joints.empty()) joints_ = joints_named(found_.config, "all");
  guessed_arms_ = settings_of(found_);
  for (const CheckKind kind : kinds) {
    if (served_ && needs_pushes(kind)) {
      CheckPlan plan;
      plan.kind = kind;
      plan.why_not = "it pushes the robot, and over a connection nothing can";
      plans_.push_back(std::move(plan));
      continue;
    }
    const bool is_guessed = needs_arms(kind) && !guessed_arms_.empty();
    plans_.push_back(
        is_guessed ? plan_for(kind, robot_of({}, job_options(0, kind)), joints_)
                   : plan_check(kind, found_, numbers_, joints_, options.model, collision, place_));
    // A joint that one kind calibrates stays so for the next.
    if (plans_.back().why_not.empty()) place_.to_calibrate.reset();
  }
  plans_one_by_one_.resize(plans_.size());
  CheckPlace one_by_one = place_;
  one_by_one.one_by_one = true;
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (!plans_[i].asks_groups) continue;
    plans_one_by_one_[i] =
        plan_check(plans_[i].kind, found_, numbers_, joints_, options.model, collision, one_by_one);
  }
  results_.resize(plans_.size());
  lines_.resize(plans_.size());
}

JobOptions Check::job_options(int job, CheckKind kind) const {
  JobOptions o;
  if (!served_) o.backend = BackendKind::kSim;
  o.connect = options_->connect;
  o.take_over = options_->take_over && !has_begun_;  // who stopped it meanwhile keeps it
  o.robot = options_->model;
  o.pin_base = !served_ || served_->facts.config.pin_base;
  o.motors = options_->motors;
  o.package_path = options_->package_path;
  o.robot_settings = options_->settings;
  if (needs_arms(kind)) {
    o.robot_settings.insert(o.robot_settings.end(), guessed_arms_.begin(), guessed_arms_.end());
  }
  o.interrupted = &interrupted;
  if (!options_->out.empty()) o.folder = options_->out / std::string(to_string(kind));
  o.on_progress = [this, job, kind](const std::string& progress, double sim_time) {
    progress_.show(job, fmt::format("{} {:.1f} s  {}", to_string(kind), sim_time, progress));
  };
  return o;
}

JobResult Check::run_one(int job, const CheckPlan& plan) const {
  JobResult result;
  result.result.scenario = result.result.family = to_string(plan.kind);
  result.result.about = about(plan.kind);
  result.result.outcome = harness::Outcome::kSkipped;
  result.result.reason = plan.why_not;
  if (plan.yaml.empty()) return result;
  const JobOptions options = job_options(job, plan.kind);
  std::string file = std::string(to_string(plan.kind)) + ".yaml";
  try {
    if (!options.folder.empty()) {
      file = (options.folder / "check.yaml").generic_string();
      write_text(file, plan.yaml);
    }
    result = run_scenario(
        harness::read_scenarios(harness::parse_yaml(plan.yaml, file), file).front(), options);
  } catch (const std::exception& error) {
    result.result.outcome = harness::Outcome::kCouldNotRun;
    result.result.reason = error.what();
  }
  return result;
}

/// Plan for a robot with other settings than the checked one's.
CheckPlan Check::plan_for(CheckKind kind, const Discovery& found, const JointSet& joints) const {
  PathCollision collision(found.config);
  return plan_check(kind, found, checked_joints(found, collision), joints, options_->model,
                    collision, place_);
}

/// Checks one joint with lines of robot.yaml laid over the robot's own; writes nothing.
bool Check::passes(int job, CheckKind kind, JointIndex joint, const std::string& lines) const {
  if (interrupted.load()) return false;
  progress_.show(job, fmt::format("{}: trying {}", to_string(kind), lines));
  JobOptions options = job_options(job, kind);
  options.folder.clear();
  options.on_progress = {};
  // "joints: {elbow: ...}" as a setting: joints={elbow: ...}
  std::string setting = lines;
  setting.replace(setting.find(": "), 2, "=");
  options.robot_settings.push_back(setting);
  try {
    const CheckPlan plan = plan_for(kind, robot_of({}, options), JointSet().set(joint));
    if (plan.yaml.empty()) return false;
    const harness::YamlNode document = harness::parse_yaml(plan.yaml, "");
    const JobResult result = run_scenario(harness::read_scenarios(document, "").front(), options);
    return result.result.outcome == harness::Outcome::kPassed;
  } catch (const std::exception&) {
    return false;  // the robot refuses such a setting
  }
}

/// The lines that are printed of a kind; its notes and advice go into the report, too.
KindLines Check::lines_of(int job, const CheckPlan& plan, JobResult& result) const {
  KindLines lines;
  lines.verdict = check_lines(plan.kind, result.result);
  lines.remarks = result.remarks;
  lines.robot_remarks = result.robot_remarks;
  if (options_->verbose) {
    const std::vector<std::string> verdicts = harness::console_lines(result.result, true);
    lines.verdict.insert(lines.verdict.end(), verdicts.begin() + 1, verdicts.end());
  }
  if (!plan.yaml.empty()) {
    lines.notes = plan.remarks;
    for (const std::string& note : plan.notes) lines.notes.push_back("left out " + note);
    std::vector<std::string>& reported = result.result.notes;
    reported.insert(reported.end(), lines.notes.begin(), lines.notes.end());
  }
  const harness::Outcome outcome = result.result.outcome;
  // Advice is tried out in simulation, which has not seen what a served robot did.
  if (!served_ &&
      (outcome == harness::Outcome::kFailed || outcome == harness::Outcome::kSafetyStop)) {
    const TryOut try_out = [&](JointIndex joint, const std::string& settings) {
      return passes(job, plan.kind, joint, settings);
    };
    lines.advice = advice(result.result, found_, numbers_, try_out);
    std::vector<std::string>& reported = result.result.notes;
    reported.insert(reported.end(), lines.advice.begin(), lines.advice.end());
  }
  return lines;
}

/// Without what another kind has said. The caller has told_mutex_.
std::vector<std::string> Check::once(const KindLines& lines) {
  std::vector<std::string> all = lines.verdict;
  const auto is_told = [&](const std::string& words) { return !told_.insert(words).second; };
  std::vector<std::string> notes = lines.notes;
  if (!options_->verbose) {
    std::erase_if(notes, is_told);
    notes = shortened(notes);
  }
  std::vector<std::string> advice = lines.advice;
  std::erase_if(advice, is_told);
  std::vector<std::string> robot_remarks = lines.robot_remarks;
  std::erase_if(robot_remarks, is_told);
  const auto add = [&all](const std::vector<std::string>& part) {
    for (const std::string& words : part) all.push_back("      " + words);
  };
  add(notes);
  add(advice);
  add(lines.remarks);
  add(robot_remarks);
  return all;
}

/// Prints a kind as soon as those before it are printed, whichever thread ends first.
void Check::tell(std::size_t i, KindLines lines) {
  const std::scoped_lock lock(told_mutex_);
  lines_[i] = std::move(lines);
  for (; told_kinds_ < lines_.size() && lines_[told_kinds_]; ++told_kinds_) {
    progress_.print(once(*lines_[told_kinds_]));
  }
}

/// A served robot that somebody stopped or took, or that is gone, isn't moved any more.
void Check::end_if_stopped(const CheckPlan& plan, const harness::Result& result) {
  if (!served_ || plan.yaml.empty()) return;
  has_begun_ = true;
  const harness::Outcome outcome = result.outcome;
  if (outcome == harness::Outcome::kPassed || outcome == harness::Outcome::kFailed ||
      outcome == harness::Outcome::kSkipped) {
    return;
  }
  served_ended_ = fmt::format("not begun: the check ended in {}", to_string(plan.kind));
  if (!result.reason.empty()) served_ended_ += ": " + result.reason;
}

void Check::work(int job, std::size_t i) {
  if (served_ended_.empty()) {
    results_[i] = run_one(job, plans_[i]);
    const bool can_be_anothers = !plans_one_by_one_[i].yaml.empty() &&
                                 has_failed(results_[i].result.outcome) && !interrupted.load();
    if (can_be_anothers) {
      plans_[i] = plans_one_by_one_[i];
      results_[i] = run_one(job, plans_[i]);
    }
    end_if_stopped(plans_[i], results_[i].result);
  } else {
    results_[i].result.scenario = results_[i].result.family = to_string(plans_[i].kind);
    results_[i].result.about = about(plans_[i].kind);
    results_[i].result.outcome = harness::Outcome::kCouldNotRun;
    results_[i].result.reason = served_ended_;
  }
  if (!options_->keep_passed_logs) drop_log_if_passed(results_[i]);
  KindLines lines = lines_of(job, plans_[i], results_[i]);
  progress_.done(job);
  tell(i, std::move(lines));
}

void Check::run_all() {
  run_side_by_side(options_->jobs, plans_.size(), interrupted,
                   [this](int job, std::size_t i) { work(job, i); });
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    if (!results_[i].result.scenario.empty()) continue;  // it was reached
    results_[i].result.scenario = results_[i].result.family = to_string(plans_[i].kind);
    results_[i].result.outcome = harness::Outcome::kCouldNotRun;
    results_[i].result.reason = "interrupted before it began";
  }
}

void Check::print_head() const {
  const std::size_t all = found_.config.joints.size();
  std::string head = options_->model + ": ";
  if (joints_.count() < all) head += fmt::format("{} of ", joints_.count());
  head += fmt::format("{} joint{}, ", all, all == 1 ? "" : "s");
  head += served_
              ? fmt::format("served at {} on backend {}", options_->address, served_->facts.backend)
              : "simulated";
  std::printf("%s\n", head.c_str());
  std::size_t remarks = 0;
  for (const Remark& finding : found_.findings) {
    if (finding.severity != Severity::kInfo) ++remarks;
  }
  if (remarks > 0) {
    std::printf("      %zu remark%s on the model: jointrig inspect %s\n", remarks,
                remarks == 1 ? "" : "s", options_->model.c_str());
  }
  std::fflush(stdout);
}

harness::RunInfo Check::info() const {
  harness::RunInfo info;
  info.title = "jointrig check " + options_->model;
  info.date = local_time("%Y-%m-%d %H:%M");
  info.facts = {{"jointrig", std::string(kVersion)}, {"robot", found_.config.name}};
  for (std::size_t i = 0; i < plans_.size(); ++i) {
    const std::string line = check_lines(plans_[i].kind, results_[i].result).front();
    constexpr std::size_t kWord = 16;  // check_lines(): verdict and kind
    info.facts.emplace_back(std::string(to_string(plans_[i].kind)),
                            line.size() > kWord ? line.substr(kWord) : "");
  }
  return info;
}

std::vector<std::string> Check::write_outputs() const {
  if (options_->out.empty()) return {};
  JobOutputs outputs(results_);
  outputs.write_json(options_->out / "result.json");
  outputs.write_report(options_->out / "report.html", info());
  return outputs.failures();
}

int one_for_each_core() {
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1,
                    static_cast<int>(kAllCheckKind.size()));
}

}  // namespace

int check_verb(const CheckOptions& given) {
  survive_file_signals();
  CheckOptions options = given;
  if (options.out.empty()) {
    options.out = free_folder("runs/" + local_time("%Y%m%d-%H%M%S") + "-check");
  }
  if (options.out == "-") options.out.clear();
  if (options.connect) options.jobs = 1;
  if (options.jobs == 0) options.jobs = one_for_each_core();
  if (!options.out.empty() && !options.overwrite) refuse_used_folder(options.out);
  Check check(options);
  if (!options.out.empty()) make_folder(options.out);
  check.print_head();

  end_on_interrupt();
  check.run_all();
  const std::vector<std::string> failures = check.write_outputs();

  const std::vector<harness::Outcome> outcomes = check.outcomes();
  std::printf("%s\n", harness::summary_line(outcomes).c_str());
  if (!options.out.empty()) {
    std::printf("report  %s\n", (options.out / "report.html").generic_string().c_str());
  }
  for (const std::string& failure : failures) {
    std::fprintf(stderr, "jointrig check: %s\n", failure.c_str());
  }
  if (interrupted.load()) return kInterruptedCode;
  const int code = harness::exit_code(outcomes);
  return code == 0 && !failures.empty() ? harness::exit_code(harness::Outcome::kCouldNotRun) : code;
}

}  // namespace jointrig::app
