#pragma once
/// A hand: a frame that messages move in the stance frame, or the joints of its arm. Likewise the
/// neck, whose frame is moved by others, and the fingers of a hand.
///
///     posture       no message yet: the arm is left to the posture
///     taskspace     by hand trajectories
///     jointspace    by arm trajectories
///     acceleration  by accelerations of the joints, as long as they keep coming; then the joints
///                   brake and hold in jointspace
///
/// A message of another space takes its place at once, from where the arm is.

#include <cstdint>
#include <span>
#include <vector>

#include "control/wholebody/commands.h"
#include "control/wholebody/feedback.h"
#include "control/wholebody/message_queue.h"
#include "control/wholebody/stance.h"
#include "control/wholebody/user_acceleration.h"

namespace jointrig {

/// Constants of a hand.
struct HandSetup {
  BodyFrame frame;
  std::vector<int> joints;  ///< of its arm, in the model's order, from the body on
};

/// Pose and twist of a frame, in the stance frame.
BodyPoint frame_now(FloatingModel& model, const BodyFrame& frame, const Stance& stance) noexcept;
/// The same in the world, as it is wanted.
FrameGoal goal_of(const BodyPoint& now, const Stance& stance) noexcept;

class HandManager {
 public:
  enum class Space : std::uint8_t { kPosture, kTask, kJoint, kAcceleration };

  [[nodiscard]] Space space() const noexcept { return space_; }
  /// The messages of the space in which it is moved.
  [[nodiscard]] const MessageQueue& queue() const noexcept { return queue_; }

  void leave(MessageNotices& notices) noexcept;

  /// Where a message of a space begins that comes now, and the id that it may follow.
  [[nodiscard]] BodyPoint start(FloatingModel& model, const HandSetup& setup, const Stance& stance,
                                Space space, const TaskChoice& choice,
                                Execution execution) const noexcept;
  [[nodiscard]] MessageId last_id(Space space) const noexcept {
    return space == space_ ? queue_.last_id() : 0;
  }
  [[nodiscard]] bool full(Space space) const noexcept { return space == space_ && queue_.full(); }
  void take(Space space, const MessageOrder& order, MessageNotices& notices) noexcept;
  /// @param accelerations  one for each joint of the arm
  void accelerate(MessageId id, CommandKind kind, std::span<const double> accelerations,
                  MessageNotices& notices) noexcept;
  /// Accelerations of the joints that are wanted now; in space acceleration.
  [[nodiscard]] const BodyPoint::Coordinates& accelerations() const noexcept {
    return stream_.wanted();
  }
  void hold(const FloatingModel& model, const HandSetup& setup, MessageNotices& notices) noexcept;
  /// Another part moves its joints from now on.
  void give_way(MessageNotices& notices) noexcept;
  /// In taskspace from now on: brakes from where it is and as fast as it moves, and holds.
  void hold_here(const BodyPoint& here, MessageNotices& notices) noexcept;
  /// @param timeout  of accelerations [s]
  void advance(const FloatingModel& model, const HandSetup& setup, double dt, double timeout,
               MessageNotices& notices) noexcept;

  /// Wanted pose in the world; in taskspace.
  [[nodiscard]] FrameGoal goal(const Stance& stance) const noexcept;

 private:
  void brake_joints(const FloatingModel& model, const HandSetup& setup,
                    MessageNotices& notices) noexcept;

  Space space_ = Space::kPosture;
  MessageQueue queue_;
  UserAcceleration stream_;
};

}  // namespace jointrig
