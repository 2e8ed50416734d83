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

void HandManager::begin(FloatingModel& model, const HandSetup& setup,
                        MessageNotices& notices) noexcept {
  leave(notices);
  home_ = arm_now(model, setup).x;
}

void HandManager::leave(MessageNotices& notices) noexcept {
  queue_.leave(notices);
  space_ = Space::kPosture;
}

BodyPoint HandManager::start(FloatingModel& model, const HandSetup& setup, const Stance& stance,
                             Space space, Execution execution) const noexcept {
  if (space == space_ && execution == Execution::kQueue) return queue_.end();
  if (space == space_) return queue_.now();
  return space == Space::kTask ? frame_now(model, setup.frame, stance) : arm_now(model, setup);
}

void HandManager::take(Space space, Execution execution, MessageId id, CommandKind kind,
                       const BodyPath& path, MessageNotices& notices) noexcept {
  if (space == space_ && execution == Execution::kQueue) {
    queue_.add(id, kind, path);
  } else {
    queue_.replace(id, kind, path, notices);
  }
  space_ = space;
}

void HandManager::hold(MessageNotices& notices) noexcept {
  if (space_ != Space::kPosture) queue_.hold(notices);
}

FrameGoal HandManager::goal(const Stance& stance) const noexcept {
  return goal_of(queue_.now(), stance);
}

void HandManager::hold_here(BodyPoint here, MessageNotices& notices) noexcept {
  here.v.setZero();
  here.turning.setZero();
  queue_.begin(here, notices);
  space_ = Space::kTask;
}

}  // namespace jointrig
