#include "app/run/connected_job.h"

#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "app/run/connection_end.h"
#include "app/run/job_log.h"
#include "app/run/same_robot.h"
#include "app/version.h"
#include "control/exchange/event_ring.h"
#include "harness/log/robot_log.h"
#include "harness/runner/runner.h"
#include "remote/connection.h"

namespace jointrig::app {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLongestTake{2000};
constexpr milliseconds kLook{20};  ///< for a cycle, before lease and user are looked at

/// The state that the backend of this loop would have read.
RobotState state_of(const Snapshot& snapshot) noexcept {
  RobotState state;
  state.cycle = snapshot.cycle;
  state.time_ns = snapshot.time_ns;
  state.joints.resize(snapshot.joints.size());
  for (std::size_t i = 0; i < state.joints.size(); ++i) {
    state.joints[i] = snapshot.joints[i].state;
  }
  state.base = snapshot.base;
  state.force_torque = snapshot.force_torque;
  return state;
}

class ServersPlan final : public harness::PlanElsewhere {
 public:
  explicit ServersPlan(std::unique_ptr<remote::PlanCall> call) : call_(std::move(call)) {}
  std::optional<FollowPlan> take(std::string& remark) override {
    std::optional<remote::PlannedMotion> planned = call_->take();
    if (!planned) return std::nullopt;
    remark = std::move(planned->remark);
    return planned->command;
  }

 private:
  std::unique_ptr<remote::PlanCall> call_;
};

/// Plans of the scenario's trajectories, made by the server's planner.
class ServersPlans final : public harness::PlansElsewhere {
 public:
  explicit ServersPlans(remote::Connection& connection) : connection_(&connection) {}
  std::unique_ptr<harness::PlanElsewhere> begin(const AskedTrajectory& asked) override {
    return std::make_unique<ServersPlan>(connection_->begin_plan(asked));
  }

 private:
  remote::Connection* connection_;
};

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
  void translate_events();
  void send_commands();
  void keep_log();
  void look();
  void finish_result();

  const harness::Scenario* scenario_;
  const JobOptions* options_;
  RobotConfig config_;
  std::unique_ptr<remote::Connection> connection_;
  std::optional<ServersPlans> plans_;
  CommandInbox inbox_;
  EventRing ring_;  ///< for the log
  std::unique_ptr<Snapshot> snapshot_ = std::make_unique<Snapshot>();
  std::vector<Event> events_;
  std::vector<Command> commands_;                 ///< sent since the last cycle
  std::map<std::uint64_t, Command> sent_;         ///< by the connection's number
  std::map<std::string, std::uint16_t> senders_;  ///< of others, by name
  std::optional<harness::Runner> runner_;
  std::optional<harness::RobotLog> log_;
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
  harness::RunSetup setup;
  setup.config = &config_;
  setup.boards = &connection_->facts().boards;
  setup.inbox = &inbox_;
  setup.backend = connection_->facts().backend;
  setup.force_torque_sensors = snapshot_->force_torque.size();
  setup.is_elsewhere = true;
  setup.plans_elsewhere = &plans_.emplace(*connection_);
  runner_.emplace(*scenario_, setup);
}

void ConnectedJob::prepare_log() {
  std::optional<harness::RobotLogOptions> log =
      begin_log(*scenario_, *options_, config_, connection_->facts().backend, out_);
  if (!log) return;
  log->own_thread = true;
  log_.emplace(out_.log_path, config_, ring_, inbox_, *log);
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
  translate_events();
  runner_->note_missed(connection_->cycles_missed(), connection_->events_missed());
  runner_->on_cycle(*snapshot_, events_);
  keep_log();
  send_commands();
}

/// Answers get the numbers that the runner gave, and others a sender of this inbox.
void ConnectedJob::translate_events() {
  for (Event& event : events_) {
    const std::string name = connection_->sender_of(event);
    // The lease's events have numbers of their own.
    const bool answers = event.kind == EventKind::kAccepted || event.kind == EventKind::kRejected;
    const bool is_of_plan = event.kind == EventKind::kPlan || event.kind == EventKind::kPlanBroken;
    const bool is_own = (answers || is_of_plan) && name == connection_->sender();
    const auto own = is_own ? sent_.find(event.number) : sent_.end();
    if (own != sent_.end()) {
      event.sender = own->second.sender;
      event.number = own->second.number;
      // A plan is told of until the scenario's end.
      const bool follows = kind_of(own->second.request) == CommandKind::kFollowPlan;
      if (!follows || event.kind == EventKind::kRejected) sent_.erase(own);
    } else {
      const auto [place, is_new] = senders_.try_emplace(name, std::uint16_t{0});
      if (is_new && !name.empty()) place->second = inbox_.connect(name);
      event.sender = place->second;
    }
    ring_.publish(event);
  }
}

void ConnectedJob::send_commands() {
  inbox_.drain(CommandInbox::kCapacity, [&](const Command& command) {
    commands_.push_back(command);
    const remote::Connection::Posted posted = connection_->post(command.request);
    if (posted.number != 0) {
      sent_[posted.number] = command;
    } else if (!runner_->finished()) {
      runner_->break_off(harness::Outcome::kSafetyStop, posted.why_not);
    }
  });
}

/// A command stands before the cycle after which it was sent: here, nobody knows when the robot's
/// loop takes it.
void ConnectedJob::keep_log() {
  if (log_) {
    for (const Command& command : commands_) {
      log_->append(command, snapshot_->cycle, snapshot_->time_ns);
    }
    log_->push(*snapshot_, state_of(*snapshot_));
  }
  commands_.clear();
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
  if (log_) end_log(*log_, out_);
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
  if (!scenario.config.is_null()) {
    JobResult skipped;
    skipped.result = could_not_run(scenario,
                                   "it changes its robot's settings, and those of a robot "
                                   "that is served are in force already");
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
