#include "app/run/connected_job.h"

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/run/connected_commands.h"
#include "app/run/connected_log.h"
#include "app/run/connection_end.h"
#include "app/run/job_log.h"
#include "app/run/same_robot.h"
#include "app/version.h"
#include "harness/runner/runner.h"
#include "remote/connection.h"

namespace jointrig::app {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLongestTake{2000};
constexpr milliseconds kLook{20};  ///< for a cycle, before lease and user are looked at

class ConnectedJob {
 public:
  ConnectedJob(const harness::Scenario& scenario, const JobOptions& options);
  JobResult run();

 private:
  void bind();
  void prepare_log();
  void begin();
  void follow();
  void judge_cycle();
  void look();
  void finish_result();

  const harness::Scenario* scenario_;
  const JobOptions* options_;
  RobotConfig config_;
  std::shared_ptr<remote::Connection> connection_;
  ConnectedCommands commands_;
  std::unique_ptr<Snapshot> snapshot_ = std::make_unique<Snapshot>();
  std::vector<Event> events_;
  std::vector<Command> sent_;  ///< after the last cycle
  std::optional<harness::Runner> runner_;
  std::optional<ConnectedLog> log_;
  JobResult out_;
  Clock::time_point began_ = Clock::now();
  JobProgress progress_;
};

ConnectedJob::ConnectedJob(const harness::Scenario& scenario, const JobOptions& options)
    : scenario_(&scenario),
      options_(&options),
      config_(robot_of(scenario, options).config),
      connection_(options.connect("scenario_" + scenario.name)) {
  const std::string why = why_another_robot(config_, connection_->facts());
  if (!why.empty()) throw std::runtime_error(why);
  for (const std::string& sentence : other_settings(config_, connection_->facts())) {
    out_.remarks.push_back("served with other settings: " + sentence);
  }
  bind();
}

void ConnectedJob::bind() {
  connection_->next(0, kLongestTake, *snapshot_);
  commands_.use(connection_);
  harness::RunSetup setup;
  setup.config = &config_;
  setup.boards = &connection_->facts().boards;
  setup.inbox = &commands_.inbox();
  setup.backend = connection_->facts().backend;
  setup.force_torque_sensors = snapshot_->force_torque.size();
  setup.is_elsewhere = true;
  setup.plans_elsewhere = &commands_;
  runner_.emplace(*scenario_, setup);
}

void ConnectedJob::prepare_log() {
  std::optional<harness::RobotLogOptions> log =
      begin_log(*scenario_, *options_, config_, connection_->facts().backend, out_);
  if (!log) return;
  log_.emplace(out_.log_path, config_, commands_.inbox(), std::move(*log));
}

/// Nobody loses the robot to a run that can't follow it.
void ConnectedJob::begin() {
  std::string why = connection_->follow_cycles();
  if (why.empty()) why = connection_->take(options_->take_over, kLongestTake);
  if (!why.empty()) throw std::runtime_error(why);
}

void ConnectedJob::follow() {
  while (!runner_->finished()) {
    if (connection_->next_cycle(kLook, *snapshot_, events_)) judge_cycle();
    look();
  }
}

void ConnectedJob::judge_cycle() {
  commands_.translate(events_, *connection_);
  runner_->note_missed(connection_->cycles_missed(), connection_->events_missed());
  runner_->on_cycle(*snapshot_, events_);
  if (log_) log_->push(*snapshot_, events_, sent_);
  sent_.clear();
  const std::string why_not = commands_.send(sent_);
  if (!why_not.empty() && !runner_->finished()) {
    runner_->break_off(harness::Outcome::kSafetyStop, why_not);
  }
}

void ConnectedJob::look() {
  progress_.tell(*runner_, *options_, config_.period_ns);
  if (runner_->finished()) return;
  if (options_->interrupted != nullptr && options_->interrupted->load()) {
    runner_->break_off(harness::Outcome::kCouldNotRun, "interrupted");
  } else if (const std::string ended = why_ended(*connection_); !ended.empty()) {
    runner_->break_off(harness::Outcome::kSafetyStop, ended);
  } else if (const auto refused = connection_->take_refusals(); !refused.empty()) {
    // By the server, not by the loop: more commands than it takes, say.
    runner_->break_off(harness::Outcome::kCouldNotRun, refused.front().event.sentence);
  }
}

void ConnectedJob::finish_result() {
  out_.result = std::move(runner_->result());
  harness::Result& result = out_.result;
  result.wall_time = std::chrono::duration<double>(Clock::now() - began_).count();
  result.properties["robot"] = config_.name;
  result.properties["jointrig"] = kVersion;
  result.properties["served"] = "by another program, as " + connection_->sender();
  if (log_) end_log(log_->close(), out_);
}

JobResult ConnectedJob::run() {
  if (!runner_->finished()) {  // else it is skipped
    prepare_log();
    begin();
    follow();
    connection_->release();
  }
  finish_result();
  return std::move(out_);
}

}  // namespace

JobResult run_connected(const harness::Scenario& scenario, const JobOptions& options) {
  if (const std::string why = why_not_served(scenario); !why.empty()) {
    JobResult skipped;
    skipped.result = could_not_run(scenario, why);
    skipped.result.outcome = harness::Outcome::kSkipped;
    return skipped;
  }
  try {
    return ConnectedJob(scenario, options).run();
  } catch (const std::exception& e) {
    JobResult failed;
    failed.result = could_not_run(scenario, e.what());
    return failed;
  }
}

}  // namespace jointrig::app
