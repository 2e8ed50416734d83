// Setpoint of a joint's board: the law or the board's own loop, then the limits.

#include <algorithm>
#include <cmath>

#include "control/joint/joint_control.h"

namespace jointrig {
namespace {

/// A jolt that leaves a stiff joint this far from the speed of its reference, as a part of v_max,
/// needs more torque rate than the default gains allow (control/discovery/torque_rate_gains.h): the
/// law would lag and become unstable.
constexpr double kJolt = 0.5;

}  // namespace

Law JointControl::law_now(const JointSetup& setup) const noexcept {
  const ControlMode mode = machine_.mode();
  const bool yields =
      activity_ == JointActivity::kSquish;  // so that a caught person can push it away
  const Law hold = yields ? Law::kCompliant : Law::kStiff;
  if (presses_) return Law::kTorque;
  if (is_driven_by_arm(activity_)) return Law::kArm;
  if (mode == ControlMode::kCartesian || activity_ == JointActivity::kGuideHolds) return hold;
  if (is_damped(setup)) return Law::kDamp;
  if (!has_interaction(mode) && holds_position()) return hold;
  if (mode == ControlMode::kTorque) return Law::kTorque;
  if (mode == ControlMode::kOpenloop) return Law::kDuty;
  return interaction_now(setup) == InteractionMode::kCompliant ? Law::kCompliant : Law::kStiff;
}

void JointControl::wait_for_motor(const JointSetup& setup, DriveMode drive,
                                  double gravity) noexcept {
  law_.reset();
  if (drive == DriveMode::kPosition && !machine_.wants_motor())
    return;  // can't be switched off: it holds
  // The one exception from the torque rate, and an event says it: the motor comes on with the
  // torque that carries the joint, at most tau_max, as a drive does before it opens its brake. At
  // the rate a standing joint would sag, and a falling one would fall on for as long as the rate
  // needs.
  const bool carries = drive != DriveMode::kDuty &&
                       (machine_.mode() != ControlMode::kTorque || setup.config.gravity_in_torque ||
                        setup.board.compensates_gravity);
  const double tau_max = setup.config.limits.tau_max;
  const double tau = carries ? board_gravity_ + gravity : 0.0;
  limiter_.reset(state_.q, std::clamp(tau, -tau_max, tau_max));
  if (machine_.wants_motor()) motion_.start(state_.q, state_.v);
}

/// @return  the torque of the motor when it comes on, where it is more than its rate allows in a
///          cycle; else 0
double JointControl::came_on_with(const JointSetup& setup) noexcept {
  const bool comes_on = machine_.driving() && !was_driving_;
  was_driving_ = machine_.driving();
  const double tau = limiter_.last_torque() - board_gravity_;
  const double in_a_cycle = setup.config.limits.tau_rate_max * setup.dt;
  return comes_on && drive_ == DriveMode::kTorque && std::abs(tau) > in_a_cycle ? tau : 0.0;
}

void JointControl::drive_torque(const JointSetup& setup, const Inputs& inputs, double gravity,
                                double computed) noexcept {
  setpoint_.drive = DriveMode::kTorque;
  if (!machine_.driving()) {
    setpoint_.tau = limiter_.last_torque() - board_gravity_;
    return;
  }
  const JointConfig& joint = setup.config;
  // Until now a loop of the board made its own torque, or a duty did that duty and speed don't
  // tell: a back-EMF that brakes the joint within a cycle, d dt > I, is a small difference of large
  // ones.
  const bool was_untold =
      last_drive_ == DriveMode::kDuty && setup.emf_damping * setup.dt > joint.gains.inertia;
  const bool takes_over = !state_.follows || last_drive_ == DriveMode::kPosition ||
                          last_drive_ == DriveMode::kVelocity ||
                          last_drive_ == DriveMode::kImpedance || was_untold;
  if (takes_over && setup.board.senses_torque) limiter_.start_from(state_.tau, joint.limits);
  const Law law = law_now(setup);
  // Not while samples are streamed: their reference may exceed the joint's a_max.
  const bool jolted = !is_computed(setup) && rate_limited_ &&
                      machine_.mode() != ControlMode::kPositionDirect &&
                      std::abs(state_.v - motion_.reference().v) > kJolt * joint.limits.v_max;
  if (law == Law::kStiff && jolted) {
    go_on_from_here(setup);
    law_.reset();
  }
  LawInput in;
  in.q = state_.q;
  in.v = state_.v;
  in.reference = motion_.reference();
  in.reference.tau = law == Law::kArm ? inputs.arm.tau - inputs.arm.suppressed : tau_ref_;
  in.feedforward_rate = joint.gains.inertia * joint.limits.a_max / JointLaw::kFeedforwardTime;
  in.gravity = law == Law::kTorque && !joint.gravity_in_torque ? 0.0 : gravity;
  if (law == Law::kArm) in.gravity = inputs.arm.payload;  // its order contains the rest
  if (presses_) {
    in.reference.tau = inputs.grip.tau - joint.gains.damping * state_.v;
    in.gravity = gravity;
  }
  in.gravity *= inputs.guard.gravity_share;
  if (is_computed(setup)) in.computed = computed;
  in.stiffness = stiffness_;
  in.damping = damping_;
  const bool takes_laws = law == Law::kTorque || law == Law::kArm;
  if (takes_laws && !presses_) in.added = effort_.laws = inputs.laws;
  // Computed torque has it already.
  if ((law == Law::kStiff && !is_computed(setup)) || law == Law::kCompliant) {
    in.added = fed_forward();
  }
  const double gain = law == Law::kCompliant ? stiffness_ : joint.gains.kp;
  if (has_interaction(machine_.mode()) && gain > 0.0) {
    motion_.keep_near(state_.q, joint.limits.tau_max / gain);
  }
  in.execution = execution();
  JointGains gains = joint.gains;
  if (in.execution != PlanExecution::kInverseDynamics) in.reference.a = 0.0;
  if (in.execution == PlanExecution::kVelocity) {
    if (gains.kd > 0.0) gains.kp = std::min(gains.kp, kVelocityLoopGain * gains.kd);
    gains.ki = 0.0;
  }
  double of_law = law_.torque(law, in, gains, joint.limits.tau_max, setup.dt);
  if (const double most = inputs.grip.most; most > 0.0) {
    of_law = std::clamp(of_law, in.gravity - most, in.gravity + most);
  }
  const double wanted = of_law + inputs.guard.repulsion;
  // The joint gets the sum of the setpoint and the board's own torque: the limits apply to the sum.
  wanted_ = wanted + board_gravity_;
  has_torque_ = true;
  effort_.model = law_.of_model();
  effort_.interaction = law_.of_compliance();
}

void JointControl::drive_duty(const JointSetup& setup, const Inputs& inputs, double gravity,
                              double computed) noexcept {
  const Law law = law_now(setup);
  if (law != Law::kDuty && setup.board.drive_modes.has(DriveMode::kTorque)) {
    // The stream fell silent: the reaction needs torque.
    drive_torque(setup, inputs, gravity, computed);
    return;
  }
  setpoint_.drive = DriveMode::kDuty;
  const double emf = setup.emf_damping * state_.v;
  if (!machine_.driving()) {
    // Duty 0 shorts a turning motor; the duty of its own back-EMF lets it come on without torque.
    setpoint_.duty = std::clamp(emf * setup.duty_per_torque, -1.0, 1.0);
    return;
  }
  LawInput in;
  in.reference.tau = (law == Law::kDuty ? duty_ref_ : 0.0) / setup.duty_per_torque - emf;
  wanted_ = law_.torque(Law::kDuty, in, setup.config.gains, setup.config.limits.tau_max, setup.dt) +
            inputs.guard.repulsion;
  has_torque_ = true;
}

/// Duty cycle of a torque at the present speed.
void JointControl::send_duty(const JointSetup& setup, double tau) noexcept {
  const double duty = (tau + setup.emf_damping * state_.v) * setup.duty_per_torque;
  setpoint_.duty = duty > 1.0 ? 1.0 : duty < -1.0 ? -1.0 : duty;  // NaN passes to its check
  if (std::abs(duty) > 1.0) limited_.add(Limit::kDuty, duty, setpoint_.duty);
}

/// Feed-forward beside a loop of the board, so that both together keep the torque limits, as far as
/// the stack knows that loop.
double JointControl::limited_beside(double loop, double tau, const JointSetup& setup) noexcept {
  const JointLimits& limits = setup.config.limits;
  const double others = loop + board_gravity_;
  const double wanted = others + tau;
  if (!machine_.driving()) {
    limiter_.start_from(wanted, limits);
    return limiter_.last_torque() - others;
  }
  const double kept = limiter_.feedforward(wanted, limits, setup.dt, limited_);
  return kept == wanted ? tau : kept - others;
}

void JointControl::drive_position(const JointSetup& setup, DriveMode drive, const Guard& guard,
                                  double gravity) noexcept {
  const JointReference& reference = motion_.reference();
  const JointLimits& limits = setup.config.limits;
  setpoint_.drive = drive;
  if (drive == DriveMode::kVelocity) {
    if (!machine_.driving()) return;
    const double v = reference.v + kVelocityLoopGain * (reference.q - state_.q);
    setpoint_.v = Limiter::velocity(v, state_.q, limits, setup.dt, limited_);
    setpoint_.tau = limited_beside(0.0, guard.gravity_share * gravity + fed_forward(), setup);
    effort_.model = gravity;
    return;
  }
  setpoint_.q = limiter_.position(reference.q, limits, setup.dt, limited_);
  setpoint_.v = reference.v;
  effort_.model = gravity;
  double loop = 0.0;
  double beside = guard.gravity_share * gravity + fed_forward();
  if (drive == DriveMode::kImpedance) {
    beside += guard.repulsion;
    const bool compliant = interaction_now(setup) == InteractionMode::kCompliant;
    setpoint_.stiffness = compliant ? stiffness_ : setup.config.gains.kp;
    setpoint_.damping = compliant ? damping_ : setup.config.gains.kd;
    loop = setpoint_.stiffness * (setpoint_.q - state_.q) +
           setpoint_.damping * (setpoint_.v - state_.v);
    if (compliant) effort_.interaction = loop;
  }
  setpoint_.tau = limited_beside(loop, beside, setup);
}

}  // namespace jointrig
