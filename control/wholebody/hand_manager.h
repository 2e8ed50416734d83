#pragma once
/// A hand: a frame that messages move in the stance frame, or the joints of its arm.
///
///     posture    no message yet: the arm is left to the posture
///     taskspace  by hand trajectories
///     jointspace by arm trajectories
///
/// A message of the other space takes its place at once, from where the arm is.

#include <cstdint>
#include <vector>

#include "control/wholebody/commands.h"
#include "control/wholebody/feedback.h"
#include "control/wholebody/message_queue.h"
#include "control/wholebody/stance.h"

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
  enum class Space : std::uint8_t { kPosture, kTask, kJoint };

  [[nodiscard]] Space space() const noexcept { return space_; }
  /// The messages of the space in which it is moved.
  [[nodiscard]] const MessageQueue& queue() const noexcept { return queue_; }

  void begin(FloatingModel& model, const HandSetup& setup, MessageNotices& notices) noexcept;
  void leave(MessageNotices& notices) noexcept;

  /// Where a message of a space begins that comes now, and the id that it may follow.
  [[nodiscard]] BodyPoint start(FloatingModel& model, const HandSetup& setup, const Stance& stance,
                                Space space, Execution execution) const noexcept;
  [[nodiscard]] MessageId last_id(Space space) const noexcept {
    return space == space_ ? queue_.last_id() : 0;
  }
  [[nodiscard]] bool full(Space space) const noexcept { return space == space_ && queue_.full(); }
  void take(Space space, Execution execution, MessageId id, CommandKind kind, const BodyPath& path,
            MessageNotices& notices) noexcept;
  void hold(MessageNotices& notices) noexcept;
  /// In taskspace from now on, at rest at a place.
  void hold_here(BodyPoint here, MessageNotices& notices) noexcept;
  void advance(double dt, MessageNotices& notices) noexcept { queue_.advance(dt, notices); }

  /// Joint positions of the arm at the start, for going home.
  [[nodiscard]] const BodyPoint::Coordinates& home() const noexcept { return home_; }
  /// Wanted pose in the world; in taskspace.
  [[nodiscard]] FrameGoal goal(const Stance& stance) const noexcept;

 private:
  Space space_ = Space::kPosture;
  MessageQueue queue_;
  BodyPoint::Coordinates home_ = BodyPoint::Coordinates::Zero();
};

}  // namespace jointrig
