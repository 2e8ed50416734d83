#include "control/wholebody/base_estimator.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "control/wholebody/body_path.h"
#include "control/wholebody/feedback.h"

namespace jointrig {
namespace {

/// Rounding adds up over hours.
void straighten(Eigen::Matrix3d& axes) noexcept {
  axes = Eigen::Quaterniond(axes).normalized().toRotationMatrix();
}

Eigen::Matrix3d axes_of(const BaseState& base) noexcept {
  const auto& q = base.orientation;
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

}  // namespace

BaseEstimator::BaseEstimator(const BaseGains& gains, const BaseState& start,
                             const Eigen::Vector3d& imu, const Eigen::Vector3d& gravity,
                             std::span<const Eigen::Vector3d> soles)
    : gains_(gains), imu_(imu), gravity_(gravity) {
  std::copy_n(soles.begin(), std::min(soles.size(), kMaxFeet), starts_.begin());
  state_.axes = axes_of(start);
  state_.place = Eigen::Vector3d(start.position.data());
}

void BaseEstimator::lose() noexcept {
  state_.is_known = false;
  state_.quiet = 0;
  state_.lean.setZero();
}

void BaseEstimator::advance(const SeenImu& imu, std::span<const SeenSole> soles,
                            double dt) noexcept {
  if (!state_.is_known) begin_if_quiet(imu, soles, dt);
  const bool bears =
      std::any_of(soles.begin(), soles.end(), [](const SeenSole& sole) { return sole.load > 0.0; });
  if (!imu.is_good && !bears) {
    state_.is_known = false;
    state_.speed.setZero();
    state_.turn.setZero();
    for (Place& sole : state_.soles) sole.stands = false;
    return;
  }
  predict(imu, dt);
  follow_soles(soles);
  if (!bears) return;
  const Legs by_legs = legs(soles);
  if (!imu.is_good) state_.turn = by_legs.spin;
  correct(by_legs, imu.is_good, dt);
  straighten(state_.axes);
}

// The start
// -------------------------------------------------------------------------------------------

bool BaseEstimator::is_quiet(const SeenImu& imu, std::span<const SeenSole> soles) const noexcept {
  const bool bears =
      std::any_of(soles.begin(), soles.end(), [](const SeenSole& sole) { return sole.load > 0.0; });
  const bool moves = std::any_of(soles.begin(), soles.end(), [](const SeenSole& sole) {
    return sole.load > 0.0 && sole.speed.norm() > kQuietSpeed;
  });
  if (!imu.is_good || !bears || moves || imu.turn.norm() > kQuietTurn) return false;
  const double g = gravity_.norm();
  return std::abs(imu.acceleration.norm() - g) < kQuietShare * g;
}

void BaseEstimator::begin_if_quiet(const SeenImu& imu, std::span<const SeenSole> soles,
                                   double dt) noexcept {
  if (!is_quiet(imu, soles)) return lose();
  state_.turn = imu.turn - state_.bias;
  // While nothing is known the speed of the last cycle is that of the legs.
  Eigen::Vector3d gained = Eigen::Vector3d::Zero();
  if (state_.quiet > 0) gained = state_.axes.transpose() * (legs(soles).speed - state_.speed);
  state_.lean += imu.acceleration - gained / dt;
  if (++state_.quiet * dt < kQuietTime) return;
  level(soles);
}

/// The heading stays; place and height are those at which the soles that bear are where they began.
void BaseEstimator::level(std::span<const SeenSole> soles) noexcept {
  const Eigen::Vector3d up = -gravity_.normalized();
  const Eigen::Vector3d felt = state_.axes * state_.lean.normalized();
  state_.axes = Eigen::Quaterniond::FromTwoVectors(felt, up).toRotationMatrix() * state_.axes;
  straighten(state_.axes);
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  double load = 0.0;
  for (std::size_t i = 0; i < soles.size(); ++i) {
    place += soles[i].load * (starts_[i] - state_.axes * soles[i].place);
    load += soles[i].load;
  }
  place /= load;
  if (state_.was_known) place.head<2>() = state_.place.head<2>();
  state_.place = place;
  state_.speed.setZero();
  for (Place& sole : state_.soles) sole.stands = false;
  state_.is_known = state_.was_known = true;
}

// A cycle
// -------------------------------------------------------------------------------------------

void BaseEstimator::predict(const SeenImu& imu, double dt) noexcept {
  const Eigen::Vector3d at = state_.place + state_.axes * imu_;
  if (imu.is_good) {
    state_.turn = imu.turn - state_.bias;
    state_.speed += (state_.axes * imu.acceleration + gravity_) * dt;
  }
  state_.axes = state_.axes * turned_by(state_.turn * dt);
  state_.place = at + state_.speed * dt - state_.axes * imu_;
}

/// A sole that begins to bear stands where it is.
void BaseEstimator::follow_soles(std::span<const SeenSole> soles) noexcept {
  for (std::size_t i = 0; i < soles.size(); ++i) {
    Place& its = state_.soles[i];
    const bool bears = soles[i].load > 0.0;
    if (bears && !its.stands) {
      its.place = state_.place + state_.axes * soles[i].place;
      its.axes = state_.axes * soles[i].axes;
    }
    its.stands = bears;
  }
}

BaseEstimator::Legs BaseEstimator::legs(std::span<const SeenSole> soles) const noexcept {
  Legs sum;
  for (std::size_t i = 0; i < soles.size(); ++i) {
    const SeenSole& sole = soles[i];
    if (sole.load <= 0.0) continue;
    sum.load += sole.load;
    sum.spin -= sole.load * sole.spin;
    sum.turn += sole.load * turn_between(state_.axes * sole.axes, state_.soles[i].axes);
    sum.place += sole.load * (state_.soles[i].place - state_.place - state_.axes * sole.place);
  }
  sum.spin /= sum.load;
  sum.turn /= sum.load;
  sum.place /= sum.load;
  for (const SeenSole& sole : soles) {
    if (sole.load <= 0.0) continue;
    const Eigen::Vector3d rest = state_.turn.cross(imu_ - sole.contact) - sole.speed;
    sum.speed += sole.load / sum.load * (state_.axes * rest);
  }
  return sum;
}

void BaseEstimator::correct(const Legs& by_legs, bool has_imu, double dt) noexcept {
  const Eigen::Vector3d at = state_.place + state_.axes * imu_;
  const Eigen::Vector3d missing = by_legs.speed - state_.speed;
  const double share = has_imu && state_.is_known ? -std::expm1(-gains_.speed * dt) : 1.0;
  state_.speed += share * missing;
  const Eigen::Vector3d turn = (has_imu ? gains_.turn : kTurnBySoles) * by_legs.turn;
  if (has_imu) state_.bias -= gains_.bias * dt * (state_.axes.transpose() * by_legs.turn);
  state_.axes = turned_by(turn * dt) * state_.axes;
  if (has_imu && gravity_.squaredNorm() > 0.0) {
    tilt(gains_.tilt * dt / gravity_.squaredNorm() * missing.cross(gravity_), at);
  }
  state_.place = at + gains_.place * dt * by_legs.place - state_.axes * imu_;
}

/// Turns all that is known of the world about a point.
void BaseEstimator::tilt(const Eigen::Vector3d& turn, const Eigen::Vector3d& about) noexcept {
  const Eigen::Matrix3d by = turned_by(turn);
  state_.axes = by * state_.axes;
  for (Place& sole : state_.soles) {
    sole.axes = by * sole.axes;
    sole.place = about + by * (sole.place - about);
  }
}

BaseState BaseEstimator::base() const noexcept {
  BaseState base;
  const Eigen::Quaterniond q(state_.axes);
  const Eigen::Vector3d speed = state_.speed - state_.axes * state_.turn.cross(imu_);
  std::copy_n(state_.place.data(), 3, base.position.begin());
  base.orientation = {q.w(), q.x(), q.y(), q.z()};
  std::copy_n(speed.data(), 3, base.linear_velocity.begin());
  std::copy_n(state_.turn.data(), 3, base.angular_velocity.begin());
  return base;
}

}  // namespace jointrig
