#include "app/run/scenario_job.h"

#include <fmt/core.h>

#include <chrono>
#include <set>

#include "app/realtime/wall_clock_pacer.h"
#include "app/rig/sim_world.h"
#include "app/run/connected_job.h"
#include "app/run/job_log.h"
#include "app/run/realtime_run.h"
#include "app/run/rig_setup.h"
#include "app/run/scenario_plans.h"
#include "app/run/truth_log.h"
#include "app/text_hash.h"
#include "app/version.h"
#include "control/model/mjcf.h"
#include "harness/log/robot_log.h"
#include "harness/runner/runner.h"

namespace jointrig::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBehindIsTold = 10;  // cycles; choice: fewer have no effect on a scenario
constexpr std::uint64_t kLookAtClockEvery = 256;  // cycles: a look costs some 20 ns

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Bodies of all payloads in steps and disturbances.
std::vector<std::string> payload_bodies(const harness::Scenario& scenario) {
  std::set<std::string> bodies;
  const auto look = [&](const harness::Action& action) {
    if (const auto* payload = std::get_if<harness::PayloadAction>(&action))
      bodies.insert(payload->body);
  };
  for (const harness::TimedAction& timed : scenario.disturbances) look(timed.action.action);
  harness::for_each_step(scenario, [&look](const harness::Step& step) {
    if (const auto* action = std::get_if<harness::ActionStep>(&step.what)) look(action->action);
  });
  return {bodies.begin(), bodies.end()};
}

/// A running scenario.
class Job {
 public:
  Job(const harness::Scenario& scenario, const JobOptions& options);
  JobResult run();
  /// Result of a scenario that was bound to its robot and not run.
  JobResult outcome_of_binding();

 private:
  void build_rig(const std::vector<harness::ObstacleAction>& obstacles,
                 const std::vector<std::string>& payload_bodies);
  [[nodiscard]] std::vector<harness::ObstacleAction> nameable_obstacles();
  void bind();
  void prepare_log();
  void run_headless();
  void run_in_real_time();
  void report_real_time(const RealtimeSetup& setup, std::size_t most_behind);
  void finish_result();

  const harness::Scenario* scenario_;
  const JobOptions* options_;
  RobotConfig config_;
  bool realtime_;
  std::optional<WallClockPacer> pacer_;
  std::optional<Rig> rig_;
  std::unique_ptr<harness::World> world_;
  std::optional<RelayedWorld> relayed_world_;
  std::optional<harness::Runner> runner_;
  std::optional<ScenarioPlans> plans_;  ///< in real time; behind the runner, so that it ends before
  std::optional<TruthLog> truth_;
  std::optional<harness::RobotLog> log_;
  JobResult out_;
  Clock::time_point began_;
  JobProgress progress_;
};

Job::Job(const harness::Scenario& scenario, const JobOptions& options)
    : scenario_(&scenario),
      options_(&options),
      config_(robot_of(scenario, options).config),
      realtime_(options.realtime) {
  if (realtime_) {
    pacer_.emplace(PacerOptions{.period_ns = config_.period_ns,
                                .real_time_factor = options.real_time_factor,
                                .spin_ns = to_ns(options.spin_us * 1e-6)});
  }
  try {
    build_rig(harness::obstacles_of(scenario), payload_bodies(scenario));
  } catch (const ModelError&) {
    // The error may be a payload on an unknown body, or an obstacle with a body's name. Without
    // them the binding reports the place.
    build_rig({}, {});
    build_rig(nameable_obstacles(), {});
    bind();
    throw;
  }
  bind();
}

/// The scenario's obstacles whose names are not names of the rig's bodies.
std::vector<harness::ObstacleAction> Job::nameable_obstacles() {
  std::vector<harness::ObstacleAction> obstacles = harness::obstacles_of(*scenario_);
  if (rig_->plant() == nullptr) return obstacles;
  std::erase_if(obstacles, [this](const harness::ObstacleAction& obstacle) {
    try {
      static_cast<void>(rig_->plant()->body(obstacle.name));
      return true;
    } catch (const ModelError&) {
      return false;
    }
  });
  return obstacles;
}

void Job::build_rig(const std::vector<harness::ObstacleAction>& obstacles,
                    const std::vector<std::string>& payload_bodies) {
  const RigOptions rig_options{.backend = options_->backend,
                               .plant = SimWorld::plant_options(obstacles, payload_bodies),
                               .bus_plan = options_->bus_plan,
                               .pacer = pacer_ ? &*pacer_ : nullptr,
                               .speed_override = options_->speed_override,
                               .wiggle_check = options_->wiggle_check};
  rig_.emplace(config_, rig_options);
  realtime_ = realtime_ || rig_->keeps_the_boards_time();
}

void Job::bind() {
  world_ = rig_->make_world();
  harness::RunSetup setup = setup_on(*rig_, world_.get());
  // another program has a thread of its own already
  const bool is_here = rig_->plant() != nullptr;
  if (realtime_ && is_here) setup.world = &relayed_world_.emplace(*world_);
  // A plan takes up to a second; judging and streams go on meanwhile.
  if (realtime_) setup.plans_beside = &plans_.emplace();
  if (const std::string note = rig_->note_on_boards(); !note.empty()) {
    out_.remarks.push_back(note);
  }
  for (const std::string& note : rig_->robot_notes()) {
    out_.robot_remarks.push_back(config_.name + ": " + note);
  }
  runner_.emplace(*scenario_, setup);
}

void Job::prepare_log() {
  const RobotConfig& robot = rig_->stack().config();
  std::optional<harness::RobotLogOptions> log =
      begin_log(*scenario_, *options_, robot, rig_->backend().description().name, out_);
  if (!log) return;
  log->own_thread = realtime_;
  if (world_) {
    truth_.emplace(runner_->truth_names(), config_, *world_);
    log->truth = truth_->channels();
    log->read_truth = [this](std::span<double> values) { truth_->read(values); };
  }
  log_.emplace(out_.log_path, robot, rig_->stack().events(), rig_->stack().inbox(), *log);
}

/// Everything in one thread and one order, so that equal runs are equal to the bit.
void Job::run_headless() {
  rig_->start();
  Loop& loop = rig_->loop();
  Stack& stack = rig_->stack();
  EventRing::Reader reader(stack.events());
  std::vector<Event> events;
  events.reserve(1024);
  const std::uint64_t second = to_ns(1.0) / config_.period_ns;
  for (std::uint64_t cycle = 1; !runner_->finished(); ++cycle) {
    if (!loop.step()) {
      runner_->break_off(harness::Outcome::kSafetyStop, rig_->why_ended());
      break;
    }
    events.clear();
    for (Event event; reader.next(event);) events.push_back(event);
    if (world_) world_->update();
    runner_->on_cycle(stack.snapshot(), events);
    if (log_) {
      for (const Command& command : stack.drained()) {
        log_->append(command, stack.snapshot().cycle, stack.snapshot().time_ns);
      }
      log_->push(stack.snapshot(), loop.state());
    }
    if (cycle % second == 0) out_.hashes.push_back(rig_->hash());
    if (cycle % kLookAtClockEvery == 0) {
      progress_.tell(*runner_, *options_, config_.period_ns);
      if (options_->interrupted != nullptr && options_->interrupted->load()) {
        runner_->break_off(harness::Outcome::kCouldNotRun, "interrupted");
      }
    }
  }
  out_.hashes.push_back(rig_->hash());
  rig_->backend().stop();
}

void Job::run_in_real_time() {
  const std::unique_ptr<Onlooker> onlooker =
      options_->onlooker ? options_->onlooker(*rig_, scenario_->name) : nullptr;
  RealtimeRun run({.rig = &*rig_,
                   .runner = &*runner_,
                   .world = relayed_world_ ? &*relayed_world_ : nullptr,
                   .log = log_ ? &*log_ : nullptr,
                   .interrupted = options_->interrupted,
                   .onlooker = onlooker.get()});
  RealtimeOptions realtime{.core = options_->core};
  // or each thread of its server would lock its whole stack
  if (onlooker) realtime.lock_untouched = false;
  const RealtimeSetup setup = run.run(realtime, [this] {
    if (world_ && !relayed_world_) world_->update();
    progress_.tell(*runner_, *options_, config_.period_ns);
  });
  out_.hashes.push_back(rig_->hash());
  report_real_time(setup, run.most_behind());
}

void Job::report_real_time(const RealtimeSetup& setup, std::size_t most_behind) {
  harness::Result& result = runner_->result();
  const std::string behind = fmt::format("{} cycles behind the loop", most_behind);
  result.properties["judging"] = "at most " + behind;
  if (most_behind > kBehindIsTold) {
    result.notes.push_back("judging was up to " + behind +
                           ": the scenario's commands came that late");
  }
  std::string& property = result.properties["realtime"];
  for (const RealtimeNote& note : setup.notes) {
    property += (property.empty() ? "" : "; ") + note.text;
    out_.remarks.push_back("realtime: " + note.text);
    if (!note.fix.empty()) out_.remarks.push_back("  to change that: " + note.fix);
  }
}

void Job::finish_result() {
  out_.result = std::move(runner_->result());
  harness::Result& result = out_.result;
  result.wall_time = seconds_since(began_);
  result.state_hash = hex(out_.hashes.empty() ? 0 : out_.hashes.back());
  out_.loop = rig_->loop().statistics().summary();
  if (pacer_) out_.loop->skipped = pacer_->skipped();
  result.properties["robot"] = config_.name;
  result.properties["seed"] = fmt::format("{}", config_.plant.seed);
  result.properties["jointrig"] = kVersion;
  result.properties["mujoco"] = mujoco_version();
  result.properties["loop"] = to_line(*out_.loop);
  if (log_) end_log(log_->close(), out_);
}

JobResult Job::run() {
  began_ = Clock::now();
  if (!runner_->finished()) {  // else it is skipped
    prepare_log();
    realtime_ ? run_in_real_time() : run_headless();
  }
  finish_result();
  return std::move(out_);
}

JobResult Job::outcome_of_binding() {
  out_.result = runner_->result();
  return std::move(out_);
}

}  // namespace

harness::Result could_not_run(const harness::Scenario& scenario, const std::string& why) {
  harness::Result result;
  result.scenario = scenario.name;
  result.family = scenario.family;
  result.variation = scenario.variation;
  result.file = scenario.file.generic_string();
  result.about = scenario.about;
  result.tags = scenario.tags;
  result.outcome = harness::Outcome::kCouldNotRun;
  result.reason = why;
  return result;
}

sim::PlantOptions plant_options_of(const harness::Scenario& scenario) {
  return SimWorld::plant_options(harness::obstacles_of(scenario), payload_bodies(scenario));
}

Settings split_settings(const std::vector<std::string>& settings) {
  Settings split;
  for (const std::string& setting : settings) {
    if (setting.starts_with(kRobotPrefix)) {
      split.robot.push_back(setting.substr(kRobotPrefix.size()));
    } else {
      split.scenario.push_back(setting);
    }
  }
  return split;
}

harness::RobotSource robot_source_of(const harness::Scenario& scenario, const JobOptions& options) {
  harness::RobotSource source = options.robot.empty() ? harness::find_robot(scenario.robot)
                                                      : harness::find_robot(options.robot);
  if (!scenario.config.is_null()) source.overrides.push_back(scenario.config);
  for (const std::string& setting : options.robot_settings) {
    source.overrides.push_back(
        harness::robot_override_schema().set_path(harness::YamlNode{}, setting, kRobotPrefix));
  }
  return source;
}

Discovery robot_of(const harness::Scenario& scenario, const JobOptions& options) {
  const harness::RobotSource source = robot_source_of(scenario, options);
  return load_robot(source, [&](RobotConfig& config) {
    if (options.pin_base) config.pin_base = true;
    if (options.motors) config.motors = true;
    if (!options.package_path.empty()) config.package_path = options.package_path;
    if (options.seed) config.plant.seed = *options.seed;
  });
}

void drop_log_if_passed(JobResult& job) {
  if (job.result.outcome != harness::Outcome::kPassed || job.log_failed) return;
  std::error_code ignored;  // a log that can't be removed only takes room
  std::filesystem::remove(job.log_path, ignored);
  job.log_path.clear();
  job.result.properties.erase("log");
}

JobResult check_scenario(const harness::Scenario& scenario, const JobOptions& options) {
  try {
    return Job(scenario, options).outcome_of_binding();
  } catch (const std::exception& e) {
    JobResult failed;
    failed.result = could_not_run(scenario, e.what());
    return failed;
  }
}

JobResult run_scenario(const harness::Scenario& scenario, const JobOptions& options) {
  if (options.connect) return run_connected(scenario, options);
  try {
    return Job(scenario, options).run();
  } catch (const std::exception& e) {
    JobResult failed;
    failed.result = could_not_run(scenario, e.what());
    return failed;
  }
}

}  // namespace jointrig::app
