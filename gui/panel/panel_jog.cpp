// Moving a joint as long as somebody holds a key or a button.

#include <algorithm>
#include <utility>

#include "control/motion/reference_generator.h"
#include "gui/panel/panel.h"

namespace jointrig {

/// A goal is never further away than kJogAhead at this speed, and a velocity is streamed: whatever
/// becomes of the window, the joint stands soon after.
void MotorPanel::jog(JointIndex joint, int direction) {
  if (!frame_.focused || direction == 0) return;
  if (!allowed(why_not(PanelAct::kReference, joint))) return;
  const JointMode mode = now(joint).mode;
  const bool by_velocity = mode == JointMode::kVelocity || mode == JointMode::kMixed;
  if (!by_velocity && mode != JointMode::kPosition) {
    return tell("jogging wants position, mixed or velocity");
  }
  if (jogged_ != joint) end_jog();
  jogged_ = joint;
  jog_goes_on_ = true;
  access_.used(frame_.now);
  const double speed = move_speed(joint);
  const double sign = direction < 0 ? -1.0 : 1.0;
  if (by_velocity) {
    sent(client_->send<StreamVelocity>({{joint, {sign * speed}}}));
    return;
  }
  const JointLimits& limits = config().joints[joint].limits;
  const double goal =
      std::clamp(now(joint).reference.q + sign * speed_override() * speed * kJogAhead,
                 soft_min(limits), soft_max(limits));
  sent(client_->send<Move>({{joint, {goal, speed}}}));
}

/// Nobody has held it since the last frame: it brakes.
void MotorPanel::follow_jog() {
  if (!std::exchange(jog_goes_on_, false)) end_jog();
}

void MotorPanel::end_jog() {
  const JointIndex joint = std::exchange(jogged_, kNoJoint);
  if (joint == kNoJoint) return;
  const JointMode mode = now(joint).mode;
  if (mode == JointMode::kVelocity || mode == JointMode::kMixed) {
    sent(client_->send<StreamVelocity>({{joint, {0.0}}}));
  }
  stop(JointSet{}.set(joint));
}

}  // namespace jointrig
