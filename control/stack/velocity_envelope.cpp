#include "control/stack/velocity_envelope.h"

#include <algorithm>
#include <cmath>

#include "control/laws/lower_root.h"
#include "control/motion/braking.h"
#include "control/stack/plausible_speed.h"

namespace jointrig {
namespace {

/// T_v = T / 0.37: the loop's own answer is within its stability bound by that factor.
constexpr double kAnswer = 1.0 / 0.37;
/// Share of ω at which a joint beyond q_stop is led back.
constexpr double kReturn = 0.25;
constexpr double kReturnSpeed = 0.1;  // of v_max, at most
/// Share of tau_max below which a correction of a reference's joint is not told: a finger that
/// rests at its open end would be told with every jolt of its arm. A choice.
constexpr double kTold = 5e-3;

double allowed(double room, double gamma, double time) noexcept {
  const double a = gamma * (std::sqrt(time * time + 2.0 * std::abs(room) / gamma) - time);
  return std::copysign(a, room);
}

}  // namespace

VelocityEnvelope::VelocityEnvelope(std::size_t joint_count)
    : bounds_(joint_count), a_(joint_count), corrections_(joint_count), notes_(joint_count) {
  const auto n = static_cast<Eigen::Index>(joint_count);
  free_.reserve(joint_count);
  factored_.reserve(joint_count);
  set_.reserve(joint_count);
  root_.setZero(n, n);
  columns_.setZero(n, n);
  small_.setZero(n, n);
}

VelocityEnvelope::Bound VelocityEnvelope::bound_of(const JointSetup& setup,
                                                   const JointState& state) noexcept {
  const JointLimits& limits = setup.config.limits;
  const auto side = [&](double room, double v, double& from, double& slope, bool& near) {
    double fastest = braking_speed_within(limits.v_max, room, limits.a_max, setup.dt);
    near = fastest < limits.v_max;
    slope = 0.0;
    if (near && v > 0.0) slope = -limits.a_max * std::min(1.0, v / std::max(fastest, 1e-12));
    if (room < 0.0) {
      fastest = -std::min(kReturnSpeed * limits.v_max, -kReturn * setup.servo.w * room);
      slope = 0.0;
    }
    from = fastest - v;
  };
  Bound bound;
  const double stop = 0.5 * limits.soft_margin;
  side(limits.q_max - stop - state.q, state.v, bound.from_above, bound.slope_above,
       bound.near_above);
  side(state.q - limits.q_min - stop, -state.v, bound.from_below, bound.slope_below,
       bound.near_below);
  return bound;
}

void VelocityEnvelope::factor(const PlacedModel& model) noexcept {
  if (inertia_number_ == model.inertia_number() && factored_ == free_) return;
  inertia_number_ = model.inertia_number();
  factored_ = free_;  // within its capacity
  const Eigen::MatrixXd& inertia = model.inertia();
  const std::size_t n = free_.size();
  for (std::size_t c = 0; c < n; ++c) {
    const auto col = static_cast<Eigen::Index>(c);
    const double* from = inertia.col(static_cast<Eigen::Index>(free_[c])).data();
    for (std::size_t r = c; r < n; ++r) root_(static_cast<Eigen::Index>(r), col) = from[free_[r]];
  }
  take_root(root_, static_cast<Eigen::Index>(n));
}

/// M⁻¹ x in place, over the free joints.
void VelocityEnvelope::solve(double* x) const noexcept {
  const auto n = static_cast<Eigen::Index>(free_.size());
  solve_root(root_, n, x);
  solve_root_transposed(root_, n, x);
}

/// How far an acceleration lies beyond what the joint may have, with its sign; 0 within.
double VelocityEnvelope::excess(const Bound& bound, double gamma, double loop_time,
                                double a) noexcept {
  const double time = kAnswer * loop_time;
  const double high = bound.slope_above + allowed(bound.from_above, gamma, time);
  if (a > high) return a - high;
  const double low = -bound.slope_below - allowed(bound.from_below, gamma, time);
  return a < low ? a - low : 0.0;
}

/// The joints that move freely, and whether any of them gets a torque.
bool VelocityEnvelope::gather(Joints joints) noexcept {
  bool any = false;
  free_.clear();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointControl& control = joints.controls[i];
    notes_[i].acts = false;
    if (!control.has_board_loop()) free_.push_back(i);
    any = any || control.has_torque();
  }
  return any;
}

void VelocityEnvelope::predict(const PlacedModel& model, Joints joints,
                               const JointLoads& loads) noexcept {
  for (std::size_t f = 0; f < free_.size(); ++f) {
    const std::size_t i = free_[f];
    const JointSetup& setup = joints.setups[i];
    const JointControl& control = joints.controls[i];
    bounds_[f] = bound_of(setup, control.state());
    a_[f] = control.sendable(setup, control.wanted()) - model.gravity(i) - model.coriolis(i) -
            model.carried_gravity(i) -
            setup.config.gains.viscous * plausible_speed(setup, control) +
            (control.has_torque() ? loads.quick(i) : loads.calm(i));
  }
  solve(a_.data());
}

/// The set S with its columns of M⁻¹ and what is asked of each: −excess.
void VelocityEnvelope::find_excess(const PlacedModel& model, Joints joints) noexcept {
  set_.clear();
  for (std::size_t f = 0; f < free_.size(); ++f) {
    const std::size_t i = free_[f];
    const JointSetup& setup = joints.setups[i];
    if (!joints.controls[i].has_torque()) continue;
    const auto k = static_cast<Eigen::Index>(i);
    const double rate = setup.config.limits.tau_rate_max;
    // The diagonal is at least 1/(M⁻¹)ᵢᵢ: within this bound, within the true one.
    const double least = rate / model.inertia()(k, k);
    if (excess(bounds_[f], least, setup.servo.loop_time, a_[f]) == 0.0) continue;
    double* column = columns_.col(static_cast<Eigen::Index>(set_.size())).data();
    std::fill(column, column + free_.size(), 0.0);
    column[f] = 1.0;
    solve(column);
    const double beyond = excess(bounds_[f], rate * column[f], setup.servo.loop_time, a_[f]);
    if (beyond == 0.0) continue;
    corrections_[set_.size()] = -beyond;
    set_.push_back(f);
  }
}

/// (M⁻¹)_SS Δτ = −excess, by elimination: positive definite.
void VelocityEnvelope::solve_together() noexcept {
  const auto size = static_cast<Eigen::Index>(set_.size());
  double* x = corrections_.data();
  for (Eigen::Index c = 0; c < size; ++c) {
    for (Eigen::Index r = 0; r < size; ++r) {
      small_(r, c) = columns_(static_cast<Eigen::Index>(set_[static_cast<std::size_t>(r)]), c);
    }
  }
  for (Eigen::Index k = 0; k < size; ++k) {
    for (Eigen::Index r = k + 1; r < size; ++r) {
      const double f = small_(r, k) / small_(k, k);
      for (Eigen::Index c = k; c < size; ++c) small_(r, c) -= f * small_(k, c);
      x[r] -= f * x[k];
    }
  }
  for (Eigen::Index k = size - 1; k >= 0; --k) {
    for (Eigen::Index c = k + 1; c < size; ++c) x[k] -= small_(k, c) * x[c];
    x[k] /= small_(k, k);
  }
}

void VelocityEnvelope::correct(Joints joints) noexcept {
  for (std::size_t k = 0; k < set_.size(); ++k) {
    const std::size_t i = free_[set_[k]];
    const Bound& bound = bounds_[set_[k]];
    const JointSetup& setup = joints.setups[i];
    const JointLimits& limits = setup.config.limits;
    JointControl& control = joints.controls[i];
    const JointState& state = control.state();
    control.bound_torque(control.sendable(setup, control.wanted()) + corrections_[k]);
    const bool above = corrections_[k] < 0.0;
    const bool near = above ? bound.near_above : bound.near_below;
    // A torque or a duty that is asked for is told whenever it is not what acts.
    const bool is_small = std::abs(corrections_[k]) <= kTold * limits.tau_max;
    const bool is_asked = is_effort_mode(joints.controls[i].machine().mode());
    notes_[i] = {.acts = is_asked || !is_small,
                 .limit = near ? Limit::kPosition : Limit::kVelocity,
                 .value = near ? state.q : state.v,
                 .bound = near ? (above ? limits.q_max : limits.q_min)
                               : std::copysign(limits.v_max, -corrections_[k])};
  }
}

void VelocityEnvelope::accelerations(std::span<double> torques) noexcept {
  if (!is_factored_) {
    std::fill(torques.begin(), torques.end(), 0.0);
    return;
  }
  for (std::size_t f = 0; f < free_.size(); ++f) a_[f] = torques[free_[f]];
  solve(a_.data());
  std::fill(torques.begin(), torques.end(), 0.0);
  for (std::size_t f = 0; f < free_.size(); ++f) torques[free_[f]] = a_[f];
}

void VelocityEnvelope::advance(PlacedModel& model, Joints joints,
                               const JointLoads& loads) noexcept {
  is_factored_ = gather(joints);
  if (!is_factored_) return;
  model.place_dynamics(joints.controls);
  factor(model);
  predict(model, joints, loads);
  find_excess(model, joints);
  solve_together();
  correct(joints);
}

}  // namespace jointrig
