#include "control/wholebody/base_estimator.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "control/wholebody/body_path.h"
#include "control/wholebody/feedback.h"

namespace jointrig {
namespace {

/// More are not told apart: a robot may stand for weeks.
constexpr int kManyCycles = 1'000'000;

/// Rounding adds up over hours.
void straighten(Eigen::Matrix3d& axes) noexcept {
  axes = Eigen::Quaterniond(axes).normalized().toRotationMatrix();
}

Eigen::Matrix3d axes_of(const BaseState& base) noexcept {
  const auto& q = base.orientation;
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

bool bears(std::span<const SeenSole> soles) noexcept {
  return std::any_of(soles.begin(), soles.end(),
                     [](const SeenSole& sole) { return sole.load > 0.0; });
}

}  // namespace

BaseEstimator::BaseEstimator(const BaseGains& gains, const BaseState& start,
                             const Eigen::Vector3d& imu, const Eigen::Vector3d& gravity,
                             std::span<const Eigen::Vector3d> soles)
    : gains_(gains), gravity_(gravity) {
  state_.imu = imu;
  std::copy_n(soles.begin(), std::min(soles.size(), kMaxFeet), starts_.begin());
  state_.axes = axes_of(start);
  state_.place = Eigen::Vector3d(start.position.data());
}

void BaseEstimator::lose(const BaseDoubt& why) noexcept {
  state_.is_known = false;
  state_.beginning = {};
  state_.beginning.doubt = why;
}

/// A condition that wasn't met counts on while it looks again.
BaseDoubt BaseEstimator::doubt(double dt) const noexcept {
  const Beginning& begun = state_.beginning;
  if (begun.doubt.why != TorqueObstacle::kLooking) return begun.doubt;
  const double so_far = std::min(begun.calming * dt, kCalmTime) + begun.agreeing * dt;
  return {TorqueObstacle::kLooking, so_far, kCalmTime + kBeginTime};
}

void BaseEstimator::advance(const SeenImu& imu, std::span<const SeenSole> soles,
                            double dt) noexcept {
  const bool on_soles = bears(soles);
  if (!imu.is_good && !on_soles) {
    lose({.why = TorqueObstacle::kNoImu});
    state_.speed.setZero();
    state_.turn.setZero();
    for (Place& sole : state_.soles) sole.stands = false;
    return;
  }
  predict(imu, dt);
  if (!state_.is_known) begin(imu, soles, dt);
  follow_soles(soles, dt);
  if (!on_soles) return;
  const Legs by_legs = legs(soles);
  if (!imu.is_good) state_.turn = by_legs.spin;
  correct(by_legs, imu.is_good, dt);
  straighten(state_.axes);
}

// The start
// -------------------------------------------------------------------------------------------

void BaseEstimator::begin(const SeenImu& imu, std::span<const SeenSole> soles, double dt) noexcept {
  Beginning& begun = state_.beginning;
  if (!imu.is_good || !bears(soles)) {
    // A robot that lies stays where it is: by a tilt that nobody knows it would be off for good.
    state_.speed.setZero();
    return lose({.why = imu.is_good ? TorqueObstacle::kNoFoot : TorqueObstacle::kNoImu});
  }
  if (begun.calming == 0) begun.doubt = {};  // the sensors are there again
  const Eigen::Vector3d before = begun.speed;
  calm(imu, soles, dt);
  begun.calming = std::min(begun.calming + 1, kManyCycles);
  if (begun.calming * dt < kCalmTime) return;
  begun.up += begun.felt - (begun.speed - before) / dt;
  ++begun.agreeing;
  const double speed = apart(soles);
  const double turn = state_.turn.norm();
  const bool agree = speed <= kApart && turn < kBeginTurn;
  if (agree && begun.agreeing * dt < kBeginTime) return;
  const double g = gravity_.norm();
  const double felt = begun.up.norm() / begun.agreeing;
  if (agree && std::abs(felt - g) < kBeginShare * g) return level(soles);
  begun.doubt = speed > kApart ? BaseDoubt{TorqueObstacle::kFeetApart, speed, kApart}
                : !agree       ? BaseDoubt{TorqueObstacle::kTurns, turn, kBeginTurn}
                               : BaseDoubt{TorqueObstacle::kNoGravity, felt, g};
  begun.agreeing = 0;
  begun.up.setZero();
}

/// Runs F for a cycle.
void BaseEstimator::calm(const SeenImu& imu, std::span<const SeenSole> soles, double dt) noexcept {
  Beginning& begun = state_.beginning;
  // Their values at the beginning are their speed, not a gain of it.
  const double share = begun.calming == 0 ? 1.0 : -std::expm1(-dt / kCalm);
  begun.felt += share * (state_.axes * imu.acceleration - begun.felt);
  begun.speed += share * (legs(soles).speed - begun.speed);
  for (std::size_t i = 0; i < soles.size(); ++i) {
    Eigen::Vector3d& speed = state_.soles[i].speed;
    speed += share * (speed_by(soles[i]) - speed);
  }
}

/// Of the speeds by soles that bear, the one that is furthest from that of all of them [m/s].
double BaseEstimator::apart(std::span<const SeenSole> soles) const noexcept {
  double most = 0.0;
  for (std::size_t i = 0; i < soles.size(); ++i) {
    if (soles[i].load <= 0.0) continue;
    most = std::max(most, (state_.soles[i].speed - state_.beginning.speed).norm());
  }
  return most;
}

/// The heading stays; place and height are those at which the soles that bear are where they began.
void BaseEstimator::level(std::span<const SeenSole> soles) noexcept {
  const Eigen::Vector3d up = -gravity_.normalized();
  const Eigen::Matrix3d turn =
      Eigen::Quaterniond::FromTwoVectors(state_.beginning.up, up).toRotationMatrix();
  state_.axes = turn * state_.axes;
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
  state_.speed = turn * state_.beginning.speed;
  for (Place& sole : state_.soles) sole.stands = false;
  state_.is_known = state_.was_known = true;
}

// A cycle
// -------------------------------------------------------------------------------------------

void BaseEstimator::predict(const SeenImu& imu, double dt) noexcept {
  const Eigen::Vector3d at = state_.place + state_.axes * state_.imu;
  state_.imu = imu.place;
  state_.imu_speed = imu.speed;
  if (imu.is_good) {
    state_.turn = imu.turn - state_.bias;
    state_.speed += (state_.axes * imu.acceleration + gravity_) * dt;
  }
  state_.axes = state_.axes * turned_by(state_.turn * dt);
  state_.place = at + state_.speed * dt - state_.axes * state_.imu;
}

/// A sole that has settled stands where it is.
void BaseEstimator::follow_soles(std::span<const SeenSole> soles, double dt) noexcept {
  for (std::size_t i = 0; i < soles.size(); ++i) {
    const SeenSole& sole = soles[i];
    Place& its = state_.soles[i];
    const bool bears = sole.load > 0.0;
    its.stands = its.stands && bears;
    its.settled = bears && sole.is_flat ? std::min(its.settled + 1, kManyCycles) : 0;
    if (its.stands || its.settled * dt < kSettleTime) continue;
    its.place = state_.place + state_.axes * sole.place;
    its.axes = state_.axes * sole.axes;
    its.stands = true;
  }
}

/// Speed of the IMU's place at which a sole's point of contact is at rest.
Eigen::Vector3d BaseEstimator::speed_by(const SeenSole& sole) const noexcept {
  return state_.axes *
         (state_.turn.cross(state_.imu - sole.contact) + state_.imu_speed - sole.speed);
}

BaseEstimator::Legs BaseEstimator::legs(std::span<const SeenSole> soles) const noexcept {
  Legs sum;
  double standing = 0.0;
  for (std::size_t i = 0; i < soles.size(); ++i) {
    const SeenSole& sole = soles[i];
    if (sole.load <= 0.0) continue;
    const Place& its = state_.soles[i];
    const Eigen::Vector3d place = state_.place + state_.axes * sole.place;
    sum.load += sole.load;
    sum.spin -= sole.load * sole.spin;
    sum.speed += sole.load * speed_by(sole);
    sum.pivot += sole.load * place;
    if (!its.stands || !sole.is_flat) continue;
    standing += sole.load;
    sum.turn += sole.load * turn_between(state_.axes * sole.axes, its.axes);
    sum.place += sole.load * (its.place - place);
  }
  sum.spin /= sum.load;
  sum.speed /= sum.load;
  sum.pivot /= sum.load;
  if (standing > 0.0) {
    sum.turn /= standing;
    sum.place /= standing;
  }
  return sum;
}

void BaseEstimator::correct(const Legs& by_legs, bool has_imu, double dt) noexcept {
  const Eigen::Vector3d at = state_.place + state_.axes * state_.imu;
  const Eigen::Vector3d missing = by_legs.speed - state_.speed;
  const double share = has_imu && state_.is_known ? -std::expm1(-gains_.speed * dt) : 1.0;
  state_.speed += share * missing;
  if (has_imu && !state_.is_known) return;
  const Eigen::Vector3d turn = (has_imu ? gains_.turn : kTurnBySoles) * by_legs.turn;
  if (has_imu) state_.bias -= gains_.bias * dt * (state_.axes.transpose() * by_legs.turn);
  state_.axes = turned_by(turn * dt) * state_.axes;
  state_.place = at + gains_.place * dt * by_legs.place - state_.axes * state_.imu;
  if (has_imu && gravity_.squaredNorm() > 0.0) {
    tilt(gains_.tilt * dt / gravity_.squaredNorm() * missing.cross(gravity_), by_legs.pivot);
  }
}

/// Turns all that is known of the world about a point.
void BaseEstimator::tilt(const Eigen::Vector3d& turn, const Eigen::Vector3d& about) noexcept {
  const Eigen::Matrix3d by = turned_by(turn);
  state_.axes = by * state_.axes;
  state_.place = about + by * (state_.place - about);
  for (Place& sole : state_.soles) {
    sole.axes = by * sole.axes;
    sole.place = about + by * (sole.place - about);
  }
}

BaseState BaseEstimator::base() const noexcept {
  BaseState base;
  const Eigen::Quaterniond q(state_.axes);
  const Eigen::Vector3d speed =
      state_.speed - state_.axes * (state_.turn.cross(state_.imu) + state_.imu_speed);
  std::copy_n(state_.place.data(), 3, base.position.begin());
  base.orientation = {q.w(), q.x(), q.y(), q.z()};
  std::copy_n(speed.data(), 3, base.linear_velocity.begin());
  std::copy_n(state_.turn.data(), 3, base.angular_velocity.begin());
  return base;
}

}  // namespace jointrig
