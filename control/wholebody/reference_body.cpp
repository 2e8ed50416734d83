#include "control/wholebody/reference_body.h"

#include <Eigen/Geometry>

namespace jointrig {
namespace {

constexpr FeedbackGains kHold{2500.0, 100.0};

Eigen::Quaterniond quaternion_of(const BaseState& base) noexcept {
  const auto& q = base.orientation;
  return {q[0], q[1], q[2], q[3]};
}

Eigen::Quaterniond turn_by(const Eigen::Vector3d& vector) noexcept {
  const double angle = vector.norm();
  if (angle < 1e-12) return {1.0, 0.5 * vector.x(), 0.5 * vector.y(), 0.5 * vector.z()};
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, vector / angle));
}

/// @param acceleration  linear in the world, then angular in the base frame
BaseState moved(BaseState base, const SixNumbers& acceleration, double dt) noexcept {
  const double half = 0.5 * dt * dt;
  Eigen::Map<Eigen::Vector3d> position(base.position.data());
  Eigen::Map<Eigen::Vector3d> linear(base.linear_velocity.data());
  Eigen::Map<Eigen::Vector3d> angular(base.angular_velocity.data());
  position += dt * linear + half * acceleration.head<3>();
  const Eigen::Quaterniond turned =
      (quaternion_of(base) * turn_by(dt * angular + half * acceleration.tail<3>())).normalized();
  base.orientation = {turned.w(), turned.x(), turned.y(), turned.z()};
  linear += dt * acceleration.head<3>();
  angular += dt * acceleration.tail<3>();
  return base;
}

}  // namespace

bool ReferenceBody::begin(const FloatingModel& seen) noexcept {
  state_.base = seen.base();
  state_.base.linear_velocity = {};
  state_.base.angular_velocity = {};
  state_.q.assign(seen.q().begin(), seen.q().end());
  state_.v.assign(state_.q.size(), 0.0);
  state_.is_held = {};
  return model_.update(state_.base, state_.q, state_.v);
}

void ReferenceBody::hold(std::span<const ContactSetup> contacts, std::span<const bool> settles,
                         WholeBodyCommand& command) noexcept {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const bool stands = command.contacts[c].on && !settles[c];
    FrameGoal& goal = state_.held[c];
    if (stands && !state_.is_held[c]) {
      goal.position = model_.position(contacts[c].frame);
      goal.rotation = model_.rotation(contacts[c].frame);
    }
    state_.is_held[c] = stands;
    if (!stands) continue;
    command.contacts[c].acceleration = towards(model_, contacts[c].frame, goal, kHold, kHold);
  }
}

bool ReferenceBody::advance(const Eigen::VectorXd& acceleration, double dt) noexcept {
  const BaseState base = moved(state_.base, acceleration.head<6>(), dt);
  const double half = 0.5 * dt * dt;
  for (std::size_t i = 0; i < state_.q.size(); ++i) {
    const double a = acceleration[FloatingModel::kBase + static_cast<Eigen::Index>(i)];
    state_.q[i] += dt * state_.v[i] + half * a;
    state_.v[i] += dt * a;
  }
  if (model_.update(base, state_.q, state_.v)) {
    state_.base = base;
    return true;
  }
  for (std::size_t i = 0; i < state_.q.size(); ++i) {
    state_.q[i] = model_.q()[i];
    state_.v[i] = model_.velocity()[FloatingModel::kBase + static_cast<Eigen::Index>(i)];
  }
  return false;
}

void ReferenceBody::restore(const State& state) {
  state_ = state;
  // As it was once: then it can be now.
  if (!state_.q.empty()) static_cast<void>(model_.update(state_.base, state_.q, state_.v));
}

}  // namespace jointrig
