#pragma once
/// Accelerations of joints that a sender chooses himself, message by message. State that is saved
/// and restored by assignment. For the cycle.

#include <span>

#include "control/wholebody/body_path.h"
#include "control/wholebody/message_queue.h"

namespace jointrig {

class UserAcceleration {
 public:
  /// Wanted now, one for each joint [rad/s² or m/s²].
  [[nodiscard]] const BodyPoint::Coordinates& wanted() const noexcept { return wanted_; }

  /// Of those that keep coming the first is told as started, the last as what became of all.
  void take(MessageId id, CommandKind kind, std::span<const double> wanted) noexcept;
  /// Returns true in the cycle in which `timeout` has passed without another one [s].
  bool advance(double dt, double timeout, MessageNotices& notices) noexcept;
  /// Nothing if none runs.
  void end(MessageChange why, MessageNotices& notices) noexcept;

 private:
  void tell(MessageChange change, MessageNotices& notices) const noexcept;

  MessageId id_ = 0;  ///< 0: none runs
  CommandKind kind_ = CommandKind::kArmDesiredAccelerations;
  bool is_started_ = false;
  double time_ = 0.0;     ///< since the first [s]
  double silence_ = 0.0;  ///< since the last [s]
  BodyPoint::Coordinates wanted_ = BodyPoint::Coordinates::Zero();
};

}  // namespace jointrig
