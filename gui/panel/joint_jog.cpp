#include "gui/panel/joint_jog.h"

#include <algorithm>
#include <utility>

#include "control/motion/reference_generator.h"

namespace jointrig::gui {

void JointJog::hold(JointIndex joint, int direction) {
  if (!watch_->frame().focused || direction == 0) return;
  if (spent_) {
    goes_on_ = true;
    return;
  }
  if (!client_->allowed(acts_->why_not(PanelAct::kReference, joint))) return;
  const JointMode mode = watch_->now(joint).mode;
  const bool by_velocity = mode == JointMode::kVelocity || mode == JointMode::kMixed;
  if (!by_velocity && mode != JointMode::kPosition) {
    return client_->tell("jogging needs position, mixed or velocity");
  }
  if (jogged_ != joint) end();
  jogged_ = joint;
  goes_on_ = true;
  client_->note_motion();
  const double speed = move_speed(watch_->config(), joint);
  const double sign = direction < 0 ? -1.0 : 1.0;
  if (by_velocity) {
    client_->sent(client_->robot().send<StreamVelocity>({{joint, {sign * speed}}}));
    return;
  }
  const JointLimits& limits = watch_->config().joints[joint].limits;
  const double goal =
      std::clamp(watch_->now(joint).reference.q + sign * watch_->speed_override() * speed * kAhead,
                 soft_min(limits), soft_max(limits));
  client_->sent(client_->robot().send<Move>({{joint, {goal, speed}}}));
}

void JointJog::begin_frame() {
  if (std::exchange(goes_on_, false)) return;
  spent_ = false;
  end();
}

void JointJog::forget() noexcept {
  jogged_ = kNoJoint;
  spent_ = true;
}

void JointJog::end() {
  const JointIndex joint = std::exchange(jogged_, kNoJoint);
  if (joint == kNoJoint) return;
  const JointMode mode = watch_->now(joint).mode;
  if (mode == JointMode::kVelocity || mode == JointMode::kMixed) {
    client_->sent(client_->robot().send<StreamVelocity>({{joint, {0.0}}}));
  }
  client_->brake(JointSet{}.set(joint));
}

}  // namespace jointrig::gui
