#pragma once
/// Chest, head or pelvis: a frame whose orientation messages turn.
///
///     left    no message yet: the frame is left to the posture (not the chest, which is held)
///     turned  by its messages, or held where they have left it
///
/// Its coordinate is the turn from the orientation of the start, in the stance's axes:
/// R = A Q Aᵀ R_start, with the stance's axes A.

#include "control/wholebody/commands.h"
#include "control/wholebody/feedback.h"
#include "control/wholebody/message_queue.h"
#include "control/wholebody/stance.h"

namespace jointrig {

class TurningManager {
 public:
  MessageQueue queue;

  /// The controller begins.
  void begin(FloatingModel& model, const BodyFrame& frame, bool is_held,
             MessageNotices& notices) noexcept;
  /// Where a message begins that comes now.
  [[nodiscard]] BodyPoint present(const FloatingModel& model, const BodyFrame& frame,
                                  const Stance& stance) const noexcept;
  /// Where the frame is, and how it turns.
  [[nodiscard]] BodyPoint measured(FloatingModel& model, const BodyFrame& frame,
                                   const Stance& stance) const noexcept;
  /// The turn by which the frame comes to an orientation in the stance.
  [[nodiscard]] Eigen::Matrix3d turn_to(const Eigen::Matrix3d& orientation,
                                        const Stance& stance) const noexcept;
  /// Holds the orientation that the frame has, if nothing does yet.
  void take_hold(const FloatingModel& model, const BodyFrame& frame, const Stance& stance,
                 MessageNotices& notices) noexcept;
  /// Wanted now, in the world: orientation, turning speed and its rate.
  [[nodiscard]] FrameGoal goal(const Stance& stance) const noexcept;
  [[nodiscard]] double error(const FloatingModel& model, const BodyFrame& frame,
                             const Stance& stance) const noexcept;

 private:
  Eigen::Matrix3d start_ = Eigen::Matrix3d::Identity();
};

}  // namespace jointrig
