#include "python/session.h"

#include <algorithm>
#include <utility>

#include "app/planner/plan_report.h"
#include "app/rig/robot_loading.h"
#include "app/rig/sim_world.h"
#include "app/run/run_log.h"
#include "control/core/nearest_word.h"
#include "control/exchange/robot_client.h"
#include "harness/log/event_text.h"
#include "harness/runner/reach_answer.h"

namespace jointrig::python {
namespace {

constexpr std::string_view kSender = "python";

harness::RobotSource source_of(const SessionOptions& options) {
  harness::RobotSource source = harness::find_robot(options.robot);
  if (!options.settings.empty()) {
    source.overrides.push_back(harness::parse_yaml(options.settings, "settings"));
  }
  return source;
}

RobotConfig robot_of(const SessionOptions& options) {
  return app::load_robot(source_of(options),
                         [&](RobotConfig& config) {
                           if (options.seed) config.plant.seed = *options.seed;
                         })
      .config;
}

app::RigOptions rig_options(const SessionOptions& options, const RobotConfig& config) {
  if (runs_on(BackendKind::kHw, config, options.backend)) {
    throw std::invalid_argument(
        "a Sim has a time of its own, and backend hw has the clock's: choose sim, kinematic or "
        "boards");
  }
  return {.backend = options.backend,
          .plant = app::SimWorld::plant_options(options.obstacles, options.payload_bodies),
          .speed_override = options.speed_override};
}

}  // namespace

Session::Session(const SessionOptions& options) {
  const RobotConfig config = robot_of(options);
  rig_ = std::make_unique<app::Rig>(config, rig_options(options, config));
  world_ = rig_->make_world();
  sender_ = rig_->stack().inbox().connect(kSender);
  plans_.emplace(&rig_->stack().plans());
  planner_.emplace(rig_->stack().config());
  reader_.emplace(rig_->stack().events());
  notes_ = rig_->robot_notes();
  saved_.emplace(source_of(options), rig_->stack().config());
  if (!options.log.empty()) open_log(options.log);
  rig_->start();
  if (step(1) == StepEnd::kEnded) throw std::runtime_error(why_ended());
}

Session::~Session() = default;

void Session::open_log(const std::filesystem::path& path) {
  harness::RobotLogOptions log =
      app::run_log_options(rig_->stack().config(), rig_->backend().description().name);
  log.own_thread = false;
  log_ = std::make_unique<harness::RobotLog>(path.string(), config(), rig_->stack().events(),
                                             rig_->stack().inbox(), std::move(log));
}

StepEnd Session::step(std::uint64_t cycles) {
  refusals_.clear();
  for (std::uint64_t i = 0; i < cycles; ++i) {
    if (!rig_->loop().step()) return StepEnd::kEnded;
    take_answers();
    if (log_) write_log();
    if (!refusals_.empty()) return StepEnd::kRefused;
  }
  return StepEnd::kDone;
}

void Session::take_answers() {
  for (Event event; reader_->next(event);) {
    events_.push_back(event);
    if (event.sender == sender_) recording_.answered(event);
    if (event.kind == EventKind::kRejected && event.sender == sender_) refusals_.push_back(event);
    if (events_.size() > kKeptEvents) {
      events_.pop_front();
      ++events_lost_;
    }
  }
}

void Session::write_log() {
  Stack& stack = rig_->stack();
  for (const Command& command : stack.drained()) {
    log_->append(command, stack.snapshot().cycle, stack.snapshot().time_ns);
  }
  log_->push(stack.snapshot(), rig_->loop().state());
}

std::uint64_t Session::post(const Request& request) {
  const Command command{
      .request = request, .sender = sender_, .number = number_ + 1, .time_ns = snapshot().time_ns};
  if (!rig_->stack().inbox().push(command)) {
    throw std::runtime_error(std::to_string(CommandInbox::kCapacity) +
                             " commands wait already, and a cycle takes " +
                             std::to_string(Stack::kCommandsPerCycle) + " of them: call step()");
  }
  recording_.sent(command);
  return ++number_;
}

std::uint64_t Session::follow(const AskedTrajectory& asked) {
  planner_->check(asked);
  const harness::PlanDesk::Start start = plans_->start(snapshot(), asked.joints, asked.goes_on);
  JointPlan plan = planner_->plan(asked, start.state, snapshot());
  planned_ = post(plans_->hand_over(std::move(plan), start, asked.joints));
  recording_.planned(planned_, asked, config());
  return planned_;
}

PlanReport Session::plan(const AskedTrajectory& asked) {
  planner_->check(asked);
  const harness::PlanDesk::Start start = plans_->start(snapshot(), asked.joints, asked.goes_on);
  PlanReport report;
  report.start = start.state.q;
  const PlanTold told{.path = [&](const JointPlan& path) { app::report_path(path, report); },
                      .meeting = [&](const auto& at) { app::report_meeting(at, report); }};
  const JointPlan plan = planner_->plan(asked, start.state, snapshot(), nullptr, told);
  app::report_refusal(plan, config(), report);
  return report;
}

ReachAnswer Session::reach(const AskedReach& asked) {
  return harness::answer_reach(asked, config(), planner_->tree(), snapshot());
}

std::vector<Event> Session::take_events() {
  std::vector<Event> events(events_.begin(), events_.end());
  events_.clear();
  return events;
}

std::string Session::sentence_of(const Event& event) const {
  std::string told =
      harness::sentence(event, config(), rig_->stack().inbox().sender_name(event.sender));
  const bool is_of_plan = event.kind == EventKind::kRejected && event.sender == sender_ &&
                          event.number == planned_ && !plans_->remark().empty();
  return is_of_plan ? told + " (" + plans_->remark() + ")" : told;
}

std::shared_ptr<const Session::Saved> Session::save() {
  std::any state = rig_->save();
  if (!state.has_value()) {
    throw std::runtime_error("a Sim on backend " + backend() +
                             " can't be saved: only those on sim and kinematic can");
  }
  return std::make_shared<Saved>(Saved{.config = config(),
                                       .stack = rig_->stack().state(),
                                       .backend = std::move(state),
                                       .snapshot = snapshot(),
                                       .acting = acting_,
                                       .number = number_});
}

void Session::restore(const Saved& saved) {
  if (!(saved.config == config())) {
    throw std::invalid_argument(
        "that state is of another robot, of other settings or of another backend: a state goes "
        "back into a Sim that was made as the saved one");
  }
  if (log_) {
    throw std::runtime_error(
        "the log of this Sim would go back in time: restore a Sim that writes no log");
  }
  recording_.met("a state that was restored");
  rig_->stack().inbox().drain(CommandInbox::kCapacity, [](const Command&) {});
  // First what acts, so that the world knows of it; then the state of physics and boards, to the
  // bit.
  for (std::size_t i = 0; i < acting_.size(); ++i) {
    const auto handle = static_cast<Disturbance>(i);
    i < saved.acting.size() && saved.acting[i] ? begin(handle) : end(handle);
  }
  rig_->restore(saved.backend);
  rig_->stack().restore(saved.stack);
  rig_->stack().snapshot() = saved.snapshot;
  number_ = std::max(number_, saved.number);  // the stack takes numbers above the last one alone
}

harness::World& Session::world() {
  if (world_) return *world_;
  throw std::runtime_error("backend " + backend() +
                           " has no physics here: no fault, no push, no "
                           "truth; use backend sim");
}

void Session::begin(Disturbance handle) {
  recording_.began(handle, action_steps_[static_cast<std::size_t>(handle)], snapshot().time_ns);
  world_->begin(handle);
  acting_[static_cast<std::size_t>(handle)] = true;
}

void Session::end(Disturbance handle) {
  recording_.ended(handle, snapshot().time_ns);
  world_->end(handle);
  acting_[static_cast<std::size_t>(handle)] = false;
}

double Session::truth(const std::string& name) {
  harness::World& here = world();
  const std::optional<harness::World::Handle> signal = here.find_truth(name);
  if (!signal) {
    throw UnknownName("no true signal \"" + name + "\"" + did_you_mean(name, here.truth_names()));
  }
  return here.truth(*signal);
}

void Session::close() {
  rig_->backend().stop();
  if (!log_) return;
  const harness::RobotLogStatus status = log_->close();
  log_.reset();
  if (!status.ok) throw std::runtime_error(status.message);
}

ParameterTable Session::parameters() const {
  const Stack::State state = rig_->stack().state();
  ParameterTable table;
  for (const JointParameter parameter : kAllJointParameter) {
    std::vector<double>& row = table[static_cast<std::size_t>(parameter)];
    for (const JointSetup& setup : state.setups) row.push_back(value_of(setup.config, parameter));
  }
  put_compliance(snapshot(), table);
  return table;
}

std::string Session::save_parameters(bool only_compare) {
  return saved_->save(parameters(), only_compare);
}

}  // namespace jointrig::python
