// Frames in which messages are given.

#include "control/wholebody/managers.h"

namespace jointrig {

/// Null: the stance, the world, or a part that the robot doesn't have.
const BodyFrame* BodyManagers::frame_called(PointFrame frame) const noexcept {
  const auto of = [](const Part& part) { return part.there ? &part.frame : nullptr; };
  switch (frame) {
    case PointFrame::kStance:
    case PointFrame::kWorld:
      return nullptr;
    case PointFrame::kPelvis:
      return of(pelvis_);
    case PointFrame::kChest:
      return of(chest_);
    case PointFrame::kHead:
      return of(head_);
    case PointFrame::kFoot1:
    case PointFrame::kFoot2:
    case PointFrame::kFoot3:
    case PointFrame::kFoot4:
      break;
  }
  const auto foot = static_cast<std::size_t>(frame) - static_cast<std::size_t>(PointFrame::kFoot1);
  return foot < feet_.size() ? &feet_[foot].sole.frame : nullptr;
}

/// @param place  of the field in the message
MessageFault BodyManagers::no_such_frame(PointFrame frame, std::uint8_t place) const noexcept {
  if (frame == PointFrame::kStance || frame == PointFrame::kWorld) return {};
  if (frame_called(frame) != nullptr) return {};
  return {RejectReason::kNoSuchPart, static_cast<double>(frame), 0.0,
          static_cast<std::uint8_t>(place + 1)};
}

/// For poses. The frame is one that the robot has.
GivenFrame BodyManagers::given_pose(const FloatingModel& model, PointFrame frame) const noexcept {
  GivenFrame given;
  if (frame == PointFrame::kStance) return given;
  const Eigen::Matrix3d to_stance = state_.stance.axes.transpose();
  const BodyFrame* part = frame_called(frame);
  const Eigen::Vector3d at = part != nullptr ? model.position(*part) : Eigen::Vector3d::Zero();
  given.origin = to_stance * (at - state_.stance.origin);
  given.axes = to_stance;
  if (part != nullptr) given.axes = to_stance * model.rotation(*part);
  given.left = Eigen::Quaterniond(given.axes);
  given.turning = given.axes;
  return given;
}

/// For turns from the start; its place is that of given_pose().
GivenFrame BodyManagers::given_turn(const FloatingModel& model, PointFrame frame) const noexcept {
  GivenFrame given = given_pose(model, frame);
  if (frame == PointFrame::kStance) return given;
  const Eigen::Matrix3d& axes = state_.stance.axes;
  if (frame == PointFrame::kWorld) {
    given.right = Eigen::Quaterniond(axes);
    return given;
  }
  const Eigen::Matrix3d& started = state_.started[static_cast<std::size_t>(frame)];
  given.turning =
      axes.transpose() * model.rotation(*frame_called(frame)) * started.transpose() * axes;
  given.left = Eigen::Quaterniond(given.turning);
  return given;
}

}  // namespace jointrig
