#include "control/stack/protections.h"

#include <algorithm>
#include <cmath>

#include "control/stack/config_error.h"

namespace jointrig {
namespace {

/// True if an arm carries the joint: a hand is there to touch things.
bool is_of_hand(const RobotConfig& config, std::size_t index, const PlacedModel& model) {
  if (config.arms.empty() || !model) return config.joints[index].is_of_hand;
  const auto joint = static_cast<JointIndex>(index);
  bool is_carried = false;
  for (const ArmConfig& arm : config.arms) {
    for (const JointIndex own : arm.joints) {
      if (own == joint) return false;
      is_carried = is_carried || model->is_behind(model->mount_of(joint), own);
    }
  }
  return is_carried;
}

/// True if a contact meets a law that holds its reference: stiff, and of the stack or the board.
bool holds_against(const JointControl& joint) {
  return has_interaction(joint.machine().mode()) &&
         joint.interaction() == InteractionMode::kStiff && !is_in_hand(joint.activity());
}

}  // namespace

Protections::Protections(const RobotConfig& config, const PlacedModel& model)
    : dt_(to_seconds(config.period_ns)),
      avoidance_config_(config.avoidance),
      detection_(config.detection),
      guards_(config.joints.size()),
      repulsion_(config.joints.size()),
      contacts_(config.joints.size()) {
  const std::size_t count = config.joints.size();
  state_.suppression = Suppression(count);
  state_.stop_left.resize(count);
  state_.hands.resize(config.arms.size());
  if (config.avoidance) {
    if (!model) throw ConfigError("collision_avoidance needs the controller's model");
    try {
      avoidance_.emplace(config, *model);
    } catch (const ModelError& e) {
      throw ConfigError(e.what());
    }
    set(Protection::kCollisionAvoidance, config.avoidance->on);
  }
  if (config.detection) {
    if (!model) throw ConfigError("collision_detection needs the controller's model");
    set(Protection::kCollisionDetection, config.detection->on);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const JointConfig& joint = config.joints[i];
    contacts_[i].thresholds = {impact_threshold(joint), squish_threshold(joint)};
    const bool has_own = joint.impact_torque > 0.0 || joint.squish_torque > 0.0;
    is_watched_.push_back(has_own || !is_of_hand(config, i, model));
  }
}

std::string Protections::note() const {
  if (!avoidance_ || !is_on(Protection::kCollisionAvoidance)) return {};
  const auto& overlapping = avoidance_->geometry().overlapping;
  if (overlapping.empty()) return {};
  constexpr std::size_t kNamed = 4;
  std::string pairs;
  for (std::size_t i = 0; i < std::min(overlapping.size(), kNamed); ++i) {
    pairs += (i == 0 ? "" : ", ") + overlapping[i].a + " and " + overlapping[i].b;
  }
  if (overlapping.size() > kNamed) {
    pairs += ", and " + std::to_string(overlapping.size() - kNamed) + " more pairs";
  }
  return "collision avoidance does not act between bodies that overlap at the start, by the simple "
         "shapes it takes them for: " +
         pairs;
}

void Protections::advance(PlacedModel& model, Joints joints, std::span<const ArmSetup> arms,
                          const ExternalForces& forces, const PartMates& mates,
                          EventReporter& events, ProtectionSnapshot& shown) noexcept {
  shown = {};
  follow_suppression(joints, events, shown);
  move_obstacles();
  avoid_collisions(model, joints, events, shown);
  detect_contacts(joints, arms, forces, mates, events, shown);
  end_stops(joints, mates, events, shown);
  shown.on = state_.on;
}

void Protections::follow_suppression(Joints joints, EventReporter& events,
                                     ProtectionSnapshot& shown) noexcept {
  Suppression& suppression = state_.suppression;
  const Suppression::Outcome outcome = suppression.advance(dt_);
  for (const Suppressible what : kAllSuppressible) {
    const auto row = static_cast<std::size_t>(what);
    shown.suppressed_for[row] = suppression.suppressed_for(what);
    shown.suppressed_left[row] = suppression.suppressed_left(what);
    shown.suppressed_by[row] = suppression.suppressed_by(what);
    shown.suppressed.set(what, suppression.suppressed_for(what) > 0.0);
    if (!outcome.ended.has(what)) continue;
    const JointIndex joint = outcome.joint[row];
    Event e = events.event(EventKind::kUnsuppressed, joint, joints.controls[joint]);
    e.detail = static_cast<std::uint8_t>(what);
    e.value = outcome.lasted[row];
    e.limit = kSuppressionTime;
    events.publish(e);
  }
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    guards_[i].gravity_share = suppression.share(i, Suppressible::kGravityCompensation);
  }
}

void Protections::avoid_collisions(PlacedModel& model, Joints joints, EventReporter& events,
                                   ProtectionSnapshot& shown) noexcept {
  for (JointControl::Guard& guard : guards_) guard.repulsion = 0.0;
  stopped_.reset();
  if (!avoidance_ || !is_on(Protection::kCollisionAvoidance)) return;
  const CollisionAvoidance::Outcome outcome =
      avoidance_->advance(*avoidance_config_, *model, joints.setups, joints.controls,
                          state_.suppression, state_.obstacles, repulsion_);
  bool pushes = false;
  for (std::size_t i = 0; i < guards_.size(); ++i) {
    guards_[i].repulsion = repulsion_[i];
    pushes = pushes || repulsion_[i] != 0.0;
    if (outcome.halt.test(i)) joints.controls[i].halt();
  }
  stopped_ = outcome.halt;
  shown.pushes = pushes;
  shown.distance = outcome.distance;
  shown.overlap = std::max(avoidance_config_->margin - outcome.distance, 0.0);
  shown.force = outcome.force;
  if (pushes && outcome.deepest) {
    tell(AvoidanceAct::kPushes, *outcome.deepest, outcome.most, outcome.distance, joints, events);
  }
  if (outcome.halt.any()) {
    tell(AvoidanceAct::kStops, *outcome.halted_by, outcome.halt_most, outcome.halt_distance, joints,
         events);
  }
}

void Protections::tell(AvoidanceAct act, const CollisionGeometry::Pair& pair, JointIndex joint,
                       double distance, Joints joints, EventReporter& events) noexcept {
  if (!events.is_news(state_.acted[static_cast<std::size_t>(act)])) return;
  Event e = joint < joints.size()
                ? events.event(EventKind::kAvoidance, joint, joints.controls[joint])
                : events.event(EventKind::kAvoidance, joint);
  e.detail = static_cast<std::uint8_t>(act);
  e.number = number_of_shapes(pair.a, pair.b);
  const std::size_t shapes = avoidance_->geometry().shapes.size();
  if (pair.b >= shapes) e.obstacle = state_.obstacles[pair.b - shapes].name;
  e.value = distance;
  e.limit = avoidance_config_->margin;
  events.publish(e);
}

void Protections::detect_contacts(Joints joints, std::span<const ArmSetup> arms,
                                  const ExternalForces& forces, const PartMates& mates,
                                  EventReporter& events, ProtectionSnapshot& shown) noexcept {
  if (!detection_ || !is_on(Protection::kCollisionDetection)) return;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactDetector::Joint& joint = contacts_[i];
    const JointActivity activity = joints.controls[i].activity();
    const bool yields = !detection_->when_yielding && !holds_against(joints.controls[i]);
    const bool is_watched = is_watched_[i] && !yields && forces.torques()[i].knows_motor &&
                            !state_.suppression.is_suppressed(i, Suppressible::kContactSafety);
    joint.tau = forces.quick_torque(i);
    joint.is_known = forces.torques()[i].knows_motor;
    joint.watch_squish = is_watched && !is_held_for(activity, JointActivity::kSquish);
    joint.watch_impact = is_watched && !is_held_for(activity, JointActivity::kContact);
  }
  const auto contact = state_.detector.advance(*detection_, contacts_, dt_);
  shown.impact = state_.detector.impact();
  shown.squish = state_.detector.squish();
  if (contact) stop_at(*contact, joints, mates, events);
  watch_hands(joints, arms, mates, events, shown);
}

void Protections::feel_hand(std::size_t arm, const ArmForces& forces) noexcept {
  const bool is_sensed = forces.sensor == ForceSensorState::kGood;
  const Six& wrench = is_sensed ? forces.sensed : forces.external;
  state_.hands[arm] = {std::hypot(wrench[0], wrench[1], wrench[2]),
                       std::hypot(wrench[3], wrench[4], wrench[5]),
                       is_sensed || forces.has_external};
}

/// Uses the forces of the last cycle: external torques become a wrench after this.
void Protections::watch_hands(Joints joints, std::span<const ArmSetup> arms, const PartMates& mates,
                              EventReporter& events, ProtectionSnapshot& shown) noexcept {
  for (std::size_t i = 0; i < arms.size(); ++i) {
    const auto [force, torque, is_known] = state_.hands[i];
    if (!is_known) continue;
    shown.hand_force = std::max(shown.hand_force, force);
    shown.hand_torque = std::max(shown.hand_torque, torque);
    JointIndex most = arms[i].config.joints.front();
    for (const JointIndex joint : arms[i].config.joints) {
      if (std::abs(contacts_[joint].tau) > std::abs(contacts_[most].tau)) most = joint;
    }
    const JointControl& control = joints.controls[most];
    const bool is_free =
        control.machine().driving() && !is_held_for(control.activity(), JointActivity::kContact);
    if (!is_free) continue;
    if (force > detection_->hand_force_max) {
      stop_at(
          {ContactKind::kHandWrench, most, force, detection_->hand_force_max, QuantityKind::kForce},
          joints, mates, events);
    } else if (torque > detection_->hand_torque_max) {
      stop_at({ContactKind::kHandWrench, most, torque, detection_->hand_torque_max}, joints, mates,
              events);
    }
  }
}

void Protections::stop_at(const Contact& contact, Joints joints, const PartMates& mates,
                          EventReporter& events) noexcept {
  Event e = events.event(EventKind::kContact, contact.joint, joints.controls[contact.joint]);
  e.detail = static_cast<std::uint8_t>(contact.kind);
  e.value = contact.value;
  e.limit = contact.threshold;
  e.quantity = contact.quantity;
  events.publish(e);
  const bool stays = contact.kind == ContactKind::kSquish;
  mates.hold(contact.joint, stays ? JointActivity::kSquish : JointActivity::kContact, joints);
  if (stays) return;
  state_.stop_left[contact.joint] = detection_->stop_time;
  for (const JointIndex mate : mates.of(contact.joint)) {
    state_.stop_left[mate] = detection_->stop_time;
  }
}

void Protections::end_stops(Joints joints, const PartMates& mates, EventReporter& events,
                            ProtectionSnapshot& shown) noexcept {
  JointSet told;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    JointControl& joint = joints.controls[i];
    shown.squished = shown.squished || joint.activity() == JointActivity::kSquish;
    double& left = state_.stop_left[i];
    if (left <= 0.0) continue;
    left = joint.activity() == JointActivity::kContact && left > 1.5 * dt_ ? left - dt_ : 0.0;
    shown.stop_left = std::max(shown.stop_left, left);
    if (left > 0.0 || joint.activity() != JointActivity::kContact) continue;
    joint.free(JointActivity::kContact);
    // One event for all joints that stopped together.
    if (!told.test(i)) events.publish(events.event(EventKind::kContactOver, i, joint));
    for (const JointIndex mate : mates.of(i)) told.set(mate);
  }
}

bool Protections::is_cuff_suppressed(const ArmSetup& setup) const noexcept {
  return std::any_of(setup.config.joints.begin(), setup.config.joints.end(), [&](JointIndex joint) {
    return state_.suppression.is_suppressed(joint, Suppressible::kCuff);
  });
}

void Protections::restore(const State& state) { state_ = state; }

}  // namespace jointrig
