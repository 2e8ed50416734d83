#include "sim/push_spring.h"

#include <algorithm>
#include <cmath>

namespace jointrig::sim {
namespace {

constexpr double kDampingRatio = 0.7;
constexpr double kFastest = 0.2;  // share of 1/h: an eigenfrequency that a step of h resolves
constexpr int kTag = -1;          // tags of a scenario's wrenches are above 0

}  // namespace

void PushSpring::pull(const SpringPull& pull) noexcept {
  const Pose pose = plant_->body_pose(pull.body);
  Vector3 at{};
  mju_rotVecQuat(at.data(), pull.point.data(), pose.orientation.data());
  mju_addTo3(at.data(), pose.position.data());
  if (body_ != pull.body) before_ = at;
  body_ = pull.body;

  const double h = to_seconds(period_ns_);
  const double mass = plant_->subtree_mass(pull.body);
  const double stiffness = std::min(pull.stiffness, mass * (kFastest / h) * (kFastest / h));
  const double damping = 2.0 * kDampingRatio * std::sqrt(stiffness * mass);
  for (std::size_t i = 0; i < 3; ++i) {
    force_[i] = stiffness * (pull.target[i] - at[i]) - damping * (at[i] - before_[i]) / h;
  }
  before_ = at;
  const double size = mju_norm3(force_.data());
  if (size > kMostForce) mju_scl3(force_.data(), force_.data(), kMostForce / size);

  Wrench wrench;
  wrench.body = pull.body;
  wrench.force = force_;
  wrench.point = pull.point;
  wrench.at_centre = false;
  wrench.start_ns = plant_->time_ns();
  wrench.end_ns = wrench.start_ns + period_ns_;
  wrench.tag = kTag;
  plant_->release(kTag);
  plant_->apply(wrench);
}

void PushSpring::let_go() noexcept {
  if (body_ == BodyId::kNone) return;
  plant_->release(kTag);
  body_ = BodyId::kNone;
  force_ = {};
}

}  // namespace jointrig::sim
