#include "control/stack/computed_torque.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/laws/friction_aid.h"

namespace jointrig {
namespace {

double against_friction(const JointSetup& setup, const JointControl& control) noexcept {
  const JointGains& gains = setup.config.gains;
  const JointReference& reference = control.reference();
  return aid_torque({.coulomb = gains.friction,
                     .smooth_speed = kAidSmooth * setup.config.limits.v_max,
                     .stiffness = aid_stiffness(setup.servo.w, gains.inertia)},
                    reference.v, reference.q - control.state().q);
}

}  // namespace

/// The inertia counts by which the weakest joint limits an acceleration of this one:
///
///     J* = max_k |M_ki| τmax_i / τmax_k
///
/// with M = I(0), as references and braking feel it.
void ComputedTorque::find_inertia(const PlacedModel& model, Joints joints) noexcept {
  bool is_same = inertia_number_ == model.inertia_number();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const double share = 1.0 / joints.setups[i].config.limits.tau_max;
    is_same = is_same && share == shares_[i];
    shares_[i] = share;
  }
  if (is_same) return;
  inertia_number_ = model.inertia_number();
  const auto shares =
      Eigen::Map<const Eigen::ArrayXd>(shares_.data(), static_cast<Eigen::Index>(shares_.size()));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto column = model.slow_inertia().col(static_cast<Eigen::Index>(i)).array();
    inertia_[i] = (column.abs() * shares).maxCoeff() * joints.setups[i].config.limits.tau_max;
  }
}

void ComputedTorque::choose(Joints joints) noexcept {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    moved_[i] = joints.controls[i].is_computed(joints.setups[i]) ? 1 : 0;
  }
}

/// A streamed reference may use j = 0.4 r_τ / J*, and of the acceleration what leaves torque for
/// the feedback: min(4 a_max, 0.5 (τmax − |bias|) / J*, 60 ms · j).
void ComputedTorque::prepare(PlacedModel& model, Joints joints, const JointLoads& loads) noexcept {
  constexpr double kLeast = 0.1;  // share of tau_max that always counts as free
  const std::size_t count = joints.size();
  model.place_dynamics(joints.controls);
  find_inertia(model, joints);
  for (std::size_t i = 0; i < count; ++i) {
    const JointLimits& limits = joints.setups[i].config.limits;
    bias_[i] = model.gravity(i) + model.carried_gravity(i) + model.coriolis(i) - loads.slow(i);
    const double spare = std::max(limits.tau_max - std::abs(bias_[i]), kLeast * limits.tau_max);
    const double jerk = kShareOfRate * limits.tau_rate_max / inertia_[i];
    rooms_[i] = {.a = std::min({4.0 * limits.a_max, 0.5 * spare / inertia_[i], 0.06 * jerk}),
                 .jerk = jerk};
  }
  find_brake_shares(model, joints);
}

/// All joints that brake do so by the share s of their own accelerations that the weakest motor can
/// bear, of those that they move against:
///
///     s_i = min_k (τmax_k ∓ bias_k) / |n_k|,   n_k = Σ_j M_kj a_j    over k with M_ki a_i > 0.01
///     n_k
///
/// A motor without torque left doesn't keep the others from stopping: s ≥ 0.25.
void ComputedTorque::find_brake_shares(const PlacedModel& model, Joints joints) noexcept {
  constexpr double kCounts = 0.01;      // of the torque that braking needs: a choice
  constexpr double kLeastShare = 0.25;  // a choice
  const std::size_t count = joints.size();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    accelerations_[i] = joints.controls[i].braking(joints.setups[i]);
    any = any || accelerations_[i] != 0.0;
  }
  if (!any) return;
  for (std::size_t k = 0; k < count; ++k) {
    if (!joints.controls[k].is_computed(joints.setups[k])) continue;
    const double* column = model.slow_inertia().col(static_cast<Eigen::Index>(k)).data();
    double needed = 0.0;
    for (std::size_t j = 0; j < count; ++j) needed += column[j] * accelerations_[j];
    const double spare =
        joints.setups[k].config.limits.tau_max - std::copysign(1.0, needed) * bias_[k];
    const double share = std::max(spare / std::abs(needed), kLeastShare);
    if (!(share < 1.0)) continue;
    for (std::size_t i = 0; i < count; ++i) {
      const double part = column[i] * accelerations_[i] / needed;
      if (part > kCounts) rooms_[i].brake_share = std::min(rooms_[i].brake_share, share);
    }
  }
}

double ComputedTorque::acceleration(std::size_t joint, Joints joints,
                                    double repulsion) const noexcept {
  const JointSetup& setup = joints.setups[joint];
  const JointControl& control = joints.controls[joint];
  const JointLimits& limits = setup.config.limits;
  constexpr double kLeast = 0.1;  // share of tau_max that always counts as free
  const double least = kLeast * limits.tau_max;
  const ServoRoom room{
      .brake_positive = std::max(limits.tau_max + bias_[joint], least) / inertia_[joint],
      .brake_negative = std::max(limits.tau_max - bias_[joint], least) / inertia_[joint],
      .jerk = limits.tau_rate_max / inertia_[joint]};
  JointReference reference = control.reference();
  const double e = reference.q - control.state().q;
  // A stream knows nothing of the obstacle, and goes on; every other reference is halted there.
  if (e * repulsion < 0.0 && control.machine().mode() == ControlMode::kPositionDirect) {
    constexpr double kYields = 0.4;  // share of tau_max; repulsion has half of it
    const double most =
        kYields * limits.tau_max / (inertia_[joint] * setup.servo.w * setup.servo.w);
    reference.q = control.state().q + std::clamp(e, -most, most);
  }
  // Without damping there is no loop of the speed to be led by.
  const bool is_led_by_speed =
      control.execution() == PlanExecution::kVelocity && setup.servo.damping > 0.0;
  const ServoDesign servo = is_led_by_speed ? led_by_velocity(setup.servo) : setup.servo;
  return servo_acceleration(servo, room, reference, control.feedforward(), control.state().q,
                            control.error_rate(), limits.v_max);
}

void ComputedTorque::advance(PlacedModel& model, Joints joints, JointLoads& loads,
                             std::span<const JointControl::Guard> guards) noexcept {
  const std::size_t count = joints.size();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    any = any || moves(i);
    accelerations_[i] = moves(i) ? acceleration(i, joints, guards[i].repulsion) : 0.0;
    const double fed =
        against_friction(joints.setups[i], joints.controls[i]) + joints.controls[i].fed_forward();
    loads.expect_fed(i, moves(i) ? fed : 0.0);
  }
  if (!any) return;
  free_->find(model, joints, loads, moved_, accelerations_);
  for (std::size_t i = 0; i < count; ++i) {
    const double* column = model.inertia().col(static_cast<Eigen::Index>(i)).data();
    double sum = 0.0;
    for (std::size_t k = 0; k < count; ++k) sum += column[k] * accelerations_[k];
    torques_[i] = sum + model.coriolis(i) +
                  joints.setups[i].config.gains.viscous * joints.controls[i].reference().v +
                  loads.fed(i) - loads.slow(i);
  }
  if (model.has_springs()) add_springs(model, joints);
  share_bounds(model, joints, guards);
}

/// τ += (I(0) − I(∞)) a_ref
void ComputedTorque::add_springs(const PlacedModel& model, Joints joints) noexcept {
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const double led = moves(k) ? joints.controls[k].feedforward() : 0.0;
    if (led == 0.0) continue;
    const auto column = static_cast<Eigen::Index>(k);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      torques_[i] += (model.slow_inertia()(row, column) - model.inertia()(row, column)) * led;
    }
  }
}

/// Bounds that the torque limits leave beside gravity. The torque rate is no bound here: its torque
/// comes, a little later. While collision avoidance pushes a joint away each torque is bounded by
/// itself: the others would make up for that push.
void ComputedTorque::share_bounds(const PlacedModel& model, Joints joints,
                                  std::span<const JointControl::Guard> guards) noexcept {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  bool any = false;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (guards[i].repulsion != 0.0) return;
    bounds_[i] = {-kInfinite, kInfinite};
    if (!moves(i)) continue;
    const double most = joints.setups[i].config.limits.tau_max;
    const double held = guards[i].gravity_share * (model.gravity(i) + model.carried_gravity(i));
    bounds_[i] = {-most - held, most - held};
    any = any || torques_[i] < bounds_[i].low || torques_[i] > bounds_[i].high;
  }
  if (any) shared_.apply(free_->felt(model), bounds_, torques_);
}

}  // namespace jointrig
