#include "control/wholebody/hand_manager.h"

namespace jointrig {
namespace {

BodyPoint arm_now(const FloatingModel& model, const HandSetup& setup) noexcept {
  BodyPoint point;
  for (std::size_t k = 0; k < setup.joints.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    const int joint = setup.joints[k];
    point.x[at] = model.q()[static_cast<std::size_t>(joint)];
    point.v[at] = model.velocity()[FloatingModel::kBase + joint];
  }
  return point;
}

}  // namespace

BodyPoint frame_now(FloatingModel& model, const BodyFrame& frame, const Stance& stance) noexcept {
  BodyPoint point;
  const auto twist = model.twist(frame);
  point.x.head<3>() = stance.axes.transpose() * (model.position(frame) - stance.origin);
  point.v.head<3>() = stance.axes.transpose() * twist.head<3>();
  point.rotation = stance.axes.transpose() * model.rotation(frame);
  point.turning = stance.axes.transpose() * twist.tail<3>();
  return point;
}

FrameGoal goal_of(const BodyPoint& now, const Stance& stance) noexcept {
  FrameGoal goal;
  goal.position = stance.origin + stance.axes * now.x.head<3>();
  goal.rotation = stance.axes * now.rotation;
  goal.velocity << stance.axes * now.v.head<3>(), stance.axes * now.turning;
  goal.acceleration << stance.axes * now.a.head<3>(), stance.axes * now.turning_rate;
  return goal;
}

void HandManager::leave(MessageNotices& notices) noexcept {
  queue_.leave(notices);
  stream_.end(MessageChange::kDropped, notices);
  space_ = Space::kPosture;
}

void HandManager::give_way(MessageNotices& notices) noexcept {
  queue_.give_way(notices);
  stream_.end(MessageChange::kReplaced, notices);
  space_ = Space::kPosture;
}

BodyPoint HandManager::start(FloatingModel& model, const HandSetup& setup, const Stance& stance,
                             Space space, const TaskChoice& choice,
                             Execution execution) const noexcept {
  if (space == space_ && execution == Execution::kQueue) return queue_.end();
  const bool goes_on = space == space_ && !queue_.drives_others(choice, execution);
  if (goes_on) return queue_.now();
  return space == Space::kTask ? frame_now(model, setup.frame, stance) : arm_now(model, setup);
}

void HandManager::take(Space space, const MessageOrder& order, MessageNotices& notices) noexcept {
  if (space != space_) give_way(notices);
  queue_.take(order, notices);
  space_ = space;
}

void HandManager::accelerate(MessageId id, CommandKind kind, std::span<const double> accelerations,
                             MessageNotices& notices) noexcept {
  if (space_ != Space::kAcceleration) queue_.give_way(notices);
  stream_.take(id, kind, accelerations);
  space_ = Space::kAcceleration;
}

/// From where the joints are, as fast as they are.
void HandManager::brake_joints(const FloatingModel& model, const HandSetup& setup,
                               MessageNotices& notices) noexcept {
  queue_.begin(arm_now(model, setup), notices);
  queue_.hold(notices);
  space_ = Space::kJoint;
}

void HandManager::hold(const FloatingModel& model, const HandSetup& setup,
                       MessageNotices& notices) noexcept {
  if (space_ == Space::kAcceleration) {
    stream_.end(MessageChange::kDropped, notices);
    brake_joints(model, setup, notices);
  } else if (space_ != Space::kPosture) {
    queue_.hold(notices);
  }
}

void HandManager::advance(const FloatingModel& model, const HandSetup& setup, double dt,
                          double timeout, MessageNotices& notices) noexcept {
  if (space_ == Space::kAcceleration && stream_.advance(dt, timeout, notices)) {
    brake_joints(model, setup, notices);
  }
  queue_.advance(dt, notices);
}

FrameGoal HandManager::goal(const Stance& stance) const noexcept {
  return goal_of(queue_.now(), stance);
}

void HandManager::hold_here(const BodyPoint& here, MessageNotices& notices) noexcept {
  queue_.begin(here, notices);
  queue_.hold(notices);
  stream_.end(MessageChange::kDropped, notices);
  space_ = Space::kTask;
}

}  // namespace jointrig
