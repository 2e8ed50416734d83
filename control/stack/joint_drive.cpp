// What a joint's board is sent: the law or the board's own loop, then the limits.

#include <algorithm>
#include <cmath>

#include "control/stack/joint_control.h"

namespace jointrig {
namespace {

/// A jolt that leaves a stiff joint this far from the speed of its reference, as a part of v_max,
/// asks for more torque rate than default gains are made for (control/model/torque_rate_gains.h):
/// the law would lag behind itself and swing the joint up.
constexpr double kJolt = 0.5;

/// Share of the position error that a velocity-only board is asked to take off per second.
constexpr double kVelocityLoopGain = 10.0;

}  // namespace

Law JointControl::law_now(const JointSetup& setup) const noexcept {
  const ControlMode mode = machine_.mode();
  const bool yields = held_ == Hold::kSquish;  // so that who is caught can push it away
  const Law hold = yields ? Law::kCompliant : Law::kStiff;
  if (mode == ControlMode::kCartesian) return arm_.runs ? Law::kArm : hold;
  if (timed_out_ && mode != ControlMode::kMixed) {
    const bool is_held = held_ == Hold::kContact || yields;  // which is more than silence
    if (setup.config.timeout.reaction == TimeoutReaction::kDamp && !is_held) return Law::kDamp;
    if (!has_interaction(mode)) return hold;
  }
  if (mode == ControlMode::kTorque) return Law::kTorque;
  if (mode == ControlMode::kOpenloop) return Law::kDuty;
  return interaction_now(setup) == InteractionMode::kCompliant ? Law::kCompliant : Law::kStiff;
}

void JointControl::wait_for_motor(const JointSetup& setup, DriveMode drive,
                                  double gravity) noexcept {
  law_.reset();
  if (drive == DriveMode::kPosition && !machine_.wants_motor()) return;  // can't be off: it holds
  // The motor comes on carrying the joint, so that it doesn't sag while torque is taken up at its
  // rate.
  const bool carries = drive == DriveMode::kTorque &&
                       (machine_.mode() != ControlMode::kTorque || setup.config.gravity_in_torque);
  const double tau_max = setup.config.limits.tau_max;
  limiter_.reset(state_.q, carries ? std::clamp(gravity, -tau_max, tau_max) : 0.0);
  if (machine_.wants_motor()) motion_.start(state_.q, state_.v);
}

void JointControl::drive_torque(const JointSetup& setup, double gravity) noexcept {
  setpoint_.drive = DriveMode::kTorque;
  if (!machine_.driving()) {
    setpoint_.tau = limiter_.last_torque();
    return;
  }
  const JointConfig& joint = setup.config;
  const Law law = law_now(setup);
  // Not while samples are streamed: there the reference itself may outrun the joint's a_max.
  const bool jolted = rate_limited_ && machine_.mode() != ControlMode::kPositionDirect &&
                      std::abs(state_.v - motion_.reference().v) > kJolt * joint.limits.v_max;
  if (law == Law::kStiff && jolted) {
    go_on_from_here(setup);
    law_.reset();
  }
  LawInput in;
  in.q = state_.q;
  in.v = state_.v;
  in.reference = motion_.reference();
  in.reference.tau = law == Law::kArm ? arm_.tau : tau_ref_;
  in.feedforward_rate = joint.gains.inertia * joint.limits.a_max / JointLaw::kFeedforwardTime;
  in.gravity = law == Law::kTorque && !joint.gravity_in_torque ? 0.0 : gravity;
  if (law == Law::kArm) in.gravity = arm_.payload;  // its order has the rest in it
  in.gravity *= guard_.gravity_share;
  in.stiffness = stiffness_;
  in.damping = damping_;
  const double gain = law == Law::kCompliant ? stiffness_ : joint.gains.kp;
  if (has_interaction(machine_.mode()) && gain > 0.0) {
    motion_.keep_near(state_.q, joint.limits.tau_max / gain);
  }
  const double wanted =
      law_.torque(law, in, joint.gains, joint.limits.tau_max, setup.dt) + guard_.repulsion;
  setpoint_.tau = limiter_.torque(wanted, state_.q, state_.v, gravity, joint, setup.dt, limited_);
  law_.sent(setpoint_.tau - guard_.repulsion);
  rate_limited_ = limited_.has(Limit::kTorqueRate);
}

void JointControl::drive_duty(const JointSetup& setup, double gravity) noexcept {
  const Law law = law_now(setup);
  if (law != Law::kDuty && setup.board.drive_modes.has(DriveMode::kTorque)) {
    drive_torque(setup, gravity);  // the stream fell silent: the reaction needs torque
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
  const double wanted =
      law_.torque(Law::kDuty, in, setup.config.gains, setup.config.limits.tau_max, setup.dt) +
      guard_.repulsion;
  const double tau =
      limiter_.torque(wanted, state_.q, state_.v, gravity, setup.config, setup.dt, limited_);
  law_.sent(tau - guard_.repulsion);
  const double duty = (tau + emf) * setup.duty_per_torque;
  setpoint_.duty = duty > 1.0 ? 1.0 : duty < -1.0 ? -1.0 : duty;  // NaN passes to its check
  if (std::abs(duty) > 1.0) limited_.add(Limit::kDuty, duty, setpoint_.duty);
}

void JointControl::drive_position(const JointSetup& setup, DriveMode drive,
                                  double gravity) noexcept {
  const JointReference& reference = motion_.reference();
  const JointLimits& limits = setup.config.limits;
  setpoint_.drive = drive;
  if (drive == DriveMode::kVelocity) {
    if (!machine_.driving()) return;
    const double v = reference.v + kVelocityLoopGain * (reference.q - state_.q);
    setpoint_.v = Limiter::velocity(v, state_.q, limits, setup.dt, limited_);
    setpoint_.tau = guard_.gravity_share * gravity;
    return;
  }
  setpoint_.q = limiter_.position(reference.q, limits, setup.dt, limited_);
  setpoint_.v = reference.v;
  setpoint_.tau = guard_.gravity_share * gravity;
  if (drive == DriveMode::kImpedance) {
    setpoint_.tau += guard_.repulsion;
    const bool compliant = interaction_now(setup) == InteractionMode::kCompliant;
    setpoint_.stiffness = compliant ? stiffness_ : setup.config.gains.kp;
    setpoint_.damping = compliant ? damping_ : setup.config.gains.kd;
  }
}

}  // namespace jointrig
