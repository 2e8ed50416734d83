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

/// M with what springs leave of their motors.
ArmMatrix felt_inertia(const ArmSetup& setup, const ArmMotion& motion) noexcept {
  ArmMatrix inertia = motion.inertia;
  inertia.diagonal() += setup.spring_inertia;
  return inertia;
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

ArmGuide::ArmGuide(const ArmSetup& setup) noexcept
    : held_(ArmVector::Zero(static_cast<Eigen::Index>(setup.config.joints.size()))),
      start_(held_),
      v_(held_),
      stand_(held_) {
  brake_.friction = brake_.slope = held_;
  brake_.damping = setup.config.zero_g.damping;
  brake_.rate = setup.guide_rate;
}

void ArmGuide::stop() noexcept {
  if (state_ == GuideState::kOff) return;
  state_ = GuideState::kStopped;
  note_ = {};
}

/// Whether the joints stand, from their ways. A stand that is old follows them slowly, so that a
/// joint that creeps stands.
void ArmGuide::follow_motion(const ArmSetup& setup, std::span<const JointControl> joints) noexcept {
  const std::vector<JointIndex>& mine = setup.config.joints;
  const double v_share = -std::expm1(-setup.dt / (kSpeedTime + setup.dt));
  const double stand_share = stood_ < kStandTime ? 0.0 : setup.dt / kStandTime;
  double furthest = 0.0;
  std::size_t furthest_joint = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const JointState& state = joints[mine[i]].state();
    v_[k] += v_share * (state.v - v_[k]);
    const double way = std::abs(state.q - stand_[k]);
    stand_[k] += stand_share * (state.q - stand_[k]);
    if (way <= furthest) continue;
    furthest = way;
    furthest_joint = i;
  }
  const bool moves = !is_new_ && furthest > kStandSpeed * kStandTime;
  is_new_ = false;
  if (stood_ >= kStandTime) moved_ = {};
  if (moves) {
    moved_ = {GuideChange::kMoving, mine[furthest_joint],
              furthest / std::min(stood_ + setup.dt, kStandTime), kStandSpeed};
  }
  const bool stands = !moves && !obstacle_ && state_ != GuideState::kGuiding;
  stood_ = stands ? stood_ + setup.dt : 0.0;
  if (stands) return;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    stand_[static_cast<Eigen::Index>(i)] = joints[mine[i]].state().q;
  }
}

/// Looks for a joint that can't be released, and why.
void ArmGuide::find_obstacle(const ArmSetup& setup, std::span<const JointControl> joints) noexcept {
  obstacle_.reset();
  ready_ = true;
  for (std::size_t i = 0; i < setup.config.joints.size(); ++i) {
    const JointIndex joint = setup.config.joints[i];
    const JointControl& its = joints[joint];
    std::optional<Change> found;
    if (!its.has_mode_that_holds()) {
      found = Change{GuideChange::kWrongMode, joint};
    } else if (is_held(its.activity())) {
      found = Change{GuideChange::kPartHeld, joint};
    } else if (!its.machine().driving()) {
      found = Change{GuideChange::kEngaging, joint};
    }
    ready_ = ready_ && !found;
    const double needed = std::abs(held_[static_cast<Eigen::Index>(i)]);
    const double most = setup.torque_max[static_cast<Eigen::Index>(i)];
    if (!found && state_ != GuideState::kGuiding && needed > kSaturated * most) {
      found = Change{GuideChange::kSaturated, joint, needed, most};
    }
    if (!found || (obstacle_ && obstacle_->what == GuideChange::kWrongMode)) continue;
    if (!obstacle_ || found->what == GuideChange::kWrongMode) obstacle_ = found;
  }
}

void ArmGuide::follow(const ArmSetup& setup, std::span<const JointControl> joints,
                      bool ignores_cuff) noexcept {
  const std::vector<JointIndex>& mine = setup.config.joints;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const JointControl& joint = joints[mine[i]];
    const double tau = setup.senses_torque[i] ? joint.state().tau : joint.setpoint().tau;
    double& held = held_[static_cast<Eigen::Index>(i)];
    if (std::isfinite(tau)) held += setup.torque_share * (tau - held);
  }
  find_obstacle(setup, joints);
  follow_motion(setup, joints);
  left_ = std::max(left_ - setup.dt, 0.0);
  const bool pressed = left_ > 0.0 || is_grasped(setup.config.zero_g, joints);
  // A cuff that falls silent does not count as released.
  const bool let_go = !pressed && !is_lost(setup.config.zero_g, joints);
  const bool is_spent = !let_go && (spent_ || (pressed && ignores_cuff));
  const bool was_spent = std::exchange(spent_, is_spent);
  spent_is_news_ = spent_ && !was_spent;
  grasped_ = pressed && !spent_;
}

/// The change if this grasp told none of its kind.
std::optional<ArmGuide::Change> ArmGuide::tell(const Change& change) noexcept {
  const std::uint32_t bit = 1U << static_cast<unsigned>(change.what);
  if ((told_ & bit) != 0) return std::nullopt;
  told_ |= bit;
  return change;
}

std::optional<ArmGuide::Change> ArmGuide::advance(const ArmSetup& setup, const ArmMotion& motion,
                                                  const ArmVector& carried) noexcept {
  const std::optional<Change> change = decide(setup, motion, carried);
  if (!grasped_) {
    told_ = 0;
    note_ = {};
  }
  if (change) note_ = {change->value, change->limit, change->joint, change->what};
  return change;
}

std::optional<ArmGuide::Change> ArmGuide::decide(const ArmSetup& setup, const ArmMotion& motion,
                                                 const ArmVector& carried) noexcept {
  if (!grasped_) {
    const bool was_guided = state_ == GuideState::kGuiding;
    state_ = GuideState::kOff;
    if (was_guided) return Change{GuideChange::kReleased};
    return spent_is_news_ ? std::optional(Change{GuideChange::kIgnored}) : std::nullopt;
  }
  switch (state_) {
    case GuideState::kOff:
    case GuideState::kBraking:
      if (obstacle_ && obstacle_->what == GuideChange::kWrongMode) {
        state_ = GuideState::kStopped;
        return tell(*obstacle_);
      }
      state_ = GuideState::kBraking;
      if (obstacle_) return tell(*obstacle_);
      if (stood_ >= kStandTime) return let_go(setup, motion, carried);
      return moved_.joint == kNoJoint ? std::nullopt : tell(moved_);
    case GuideState::kGuiding:
      if (ready_) return watch(setup, motion);
      state_ = GuideState::kStopped;
      return Change{GuideChange::kLost, obstacle_->joint};
    case GuideState::kStopped:
      break;
  }
  return std::nullopt;
}

std::optional<ArmGuide::Change> ArmGuide::let_go(const ArmSetup& setup, const ArmMotion& motion,
                                                 const ArmVector& carried) noexcept {
  const ZeroGConfig& config = setup.config.zero_g;
  const ArmVector imbalance = carried - held_;
  brake_.friction =
      (kFrictionShare * imbalance.cwiseAbs()).cwiseMin(config.friction * setup.torque_max);
  const ArmMatrix inertia = felt_inertia(setup, motion);
  brake_.fit(inertia, setup.loop_time + kSpeedTime);
  const ArmVector drift =
      predict_drift(inertia, imbalance, setup.config.friction, brake_, kDriftTime);
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
  const Eigen::Index fastest = largest(v_);
  const double speed = std::abs(v_[fastest]);
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

ArmVector ArmGuide::brake(const ArmSetup& setup, const ArmMotion& motion) noexcept {
  const ArmMatrix inertia = felt_inertia(setup, motion);
  brake_.fit(inertia, setup.loop_time + kSpeedTime);
  return brake_.torque(inertia, v_);
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
  out.note = note_;
}

}  // namespace jointrig
