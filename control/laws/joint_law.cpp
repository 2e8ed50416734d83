#include "control/laws/joint_law.h"

#include <algorithm>

namespace jointrig {

double JointLaw::raw(Law law, const LawInput& in, const JointGains& gains, double tau_max,
                     double dt) noexcept {
  const double e = in.reference.q - in.q;
  const double de = in.reference.v - in.v;
  last_growth_ = 0.0;
  of_model_ = law == Law::kDuty ? 0.0 : in.gravity;
  of_compliance_ = 0.0;
  switch (law) {
    case Law::kStiff: {
      if (in.computed) return *in.computed + in.gravity;
      const double before = integral_;
      integral_ = std::clamp(integral_ + gains.ki * e * dt, -tau_max, tau_max);
      last_growth_ = integral_ - before;
      const double most = in.feedforward_rate * dt;
      feedforward_ += std::clamp(gains.inertia * in.reference.a - feedforward_, -most, most);
      of_model_ += feedforward_;
      return gains.kp * e + integral_ + gains.kd * de + feedforward_ + in.gravity;
    }
    case Law::kCompliant:
      of_compliance_ = in.stiffness * e + in.damping * de;
      return of_compliance_ + in.gravity;
    case Law::kTorque:
    case Law::kArm:
      return in.reference.tau + in.gravity;
    case Law::kDuty:
      return in.reference.tau;
    case Law::kDamp:
      break;
  }
  return -0.1 * gains.kd * in.v + in.gravity;
}

double JointLaw::torque(Law law, const LawInput& in, const JointGains& gains, double tau_max,
                        double dt) noexcept {
  const bool is_stiff = law == Law::kStiff;
  const bool is_computed = is_stiff && in.computed.has_value();
  const bool new_law = running_ && (law != law_ || (is_stiff && is_computed != is_computed_));
  const double stiffness = is_stiff ? gains.kp : in.stiffness;
  const double damping = is_stiff ? gains.kd : in.damping;
  const bool new_gains = running_ && (is_stiff || law == Law::kCompliant) && law_ == law &&
                         (stiffness != stiffness_ || damping != damping_);
  const bool new_leading = running_ && is_stiff && in.execution != execution_;
  if (new_law) integral_ = feedforward_ = 0.0;

  double wanted = raw(law, in, gains, tau_max, dt);
  if (in.added != 0.0) wanted += in.added;  // a zero keeps its sign
  if (new_law && is_stiff && is_computed_ && gains.ki > 0.0) {
    // The PID starts with the load that computed torque has carried.
    integral_ = std::clamp(steady_ - wanted, -tau_max, tau_max);
    wanted += integral_;
  }
  if (new_law || new_gains || new_leading) {
    // A duty carries and brakes nothing: its torque of late is no load to go on with, and would
    // take the braking away from the law that holds. The torque rate alone keeps that switch
    // smooth.
    const bool was_duty = new_law && law_ == Law::kDuty && is_computed;
    blend_ = was_duty ? 0.0 : steady_ - wanted;
    blend_left_ = kBlendTime;
  }
  if (!running_) steady_ = wanted;
  steady_share_ = dt / (kSteadyTime + dt);
  running_ = true;
  law_ = law;
  execution_ = in.execution;
  is_computed_ = is_computed;
  stiffness_ = stiffness;
  damping_ = damping;

  last_wanted_ = wanted + blend_ * blend_left_ / kBlendTime;
  blend_left_ = std::max(blend_left_ - dt, 0.0);
  return last_wanted_;
}

void JointLaw::sent(double tau) noexcept {
  const double cut = last_wanted_ - tau;
  if (cut * last_growth_ > 0.0) integral_ -= last_growth_;
  steady_ += steady_share_ * (tau - steady_);
}

}  // namespace jointrig
