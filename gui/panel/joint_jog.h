#pragma once

#include "gui/panel/joint_acts.h"

namespace jointrig::gui {

/// Moves a joint while a key or a button is held.
///
/// One thread: the window's.
class JointJog {
 public:
  static constexpr double kAhead = 0.3;  ///< s: time by which the goal is ahead

  /// All references outlive this object.
  JointJog(const RobotWatch& watch, PanelClient& client, const JointActs& acts)
      : watch_(&watch), client_(&client), acts_(&acts) {}

  /// Call each frame: brakes a joint that was not held since the last frame.
  void begin_frame();
  /// Call in each frame in which the key or button is held. The goal is never further away than
  /// kAhead at the joint's speed; in velocity and mixed it streams a velocity. If the window fails,
  /// the joint stops soon after.
  /// @param direction  -1 or 1
  void hold(JointIndex joint, int direction);
  /// Call when another command brakes the joint: a key that is still held does nothing until it is
  /// pressed again.
  void forget() noexcept;
  /// Brakes the joint at once: for the end of ARMED.
  void end();

 private:
  const RobotWatch* watch_;
  PanelClient* client_;
  const JointActs* acts_;
  JointIndex jogged_ = kNoJoint;
  bool goes_on_ = false;
  bool spent_ = false;  ///< ended while held
};

}  // namespace jointrig::gui
