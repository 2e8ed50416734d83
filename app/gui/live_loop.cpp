#include "app/gui/live_loop.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <utility>

#include "app/run/rig_setup.h"
#include "control/core/backend_parts.h"
#include "harness/log/event_text.h"
#include "harness/runner/effective_yaml.h"

namespace jointrig::app {
namespace {

constexpr std::chrono::milliseconds kPausedRest{2};

/// Value for an injected fault: enough for a board to detect it, in the units of
/// sim/board/fault_injection.h. NaN: it takes none.
double usual_value(sim::SimFault fault, const JointConfig& joint) {
  switch (fault) {
    case sim::SimFault::kEncoderJump:
      return 0.2;
    case sim::SimFault::kEncoderNoise:
      return 0.02;
    case sim::SimFault::kTorqueSensorOffset:
      return 0.3 * joint.limits.tau_max;
    case sim::SimFault::kGainLoss:
      return 0.5;
    case sim::SimFault::kStictionStep:
      return 0.2 * joint.limits.tau_max;
    case sim::SimFault::kOverTemperature:
      return joint.board.temperature_max_C + 20.0;
    case sim::SimFault::kSupplyVoltage:
      return 10.0;
    case sim::SimFault::kWrongCalibrationOffset:
      return 2.0 * joint.board.calibration_tolerance;
    case sim::SimFault::kMissedCycles:
      return 200.0;
    case sim::SimFault::kDigitalInput:
      return 0.0;  // the first input
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

/// The robot itself. Throws std::invalid_argument where its backend can't be shown in real time.
RobotConfig with_a_clock(const RobotConfig& robot, std::optional<BackendKind> backend) {
  if (!runs_on(BackendKind::kBoards, robot, backend)) return robot;
  throw std::invalid_argument("robot " + robot.name + " is on backend " +
                              std::string(to_string(BackendKind::kBoards)) +
                              ", which keeps no clock, and a window shows time: add `--backend "
                              "sim`, or `--backend hw` with "
                              "`jointrig board " +
                              robot.name + "` beside it");
}

std::size_t ring_cycles(const RobotConfig& config) {
  return static_cast<std::size_t>(LiveLoop::kRingSeconds / to_seconds(config.period_ns));
}

/// At its final size, so that the loop allocates nothing.
gui::WorldPose room_for(Rig& rig) {
  gui::WorldPose room;
  if (rig.sim() == nullptr) return room;
  const mjModel& model = rig.plant()->model();
  const mjData& data = rig.plant()->data();
  room.qpos.assign(data.qpos, data.qpos + model.nq);
  room.mocap_pos.assign(data.mocap_pos, data.mocap_pos + 3 * model.nmocap);
  room.mocap_quat.assign(data.mocap_quat, data.mocap_quat + 4 * model.nmocap);
  return room;
}

}  // namespace

LiveLoop::LiveLoop(const RobotConfig& config, std::optional<BackendKind> backend,
                   const sim::PlantOptions& plant, std::optional<double> speed_override,
                   bool held_until_driven)
    : pacer_({.period_ns = config.period_ns}),
      rig_(with_a_clock(config, backend), {.backend = backend,
                                           .plant = plant,
                                           .held_until_driven = held_until_driven,
                                           .pacer = &pacer_,
                                           .speed_override = speed_override}),
      ring_(config, ring_cycles(config)),
      events_(rig_.stack().events()),
      worlds_(room_for(rig_)) {
  if (rig_.sim() == nullptr) return;
  prepare_faults();
  spring_.emplace(*rig_.plant(), config.period_ns);
}

LiveLoop::~LiveLoop() {
  if (relayed_) relayed_->close();
  pacer_.stop();
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
}

void LiveLoop::prepare_faults() {
  const RobotConfig& robot = rig_.simulated_robot();
  world_.emplace(robot, *rig_.plant(), rig_.boards(), rig_.sensors());  // outlives it
  relayed_.emplace(*world_);
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    std::vector<harness::World::Handle>& handles = faults_.emplace_back();
    std::vector<std::string>& steps = fault_steps_.emplace_back();
    if (robot.elsewhere.test(i)) continue;
    const JointConfig& joint = robot.joints[i];
    for (const sim::SimFault fault : sim::kAllSimFault) {
      const harness::FaultAction action{joint.name, std::string(to_string(fault)),
                                        usual_value(fault, joint)};
      handles.push_back(relayed_->prepare(action));
      steps.push_back(harness::in_one_line(harness::ActionStep{action, {}, {}, {}}));
    }
  }
}

ScenarioStage& LiveLoop::stage(const harness::Scenario& scenario) {
  stage_events_.emplace(rig_.stack().events());
  return stage_.emplace(scenario, setup_on(rig_, world_ ? &*world_ : nullptr));
}

ScenarioStage& LiveLoop::play(const harness::Scenario& scenario) {
  auto next = std::make_unique<FollowedStage>(scenario, rig_, ended_);
  follower_guest_.send_off();
  followed_ = std::move(next);
  follower_guest_.invite(followed_->follower());
  followed_->start();
  return followed_->stage();
}

ScenarioStage* LiveLoop::stage() noexcept {
  if (followed_) return &followed_->stage();
  return stage_ ? &*stage_ : nullptr;
}

void LiveLoop::start_log(const std::string& path, harness::RobotLogOptions options) {
  Stack& stack = rig_.stack();
  log_ = std::make_unique<harness::RobotLog>(path, stack.config(), stack.events(), stack.inbox(),
                                             std::move(options));
  log_guest_.invite(*log_);
}

harness::RobotLogStatus LiveLoop::stop_log() {
  log_guest_.send_off();
  return std::exchange(log_, nullptr)->close();
}

Serving& LiveLoop::serve(const ServingOptions& options, std::vector<std::string> notes) {
  auto serving = std::make_unique<Serving>(rig_, std::move(notes));
  serving->start(options);
  serving_ = std::move(serving);
  serving_guest_.invite(*serving_);
  return *serving_;
}

bool LiveLoop::next(Event& event) {
  if (!events_.next(event)) return false;
  if (has_set_parameters(event)) parameters_set_ = event.cycle;
  return true;
}

std::optional<ParameterTable> LiveLoop::take_parameters() {
  if (!parameters_set_ || !serving_) return std::nullopt;
  const auto now = std::make_unique<Snapshot>();
  // The cycle itself hands them over at its end.
  if (!newest(*now) || now->cycle <= *parameters_set_) return std::nullopt;
  std::optional<ParameterTable> table = serving_->parameters();
  if (!table) return std::nullopt;
  put_compliance(*now, *table);
  parameters_set_.reset();
  return table;
}

void LiveLoop::stop_serving() {
  serving_guest_.send_off();
  serving_.reset();
}

void LiveLoop::start(const RealtimeOptions& options) {
  std::promise<void> started;
  std::future<void> is_started = started.get_future();
  thread_ = std::jthread([this, options, promise = std::move(started)](
                             const std::stop_token& stop) mutable { run(stop, options, promise); });
  is_started.get();  // throws the error of the start
}

std::vector<std::string> LiveLoop::fault_types(JointIndex joint) const {
  std::vector<std::string> names;
  if (joint >= faults_.size() || faults_[joint].empty()) return names;
  for (const sim::SimFault fault : sim::kAllSimFault) names.emplace_back(to_string(fault));
  return names;
}

void LiveLoop::inject(JointIndex joint, std::size_t fault_type) {
  if (!relayed_ || faults_[joint].empty()) return;
  const harness::World::Handle fault = faults_[joint][fault_type];
  relayed_->begin(fault);
  tell({WorldAct::Kind::kBegan, fault, fault_steps_[joint][fault_type]});
}

void LiveLoop::end_faults(JointIndex joint) {
  if (!relayed_) return;
  for (const harness::World::Handle fault : faults_[joint]) {
    relayed_->end(fault);
    tell({WorldAct::Kind::kEnded, fault, {}});
  }
}

void LiveLoop::push(const gui::Push& push) {
  const bool pulls = push.body > 0 && spring_.has_value();
  if (pulls && !pulls_) tell({WorldAct::Kind::kPulled, 0, {}});
  pulls_ = pulls;
  pushes_.back() = push;
  pushes_.publish();
}

gui::PanelRobot LiveLoop::panel_robot() {
  gui::PanelRobot robot;
  robot.config = &rig_.stack().config();
  robot.boards = &rig_.backend().description().joints;
  robot.backend = rig_.backend().description().name;
  robot.real = rig_.is_on_real_drives();
  robot.on_buses = rig_.is_on_buses();
  robot.simulation = rig_.is_on_buses() ? nullptr : this;
  return robot;
}

std::string LiveLoop::sentence(const Event& event) {
  Stack& stack = rig_.stack();
  return harness::sentence(event, stack.config(), stack.inbox().sender_name(event.sender));
}

gui::LoopHealth LiveLoop::health() {
  const LoopSummary summary = rig_.loop().statistics().summary();
  gui::LoopHealth health;
  health.p99_us = static_cast<double>(summary.cycle.p99_ns) / 1e3;
  health.max_us = static_cast<double>(summary.cycle.max_ns) / 1e3;
  health.overruns = summary.overruns();
  return health;
}

const gui::WorldPose* LiveLoop::world() {
  if (!worlds_.update() && !has_world_) return nullptr;
  has_world_ = true;
  return &worlds_.front();
}

void LiveLoop::pull() noexcept {
  if (!spring_) return;
  const std::uint64_t cycle = rig_.stack().snapshot().cycle;
  if (pushes_.update()) push_cycle_ = cycle;
  const gui::Push& push = pushes_.front();
  const auto longest =
      static_cast<std::uint64_t>(kPushFor / to_seconds(rig_.stack().config().period_ns));
  if (push.body <= 0 || push.body >= rig_.plant()->model().nbody || cycle - push_cycle_ > longest) {
    return spring_->let_go();
  }
  spring_->pull({static_cast<sim::BodyId>(push.body), push.point, push.target, push.stiffness});
}

void LiveLoop::show_world() noexcept {
  if (!spring_) return;  // no simulation
  const sim::Plant& plant = *rig_.plant();
  gui::WorldPose& world = worlds_.back();
  std::copy_n(plant.data().qpos, world.qpos.size(), world.qpos.begin());
  std::copy_n(plant.data().mocap_pos, world.mocap_pos.size(), world.mocap_pos.begin());
  std::copy_n(plant.data().mocap_quat, world.mocap_quat.size(), world.mocap_quat.begin());
  world.contacts.clear();
  for (const sim::ContactForce& contact : plant.contacts()) {
    if (world.contacts.size() == gui::kMostContactArrows) break;
    world.contacts.push_back({contact.point, contact.force});
  }
  world.pull = spring_->force();
  worlds_.publish();
}

std::optional<std::string> LiveLoop::why_ended() const {
  if (!ended_.load(std::memory_order_acquire)) return std::nullopt;
  return rig_.why_ended();
}

bool LiveLoop::may_step() noexcept {
  if (!paused()) {
    if (was_paused_) pacer_.begin_anew();
    was_paused_ = false;
    steps_.store(0, std::memory_order_relaxed);
    return true;
  }
  was_paused_ = true;
  if (steps_.load(std::memory_order_relaxed) <= 0) return false;
  steps_.fetch_sub(1, std::memory_order_relaxed);
  pacer_.begin_anew();
  return true;
}

void LiveLoop::run(const std::stop_token& stop, const RealtimeOptions& options,
                   std::promise<void>& started) {
  const RealtimeSetup setup = enter_realtime(options);
  // Last: from here on boards wait for their next setpoint, and locking memory takes time.
  try {
    rig_.start();
  } catch (...) {
    leave_realtime(setup);
    return started.set_exception(std::current_exception());
  }
  Snapshot none_yet;
  newest(none_yet);  // requests snapshots: a loop without readers publishes none
  started.set_value();
  Stack& stack = rig_.stack();
  while (!stop.stop_requested()) {
    // While paused, too: otherwise the window would wait for its requests.
    harness::RobotLog* const log = log_guest_.take();
    CycleFollower* const follower = follower_guest_.take();
    Serving* const serving = serving_guest_.take();
    if (serving != nullptr) serving->before_cycle();
    if (relayed_) relayed_->carry_out(stack.snapshot().cycle);
    if (stage_) stage_->heed();
    if (!may_step()) {
      std::this_thread::sleep_for(kPausedRest);
      continue;
    }
    pull();
    if (!rig_.loop().step()) {
      if (stage_) stage_->close(rig_.why_ended());
      ended_.store(true, std::memory_order_release);
      break;
    }
    // Boards don't wait: a pause would be a lost host for them.
    const bool holds = stage_ && stage_->on_cycle(stack.snapshot(), *stage_events_);
    if (holds && !rig_.is_on_buses()) pause(true);
    ring_.push(stack.snapshot());
    if (follower != nullptr) follower->hand_over();
    show_world();
    if (log != nullptr) push_cycle(*log, rig_);
    if (serving != nullptr) serving->after_cycle();
  }
  log_guest_.leave();
  follower_guest_.leave();
  serving_guest_.leave();
  rig_.backend().stop();
  leave_realtime(setup);
}

}  // namespace jointrig::app
