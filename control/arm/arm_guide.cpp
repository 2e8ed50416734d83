#include "control/arm/arm_guide.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "control/laws/drift.h"

namespace jointrig {
namespace {

/// Index of the number with the largest magnitude.
Eigen::Index largest(const ArmVector& values) noexcept {
  Eigen::Index worst = 0;
  for (Eigen::Index i = 1; i < values.size(); ++i) {
    if (std::abs(values[i]) > std::abs(values[worst])) worst = i;
  }
  return worst;
}

/// True if the cuff's board is silent, so that its input is old.
bool is_lost(const ZeroGConfig& config, std::span<const JointControl> joints) noexcept {
  return config.cuff_joint != kNoJoint &&
         joints[config.cuff_joint].state().missed >= ArmGuide::kCuffLostAfter;
}

/// A lost cuff counts as free.
bool is_grasped(const ZeroGConfig& config, std::span<const JointControl> joints) noexcept {
  if (config.cuff_joint == kNoJoint || is_lost(config, joints)) return false;
  return (joints[config.cuff_joint].state().inputs >> config.cuff_input & 1U) != 0;
}

}  // namespace

ArmGuide::ArmGuide(std::size_t joint_count) noexcept
    : held_(ArmVector::Zero(static_cast<Eigen::Index>(joint_count))), start_(held_) {}

void ArmGuide::stop() noexcept {
  if (state_ != GuideState::kOff) state_ = GuideState::kStopped;
}

void ArmGuide::follow(const ArmSetup& setup, std::span<const JointControl> joints,
                      bool ignores_cuff) noexcept {
  const std::vector<JointIndex>& mine = setup.config.joints;
  bool stands = true;
  ready_ = true;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const JointControl& joint = joints[mine[i]];
    const double tau = setup.senses_torque[i] ? joint.state().tau : joint.setpoint().tau;
    double& held = held_[static_cast<Eigen::Index>(i)];
    if (std::isfinite(tau)) held += setup.torque_share * (tau - held);
    ready_ = ready_ && joint.may_be_guided();
    stands = stands && std::abs(joint.state().v) < kStandSpeed;
  }
  stood_ = stands && ready_ && state_ != GuideState::kGuiding ? stood_ + setup.dt : 0.0;
  left_ = std::max(left_ - setup.dt, 0.0);
  const bool pressed = left_ > 0.0 || is_grasped(setup.config.zero_g, joints);
  // A cuff that falls silent does not count as released.
  const bool let_go = !pressed && !is_lost(setup.config.zero_g, joints);
  const bool is_spent = !let_go && (spent_ || (pressed && ignores_cuff));
  const bool was_spent = std::exchange(spent_, is_spent);
  spent_is_news_ = spent_ && !was_spent;
  grasped_ = pressed && !spent_;
}

std::optional<ArmGuide::Change> ArmGuide::advance(const ArmSetup& setup, const ArmMotion& motion,
                                                  const ArmVector& carried) noexcept {
  if (!grasped_) {
    const bool was_guided = state_ == GuideState::kGuiding;
    state_ = GuideState::kOff;
    if (was_guided) return Change{GuideChange::kReleased};
    return spent_is_news_ ? std::optional(Change{GuideChange::kIgnored}) : std::nullopt;
  }
  if (!ready_) {
    const GuideState was = state_;
    state_ = GuideState::kStopped;
    if (was == GuideState::kOff) return Change{GuideChange::kWrongMode};
    if (was == GuideState::kStopped) return std::nullopt;
    return Change{GuideChange::kLost};
  }
  switch (state_) {
    case GuideState::kOff:
    case GuideState::kBraking:
      state_ = GuideState::kBraking;
      if (stood_ < kStandTime) return std::nullopt;
      return let_go(setup, motion, carried);
    case GuideState::kGuiding:
      return watch(setup, motion);
    case GuideState::kStopped:
      break;
  }
  return std::nullopt;
}

std::optional<ArmGuide::Change> ArmGuide::let_go(const ArmSetup& setup, const ArmMotion& motion,
                                                 const ArmVector& carried) noexcept {
  const ZeroGConfig& config = setup.config.zero_g;
  const ArmVector drift = predict_drift(motion.inertia, carried - held_, setup.config.friction,
                                        config.damping, kDriftTime);
  const Eigen::Index worst = largest(drift);
  drift_ = std::abs(drift[worst]);
  const JointIndex joint = setup.config.joints[static_cast<std::size_t>(worst)];
  // A prediction of NaN does not release the arm either.
  const bool is_safe = drift_ <= config.drift_max;
  state_ = is_safe ? GuideState::kGuiding : GuideState::kStopped;
  start_ = motion.q;
  guided_ = 0.0;
  return Change{is_safe ? GuideChange::kLetGo : GuideChange::kRefused, joint, drift_,
                config.drift_max};
}

std::optional<ArmGuide::Change> ArmGuide::watch(const ArmSetup& setup,
                                                const ArmMotion& motion) noexcept {
  const ZeroGConfig& config = setup.config.zero_g;
  guided_ += setup.dt;
  const Eigen::Index fastest = largest(motion.v);
  const double speed = std::abs(motion.v[fastest]);
  if (speed > config.speed_max) {
    state_ = GuideState::kStopped;
    return Change{GuideChange::kTooFast, setup.config.joints[static_cast<std::size_t>(fastest)],
                  speed, config.speed_max};
  }
  const ArmVector gone = motion.q - start_;
  const Eigen::Index furthest = largest(gone);
  const double way = std::abs(gone[furthest]);
  if (guided_ <= kDriftTime && way > config.drift_max) {
    state_ = GuideState::kStopped;
    return Change{GuideChange::kDrifted, setup.config.joints[static_cast<std::size_t>(furthest)],
                  way, config.drift_max};
  }
  return std::nullopt;
}

JointControl::Claim ArmGuide::claim() const noexcept {
  if (state_ == GuideState::kOff || !ready_) return JointControl::Claim::kNone;
  return state_ == GuideState::kGuiding ? JointControl::Claim::kGuided : JointControl::Claim::kHeld;
}

void ArmGuide::describe(InteractionSnapshot& out) const noexcept {
  out.cuff = grasped_;
  out.cuff_left = left_;
  out.guide = state_;
  out.drift = drift_;
}

}  // namespace jointrig
