// Mode inverse_kinematics of the whole-body controller: it leads joints in mode position.

#include <algorithm>
#include <array>
#include <cmath>

#include "control/stack/whole_body_parts.h"

namespace jointrig {
namespace {

constexpr double kSinkTime = 0.05;  ///< T of the references after a fall [s]: a choice

}  // namespace

void WholeBody::lead_anew() noexcept {
  if (!leads()) return;
  state_.was_taken = false;
  state_.is_leading = false;
  if (state_.phase == Phase::kStands) state_.phase = Phase::kOff;
}

/// The way of the reference's centre of mass from the goal, in this cycle.
void WholeBody::balance() noexcept {
  const LeadGains gains{config_.servo_bandwidth, config_.balance_gain, config_.lead_max};
  const double omega = parts_->omega();
  if (!pressure_.is_known || omega <= 0.0) return state_.lead.rest(gains, omega, dt_);
  const Eigen::Vector3d from(parts_->model.base().position.data());
  const Eigen::Vector2d wanted =
      BalanceLead::wanted_pressure(gains, state_.goal.head<2>(), parts_->capture_point());
  const Eigen::Vector3d pressure = from + parts_->base * pressure_.centre;
  state_.lead.advance(gains, {pressure.head<2>(), parts_->within_soles(wanted), omega}, dt_);
}

bool WholeBody::is_taken(Joints joints) const noexcept {
  return state_.is_leading &&
         std::any_of(parts_->joint_of.begin(), parts_->joint_of.end(),
                     [&](JointIndex joint) { return !joints.controls[joint].on_plan(); });
}

/// The joints of the reference, with the offset that carried the load when it began: so they begin
/// where their references are.
void WholeBody::lead(Joints joints, EventReporter& events) noexcept {
  if (state_.phase == Phase::kDamped) return sink(joints);
  if (state_.phase != Phase::kStands) return let_go(joints);
  if (is_taken(joints)) {
    state_.was_taken = true;
    state_.phase = Phase::kOff;
    show_values();
    return let_go(joints);
  }
  ReferenceBody& body = *parts_->reference;
  const WholeBodySolution& answer = parts_->core.solution();
  if (state_.unsolved == 0.0 && !body.advance(answer.acceleration, dt_)) {
    go_without(LawFailure::kNoSolution);
  }
  state_.is_leading = true;
  state_.away = 0.0;
  for (std::size_t k = 0; k < parts_->joint_of.size(); ++k) {
    const std::size_t joint = parts_->joint_of[k];
    const double q = body.state().q[k];
    const double ahead = q + state_.offset[k] - parts_->q[k];
    state_.away = std::max(state_.away, std::abs(q - parts_->q[k]));
    const double kept = std::clamp(ahead, -config_.away_max, config_.away_max);
    const double a = answer.acceleration[FloatingModel::kBase + static_cast<Eigen::Index>(k)];
    joints.controls[joint].follow_plan({parts_->q[k] + kept, body.state().v[k], a},
                                       PlanExecution::kInverseDynamics);
    if (kept == ahead) continue;
    tell_constraint(BodyConstraint::kReference, static_cast<double>(joint), std::abs(ahead),
                    events);
  }
}

/// After a fall the references come after the joints, with a time constant T: to the loop of a
/// drive, τ = kp (q_ref − q), that is a damper of kp T beside its own. Joints that were stopped or
/// moved stay as that left them.
void WholeBody::sink(Joints joints) noexcept {
  const double share = dt_ / kSinkTime;
  for (std::size_t k = 0; k < parts_->joint_of.size(); ++k) {
    JointControl& control = joints.controls[parts_->joint_of[k]];
    if (state_.is_leading && !control.on_plan()) continue;
    const double from = control.reference().q;
    control.follow_plan({from + share * (parts_->q[k] - from), 0.0, 0.0},
                        PlanExecution::kInverseDynamics);
  }
  state_.is_leading = true;
}

void WholeBody::let_go(Joints joints) noexcept {
  if (!leads() || !state_.is_leading) return;
  state_.is_leading = false;
  for (const JointIndex joint : parts_->joint_of) {
    if (joints.controls[joint].on_plan()) joints.controls[joint].halt();
  }
}

}  // namespace jointrig
