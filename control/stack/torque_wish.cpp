#include "control/stack/torque_wish.h"

namespace jointrig {

void TorqueWish::ask(const JointSet& joints) noexcept {
  joints_ |= joints;
  waited_ = 0.0;
}

void TorqueWish::advance(Joints joints, const Controller& controller, double dt,
                         EventReporter& events) noexcept {
  if (!is_there()) return;
  if (!controller.is_on) joints_.reset();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (joints.controls[i].machine().mode() != ControlMode::kPosition) joints_.reset(i);
  }
  if (!is_there()) return;
  const std::optional<Obstacle> met = obstacle(joints, controller);
  if (!met) return grant(joints, events);
  waited_ += dt;
  if (waited_ < kTorquePatience + 0.5 * dt) return;
  joints_.reset();
  Event e = met->joint < joints.size()
                ? events.event(EventKind::kStaysHeld, met->joint, joints.controls[met->joint])
                : events.event(EventKind::kStaysHeld, kNoJoint);
  e.law = controller.law;
  e.detail = static_cast<std::uint8_t>(met->what.why);
  e.value = met->what.value;
  e.limit = met->what.limit;
  events.publish(e);
}

std::optional<TorqueWish::Obstacle> TorqueWish::obstacle(
    Joints joints, const Controller& controller) const noexcept {
  if (!controller.may_run) return Obstacle{.what = controller.doubt};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!joints_.test(i)) continue;
    const JointControl& joint = joints.controls[i];
    const auto index = static_cast<JointIndex>(i);
    if (!joint.machine().driving()) return Obstacle{{.why = TorqueObstacle::kJointOff}, index};
    if (is_held(joint.activity()) || is_in_hand(joint.activity())) {
      return Obstacle{{.why = TorqueObstacle::kJointHeld}, index};
    }
    if (!joint.stands()) return Obstacle{{.why = TorqueObstacle::kJointMoves}, index};
  }
  return std::nullopt;
}

void TorqueWish::grant(Joints joints, EventReporter& events) noexcept {
  const SetMode torque{.joints = joints_, .mode = ModeRequest::kTorque};
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (!joints_.test(i)) continue;
    JointControl& joint = joints.controls[i];
    const JointMode was = joint.machine().shown();
    joint.take(joints.setups[i], torque);
    events.report_mode(i, joint, was);
  }
  joints_.reset();
}

}  // namespace jointrig
