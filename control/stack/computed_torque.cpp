#include "control/stack/computed_torque.h"

#include <algorithm>
#include <cmath>

namespace jointrig {

/// The inertia counts by which the weakest joint limits an acceleration of this one:
///
///     J* = max_k |M_ki| τmax_i / τmax_k
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
    const auto column = model.inertia().col(static_cast<Eigen::Index>(i)).array();
    inertia_[i] = (column.abs() * shares).maxCoeff() * joints.setups[i].config.limits.tau_max;
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
    const double jerk = 0.4 * limits.tau_rate_max / inertia_[i];
    rooms_[i] = {.a = std::min({4.0 * limits.a_max, 0.5 * spare / inertia_[i], 0.06 * jerk}),
                 .jerk = jerk};
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
  return servo_acceleration(setup.servo, room, reference, control.feedforward(), control.state().q,
                            control.error_rate(), limits.v_max);
}

void ComputedTorque::advance(PlacedModel& model, Joints joints, const JointLoads& loads,
                             std::span<const JointControl::Guard> guards) noexcept {
  const std::size_t count = joints.size();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_computed = joints.controls[i].is_computed(joints.setups[i]);
    any = any || is_computed;
    accelerations_[i] = is_computed ? acceleration(i, joints, guards[i].repulsion) : 0.0;
  }
  if (!any) return;
  for (std::size_t i = 0; i < count; ++i) {
    const double* column = model.inertia().col(static_cast<Eigen::Index>(i)).data();
    double sum = 0.0;
    for (std::size_t k = 0; k < count; ++k) sum += column[k] * accelerations_[k];
    torques_[i] = sum + model.coriolis(i) +
                  joints.setups[i].config.gains.viscous * joints.controls[i].reference().v -
                  loads.slow(i);
  }
}

}  // namespace jointrig
