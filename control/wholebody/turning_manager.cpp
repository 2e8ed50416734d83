#include "control/wholebody/turning_manager.h"

namespace jointrig {

void TurningManager::begin(FloatingModel& model, const BodyFrame& frame, bool is_held,
                           MessageNotices& notices) noexcept {
  start_ = model.rotation(frame);
  queue.leave(notices);
  if (is_held) queue.begin({}, notices);
}

BodyPoint TurningManager::present(const FloatingModel& model, const BodyFrame& frame,
                                  const Stance& stance) const noexcept {
  if (queue.active()) return queue.now();
  BodyPoint point;
  point.rotation =
      stance.axes.transpose() * model.rotation(frame) * start_.transpose() * stance.axes;
  return point;
}

BodyPoint TurningManager::measured(FloatingModel& model, const BodyFrame& frame,
                                   const Stance& stance) const noexcept {
  BodyPoint point;
  point.rotation =
      stance.axes.transpose() * model.rotation(frame) * start_.transpose() * stance.axes;
  point.turning = stance.axes.transpose() * model.twist(frame).tail<3>();
  return point;
}

Eigen::Matrix3d TurningManager::turn_to(const Eigen::Matrix3d& orientation,
                                        const Stance& stance) const noexcept {
  return orientation * start_.transpose() * stance.axes;
}

void TurningManager::take_hold(const FloatingModel& model, const BodyFrame& frame,
                               const Stance& stance, MessageNotices& notices) noexcept {
  if (!queue.active()) queue.begin(present(model, frame, stance), notices);
}

FrameGoal TurningManager::goal(const Stance& stance) const noexcept {
  const BodyPoint& now = queue.now();
  FrameGoal goal;
  goal.rotation = stance.axes * now.rotation * stance.axes.transpose() * start_;
  goal.velocity.tail<3>() = stance.axes * now.turning;
  goal.acceleration.tail<3>() = stance.axes * now.turning_rate;
  return goal;
}

double TurningManager::error(const FloatingModel& model, const BodyFrame& frame,
                             const Stance& stance) const noexcept {
  if (!queue.active()) return 0.0;
  return turn_between(model.rotation(frame), goal(stance).rotation).norm();
}

}  // namespace jointrig
