#include "control/stack/stack.h"

#include <algorithm>
#include <cmath>

#include "control/core/sane.h"
#include "control/core/when_off.h"
#include "control/stack/given_up_moves.h"
#include "control/stack/loop_margin.h"
#include "control/stack/stack_checks.h"
#include "control/stack/tool_margin.h"

namespace jointrig {
namespace {

std::vector<JointSetup> make_setups(const RobotConfig& config,
                                    const std::vector<JointCapabilities>& boards) {
  std::vector<JointSetup> setups;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    try {
      setups.push_back(make_setup(config.joints[i], boards[i], to_seconds(config.period_ns),
                                  config.delay_cycles));
    } catch (const std::invalid_argument& e) {
      throw ConfigError(e.what());
    }
  }
  return setups;
}

}  // namespace

Stack::Stack(RobotConfig config, const std::vector<JointCapabilities>& boards,
             std::unique_ptr<RobotModel> model)
    : config_(checked(std::move(config), boards)),
      mates_(config_),
      state_{.setups = make_setups(config_, boards), .joints = {}},
      links_(config_),
      model_(std::move(model), config_),
      arms_(config_, boards, model_),
      drives_(config_, model_),
      targets_(config_.joints.size()),
      grippers_(config_),
      base_(config_),
      body_(config_),
      laws_(config_, model_),
      forces_(config_, model_, arms_.setups()),
      protections_(config_, model_),
      loads_(config_),
      computed_(config_.joints.size()),
      envelope_(config_.joints.size()),
      speeds_(state_.setups),
      outcomes_(config_.joints.size()),
      tells_brakes_(tells_brakes(config_)),
      was_on_(config_.joints.size()),
      before_(config_.joints.size()),
      events_(config_.joints.size()),
      commands_({config_, state_, model_, arms_, plans_, drives_, targets_, grippers_, body_, laws_,
                 forces_, protections_, events_}) {
  for (const JointSetup& setup : state_.setups) state_.joints.emplace_back(setup);
  if (config_.avoidance) config_.avoidance->shapes = {protections_.avoided_shapes()};
  snapshot_.joints.resize(config_.joints.size());
  snapshot_.arms.resize(config_.arms.size());
  snapshot_.laws.resize(config_.laws.size());
  snapshot_.law_signals.resize(signal_count(config_.laws));
  snapshot_.grippers.resize(config_.grippers.size());
  drained_.resize(kCommandsPerCycle);
}

Stack::State Stack::state() const {
  return {.setups = state_.setups,
          .joints = state_.joints,
          .links = links_.state(),
          .placed = model_.state(),
          .forces = forces_.state(),
          .protections = protections_.state(),
          .arms = arms_.state(),
          .plans = plans_.state(),
          .drives = drives_.state(),
          .grippers = grippers_.state(),
          .base = base_.state(),
          .body = body_.state(),
          .laws = laws_.state(),
          .loads = loads_.state(),
          .speeds = speeds_.state(),
          .reported = events_.state(),
          .last_number = state_.last_number,
          .speed_override = state_.speed_override,
          .cycle = state_.cycle,
          .time_ns = state_.time_ns};
}

void Stack::restore(const State& state) {
  state_ = {.setups = state.setups,
            .joints = state.joints,
            .last_number = state.last_number,
            .speed_override = state.speed_override,
            .cycle = state.cycle,
            .time_ns = state.time_ns};
  links_.restore(state.links);
  model_.restore(state.placed);
  forces_.restore(state.forces);
  protections_.restore(state.protections);
  arms_.restore(state.arms);
  plans_.restore(state.plans);
  drives_.restore(state.drives);
  grippers_.restore(state.grippers);
  base_.restore(state.base);
  body_.restore(state.body);
  laws_.restore(state.laws);
  loads_.restore(state.loads);
  speeds_.restore(state.speeds);
  events_.restore(state.reported);
  events_.begin(state.cycle, state.time_ns);
}

std::vector<std::string> Stack::connect_force_sensors(const std::vector<std::string>& sites) {
  return forces_.connect(sites, arms_.setups());
}

void Stack::connect_base(const BackendDescription& backend) {
  if (!body_.is_there()) return;
  const std::string lacks = base_.connect(backend);
  // An IMU that is named and can't be read is no reason to take the simulation's truth.
  if (base_.is_on() || (backend.gives_base && lacks.empty())) {
    return check_body_mode(config_, state_.setups);
  }
  throw ConfigError(
      "robot \"" + config_.name + "\": whole_body needs pose and twist of the base: " +
      (lacks.empty() ? "it names no `imu`, and backend " + backend.name + " tells no pose"
                     : lacks) +
      "; or run it in simulation (--backend sim), or bolt it down (pin_base: true)");
}

std::vector<std::string> Stack::loop_warnings() {
  if (!model_) return {};
  std::vector<std::string> all = jointrig::loop_warnings(config_, state_.setups, *model_);
  for (std::string& one : tool_loop_warnings(config_, arms_.setups(), state_.setups, *model_)) {
    all.push_back(std::move(one));
  }
  return all;
}

void Stack::start_with_speed(double factor) {
  check_first_speed(factor);
  state_.speed_override = factor;
  snapshot_.speed_override = factor;
}

void Stack::cycle(const RobotState& read, RobotCommand& command) noexcept {
  state_.cycle = read.cycle;
  state_.time_ns = read.time_ns;
  events_.begin(read.cycle, read.time_ns);
  for (std::size_t i = 0; i < was_on_.size(); ++i) {
    was_on_[i] = state_.joints[i].machine().driving();
  }
  follow_boards(read);  // a fault or a lost board outranks a command
  const RobotState& state = with_base(read);
  links_.advance(state, mates_, joints(), events_);
  body_.torque_wish().advance(joints(),
                              {body_.law(), laws_.is_on(body_), body_.may_run(), base_.doubt()},
                              to_seconds(config_.period_ns), events_);
  drained_count_ = 0;
  inbox_.drain(kCommandsPerCycle, [this](const Command& wish) {
    drained_[drained_count_++] = wish;
    commands_.admit(wish);
  });
  arms_.carry_loads(model_, events_);
  model_.advance(state, state_.joints);
  forces_.advance(state, model_, joints(), arms_.setups(), arms_.controls(), events_);
  protections_.advance(model_, joints(), arms_.setups(), forces_, mates_, events_,
                       snapshot_.protection);
  arms_.advance(model_, joints(), forces_, protections_, state_.speed_override, events_,
                {snapshot_.arms.data(), snapshot_.arms.size()});
  plans_.advance(joints(), protections_.stopped(), state_.speed_override,
                 to_seconds(config_.period_ns), events_);
  plans_.hand_interactions([this](const SetInteractionControl& control) noexcept {
    arms_.controls()[control.arm].take(arms_.setups()[control.arm], control);
  });
  drives_.advance(model_, arms_, joints(), protections_.stopped(), state_.speed_override,
                  to_seconds(config_.period_ns), events_);
  targets_.advance(joints(), state_.speed_override);
  slow_down_moves(joints(), to_seconds(config_.period_ns));
  grippers_.advance(joints(), forces_, to_seconds(config_.period_ns), events_, snapshot_.grippers);
  body_.advance(model_, joints(), laws_.wish_of(body_, {state_.setups, state_.joints}), events_);
  if (body_.failure()) base_.lose();
  laws_.advance(model_, joints(), body_, forces_.torques(), to_seconds(state_.time_ns), events_);
  advance_joints(command);
  publish(state);
}

void Stack::follow_boards(const RobotState& state) noexcept {
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    JointControl& joint = state_.joints[i];
    const JointModeMachine::Change change =
        joint.follow(state_.setups[i], state.joints[i], state_.cycle);
    events_.report(i, state_.setups[i], joint, change);
  }
  speeds_.read(joints());
}

/// The state that was read, with the base as estimated where the robot's file names an IMU.
const RobotState& Stack::with_base(const RobotState& state) noexcept {
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): the loop's, which outlives a cycle
  if (!base_.is_on()) return state;
  seen_ = state;
  std::array<bool, kMaxFeet> on_ground{};
  for (std::size_t i = 0; i < config_.whole_body->feet.size(); ++i) {
    on_ground[i] = body_.is_on_ground(i);
  }
  base_.advance({state_.setups, state_.joints}, on_ground, body_.law(), seen_, events_);
  body_.know_base(base_.is_known(), base_.pressure());
  return seen_;
}

void Stack::note(const BoardNotice& notice) noexcept {
  Links::note(notice, mates_, joints(), events_);
}

void Stack::report_overrun(LoopStage stage, std::int64_t took_ns) noexcept {
  events_.report_overrun(stage, took_ns, config_.period_ns);
}

void Stack::advance_joints(RobotCommand& command) noexcept {
  command.cycle = state_.cycle;
  command.joints.resize(state_.setups.size());
  const auto inputs = [&](std::size_t i) {
    return JointControl::Inputs{.gravity = model_.gravity(i),
                                .arm = arms_.orders()[i],
                                .guard = protections_.guards()[i],
                                .speed_override = state_.speed_override,
                                .room = computed_.room(i),
                                .cycle = state_.cycle,
                                .laws = laws_.torque(i),
                                .grip = grippers_.grip(i)};
  };
  loads_.advance(model_, joints());
  computed_.prepare(model_, joints(), loads_);
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    before_[i] = state_.joints[i].machine().shown();
    outcomes_[i] = state_.joints[i].plan(state_.setups[i], inputs(i));
  }
  computed_.choose(joints());
  const auto drive = [&](bool computed) {
    for (std::size_t i = 0; i < state_.setups.size(); ++i) {
      if (computed_.moves(i) != computed) continue;
      state_.joints[i].drive(state_.setups[i], inputs(i), computed ? computed_.torque(i) : 0.0);
    }
  };
  drive(false);
  computed_.advance(model_, joints(), loads_, protections_.guards());
  drive(true);
  envelope_.advance(model_, joints(), loads_);
  tell_what_falls();
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    const JointSetup& setup = state_.setups[i];
    JointControl& joint = state_.joints[i];
    joint.send(setup, inputs(i), envelope_.note(i), outcomes_[i]);
    command.joints[i] = joint.setpoint();
    events_.report(i, setup, joint, outcomes_[i]);
    if (joint.machine().shown() != before_[i]) events_.report_mode(i, joint, before_[i]);
    events_.report_limits(i, joint);
  }
  speeds_.expect(model_, joints(), loads_, envelope_);
}

/// Before the setpoints of this cycle switch a motor off.
void Stack::tell_what_falls() noexcept {
  for (std::size_t i = 0; tells_brakes_ && i < was_on_.size(); ++i) {
    if (!was_on_[i] || state_.joints[i].machine().driving()) continue;
    const JointConfig& joint = state_.setups[i].config;
    const double load = model_.gravity(i);
    const WhenOff end = when_off(joint, load);
    if (end == WhenOff::kStays) continue;
    Event told = event(end == WhenOff::kHeld ? EventKind::kHeld : EventKind::kFalls, i);
    told.value = std::abs(load);
    told.limit = joint.brake.holding_torque;
    events_.publish(told);
  }
}

void Stack::publish(const RobotState& state) noexcept {
  snapshot_.cycle = state_.cycle;
  snapshot_.time_ns = state_.time_ns;
  snapshot_.speed_override = state_.speed_override;
  Eigen::Map<Eigen::Vector3d>(snapshot_.gravity.data()) = model_.free_fall();
  for (std::size_t i = 0; i < state_.setups.size(); ++i) {
    state_.joints[i].publish(state_.setups[i], protections_.guards()[i], snapshot_.joints[i]);
    snapshot_.joints[i].suppressed = protections_.suppressed(i);
    snapshot_.joints[i].contact_torque = protections_.contact_torque(i);
  }
  publish_efforts();
  plans_.publish(snapshot_.plans);
  drives_.publish({snapshot_.arms.data(), snapshot_.arms.size()});
  laws_.publish(snapshot_.laws, {snapshot_.law_signals.data(), snapshot_.law_signals.size()});
  snapshot_.obstacles = protections_.obstacles();
  snapshot_.base = state.base;
  snapshot_.force_torque = state.force_torque;
}

/// Values of each joint's torque for the snapshot.
void Stack::publish_efforts() noexcept {
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    JointSnapshot& out = snapshot_.joints[i];
    out.effort = state_.joints[i].effort();
    out.effort.gravity = model_.gravity(i);
    out.effort.external = forces_.torques()[i].tau;
    out.has_external = forces_.torques()[i].is_known;
    out.limit_cycles = events_.state().limit_cycles[i];
  }
  for (std::size_t a = 0; a < arms_.setups().size(); ++a) {
    const ArmSnapshot& arm = snapshot_.arms[a];
    const std::vector<JointIndex>& joints = arms_.setups()[a].config.joints;
    using Claim = JointControl::Claim;
    const Claim claim = arms_.orders()[joints.front()].claim;
    if (claim != Claim::kRuns && claim != Claim::kGuided) continue;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto tau = [&](ArmTerm term) { return arm.tau[static_cast<std::size_t>(term)][i]; };
      JointEffort& effort = snapshot_.joints[joints[i]].effort;
      effort.model = tau(ArmTerm::kGravity) + tau(ArmTerm::kCoriolis) + tau(ArmTerm::kFriction) +
                     tau(ArmTerm::kPayload);
      effort.interaction = tau(ArmTerm::kSpring) + tau(ArmTerm::kDamping) + tau(ArmTerm::kForce);
    }
  }
}

}  // namespace jointrig
