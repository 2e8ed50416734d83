#include "control/laws/force_sensing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace jointrig {
namespace {

constexpr QuantityKind quantity_along(int axis) noexcept {
  return axis < 3 ? QuantityKind::kForce : QuantityKind::kTorque;
}

double component(const ForceTorqueState& sample, int axis) noexcept {
  const auto i = static_cast<std::size_t>(axis);
  return i < 3 ? sample.force[i] : sample.torque[i - 3];
}

Vector6 wrench_of(const ForceTorqueState& sample) noexcept {
  Vector6 wrench;
  for (int axis = 0; axis < 6; ++axis) wrench[axis] = component(sample, axis);
  return wrench;
}

}  // namespace

void ForceSensing::tare() noexcept {
  sum_.setZero();
  tare_count_ = 0;
  tare_left_ = -1;  // the cycle gives the number of samples
}

ForceSensorState ForceSensing::look(const ForceSensorConfig& config, const ForceTorqueState* sample,
                                    Outcome& outcome) const noexcept {
  if (sample == nullptr) return ForceSensorState::kNone;
  for (int axis = 0; axis < 6; ++axis) {
    if (std::isfinite(component(*sample, axis))) continue;
    outcome.axis = axis;
    outcome.quantity = quantity_along(axis);
    outcome.value = component(*sample, axis);
    return ForceSensorState::kNotFinite;
  }
  if (sample->missed >= kStaleAfter) {
    outcome.value = sample->missed;
    outcome.limit = kStaleAfter;
    return ForceSensorState::kStale;
  }
  for (int axis = 0; axis < 6; ++axis) {
    const double most = axis < 3 ? config.force_max : config.torque_max;
    if (most <= 0.0 || std::abs(component(*sample, axis)) < most) continue;
    outcome.axis = axis;
    outcome.quantity = quantity_along(axis);
    outcome.value = component(*sample, axis);
    outcome.limit = most;
    return ForceSensorState::kSaturated;
  }
  if (!frozen_) return ForceSensorState::kGood;
  outcome.quantity = QuantityKind::kForce;
  outcome.value = turned_;
  outcome.limit = kFrozenWeight;
  return ForceSensorState::kFrozen;
}

void ForceSensing::count_repeats(const ForceTorqueState* sample, const Vector6& rest) noexcept {
  if (sample == nullptr || sample->missed > 0) return;
  const Eigen::Vector3d weight = rest.head<3>();
  // Only its direction: a new payload changes the weight while the arm stands.
  const Eigen::Vector3d direction = weight.normalized();
  if (sample->force != repeated_.force || sample->torque != repeated_.torque) {
    repeated_ = *sample;
    weight_then_ = direction;
    repeats_ = 0;
    frozen_ = false;
    return;
  }
  repeats_ = std::min(repeats_ + 1, kFrozenAfter);
  turned_ = weight.norm() * (direction - weight_then_).norm();
  frozen_ = frozen_ || (repeats_ >= kFrozenAfter && turned_ > kFrozenWeight);
}

void ForceSensing::take_for_tare(const Vector6& beside, double dt, Outcome& outcome) noexcept {
  if (tare_left_ < 0) tare_left_ = std::max(1, static_cast<int>(std::lround(kTareTime / dt)));
  sum_ += beside;
  ++tare_count_;
  if (--tare_left_ > 0) return;
  const Vector6 found = sum_ / tare_count_;
  blend_ = bias() - found;
  bias_ = found;
  blend_left_ = kBlendTime;
  outcome.tared = true;
}

ForceSensing::Outcome ForceSensing::advance(const ForceSensorConfig& config,
                                            const ForceTorqueState* sample, const Vector6& rest,
                                            double dt) noexcept {
  Outcome outcome;
  const ForceSensorState was = state_;
  count_repeats(sample, rest);
  state_ = look(config, sample, outcome);
  outcome.changed = state_ != was;
  blend_left_ = std::max(blend_left_ - dt, 0.0);
  const bool counts = state_ == ForceSensorState::kGood || state_ == ForceSensorState::kSaturated;
  if (state_ != ForceSensorState::kGood) tare_left_ = 0;  // the change of state reports it
  if (!counts) return outcome;

  const Vector6 beside = wrench_of(*sample) - rest;
  if (tare_left_ != 0 && sample->missed == 0) take_for_tare(beside, dt, outcome);
  const double share =
      filter_hz_ > 0.0 && runs_ ? -std::expm1(-2.0 * std::numbers::pi * filter_hz_ * dt) : 1.0;
  wrench_ += share * (bias() - beside - wrench_);
  runs_ = true;
  return outcome;
}

}  // namespace jointrig
