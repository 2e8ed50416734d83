// What runs beside every mode: suppression, collision avoidance, collision detection.

#include <algorithm>
#include <cmath>

#include "control/stack/stack.h"

namespace jointrig {
void Stack::set_up_guard() {
  const std::size_t count = config_.joints.size();
  guards_.resize(count);
  repulsion_.resize(count);
  contacts_.resize(count);
  state_.guard.suppression = Suppression(count);
  state_.guard.stop_left.resize(count);
  state_.guard.observers.resize(count);
  state_.guard.hands.resize(config_.arms.size());
  contact_share_ = -std::expm1(-kContactGain * to_seconds(config_.period_ns));
  if (config_.avoidance) {
    if (!model_) throw ConfigError("collision_avoidance needs the controller's model");
    try {
      avoidance_.emplace(config_, *model_);
    } catch (const ModelError& e) {
      throw ConfigError(e.what());
    }
    state_.guard.on.set(Protection::kCollisionAvoidance, config_.avoidance->on);
  }
  if (config_.detection) {
    if (!model_) throw ConfigError("collision_detection needs the controller's model");
    state_.guard.on.set(Protection::kCollisionDetection, config_.detection->on);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const JointConfig& joint = config_.joints[i];
    const auto or_share = [&](double told, double share) {
      return told > 0.0 ? told : share * joint.limits.tau_max;
    };
    contacts_[i].thresholds = {or_share(joint.impact_torque, kImpactShare),
                               or_share(joint.squish_torque, kSquishShare)};
  }
}

/// What the robot's file doesn't have can't be switched.
Refusal Stack::check_protection(const JointValue& value) const noexcept {
  if (const Refusal r = jointrig::check_protection(value)) return r;
  const bool has = static_cast<Protection>(value.a) == Protection::kCollisionAvoidance
                       ? config_.avoidance.has_value()
                       : config_.detection.has_value();
  return has ? Refusal{} : Refusal{RejectReason::kUnsupported, kNoJoint, 0.0, 0.0};
}

void Stack::take_suppression(std::size_t joint, const JointValue& value,
                             std::uint16_t sender) noexcept {
  const auto what = static_cast<Suppressible>(value.a);
  const bool was_on = state_.guard.suppression.suppressed_for(what) > 0.0;
  if (!state_.guard.suppression.take(joint, what, sender) || was_on) return;
  Event e = event(EventKind::kSuppressed, joint);
  e.detail = static_cast<std::uint8_t>(what);
  e.value = e.limit = kSuppressionTime;
  events_.publish(e);
}

void Stack::advance_guard() noexcept {
  follow_suppression();
  avoid_collisions();
  detect_contacts();
  end_stops();
  snapshot_.protection.on = state_.guard.on;
}

void Stack::follow_suppression() noexcept {
  Suppression& suppression = state_.guard.suppression;
  const Suppression::Outcome outcome = suppression.advance(to_seconds(config_.period_ns));
  for (const Suppressible what : kAllSuppressible) {
    const auto row = static_cast<std::size_t>(what);
    snapshot_.protection.suppressed_for[row] = suppression.suppressed_for(what);
    snapshot_.protection.suppressed_left[row] = suppression.suppressed_left(what);
    snapshot_.protection.suppressed_by[row] = suppression.suppressed_by(what);
    snapshot_.protection.suppressed.set(what, suppression.suppressed_for(what) > 0.0);
    if (!outcome.ended.has(what)) continue;
    Event e = event(EventKind::kUnsuppressed, outcome.joint[row]);
    e.detail = static_cast<std::uint8_t>(what);
    e.value = outcome.lasted[row];
    e.limit = kSuppressionTime;
    events_.publish(e);
  }
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    guards_[i].gravity_share = suppression.share(i, Suppressible::kGravityCompensation);
  }
}

void Stack::avoid_collisions() noexcept {
  ProtectionSnapshot& shown = snapshot_.protection;
  shown.distance = shown.overlap = shown.force = 0.0;
  shown.pushes = false;
  for (JointControl::Guard& guard : guards_) guard.repulsion = 0.0;
  if (!avoidance_ || !is_on(Protection::kCollisionAvoidance)) return;
  const double margin = config_.avoidance->margin;
  const CollisionAvoidance::Outcome outcome =
      avoidance_->advance(*config_.avoidance, *model_, state_.setups, state_.joints,
                          state_.guard.suppression, repulsion_);
  bool pushes = false;
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    guards_[i].repulsion = repulsion_[i];
    pushes = pushes || repulsion_[i] != 0.0;
    if (outcome.halt.test(i)) state_.joints[i].halt();
  }
  shown.pushes = pushes;
  shown.distance = outcome.distance;
  shown.overlap = std::max(margin - outcome.distance, 0.0);
  shown.force = outcome.force;

  const auto tell = [&](AvoidanceAct act, JointIndex joint, double distance) {
    std::uint64_t& acted = state_.guard.acted[static_cast<std::size_t>(act)];
    const bool is_news = acted == 0 || state_.cycle - acted >= kQuietCycles;
    acted = state_.cycle + 1;
    if (!is_news) return;
    Event e = event(EventKind::kAvoidance, joint);
    e.detail = static_cast<std::uint8_t>(act);
    e.value = distance;
    e.limit = margin;
    events_.publish(e);
  };
  if (pushes) tell(AvoidanceAct::kPushes, outcome.most, outcome.distance);
  if (outcome.halt.any()) tell(AvoidanceAct::kStops, outcome.halt_most, outcome.halt_distance);
}

void Stack::detect_contacts() noexcept {
  ProtectionSnapshot& shown = snapshot_.protection;
  shown.impact = shown.squish = shown.hand_force = shown.hand_torque = 0.0;
  if (!config_.detection || !is_on(Protection::kCollisionDetection)) return;
  GuardState& guard = state_.guard;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactDetector::Joint& joint = contacts_[i];
    const JointControl::Hold held = state_.joints[i].held();
    const bool is_watched = arm_workspace_.knows_motor[i] &&
                            !guard.suppression.is_suppressed(i, Suppressible::kContactSafety);
    joint.tau = guard.observers[i].external();
    joint.watch_squish = is_watched && held < JointControl::Hold::kSquish;
    joint.watch_impact = is_watched && held < JointControl::Hold::kContact;
  }
  const auto contact =
      guard.detector.advance(*config_.detection, contacts_, to_seconds(config_.period_ns));
  shown.impact = guard.detector.impact();
  shown.squish = guard.detector.squish();
  if (contact) stop_at(*contact);
  watch_hands();
}

/// As they were felt in the last cycle: external torques become a wrench after this.
void Stack::watch_hands() noexcept {
  ProtectionSnapshot& shown = snapshot_.protection;
  const CollisionDetectionConfig& config = *config_.detection;
  for (std::size_t i = 0; i < arm_setups_.size(); ++i) {
    const auto [force, torque, is_known] = state_.guard.hands[i];
    if (!is_known) continue;
    shown.hand_force = std::max(shown.hand_force, force);
    shown.hand_torque = std::max(shown.hand_torque, torque);
    JointIndex most = arm_setups_[i].config.joints.front();
    for (const JointIndex joint : arm_setups_[i].config.joints) {
      if (std::abs(contacts_[joint].tau) > std::abs(contacts_[most].tau)) most = joint;
    }
    const bool is_free = state_.joints[most].machine().driving() &&
                         state_.joints[most].held() < JointControl::Hold::kContact;
    if (!is_free) continue;
    if (force > config.hand_force_max) {
      stop_at({ContactKind::kHandWrench, most, force, config.hand_force_max});
    } else if (torque > config.hand_torque_max) {
      stop_at({ContactKind::kHandWrench, most, torque, config.hand_torque_max});
    }
  }
}

void Stack::stop_at(const ContactDetector::Contact& contact) noexcept {
  Event e = event(EventKind::kContact, contact.joint);
  e.detail = static_cast<std::uint8_t>(contact.kind);
  e.value = contact.value;
  e.limit = contact.threshold;
  events_.publish(e);
  const bool stays = contact.kind == ContactKind::kSquish;
  hold_part_of(contact.joint, stays ? JointControl::Hold::kSquish : JointControl::Hold::kContact);
  if (stays) return;
  state_.guard.stop_left[contact.joint] = config_.detection->stop_time;
  for (const JointIndex mate : part_mates_[contact.joint]) {
    state_.guard.stop_left[mate] = config_.detection->stop_time;
  }
}

void Stack::end_stops() noexcept {
  ProtectionSnapshot& shown = snapshot_.protection;
  const double dt = to_seconds(config_.period_ns);
  shown.stop_left = 0.0;
  shown.squished = false;
  JointSet told;
  for (std::size_t i = 0; i < state_.joints.size(); ++i) {
    JointControl& joint = state_.joints[i];
    shown.squished = shown.squished || joint.held() == JointControl::Hold::kSquish;
    double& left = state_.guard.stop_left[i];
    if (left <= 0.0) continue;
    left = joint.held() == JointControl::Hold::kContact && left > 1.5 * dt ? left - dt : 0.0;
    shown.stop_left = std::max(shown.stop_left, left);
    if (left > 0.0 || joint.held() != JointControl::Hold::kContact) continue;
    joint.free(JointControl::Hold::kContact);
    // Once for all that stopped together.
    if (!told.test(i)) events_.publish(event(EventKind::kContactOver, i));
    for (const JointIndex mate : part_mates_[i]) told.set(mate);
  }
}

bool Stack::is_cuff_suppressed(const ArmSetup& setup) const noexcept {
  return std::any_of(setup.config.joints.begin(), setup.config.joints.end(), [&](JointIndex joint) {
    return state_.guard.suppression.is_suppressed(joint, Suppressible::kCuff);
  });
}

}  // namespace jointrig
