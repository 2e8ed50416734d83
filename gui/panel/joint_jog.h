#pragma once

#include "gui/panel/joint_acts.h"

namespace jointrig::gui {

/// Moves a joint as long as somebody holds a key or a button.
///
/// One thread: the window's.
class JointJog {
 public:
  static constexpr double kAhead = 0.3;  ///< s: how far a goal is ahead

  /// All outlive it.
  JointJog(const RobotWatch& watch, PanelClient& client, const JointActs& acts)
      : watch_(&watch), client_(&client), acts_(&acts) {}

  /// Each frame: a joint that nobody has held since the last one brakes.
  void begin_frame();
  /// To be called in each frame in which the key or button is held. A goal is never further away
  /// than kAhead at the joint's speed, and in velocity and mixed a velocity is streamed: whatever
  /// becomes of the window, the joint stands soon after.
  /// @param direction  -1 or 1
  void hold(JointIndex joint, int direction);
  /// Something else brakes the joint.
  void forget() noexcept { jogged_ = kNoJoint; }

 private:
  void end();

  const RobotWatch* watch_;
  PanelClient* client_;
  const JointActs* acts_;
  JointIndex jogged_ = kNoJoint;
  bool goes_on_ = false;
};

}  // namespace jointrig::gui
