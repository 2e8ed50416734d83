#include "control/stack/joint_loads.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/core/board_defaults.h"
#include "control/core/sane.h"
#include "control/stack/plausible_speed.h"

namespace jointrig {
namespace {

constexpr double kNotSent = std::numeric_limits<double>::quiet_NaN();

/// Momentum of all that a torque moves which is sent [N·m·s or N·s]: the model's, which is of what
/// a spring's torque moves, and of what a motor before a spring adds to it.
double moved_by_sent(std::size_t joint, const PlacedModel& model, Joints joints) noexcept {
  if (!model) return model.momentum(joint);  // of the inertia that the motor feels
  const double before = armature_before_spring(joints.setups[joint].config.board);
  return model.momentum(joint) + before * joints.controls[joint].state().v;
}

/// Torque of the last setpoint; NaN if the motor doesn't give it.
double sent_by(const JointControl& control) noexcept {
  const bool drove = control.setpoint().drive == DriveMode::kTorque &&
                     control.machine().driving() && control.state().follows;
  return drove ? control.setpoint().tau : kNotSent;
}

/// True if its motor gives nothing, as far as its board tells: neither the stack nor a loop of its
/// board drives it.
bool is_off(const JointControl& control) noexcept {
  return !control.machine().driving() && !control.has_board_loop() &&
         control.machine().shown() != JointMode::kCalibrating &&
         control.machine().shown() != JointMode::kNotConfigured && control.state().follows;
}

bool is_implausible(const JointSetup& setup, const JointControl& control) noexcept {
  return plausible_speed(setup, control) != control.state().v;
}

/// Joints that read a speed which they hardly have.
JointSet implausible_ones(Joints joints) noexcept {
  JointSet set;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    set.set(i, is_implausible(joints.setups[i], joints.controls[i]));
  }
  return set;
}

/// True if such readings of others are a load on the joint, by the inertia between them, in the
/// cycle in which they come or go. An encoder's noise may be such a reading of a finger, and is
/// none for the arm:
///
///     Σ_k |M_ik| κ v_max,k / dt > 0.05 τ_max,i
bool is_shaken(std::size_t joint, const JointSet& implausible, const PlacedModel& model,
               Joints joints, double dt) noexcept {
  constexpr double kShare = 0.05;  // a choice
  if (implausible.none()) return false;
  const double* column = model.inertia().col(static_cast<Eigen::Index>(joint)).data();
  double momentum = 0.0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    if (k == joint || !implausible.test(k)) continue;
    momentum += std::abs(column[k]) * kOverSpeed * joints.setups[k].config.limits.v_max;
  }
  return momentum > kShare * joints.setups[joint].config.limits.tau_max * dt;
}

}  // namespace

JointLoads::JointLoads(const RobotConfig& config)
    : age_(std::min(static_cast<std::size_t>(std::max(config.delay_cycles, 0)), kMaxDelay)),
      dt_(to_seconds(config.period_ns)),
      quick_share_(-std::expm1(-kQuickGain * dt_)),
      calm_share_(-std::expm1(-kCalmGain * dt_)),
      slow_(config.joints.size()),
      state_(config.joints.size()) {
  for (Load& load : state_) load.sent.fill(kNotSent);
}

double JointLoads::acting(std::size_t joint, const JointControl& control) const noexcept {
  const Load& load = state_[joint];
  if (age_ == 0) return sent_by(control) - load.fed;
  return load.sent[age_ - 1] - load.fed_before[age_ - 1];
}

void JointLoads::advance(const PlacedModel& model, Joints joints) noexcept {
  const JointSet implausible = implausible_ones(joints);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointSetup& setup = joints.setups[i];
    const JointControl& control = joints.controls[i];
    Load& load = state_[i];
    std::shift_right(load.sent.begin(), load.sent.end(), 1);
    std::shift_right(load.fed_before.begin(), load.fed_before.end(), 1);
    load.sent[0] = sent_by(control);
    const bool drove = is_sane(load.sent[0]);
    load.fed_before[0] = load.fed;
    const double sent = load.sent[age_];
    // A hold after a contact doesn't press against it, and a grasp presses with its force alone.
    const bool has_met = control.activity() == JointActivity::kContact ||
                         control.activity() == JointActivity::kSquish || control.presses() ||
                         control.rests();
    if (has_met) load.slow.restart();
    if (!drove) load.slow.restart();
    double seen = 0.0;  // load of this cycle
    if (drove ? !is_sane(sent) : !is_off(control)) {
      load.slow.pause();
      load.quick.restart();
    } else if (control.state().missed > 0 || is_shaken(i, implausible, model, joints, dt_)) {
      load.slow.pause();
      load.quick.pause();
    } else {
      const double board = setup.board.compensates_gravity ? model.gravity(i) : 0.0;
      const double known = model.energy_gradient(i) - model.gravity(i) - model.carried_gravity(i) -
                           setup.config.gains.viscous * control.state().v;
      const double momentum = moved_by_sent(i, model, joints);
      load.slow.shift(model.momentum_change(i));
      load.quick.shift(model.momentum_change(i));
      // The last torques of a motor that went off may still be on their way.
      const double given = is_sane(sent) ? sent + board : 0.0;
      const double before = load.quick.external();
      load.quick.advance(momentum, known, given, quick_share_, dt_);
      seen = before + (load.quick.external() - before) / quick_share_;
      if (drove) {
        const double gain = setup.servo.observer * dt_;
        load.slow.advance(momentum, known, given - load.fed_before[age_], gain / (1.0 + gain), dt_);
      }
    }
    const double tau_max = setup.config.limits.tau_max;
    const bool is_jolt = !(std::abs(seen) <= kJolt * tau_max);
    load.deaf = is_jolt ? kDeaf : std::max(load.deaf - dt_, 0.0);
    const double heard = load.deaf > 0.0 ? 0.0 : std::clamp(seen, -tau_max, tau_max);
    load.calm += calm_share_ * (heard - load.calm);
    if (has_met) {
      slow_[i] = 0.0;
      continue;
    }
    slow_[i] = std::clamp(load.slow.external(), -tau_max, tau_max);
  }
}

void JointLoads::restore(const State& state) { state_ = state; }

}  // namespace jointrig
