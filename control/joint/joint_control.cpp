#include "control/joint/joint_control.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "control/core/board_defaults.h"
#include "control/joint/board_lags.h"
#include "control/joint/emulation.h"

namespace jointrig {
namespace {

/// A joint that moves faster than this times the speed of a new move brakes before it starts.
constexpr double kBrakeFirst = 1.02;

/// A compliant joint pushed away by more than this share of its torque limit (in stiff torque)
/// becomes stiff at its position, and moves back like a move, without a jump to its reference.
constexpr double kDeflected = 0.1;

/// A joint that pressed on something that is gone is fast at once, and is braked within this time
/// [s], a choice: until then its speed is no fault.
constexpr double kSnapTime = 0.2;

/// Time in which the torque of a joint that has met something comes to rest [s]: a choice.
constexpr double kRestTime = 0.1;

std::string in_milliseconds(TimeNs time) {
  std::string text = std::to_string(1e3 * to_seconds(time));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " ms";
}

/// Reason why this joint can't be held at all.
std::string why_not_held(const JointConfig& joint, const JointCapabilities& board) {
  if (!board.drive_modes.has(DriveMode::kTorque)) {
    return "the board of joint \"" + joint.name +
           "\" takes neither torque nor position nor velocity: it can't hold its joint, leave the "
           "joint out of the robot file";
  }
  return "joint \"" + joint.name + "\": bus " + board.bus + " has a cycle of " +
         in_milliseconds(board.cycle_ns) + ", and the stack closes a loop by torque up to " +
         in_milliseconds(kLongestTorqueCycle) +
         "; its board takes nothing but torque: give it `position` in `drive_modes` if it closes "
         "that loop itself, or the bus a shorter cycle";
}

/// True if one step Δ of the encoder makes the stiff law and its load observer ask for more torque
/// in a cycle than a share of the torque rate, so that the torque lags:
///
///     I Δ/dt s_b (2ζω s_r + ω_o) > 0.2 r_τ dt
///
/// with s_b Δ/dt the speed_of_step and s_r the share that a sample has in the law's filter. Arms
/// sway then by some 30 steps: of fine ones nobody sees it.
bool is_coarse(const JointSetup& setup) noexcept {
  constexpr double kShare = 0.2;  // choices
  constexpr double kFine = 1e-5;  // [rad or m]
  const double gain =
      2.0 * setup.servo.damping * setup.servo.w * setup.rate_share + setup.servo.observer;
  const double asked = setup.config.gains.inertia * setup.speed_of_step * gain;
  return setup.config.board.encoder_step > kFine &&
         asked > kShare * setup.config.limits.tau_rate_max * setup.dt;
}

}  // namespace

double loop_time(const JointConfig& joint, const JointCapabilities& board, double dt,
                 int delay_cycles) {
  const double cycle = std::max(dt, to_seconds(board.cycle_ns));
  const double read = lag_of(velocity_filter_hz(joint.board, board));
  return cycle * (delay_cycles + 0.5) + 0.5 * cycle + read + torque_lag(joint.board);
}

JointSetup make_setup(const JointConfig& config, const JointCapabilities& board, double dt,
                      int delay_cycles) {
  JointSetup setup;
  setup.config = config;
  setup.board = board;
  setup.dt = dt;
  for (const ControlMode mode : kAllControlMode) {
    for (const InteractionMode interaction : kAllInteractionMode) {
      setup.drives[static_cast<std::size_t>(mode)][static_cast<std::size_t>(interaction)] =
          drive_for(usable_modes(board), config, mode, interaction);
      const bool waits = !setup.drive(mode, interaction) &&
                         drive_for(board.drive_modes, config, mode, interaction).has_value();
      if (waits) {
        setup.waits_for_faster_bus[static_cast<std::size_t>(mode)] |=
            static_cast<std::uint8_t>(1U << static_cast<unsigned>(interaction));
      }
    }
  }
  if (!setup.drive(ControlMode::kPosition, InteractionMode::kStiff)) {
    throw std::invalid_argument(why_not_held(config, board));
  }
  const BoardConfig b = with_defaults(config.board, config.limits);
  const double kt = b.torque_constant;
  setup.duty_per_torque = b.resistance_ohm / (kt * b.supply_V);
  setup.velocity_share = share_behind(kVelocityFilterHz, dt);
  setup.rate_share = share_behind(kRateFilterHz, dt);
  setup.speed_of_step =
      share_behind(velocity_filter_hz(config.board, board), dt) * config.board.encoder_step / dt;
  setup.emf_damping = kt * kt / b.resistance_ohm;
  setup.servo = servo_design(loop_time(config, board, dt, delay_cycles), config);
  setup.observes_speed = is_coarse(setup);
  return setup;
}

JointControl::JointControl(const JointSetup& setup) noexcept
    : machine_(setup.board.reports_status, setup.board.enable_time),
      stiffness_(setup.config.gains.stiffness),
      damping_(setup.config.gains.damping) {}

JointModeMachine::Change JointControl::follow(const JointSetup& setup, const JointState& board,
                                              std::uint64_t cycle) noexcept {
  const double good_q = state_.q;
  state_ = board;
  if (!setup.board.reports_status && board.missed == 0) state_.status = BoardStatus::kEnabled;
  if (!setup.board.senses_velocity) {
    // v += (dq/dt − v) (1 − e^{−2π f dt})
    if (seen_) last_v_ += setup.velocity_share * ((board.q - last_q_) / setup.dt - last_v_);
    state_.v = last_v_;
  }
  last_q_ = board.q;
  if (!seen_) {
    motion_.start(state_.q, 0.0);
    limiter_.reset(state_.q, 0.0);
    seen_ = true;
  }

  const JointModeMachine::Change change = machine_.advance(state_, cycle, setup.dt);
  if (machine_.fault() && !std::isfinite(state_.q)) state_.q = last_q_ = good_q;
  if (machine_.fault() && !std::isfinite(state_.v)) state_.v = last_v_ = 0.0;
  return change;
}

double JointControl::since_last_sample(const JointSetup& setup) const noexcept {
  return activity_ == JointActivity::kStream ? std::max(silence_, setup.dt) : setup.dt;
}

bool JointControl::change_mode(TransitionRequest request) noexcept {
  const ControlMode before = machine_.mode();
  const bool had_reference = machine_.driving() && holds_position();
  if (machine_.request(request) != RejectReason::kNone || machine_.mode() == before) return false;
  if (!had_reference) motion_.start(state_.q, state_.v);
  enter(machine_.mode());
  return true;
}

void JointControl::enter(ControlMode mode) noexcept {
  move_.reset();
  stream_cut_ = false;
  if (!is_in_hand(activity_) && !is_held(activity_)) activity_ = JointActivity::kMode;
  silence_ = 0.0;
  tau_ref_ = duty_ref_ = 0.0;
  const bool moved_itself = has_interaction(mode) || mode == ControlMode::kCartesian;
  if (moved_itself) {
    motion_.stop();  // brakes from the reference's present state
  } else {
    motion_.start(motion_.reference().q, 0.0);  // nothing leads it: no path, and no plan
  }
}

void JointControl::change_interaction(InteractionMode interaction,
                                      const JointSetup& setup) noexcept {
  const bool stiffens =
      interaction_ == InteractionMode::kCompliant && interaction == InteractionMode::kStiff;
  interaction_ = interaction;
  if (!stiffens || !machine_.driving() || !has_interaction(machine_.mode())) return;
  const double away = motion_.reference().q - state_.q;
  if (setup.config.gains.kp * std::abs(away) > kDeflected * setup.config.limits.tau_max) {
    go_on_from_here(setup);
  }
}

/// A joint far off its reference doesn't jump to it: it brakes at its position, and approaches its
/// old goal again by a move.
void JointControl::go_on_from_here(const JointSetup& setup) noexcept {
  const double goal = motion_.goes_to_goal() ? motion_.goal() : motion_.reference().q;
  const double velocity = motion_.velocity_command();
  const ControlMode mode = machine_.mode();
  motion_.start(state_.q, state_.v);
  if (mode == ControlMode::kVelocity) motion_.set_velocity(velocity);
  if ((mode == ControlMode::kPosition || mode == ControlMode::kMixed) && !move_) {
    move_ = PendingMove{
        .goal = goal, .speed = kDefaultSpeed * setup.config.limits.v_max, .after_stand = true};
  }
}

void JointControl::hold(JointActivity why, const JointSetup& setup) noexcept {
  if (!is_held(activity_)) stream_cut_ = awaits_sample();
  if (!is_held(activity_) && machine_.driving()) brake_for(why, setup);
  if (why != JointActivity::kLink) move_.reset();
  if (has_interaction(machine_.mode())) tau_ref_ = 0.0;  // fed forward on the way
  if (!is_held_for(activity_, why)) activity_ = why;
}

void JointControl::brake_for(JointActivity why, const JointSetup& setup) noexcept {
  if (is_of_arm(activity_)) {
    motion_.start(state_.q, state_.v);
    return;
  }
  const double goal = motion_.goal();
  const bool goes_on = why == JointActivity::kLink && motion_.goes_to_goal();
  // At a contact the reference may lie beyond the obstacle: the joint itself stops.
  const bool has_met = why == JointActivity::kContact || why == JointActivity::kSquish;
  if (has_met) {
    motion_.start(state_.q, state_.v, ReferenceGenerator::Braking::kBrisk);
    law_.reset();  // it stops to press at once
  } else {
    brake(has_interaction(machine_.mode()));
  }
  if (machine_.mode() == ControlMode::kMixed) motion_.stop();
  if (goes_on) keep_goal(goal, setup);
}

bool JointControl::has_goal() const noexcept {
  return machine_.mode() == ControlMode::kPosition || machine_.mode() == ControlMode::kMixed;
}

/// The joint goes on to this goal once it is free and stands, unless another move waits.
void JointControl::keep_goal(double goal, const JointSetup& setup) noexcept {
  const double own = kDefaultSpeed * setup.config.limits.v_max;
  if (move_) return;
  move_ = PendingMove{
      .goal = goal, .speed = move_speed_ > 0.0 ? move_speed_ : own, .after_stand = true};
}

/// Its board stopped by itself: the reference stays with the joint until it follows again, so that
/// it finds nothing to jump to. A goal, or the place where it stood, is approached again.
void JointControl::stay_with_joint(const JointSetup& setup) noexcept {
  if (activity_ == JointActivity::kLink && has_goal()) {
    keep_goal(motion_.goes_to_goal() ? motion_.goal() : motion_.reference().q, setup);
  }
  motion_.start(state_.q, state_.v);
  law_.reset();
  feedforward_ = 0.0;
  limiter_.reset(state_.q, limiter_.last_torque());
}

void JointControl::free(JointActivity why) noexcept {
  if (activity_ != why) return;
  activity_ = once_free();
  silence_ = 0.0;
  if (stream_cut_ && activity_ == JointActivity::kMode) activity_ = JointActivity::kStream;
}

/// If it was held in a mode without a reference, it would otherwise apply the torque or duty of an
/// old command.
JointActivity JointControl::once_free() const noexcept {
  return is_effort_mode(machine_.mode()) && machine_.driving() ? JointActivity::kStands
                                                               : JointActivity::kMode;
}

void JointControl::halt() noexcept {
  if (!has_interaction(machine_.mode()) || activity_ == JointActivity::kSilent) return;
  motion_.halt();
  move_.reset();
}

void JointControl::rest() noexcept {
  move_.reset();
  motion_.start(state_.q, 0.0);  // a joint that snaps comes back
  law_.reset();                  // it stops to press at once
  rest_left_ = kRestTime;
}

double JointControl::heading() const noexcept {
  return machine_.driving() && has_interaction(machine_.mode()) ? motion_.heading() : 0.0;
}

double JointControl::next_speed(const JointSetup& setup) const noexcept {
  ReferenceGenerator next = motion_;
  return next.advance(setup.dt, setup.config.limits).v;
}

/// In a squish it yields, so that a caught person can push it away.
InteractionMode JointControl::interaction_now(const JointSetup& setup) const noexcept {
  const bool yields = activity_ == JointActivity::kSquish &&
                      setup.drive(machine_.mode(), InteractionMode::kCompliant).has_value();
  return yields ? InteractionMode::kCompliant : interaction_;
}

void JointControl::start_move(const JointSetup& setup) noexcept {
  if (move_->duration > 0.0) {
    // The peak of the path from rest to rest (minimum_jerk.h).
    const double peak =
        15.0 / 8.0 * std::abs(move_->goal - motion_.reference().q) / move_->duration;
    move_speed_ = std::min(peak, setup.config.limits.v_max);
    motion_.timed_move(move_->goal, move_->duration, setup.config.limits);
    move_.reset();
    return;
  }
  if (std::abs(motion_.reference().v) > kBrakeFirst * move_->speed) {
    motion_.stop();  // faster than the wanted speed: brakes, then moves
    move_->after_stand = true;
    return;
  }
  motion_.move(move_->goal, move_->speed, setup.config.limits);
  move_speed_ = move_->speed;
  move_.reset();
}

bool JointControl::holds_position() const noexcept {
  if (activity_ == JointActivity::kGuided) return false;
  const bool arm_lets_go =
      machine_.mode() == ControlMode::kCartesian && activity_ != JointActivity::kArm;
  return has_interaction(machine_.mode()) || activity_ == JointActivity::kSilent ||
         activity_ == JointActivity::kStands || is_held(activity_) || arm_lets_go;
}

bool JointControl::is_damped(const JointSetup& setup) const noexcept {
  return activity_ == JointActivity::kSilent && machine_.mode() != ControlMode::kMixed &&
         setup.config.timeout.reaction == TimeoutReaction::kDamp;
}

/// After a contact the joint brakes, but doesn't hold against what it met: its reference goes with
/// it until it stands, and while it is pushed back nothing resists.
void JointControl::yield_to_contact(const JointSetup& setup) noexcept {
  constexpr double kShortest = 0.05;  // s: a choice
  constexpr double kLongest = 0.15;   // s: a choice
  constexpr double kStands = 0.01;    // of v_max: a choice
  const bool has_met = activity_ == JointActivity::kContact || activity_ == JointActivity::kSquish;
  if (!has_met || !is_computed(setup)) {
    yielded_ = 0.0;
    return;
  }
  if (yielded_ > kLongest) return;
  if (yielded_ == 0.0) met_with_ = state_.v;
  yielded_ += setup.dt;
  const bool stands = std::abs(state_.v) < kStands * setup.config.limits.v_max;
  if (stands && yielded_ > kShortest) yielded_ = 2.0 * kLongest;
  motion_.start(state_.q, state_.v, ReferenceGenerator::Braking::kBrisk);
  const bool is_pushed_back = state_.v * met_with_ <= 0.0;
  if (is_pushed_back && yielded_ <= kLongest) motion_.set_velocity(state_.v);
}

/// An arm has no joint that is held. The next owner continues from the joint's position: so does
/// the reference while a hand moves it.
void JointControl::follow_arm(Claim claim) noexcept {
  if (is_held(activity_)) return;
  const JointActivity was = activity_;
  switch (claim) {
    case Claim::kNone:
      if (is_of_arm(was)) activity_ = JointActivity::kMode;
      break;
    case Claim::kRuns:
      activity_ = JointActivity::kArm;
      break;
    case Claim::kGuided:
      activity_ = JointActivity::kGuided;
      break;
    case Claim::kHeld:
      activity_ = JointActivity::kGuideHolds;
      break;
  }
  const bool in_hand = is_in_hand(activity_);
  if (in_hand) move_.reset();  // goals and streams are cancelled
  const bool is_new = activity_ != was;
  const bool left_arm = was == JointActivity::kArm && machine_.mode() == ControlMode::kCartesian;
  const bool has_let_go = is_new && (is_in_hand(was) || left_arm);
  const bool stands = is_new && claim == Claim::kHeld;
  if (has_let_go || stands || claim == Claim::kGuided) motion_.start(state_.q, state_.v);
}

/// Returns true in the cycle in which the stream falls silent.
bool JointControl::count_silence(const JointSetup& setup) noexcept {
  if (!awaits_sample()) return false;
  silence_ += setup.dt;
  const StreamTimeout& timeout = setup.config.timeout;
  if (silence_ < timeout.seconds + 0.5 * setup.dt) return false;
  react_to_silence(timeout.reaction);
  return true;
}

/// After hold and decelerate it keeps its position, and the mode says so. Position_direct and mixed
/// keep one already, and go on with the next sample.
void JointControl::react_to_silence(TimeoutReaction reaction) noexcept {
  const ControlMode mode = machine_.mode();
  const bool had_reference = has_interaction(mode);
  tau_ref_ = duty_ref_ = 0.0;
  if (reaction == TimeoutReaction::kIdle) {
    change_mode(TransitionRequest::kIdle);
    return;
  }
  const bool keeps_position = reaction != TimeoutReaction::kDamp;
  const bool has_goal = mode == ControlMode::kMixed || mode == ControlMode::kPositionDirect;
  if (keeps_position && !has_goal) change_mode(TransitionRequest::kPosition);
  activity_ = JointActivity::kSilent;
  brake(had_reference && reaction == TimeoutReaction::kHold);
}

/// Brakes from the motion of its reference, or of the joint in a mode without one. Without an
/// earlier reference the joint's own motion must be braked: not briskly.
void JointControl::brake(bool is_brisk) noexcept {
  if (machine_.mode() == ControlMode::kMixed) {
    motion_.set_velocity(0.0);  // the goal stays valid
    return;
  }
  const bool has_reference = has_interaction(machine_.mode());
  const double q = has_reference ? motion_.reference().q : state_.q;
  const double v = has_reference ? motion_.reference().v : state_.v;
  using Braking = ReferenceGenerator::Braking;
  motion_.start(q, v, is_brisk ? Braking::kBrisk : Braking::kNormal);
}

JointControl::Outcome JointControl::plan(const JointSetup& setup, const Inputs& in) noexcept {
  Outcome outcome;
  motion_.set_speed_override(in.speed_override);
  motion_.set_room(in.room);
  limited_.clear();
  outcome.timed_out = count_silence(setup);
  follow_arm(in.arm.claim);

  rest_left_ = std::max(rest_left_ - setup.dt, 0.0);
  snaps_ = presses_ ? kSnapTime : std::max(snaps_ - setup.dt, 0.0);
  const bool may_snap = snaps_ > 0.0;
  if (machine_.driving() && !may_snap &&
      std::abs(state_.v) > kOverSpeed * setup.config.limits.v_max) {
    outcome.faulted = machine_.latch(FaultCode::kOverSpeed, state_.v,
                                     kOverSpeed * setup.config.limits.v_max, in.cycle);
  }
  last_drive_ = setpoint_.drive;
  setpoint_ = {};
  effort_ = {};
  setpoint_.request = machine_.board_request();
  const ControlMode mode = machine_.mode();
  const ControlMode driven_as = is_in_hand(activity_) ? ControlMode::kCartesian : mode;
  drive_ = setup.drive(driven_as, interaction_now(setup)).value_or(DriveMode::kOff);
  outcome.engaged = came_on_with(setup);
  presses_ = in.grip.presses && machine_.driving() && drive_ == DriveMode::kTorque;
  if (machine_.driving()) {
    const bool may_start =
        !is_held(activity_) && (!move_ || !move_->after_stand || motion_.standing());
    if (move_ && may_start) start_move(setup);
    if (!state_.follows) stay_with_joint(setup);
    if (is_damped(setup)) motion_.start(state_.q, state_.v);  // the next command starts there
    yield_to_contact(setup);
    if (presses_) {  // a motion that comes after it starts where the joint is
      move_.reset();
      motion_.start(state_.q, 0.0);
    }
    if (drive_ == DriveMode::kTorque) motion_.come_in(state_.q, setup.config.limits);
    motion_.advance(setup.dt, setup.config.limits);
    outcome.arrived = motion_.arrived();
    outcome.timed_out = outcome.timed_out || motion_.lapsed();
    limited_.add(motion_.limited());
  }
  if (is_computed(setup)) {
    const double most = in.room.jerk * setup.dt;
    const bool is_fed = execution() == PlanExecution::kInverseDynamics;
    const double wanted = is_fed ? motion_.reference().a : 0.0;
    feedforward_ += std::clamp(wanted - feedforward_, -most, most);
    error_rate_ += setup.rate_share * (motion_.reference().v - state_.v - error_rate_);
  } else {
    feedforward_ = 0.0;
    // Without a reference there is no error: the next one starts with the joint's own speed.
    error_rate_ = holds_position() ? motion_.reference().v - state_.v : 0.0;
  }
  return outcome;
}

bool JointControl::is_computed(const JointSetup& setup) const noexcept {
  return drive_ == DriveMode::kTorque && machine_.driving() && !setup.config.gains.is_pid &&
         law_now(setup) == Law::kStiff;
}

void JointControl::drive(const JointSetup& setup, const Inputs& in, double computed) noexcept {
  has_torque_ = false;
  board_gravity_ = setup.board.compensates_gravity ? in.gravity : 0.0;
  const double gravity = in.gravity - board_gravity_ + in.arm.payload;
  if (!machine_.driving()) wait_for_motor(setup, drive_, gravity);
  const bool is_off = machine_.mode() == ControlMode::kIdle && drive_ == DriveMode::kOff;
  if (machine_.fault() || is_off) return;
  switch (drive_) {
    case DriveMode::kTorque:
      drive_torque(setup, in, gravity, computed);
      break;
    case DriveMode::kDuty:
      drive_duty(setup, in, gravity, computed);
      break;
    default:
      drive_position(setup, drive_, in.guard, gravity);
      break;
  }
}

void JointControl::send(const JointSetup& setup, const Inputs& in, const EnvelopeNote& note,
                        Outcome& outcome) noexcept {
  if (has_torque_) {
    double torque = wanted_;
    // The envelope brakes with what it needs; it presses no more than the gripper is to.
    const double carried = in.gravity + in.arm.payload;
    if (in.grip.tau < 0.0) torque = std::max(torque, carried - in.grip.most);
    if (in.grip.tau > 0.0) torque = std::min(torque, carried + in.grip.most);
    if (note.acts) limited_.add(note.limit, note.value, note.bound);
    const double kept = limiter_.feedforward(torque, setup.config.limits, setup.dt, limited_);
    const bool is_duty = setpoint_.drive == DriveMode::kDuty;
    const double sent = is_duty ? kept : kept - board_gravity_;
    law_.sent(sent - in.guard.repulsion);
    if (is_duty) {
      send_duty(setup, sent);
    } else {
      setpoint_.tau = sent;
    }
    rate_limited_ = limited_.has(Limit::kTorqueRate);
  }
  const bool finite = std::isfinite(setpoint_.q) && std::isfinite(setpoint_.v) &&
                      std::isfinite(setpoint_.tau) && std::isfinite(setpoint_.duty) &&
                      std::isfinite(setpoint_.stiffness) && std::isfinite(setpoint_.damping);
  if (!finite) {
    outcome.faulted = machine_.latch(FaultCode::kSetpointNotFinite, setpoint_.tau, 0.0, in.cycle);
    limited_.add(Limit::kNotFinite, setpoint_.tau, 0.0);
    setpoint_ = {};
  }
}

void JointControl::publish(const JointSetup& setup, const Guard& guard,
                           JointSnapshot& out) const noexcept {
  out.state = state_;
  out.state.q = last_q_;
  out.reference = motion_.reference();
  out.reference.tau = tau_ref_;
  out.reference.duty = duty_ref_;
  out.setpoint = setpoint_;
  out.fault = machine_.fault();
  out.stiffness = stiffness_;
  out.damping = damping_;
  out.timeout_left = awaits_sample() ? std::max(setup.config.timeout.seconds - silence_, 0.0) : 0.0;
  out.mode = machine_.shown();
  out.interaction = interaction_;
  out.limits = limited_.notices();
  const bool is_led =
      machine_.driving() && (motion_.on_path() || motion_.on_plan() || motion_.to_target());
  out.moving = is_led || move_.has_value();
  out.timed_out = activity_ == JointActivity::kSilent;
  out.repulsion = setpoint_.drive == DriveMode::kOff ? 0.0 : guard.repulsion;
}

}  // namespace jointrig
